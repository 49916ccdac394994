package wf

import (
	"fmt"
	"regexp"
	"strings"

	"lda.chat/wf/internal/value"
)

// pathText reads a text where an operand or a path stands: a rooted path and nothing else. Whatever else was meant, a
// literal or another language's way to write a path, is told apart and reported; the latter is then read as what was
// meant. isOperand: a literal may stand there too.
func (r *reader) pathText(v value.Value, s, at string, isOperand bool) (Path, bool) {
	if isRooted(s) {
		path, err := ParsePath(s)
		if err != nil {
			d := Diagnostic{Code: "path_invalid", Path: at, Message: err.Error(),
				RepairHint: `write a path like state.items[0].title or state["odd name"]; a text goes into {"value": …}`}
			if strings.ContainsAny(s, "<>=!&|+*") {
				d.RepairHint = "a path is no expression: compare in a condition, compute in a capability"
			}
			r.add(d)
			return holePath(), false
		}
		return path, true
	}
	if inner, ok := unwrapPath(s); ok {
		path, _ := ParsePath(inner)
		trust := FixSafe
		if !strings.Contains(s, inner) {
			trust = FixUnsafe
		}
		r.add(Diagnostic{Code: "path_wrapped", Path: at, RepairHint: "write " + quoteShort(inner),
			Message: fmt.Sprintf("a path is written without anything around it, found %s", quoteShort(s)),
			Fixes:   []Fix{r.replace(v, at, inner, trust)}})
		if trust != FixSafe {
			path = holePath()
		}
		return path, true
	}
	r.notAPath(v, s, at, isOperand)
	return holePath(), false
}

// notAPath reports a text that is no path, with what it may have been meant as.
func (r *reader) notAPath(v value.Value, s, at string, isOperand bool) {
	d := Diagnostic{Code: "not_a_path", Path: at,
		Message:    fmt.Sprintf("a text here is a path, and %s has no root; a path begins with %s", quoteShort(s), rootList()),
		RepairHint: fmt.Sprintf(`if the text itself is meant, write {"value": %s}`, shorten(quoteJSON(s), 60))}
	if r.isLocked {
		r.errors++
		return
	}
	candidates := r.scope.candidates(s)
	trust := FixSafe
	switch {
	case len(candidates) > 0 && isOperand:
		d.RepairHint = fmt.Sprintf("write %s, or if the text itself is meant {\"value\": %s}", quoteShort(candidates[0]), shorten(quoteJSON(s), 60))
		trust = FixUnsafe
	case len(candidates) > 0:
		d.RepairHint = "write " + quoteShort(candidates[0])
	case isOperand && hasMarks(s):
		d.RepairHint = `write a template, with paths in single braces: {"text": "Report for {state.name}"}`
		trust = FixUnsafe
	case !isOperand:
		d.RepairHint = `write it with its root, for example "state.text"`
	}
	for _, candidate := range candidates {
		d.Fixes = append(d.Fixes, r.replace(v, at, candidate, FixUnsafe))
	}
	if isOperand {
		d.Fixes = append(d.Fixes, r.wrap(v, at, "value", trust))
	}
	r.add(d)
}

var wrappers = []struct{ before, after string }{
	{"${{", "}}"}, {"{{", "}}"}, {"${", "}"}, {"{", "}"}, {"=", ""}, {"$.", ""}, {"$", ""},
}

// unwrapPath takes the marks of other languages off a path: {{state.x}}, ${state.x}, $.state.x, =state.x.
// What JSONPath calls $.x has no root of ours: state is the likeliest.
func unwrapPath(s string) (inner string, ok bool) {
	inner = strings.TrimSpace(s)
	wrapped := inner != s
	for again := true; again; {
		again = false
		for _, w := range wrappers {
			if len(inner) > len(w.before)+len(w.after) && strings.HasPrefix(inner, w.before) && strings.HasSuffix(inner, w.after) {
				inner = strings.TrimSpace(inner[len(w.before) : len(inner)-len(w.after)])
				wrapped, again = true, true
				break
			}
		}
	}
	if !wrapped {
		return "", false
	}
	if !isRooted(inner) && strings.Contains(s, "$.") {
		inner = "state." + inner
	}
	_, err := ParsePath(inner)
	return inner, err == nil
}

