package cli

import (
	"slices"
	"strconv"

	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

// editScript makes a patch for a text out of the difference between two documents that are close to it. Where the text does
// not have the place of a difference, more around it is replaced.
type editScript struct {
	text  value.Value
	whole bool // steps are replaced whole

	tests, edits []value.Value
	replaced     []jsonpatch.Pointer
}

// patch gives the operations, tests first: what is replaced or removed, and what tells steps apart.
func (e *editScript) patch() value.Value { return value.Array(append(e.tests, e.edits...)...) }

// compare notes how b differs from a, both at a place; wanted is the document that b is part of.
func (e *editScript) compare(at jsonpatch.Pointer, a, b, wanted value.Value) {
	switch {
	case value.Equal(a, b):
	case a.Kind() == value.KindObject && b.Kind() == value.KindObject && !e.isWhole(at):
		for key, x := range a.Members() {
			e.compare(append(slices.Clip(at), key), x, b.Get(key), wanted)
		}
		for key := range b.Members() {
			if a.Get(key).IsAbsent() {
				e.change(append(slices.Clip(at), key), wanted)
			}
		}
	case a.Kind() == value.KindArray && b.Kind() == value.KindArray && a.Len() == b.Len():
		for i, x := range a.Items() {
			e.compare(append(slices.Clip(at), strconv.Itoa(i)), x, b.Index(i), wanted)
		}
	default:
		e.change(at, wanted)
	}
}

// isWhole reports whether a place is that of a step and steps are replaced whole.
func (e *editScript) isWhole(at jsonpatch.Pointer) bool {
	return e.whole && len(at) >= 2 && at[len(at)-2] == "nodes" && (len(at) == 2 || len(at) > 3 && at[len(at)-4] == "workflows")
}

// change gives a place of the text what the wanted document has there.
func (e *editScript) change(at jsonpatch.Pointer, wanted value.Value) {
	for ; len(at) > 0; at = at[:len(at)-1] {
		if slices.ContainsFunc(e.replaced, func(p jsonpatch.Pointer) bool { return len(p) <= len(at) && slices.Equal(p, at[:len(p)]) }) {
			return
		}
		old, now := at.Find(e.text), at.Find(wanted)
		inside := at[:len(at)-1].Find(e.text).Kind()
		switch {
		case old.IsAbsent() && now.IsAbsent(), old.IsAbsent() && inside != value.KindObject, now.IsAbsent() && inside != value.KindObject:
			continue // more around it
		case old.IsAbsent():
			e.identify(at)
			e.edits = append(e.edits, operation("add", at, now))
		case now.IsAbsent():
			e.identify(at)
			e.test(at, old)
			e.edits = append(e.edits, operation("remove", at, value.Value{}))
		default:
			e.identify(at)
			e.test(at, old)
			e.edits = append(e.edits, operation("replace", at, now))
		}
		e.replaced = append(e.replaced, at)
		return
	}
}

// identify tests which step, contract or workflow a change is in.
func (e *editScript) identify(at jsonpatch.Pointer) {
	for n := len(at) - 1; n >= 0; n-- {
		for _, key := range []string{"id", "name"} {
			p := append(slices.Clip(at[:n]), key)
			if id := p.Find(e.text); id.Kind() == value.KindString && (n == 0 || n > 1 && (at[n-2] == "nodes" || at[n-2] == "node_defs")) {
				e.test(p, id)
				return
			}
		}
	}
}

func (e *editScript) test(at jsonpatch.Pointer, v value.Value) {
	o := operation("test", at, v)
	if !slices.ContainsFunc(e.tests, func(x value.Value) bool { return value.Equal(x, o) }) {
		e.tests = append(e.tests, o)
	}
}

func operation(op string, at jsonpatch.Pointer, v value.Value) value.Value {
	return value.Object(
		value.Member{Key: "op", Value: value.String(op)},
		value.Member{Key: "path", Value: value.String(at.String())},
		value.Member{Key: "value", Value: v}, // absent: there is none
	)
}
