package edit

import (
	"encoding/json"

	"lda.chat/wf/internal/value"
)

// SetName names the workflow and says what it is for.
type SetName struct {
	In          string `json:"in,omitempty"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
}

func (e *SetName) edit(s *session) *Error {
	w, err := s.in(e.In)
	if err != nil {
		return err
	}
	if e.Name == "" && e.Description == "" {
		return &Error{Found: "neither a name nor a description", Expected: "one of them"}
	}
	for _, m := range []value.Member{member("name", value.String(e.Name)), member("description", value.String(e.Description))} {
		if textOf(m.Value) == "" {
			continue
		}
		was := w.get(m.Key)
		w.become(w.place(m.Key), m.Value)
		w.note(KindSet, w.place(m.Key), "", "the %s is %s%s", m.Key, quote(textOf(m.Value)), insteadOf(was, m.Value))
	}
	return nil
}

// SetWorkflow sets members of the workflow, such as its outcomes, start and limits, and removes some; or it puts another workflow into
// it, which subgraph steps can run and whose own parts are then edited with In.
type SetWorkflow struct {
	In     string                     `json:"in,omitempty"`
	Set    map[string]json.RawMessage `json:"set,omitempty"`
	Remove []string                   `json:"remove,omitempty"`
	Nested string                     `json:"nested,omitempty"` // the name of a workflow in this one
	Plan   json.RawMessage            `json:"plan,omitempty"`   // what it is; left out, it has no steps yet
}

func (e *SetWorkflow) edit(s *session) *Error {
	w, err := s.in(e.In)
	if err != nil {
		return err
	}
	if len(e.Set)+len(e.Remove) == 0 && e.Nested == "" {
		return &Error{Found: "no members", Expected: "members to set or to remove, or a nested workflow"}
	}
	if err := w.setMembers(w.top, "", e.Set, e.Remove); err != nil || e.Nested == "" {
		return err
	}
	at := w.place("workflows", e.Nested)
	plan, err := raw(e.Plan, "plan")
	if err != nil {
		return err
	}
	if plan.IsAbsent() {
		if !w.at(at).IsAbsent() {
			return &Error{Path: at.String(), Found: "a workflow of that name", Expected: "a name that is free, or the plan that takes its place"}
		}
		plan = object(member("nodes", value.Array()))
	}
	if w.get("workflows").IsAbsent() {
		w.add(w.place("workflows"), object(member(e.Nested, plan)))
	} else {
		w.become(at, plan)
	}
	w.note(KindSet, at, "", "the workflow %s is in it", quote(e.Nested))
	return nil
}
