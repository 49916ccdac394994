package edit

import (
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

// renaming goes through all places of a workflow where a value is read, and gives a step another name in the paths there. Literals,
// schemas and the workflows inside are left alone. What has another form than a plan's is passed over.
type renaming struct {
	*scope
	from, to string
	count    int
}

func (r *renaming) workflow() {
	r.inputs(r.place("output"))
	for i, step := range r.steps().Items() {
		at := r.place("nodes", i)
		for _, key := range []string{"over", "result", "seconds", "until", "message"} {
			r.operand(under(at, key))
		}
		for _, key := range []string{"input", "request"} {
			r.inputs(under(at, key))
		}
		r.condition(under(at, "check"))
		for _, key := range []string{"cases", "branches"} {
			for j := range step.Get(key).Items() {
				r.condition(under(at, key, j, "when"))
			}
		}
		switch kindOf(step) {
		case wf.TypeEnd, wf.TypeSet: // from places to operands
			r.inputs(under(at, "output"))
		}
		for _, key := range []string{"output", "resume"} {
			r.sources(under(at, key))
		}
	}
}

// inputs are bindings that read operands: a path for the whole, a map, or a list.
func (r *renaming) inputs(at place) {
	switch v := r.at(at); v.Kind() {
	case value.KindString:
		r.operand(at)
	case value.KindObject:
		for key := range v.Members() {
			r.operand(under(at, key))
		}
	case value.KindArray:
		for i, item := range v.Items() {
			if item.Kind() == value.KindObject {
				r.operand(under(at, i))
			}
		}
	}
}

// sources are the operands in a list of bindings that write to the state. In a map the sources are places of the step's own output.
func (r *renaming) sources(at place) {
	for i := range r.at(at).Items() {
		r.operand(under(at, i, "source"))
		r.operand(under(at, i))
	}
}

func (r *renaming) operand(at place) {
	switch v := r.at(at); v.Kind() {
	case value.KindString:
		r.path(at)
	case value.KindArray:
		for i := range v.Items() {
			r.operand(under(at, i))
		}
	case value.KindObject:
		r.path(under(at, "path"))
		r.operand(under(at, "length"))
		if v.Get("list").Kind() == value.KindArray {
			r.operand(under(at, "list"))
		}
		for key := range v.Get("object").Members() {
			r.operand(under(at, "object", key))
		}
		switch text := v.Get("text"); text.Kind() {
		case value.KindString:
			r.template(under(at, "text"))
		case value.KindArray:
			r.operand(under(at, "text"))
		}
	}
}

func (r *renaming) condition(at place) {
	for key, v := range r.at(at).Members() {
		inside := under(at, key)
		switch key {
		case "and", "or", "args":
			for i := range v.Items() {
				r.condition(under(inside, i))
			}
		case "not", "arg", "check":
			r.condition(inside)
		case "any", "all":
			r.condition(inside)
		case "left", "right", "over":
			r.operand(inside)
		case "exists", "path":
			r.path(inside)
			r.path(under(inside, "path"))
		case "matches", "is":
			r.operand(under(inside, 0))
		case "eq", "ne", "gt", "ge", "lt", "le", "in", "contains":
			for i := range v.Items() {
				r.operand(under(inside, i))
			}
		}
	}
}

// path renames in a path, a text or an object.
func (r *renaming) path(at place) {
	v := r.at(at)
	if textOf(v.Get("root")) == string(wf.RootSteps) && textOf(v.Get("parts").Index(0)) == r.from {
		r.replace(under(at, "parts", 0), value.String(r.to))
		r.count++
		return
	}
	if text, ok := r.renamed(textOf(v)); ok {
		r.replace(at, value.String(text))
		r.count++
	}
}

// renamed is the text of a path with the step's new name; false if it does not name the step.
func (r *renaming) renamed(text string) (string, bool) {
	p, err := wf.ParsePath(text)
	if err != nil || p.Root != wf.RootSteps || len(p.Parts) == 0 || p.Parts[0].IsIndex || p.Parts[0].Name != r.from {
		return text, false
	}
	p.Parts = slices.Clone(p.Parts)
	p.Parts[0].Name = r.to
	return p.String(), true
}

// template renames in the paths of a template, which stand in single braces.
func (r *renaming) template(at place) {
	text := textOf(r.at(at))
	var b strings.Builder
	found := 0
	for i := 0; i < len(text); {
		if text[i] != '{' || strings.HasPrefix(text[i:], "{{") {
			n := 1
			if strings.HasPrefix(text[i:], "{{") {
				n = 2
			}
			b.WriteString(text[i : i+n])
			i += n
			continue
		}
		end := closing(text[i:])
		path, ok := r.renamed(text[i+1 : i+end])
		if ok {
			found++
		}
		b.WriteString("{" + path)
		i += end
	}
	if found > 0 {
		r.replace(at, value.String(b.String()))
		r.count += found
	}
}

// closing is where the brace that a text begins with is closed, names in quotes apart; its length if nowhere.
func closing(text string) int {
	quoted := false
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			quoted = !quoted
		case '\\':
			if quoted {
				i++
			}
		case '}':
			if !quoted {
				return i
			}
		}
	}
	return len(text)
}
