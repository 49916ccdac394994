package edit

import (
	"fmt"
	"strconv"

	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

// place is where something stands in the document.
type place = jsonpatch.Pointer

// under is a place below another one; parts are names and positions.
func under(at place, parts ...any) place {
	below := make(place, len(at), len(at)+len(parts))
	copy(below, at)
	for _, part := range parts {
		switch p := part.(type) {
		case string:
			below = append(below, p)
		case int:
			below = append(below, strconv.Itoa(p))
		}
	}
	return below
}

// session is an edit under way: the document as it is by now, and the operations that made it so. An operation that cannot be done,
// because the document becomes too large or too deep, stops all that follow.
type session struct {
	doc        *Doc
	root       value.Value
	operations []value.Value
	failed     error
	rewritten  []byte // the text that the operations would come to, of who makes it himself
	options    *Options
	changes    []Change
}

func (s *session) at(p place) value.Value { return p.Find(s.root) }

func (s *session) add(p place, v value.Value)     { s.operate("add", p, v) }
func (s *session) replace(p place, v value.Value) { s.operate("replace", p, v) }
func (s *session) remove(p place)                 { s.operate("remove", p, value.Value{}) }

// rename gives a member of an object another name, where it stands.
func (s *session) rename(from, to place) {
	s.perform(value.Object(
		value.Member{Key: "op", Value: value.String("move")},
		value.Member{Key: "from", Value: value.String(from.String())},
		value.Member{Key: "path", Value: value.String(to.String())}))
}

func (s *session) operate(op string, p place, v value.Value) {
	s.perform(value.Object(
		value.Member{Key: "op", Value: value.String(op)},
		value.Member{Key: "path", Value: value.String(p.String())},
		value.Member{Key: "value", Value: v}))
}

func (s *session) perform(operation value.Value) {
	if s.failed != nil {
		return
	}
	patch, err := jsonpatch.Parse(value.Array(operation))
	if err == nil {
		s.root, err = jsonpatch.Apply(s.root, patch, nil)
	}
	s.failed = err
	s.operations = append(s.operations, operation)
}

// become makes what stands at a place another value, and touches only what differs: members of objects one by one, and what is put
// behind the end of a list.
func (s *session) become(p place, to value.Value) {
	from := s.at(p)
	switch {
	case value.Equal(from, to):
	case from.IsAbsent():
		s.add(p, to)
	case to.IsAbsent():
		s.remove(p)
	case from.Kind() == value.KindObject && to.Kind() == value.KindObject:
		for key := range from.Members() {
			if to.Get(key).IsAbsent() {
				s.remove(under(p, key))
			}
		}
		for key, member := range to.Members() {
			s.become(under(p, key), member)
		}
	case from.Kind() == value.KindArray && to.Kind() == value.KindArray && begins(to, from):
		for i, item := range to.Items() {
			if i >= from.Len() {
				s.add(under(p, "-"), item)
			}
		}
	default:
		s.replace(p, to)
	}
}

// begins reports whether a list begins with the elements of another one.
func begins(longer, shorter value.Value) bool {
	if longer.Len() < shorter.Len() {
		return false
	}
	for i, item := range shorter.Items() {
		if !value.Equal(item, longer.Index(i)) {
			return false
		}
	}
	return true
}

// note reports a change.
func (s *session) note(kind Kind, p place, step, format string, args ...any) {
	s.changes = append(s.changes, Change{Kind: kind, Path: p.String(), Step: step, Message: fmt.Sprintf(format, args...)})
}

// finish makes the document that the edit has come to.
func (s *session) finish() (*Doc, *Error) {
	if s.rewritten != nil {
		return docOf(s.rewritten)
	}
	if s.failed == nil && len(s.operations) == 0 {
		return s.doc, nil
	}
	patch, err := jsonpatch.Parse(value.Array(s.operations...))
	if s.failed != nil {
		err = s.failed
	}
	if err != nil {
		return nil, patchError(err)
	}
	text, err := jsonpatch.ApplyText(s.doc.text, patch, nil, inReadingOrder)
	if err != nil {
		return nil, patchError(err)
	}
	return docOf(text)
}
