package edit

import (
	"encoding/json"
	"errors"
	"fmt"

	"lda.chat/wf"
	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

// Patch applies a JSON Patch (RFC 6902), all of it or nothing. It is the way to what no other edit does: what comes out is an object,
// and need not be a plan.
type Patch struct {
	Patch json.RawMessage `json:"patch"` // a list of operations
}

func (e *Patch) edit(s *session) *Error {
	list, err := raw(e.Patch, "patch")
	if err != nil {
		return err
	}
	patch, failed := jsonpatch.Parse(list)
	if failed != nil {
		return patchError(failed)
	}
	for _, o := range list.Items() {
		if s.perform(o); s.failed != nil {
			break
		}
	}
	if s.failed != nil {
		_, failed = jsonpatch.Apply(s.doc.root, patch, nil) // which names the operation
		return patchError(failed)
	}
	if s.root.Kind() != value.KindObject {
		return &Error{Found: "a patch that leaves " + describe(s.root), Expected: "one that leaves an object: a plan is one"}
	}
	for _, o := range list.Items() {
		if op := textOf(o.Get("op")); op != "test" {
			at, _ := jsonpatch.ParsePointer(textOf(o.Get("path")))
			s.note(KindSet, at, "", "%s", op)
		}
	}
	return nil
}

// patchError says why a patch cannot be applied.
func patchError(err error) *Error {
	var e *jsonpatch.Error
	var ms jsonpatch.Mistakes
	switch {
	case errors.As(err, &e) && e.Op != "":
		return &Error{Path: e.Pointer, Found: fmt.Sprintf("operation %d, %s: %s", e.Operation, e.Op, e.Found), Expected: e.Expected}
	case errors.As(err, &e):
		return &Error{Found: e.Found, Expected: e.Expected}
	case errors.As(err, &ms):
		return &Error{Path: "/patch" + ms[0].Pointer, Found: ms[0].Found, Expected: ms[0].Expected}
	}
	return &Error{Found: err.Error()}
}

// Fix applies the safe fixes of what the validator finds, as [wf.ApplySafeFixes] does.
type Fix struct{}

func (e *Fix) edit(s *session) *Error {
	fixed := wf.ApplySafeFixes(s.doc.text, s.options.validate())
	s.rewritten = fixed.Text
	for _, f := range fixed.Applied {
		at, _ := jsonpatch.ParsePointer(f.Path)
		s.note(KindSet, at, f.Step, "%s: %s", f.Title, f.Message)
	}
	if len(fixed.Applied) == 0 {
		s.note(KindKept, nil, "", "nothing can be fixed safely")
	}
	return nil
}
