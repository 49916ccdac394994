package edit

import (
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

// direction is what bindings do: a map of them reads place ← operand, or place → state path.
type direction uint8

const (
	fills  direction = iota // a place of an input, a request or an output from an operand
	sets                    // a place of the state from an operand
	writes                  // a place of the state from a place of the step's output
)

// binding is one of a list or map of bindings.
type binding struct {
	key      string      // in a map: what is filled or set, or what is written from
	v        value.Value // in a map: the operand, or the state path that is written
	item     value.Value // in a list
	listOnly bool        // a map cannot say it
}

// bindings are those of a member of a step or workflow.
type bindings struct {
	w    *scope
	at   place
	step string
	of   string // what has the places that are bound, where that is not clear
	dir  direction
}

// bindings finds the bindings of a step: those of its input, or of its output.
func (w *scope) bindings(i int, step value.Value, output bool) (*bindings, *Error) {
	name, of, dir := "", "", fills
	switch kind := kindOf(step); {
	case kind == wf.TypeInterrupt && output:
		name, of, dir = "resume", "the answer", writes
	case kind == wf.TypeInterrupt:
		name, of = "request", "the request"
	case kind == wf.TypeNode || kind == wf.TypeSubgraph:
		if name = "input"; output {
			name, dir = "output", writes
		}
	case (kind == wf.TypeForeach || kind == wf.TypeFork) && output:
		name, dir = "output", writes
	case kind == wf.TypeSet && output:
		name, dir = "output", sets
	case kind == wf.TypeEnd && output:
		name, of = "output", "the workflow's output"
	default:
		side := "input"
		if output {
			side = "output"
		}
		return nil, &Error{Path: w.place("nodes", i).String(), Step: idOf(step), Found: fmt.Sprintf("a step of type %q, which has no %s", kind, side),
			Expected: "a step that has one", Hint: "its members are set with set-step"}
	}
	return &bindings{w, w.place("nodes", i, name), idOf(step), of, dir}, nil
}

// read takes bindings apart, in whatever form they are written.
func (b *bindings) read(v value.Value) (all []binding) {
	switch v.Kind() {
	case value.KindString:
		return []binding{{key: ".", v: v, item: b.element(".", v)}}
	case value.KindObject:
		for key, x := range v.Members() {
			all = append(all, binding{key: key, v: x, item: b.element(key, x)})
		}
	case value.KindArray:
		for _, item := range v.Items() {
			all = append(all, b.listed(item))
		}
	}
	return all
}

// element is a map's member as it stands in a list.
func (b *bindings) element(key string, x value.Value) value.Value {
	if b.dir == writes {
		return object(member("source", value.String(key)), member("target", x))
	}
	return operandObject(x).With("target", value.String(key))
}

// operandObject writes an operand as an object.
func operandObject(x value.Value) value.Value {
	switch x.Kind() {
	case value.KindString:
		return object(member("path", x))
	case value.KindArray:
		return object(member("list", x))
	case value.KindObject:
		return x
	}
	return object(member("value", x))
}

// listed is an element of a list as it would stand in a map, if it can.
func (b *bindings) listed(item value.Value) binding {
	x := binding{item: item}
	if b.dir == writes {
		x.key, x.v = placeText(item.Get("source")), value.String(placeText(item.Get("target")))
		x.listOnly = item.Len() != 2 || x.key == "" || isRooted(x.key)
		return x
	}
	operand := item.With("target", value.Value{})
	if path := operand.Get("path"); operand.Len() == 1 && path.Kind() == value.KindString {
		operand = path
	}
	x.key, x.v = placeText(item.Get("target")), operand
	x.listOnly = x.key == "" || !item.Get("source").IsAbsent() || !item.Get("if_absent").IsAbsent()
	return x
}

// placeText is a path, as text or as an object, as it stands in a map.
func placeText(v value.Value) string {
	if text, ok := v.AsString(); ok {
		return text
	}
	p, ok := pathOf(v)
	if !ok {
		return ""
	}
	if p.Root == wf.RootLocal {
		return localText(p.Parts)
	}
	return p.String()
}

// localText is a place of a step's own input or output as it stands in a map: without the root, unless it would read as one then.
func localText(parts []wf.Part) string {
	text := wf.Path{Root: wf.RootLocal, Parts: parts}.String()
	rest := strings.TrimPrefix(text, string(wf.RootLocal))
	switch p, err := wf.ParsePath(strings.TrimPrefix(rest, ".")); {
	case rest == "":
		return "."
	case err == nil && (len(p.Parts) > 0 || p.Root == wf.RootLocal):
		return text
	}
	return strings.TrimPrefix(rest, ".")
}

// pathOf reads a path that is an object.
func pathOf(v value.Value) (p wf.Path, ok bool) {
	if v.Get("root").Kind() != value.KindString {
		return p, false
	}
	p.Root = wf.Root(textOf(v.Get("root")))
	for _, part := range v.Get("parts").Items() {
		if i, isIndex := part.AsInt(); isIndex {
			p.Parts = append(p.Parts, wf.Part{Index: int(i), IsIndex: true})
		} else {
			p.Parts = append(p.Parts, wf.Part{Name: textOf(part)})
		}
	}
	return p, true
}

func isRooted(text string) bool {
	p, err := wf.ParsePath(text)
	return err == nil && p.Root != wf.RootLocal && len(p.Parts) > 0
}

// localPath reads a place of a step's own input or output, or of the workflow's output: "." is the whole.
func localPath(text string) (p wf.Path, ok bool) {
	switch {
	case text == "." || text == "local":
		return wf.Path{Root: wf.RootLocal}, true
	case strings.HasPrefix(text, "local.") || strings.HasPrefix(text, "local["):
	case strings.HasPrefix(text, "["):
		text = "local" + text
	default:
		text = "local." + text
	}
	p, err := wf.ParsePath(text)
	return p, err == nil
}

// same reports whether two keys are one place; for what is filled, also whether one is inside the other.
func (b *bindings) same(x, y string) bool {
	if b.dir == sets {
		p, err := wf.ParsePath(x)
		q, failed := wf.ParsePath(y)
		return x == y || err == nil && failed == nil && p.Equal(q)
	}
	p, ok := localPath(x)
	q, okay := localPath(y)
	if !ok || !okay {
		return x == y
	}
	if b.dir == writes {
		return p.Equal(q)
	}
	n := min(len(p.Parts), len(q.Parts))
	return slices.Equal(p.Parts[:n], q.Parts[:n])
}
