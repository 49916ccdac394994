package schema

import "lda.chat/wf/internal/value"

// Check says what is wrong with the value: nil exactly when it is valid, otherwise at least one Violation, in stable order:
// by place, then by keyword. At most 100 are listed. Of alternatives (anyOf, oneOf) that one is explained which the value
// evidently means, or none.
func (s *Schema) Check(v value.Value) []Violation {
	if v.IsAbsent() {
		return []Violation{{Message: "is absent; expected a value"}}
	}
	if s.Valid(v) {
		return nil
	}
	list := tidy(s.explain(v, ""))
	if len(list) == 0 {
		return []Violation{{Message: unexplained, Actual: cut(v)}}
	}
	return list
}

// unexplained is what remains to be said if the library cannot say more.
const unexplained = "does not satisfy the schema"

func (e *engine) valid(v value.Value, n *node) bool {
	if !affordable(n, v) {
		return false
	}
	r := e.run(v)
	return r != nil && r.IsValid()
}

// explain asks the library, about the smallest part that shows the mistake if the whole is too much for it. The list is empty if
// the library's answer is not what was asked for.
func (s *Schema) explain(v value.Value, pointer string) (list []Violation) {
	defer func() {
		if recover() != nil {
			list = nil
		}
	}()
	n := s.node
	search := offender{fuel: moreFuel(v)}
	for !affordable(n, v) {
		next, x, token := search.in(n, v)
		if next == nil {
			return []Violation{{Pointer: pointer, Message: "does not satisfy the schema, or is too much to be checked against it", Actual: cut(v)}}
		}
		n, v, pointer = next, x, pointer+token
	}
	result := s.doc.schema(n).lib().run(v)
	if result == nil {
		return nil
	}
	f := &flattener{doc: s.doc}
	f.walk(result, n, v, pointer)
	return f.list
}

// offender looks for the first part of a value that its own schema refuses.
type offender struct{ fuel int }

func (f *offender) refused(n *node, v value.Value) bool {
	if n == nil || f.fuel == 0 {
		return false
	}
	ok := false
	f.fuel, ok = n.valid(v, f.fuel)
	return !ok && f.fuel > 0
}

func (f *offender) in(n *node, v value.Value) (next *node, x value.Value, token string) {
	if f.refused(n.ref, v) {
		return n.ref, v, ""
	}
	for _, c := range n.allOf {
		if f.refused(c, v) {
			return c, v, ""
		}
	}
	if a := n.array; a != nil && v.Kind() == value.KindArray {
		for i, e := range v.Items() {
			c := a.items
			if i < len(a.prefix) {
				c = a.prefix[i]
			}
			if f.refused(c, e) {
				return c, e, at("", i)
			}
		}
	}
	if o := n.object; o != nil && v.Kind() == value.KindObject {
		for key, e := range v.Members() {
			c := o.additional
			if m := o.member(key); m != nil && m.schema != nil {
				c = m.schema
			} else if len(o.patterns) > 0 {
				c = nil
			}
			if f.refused(c, e) {
				return c, e, child("", key)
			}
		}
	}
	return nil, v, ""
}
