package edit

import (
	"fmt"
	"strings"

	"lda.chat/wf/internal/value"
)

// scope is the workflow that an edit is about: the plan, or one in it.
type scope struct {
	*session
	top   place
	outer *scope // the workflow around it
}

// in finds a workflow: "" is the plan, "price" one of its workflows, "price/tax" one of that one's.
func (s *session) in(name string) (*scope, *Error) {
	w := &scope{session: s}
	if name == "" {
		return w, w.checkLists()
	}
	for _, part := range strings.Split(name, "/") {
		nested := w.get("workflows")
		if nested.Get(part).Kind() != value.KindObject {
			e := unknown("workflow", part, keys(nested))
			e.Path = w.place("workflows").String()
			return nil, e
		}
		w = &scope{session: s, top: w.place("workflows", part), outer: w}
	}
	return w, w.checkLists()
}

// checkLists refuses a workflow whose steps, edges or contracts are no list: what an edit would put there would take its place.
func (w *scope) checkLists() *Error {
	for _, name := range []string{"nodes", "edges", "node_defs"} {
		if v := w.get(name); !v.IsAbsent() && v.Kind() != value.KindArray {
			return &Error{Path: w.place(name).String(), Found: describe(v), Expected: "a list", Hint: "fix it, or replace it with a patch"}
		}
	}
	return nil
}

func keys(object value.Value) (names []string) {
	for key := range object.Members() {
		names = append(names, key)
	}
	return names
}

func (w *scope) place(parts ...any) place           { return under(w.top, parts...) }
func (w *scope) get(parts ...any) value.Value       { return w.at(w.place(parts...)) }
func (w *scope) steps() value.Value                 { return w.get("nodes") }
func textOf(v value.Value) string                   { s, _ := v.AsString(); return s }
func idOf(step value.Value) string                  { return textOf(step.Get("id")) }
func object(members ...value.Member) value.Value    { return value.Object(members...) }
func member(key string, v value.Value) value.Member { return value.Member{Key: key, Value: v} }

// find looks for a step; -1 if there is none.
func (w *scope) find(id string) (int, value.Value) {
	for i, step := range w.steps().Items() {
		if idOf(step) == id && id != "" {
			return i, step
		}
	}
	return -1, value.Value{}
}

// step finds a step that an edit names.
func (w *scope) step(id string) (int, value.Value, *Error) {
	i, step := w.find(id)
	if i < 0 {
		var known []string
		for _, step := range w.steps().Items() {
			known = append(known, idOf(step))
		}
		e := unknown("step", id, known)
		e.Path = w.place("nodes").String()
		return i, step, e
	}
	return i, step, nil
}

// freshID refuses an id that a step has already, and none at all.
func (w *scope) freshID(id string) *Error {
	if id == "" {
		return &Error{Path: w.place("nodes").String(), Found: "an empty id", Expected: "letters, digits, _ and -"}
	}
	if i, _ := w.find(id); i >= 0 {
		return &Error{Path: w.place("nodes", i, "id").String(), Found: fmt.Sprintf("a step %s is there already", quote(id)), Expected: "an id that is free"}
	}
	return nil
}