// literalList reports, once, a list of plain texts and numbers that was meant as a literal.
func (r *reader) literalList(v value.Value, at string) bool {
	texts, trust := 0, FixSafe
	for _, item := range v.Items() {
		s, isText := item.AsString()
		switch {
		case item.Kind() == value.KindArray || item.Kind() == value.KindObject || isRooted(s):
			return false
		case isText:
			if _, wrapped := unwrapPath(s); wrapped {
				return false
			}
			if texts++; r.scope.names(s) {
				trust = FixUnsafe
			}
		}
	}
	if texts == 0 {
		return false
	}
	r.add(Diagnostic{Code: "not_a_path", Path: at, RepairHint: fmt.Sprintf(`write {"value": %s}`, shorten(v.String(), 60)),
		Message: "the texts in this list are no paths; a list of literals stands in a value",
		Fixes:   []Fix{r.wrap(v, at, "value", trust)}})
	return true
}

// bareObject reports an object that is neither an operand nor anything else, and reads it as what it was meant for.
func (r *reader) bareObject(v value.Value, at string) Operand {
	d := Diagnostic{Code: "not_a_path", Path: at,
		Message:    fmt.Sprintf("a bare object is no operand; an operand has one of %s", listText(operandKinds)),
		RepairHint: `put a literal into {"value": …}, an object whose members are operands into {"object": …}`}
	if !v.Get("root").IsAbsent() && v.Len() <= 2 {
		d.RepairHint = `put the path into {"path": …}`
		d.Fixes = []Fix{r.wrap(v, at, "path", FixSafe)}
		r.add(d)
		path := r.pathObject(v, at)
		return Operand{Path: &path}
	}
	if hasPaths(v, maxNesting) {
		d.Fixes = []Fix{r.wrap(v, at, "object", FixUnsafe), r.wrap(v, at, "value", FixUnsafe)}
		r.add(d)
		return holeOperand()
	}
	trust := FixSafe
	if r.scope.namesIn(v, maxNesting) {
		trust = FixUnsafe
	}
	d.Fixes = []Fix{r.wrap(v, at, "value", trust)}
	r.checkDepth(v, at)
	r.add(d)
	if v.Len() == 0 || !v.Get("parts").IsAbsent() {
		return holeOperand() // it says nothing, or less than a path
	}
	return Operand{Value: v.AppendCanonical(nil)}
}

// hasPaths reports whether a text somewhere in a value reads as a path.
func hasPaths(v value.Value, levels int) bool {
	if s, ok := v.AsString(); ok {
		_, wrapped := unwrapPath(s)
		return wrapped || isRooted(s)
	}
	if levels == 0 {
		return true
	}
	for _, item := range v.Items() {
		if hasPaths(item, levels-1) {
			return true
		}
	}
	for _, member := range v.Members() {
		if hasPaths(member, levels-1) {
			return true
		}
	}
	return false
}

// wrappedInText finds paths in a template as other languages write them.
var wrappedInText = regexp.MustCompile(`\$?\{\{\s*([a-z]+[^{}]*?)\s*\}\}`)

// templateMistake reports a template that cannot be read, and reads it as what it was meant for.
func (r *reader) templateMistake(v value.Value, s, at string, err error) (parts []Operand, ok bool) {
	d := Diagnostic{Code: "template_invalid", Path: at, Message: err.Error(),
		RepairHint: `put paths in single braces: "Report for {state.name}"; double a brace that is meant as such`}
	repaired := wrappedInText.ReplaceAllString(s, "{$1}")
	template, err := ParseTemplate(repaired)
	if err == nil {
		d.RepairHint = "write " + quoteShort(repaired)
		d.Fixes = []Fix{r.replace(v, at, repaired, FixSafe)}
	}
	r.add(d)
	return template.Text, err == nil
}
