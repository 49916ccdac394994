package edit

import (
	"fmt"
	"slices"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

// Handle turns failures of a step, by their codes, into an outcome, and leads that to a target. A code that was handled otherwise is
// handled so from now on. What a fork catches leaves from its join.
type Handle struct {
	In      string   `json:"in,omitempty"`
	Step    string   `json:"step"`
	Codes   []string `json:"codes"` // "*": every code that can be caught
	Outcome string   `json:"outcome"`
	To      string   `json:"to,omitempty"`    // a step's id, or __end__ …; left out, the outcome is not led anywhere yet
	Error   string   `json:"error,omitempty"` // a state path that receives the error value
}

func (e *Handle) edit(s *session) *Error {
	w, err := s.in(e.In)
	if err != nil {
		return err
	}
	i, step, err := w.step(e.Step)
	if err != nil {
		return err
	}
	at := w.place("nodes", i)
	switch kind := kindOf(step); {
	case kind == wf.TypeEnd || kind == wf.TypeJoin:
		hint := ""
		if kind == wf.TypeJoin {
			hint = "what its branches fail with, the fork handles"
		}
		return &Error{Path: at.String(), Step: e.Step, Found: fmt.Sprintf("a step of type %q, which cannot fail", kind), Expected: "a step that can", Hint: hint}
	case len(e.Codes) == 0 || e.Outcome == "":
		return &Error{Path: at.String(), Step: e.Step, Found: "no codes, or no outcome", Expected: `both: codes, such as "timeout" or "*", and the outcome that they become`}
	}
	w.become(under(at, "catch"), w.catching(at, step, e))
	w.note(KindSet, under(at, "catch"), e.Step, "a failure with %s becomes the outcome %s", list(e.Codes), quote(e.Outcome))
	if e.To == "" {
		return nil
	}
	from := e.Step
	if kindOf(step) == wf.TypeFork {
		if from = textOf(step.Get("join")); from == "" {
			return &Error{Path: under(at, "join").String(), Step: e.Step, Found: "a fork that names no join", Expected: "the join from which a caught outcome leaves", Hint: "set join first, with set-step"}
		}
	}
	w.lead(from, e.Outcome, e.To, nil, KindSet)
	return nil
}

// catching is a step's list of catches with these codes in it: what names a code single stands before what names all.
func (w *scope) catching(at place, step value.Value, e *Handle) value.Value {
	var entries []value.Value
	mine := -1
	for j, entry := range step.Get("catch").Items() {
		if textOf(entry.Get("outcome")) == e.Outcome && (e.Error == "" || textOf(entry.Get("error")) == e.Error) && mine < 0 {
			mine = len(entries)
			entries = append(entries, entry)
			continue
		}
		codes := slices.DeleteFunc(texts(entry.Get("codes")), func(code string) bool { return slices.Contains(e.Codes, code) })
		switch {
		case len(codes) == entry.Get("codes").Len():
			entries = append(entries, entry)
		case len(codes) == 0:
			w.note(KindRemoved, under(at, "catch", j), e.Step, "nothing becomes %s any more", quote(textOf(entry.Get("outcome"))))
		default:
			entries = append(entries, entry.With("codes", textList(codes)))
		}
	}
	if mine < 0 {
		mine = len(entries)
		entry := object(member("codes", value.Array()), member("outcome", value.String(e.Outcome)))
		if e.Error != "" {
			entry = entry.With("error", value.String(e.Error))
		}
		entries = append(entries, entry)
	}
	codes := texts(entries[mine].Get("codes"))
	for _, code := range e.Codes {
		if !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	entries[mine] = entries[mine].With("codes", textList(codes))
	slices.SortStableFunc(entries, func(a, b value.Value) int { return forAll(a) - forAll(b) })
	return value.Array(entries...)
}

// forAll is 1 for a catch of every code.
func forAll(entry value.Value) int {
	if slices.Contains(texts(entry.Get("codes")), "*") {
		return 1
	}
	return 0
}

func textList(all []string) value.Value {
	items := make([]value.Value, len(all))
	for i, s := range all {
		items[i] = value.String(s)
	}
	return value.Array(items...)
}
