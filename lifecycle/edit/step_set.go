package edit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

// SetStep sets members of a step, removes some, or writes the step anew.
type SetStep struct {
	In      string                     `json:"in,omitempty"`
	Step    string                     `json:"step"`
	Set     map[string]json.RawMessage `json:"set,omitempty"`     // members and their values
	Remove  []string                   `json:"remove,omitempty"`  // members
	Replace json.RawMessage            `json:"replace,omitempty"` // the whole step, with the same id; routes that it does not have stay
}

func (e *SetStep) edit(s *session) *Error {
	w, err := s.in(e.In)
	if err != nil {
		return err
	}
	i, step, err := w.step(e.Step)
	if err != nil {
		return err
	}
	at := w.place("nodes", i)
	if e.Replace != nil {
		if len(e.Set)+len(e.Remove) > 0 {
			return &Error{Path: at.String(), Step: e.Step, Found: "a whole step and single members", Expected: "one of them"}
		}
		return w.rewrite(at, e.Step, step, e.Replace)
	}
	if id, ok := e.Set["id"]; ok || slices.Contains(e.Remove, "id") {
		return &Error{Path: under(at, "id").String(), Step: e.Step, Found: "another id " + string(id), Expected: "other members than the id",
			Hint: "rename-step changes an id, everywhere"}
	}
	kept := w.keepNext(e.Step)
	if err := w.setMembers(at, e.Step, e.Set, e.Remove); err != nil {
		return err
	}
	if _, ok := e.Set["next"]; !ok {
		kept()
	}
	return nil
}

// setMembers sets and removes members of an object.
func (s *session) setMembers(at place, step string, set map[string]json.RawMessage, remove []string) *Error {
	for _, key := range remove {
		was := s.at(at)
		if was.Get(key).IsAbsent() {
			e := unknown("member", key, keys(was))
			e.Path, e.Step = at.String(), step
			return e
		}
		s.remove(under(at, key))
		s.note(KindRemoved, under(at, key), step, "%s is removed", key)
	}
	for _, key := range slices.Sorted(maps.Keys(set)) {
		v, err := raw(set[key], key)
		if err != nil {
			return err
		}
		was := s.at(at).Get(key)
		s.become(under(at, key), v)
		s.note(KindSet, under(at, key), step, "%s is %s%s", key, shorten(v.String()), insteadOf(was, v))
	}
	return nil
}

// insteadOf tells what was there before.
func insteadOf(was, now value.Value) string {
	switch {
	case was.IsAbsent():
		return ""
	case value.Equal(was, now):
		return ", as before"
	}
	return ", no more " + shorten(was.String())
}

// rewrite writes a step anew.
func (w *scope) rewrite(at place, id string, was value.Value, text json.RawMessage) *Error {
	step, err := raw(text, "replace")
	if err != nil {
		return err
	}
	if step.Kind() == value.KindObject && step.Get("id").IsAbsent() {
		step = step.With("id", value.String(id))
	}
	if idOf(step) != id {
		return &Error{Path: at.String(), Step: id, Found: fmt.Sprintf("the step %s with the id %s", describe(step), describe(step.Get("id"))),
			Expected: "an object with the same id, or none", Hint: "rename-step changes an id, everywhere"}
	}
	kind, hadRoutes := kindOf(step), !was.Get("next").IsAbsent() || !was.Get("on").IsAbsent()
	switch {
	case kind == wf.TypeEnd || kind == wf.TypeFail:
		if hadRoutes {
			w.note(KindRemoved, at, id, "it leads nowhere, no more to %s: nothing comes behind a step of type %q", orNothing(w.behind(id)), kind)
		}
	case step.Get("next").IsAbsent() && step.Get("on").IsAbsent():
		step = step.With("next", was.Get("next")).With("on", was.Get("on"))
	}
	w.become(at, step)
	w.note(KindSet, at, id, "the step is written anew")
	return nil
}
