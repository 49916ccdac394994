package edit

import (
	"encoding/json"
	"fmt"
	"slices"

	"lda.chat/wf"
	"lda.chat/wf/internal/suggest"
	"lda.chat/wf/internal/value"
)

// Branch leads an outcome of a step to a target, which need not be there yet, or removes that edge. With When a condition step gets a
// case for it; a fork gets a branch for an outcome that it does not have.
type Branch struct {
	In        string          `json:"in,omitempty"`
	Step      string          `json:"step"`
	Outcome   string          `json:"outcome,omitempty"` // may be left out if the step has only one
	To        string          `json:"to,omitempty"`      // a step's id, __end__, __continue__ or __discard__
	MaxVisits int             `json:"max_visits,omitempty"`
	Exhausted string          `json:"exhausted,omitempty"` // where it goes after so many visits
	When      json.RawMessage `json:"when,omitempty"`      // a condition
	Remove    bool            `json:"remove,omitempty"`
}

func (e *Branch) edit(s *session) *Error {
	w, err := s.in(e.In)
	if err != nil {
		return err
	}
	i, step, err := w.step(e.Step)
	if err != nil {
		return err
	}
	at, outcome := w.place("nodes", i), e.Outcome
	if outcome == "" {
		own, _ := w.outcomes(step)
		if len(own) != 1 {
			return &Error{Path: at.String(), Step: e.Step, Found: "no outcome, of a step that has " + orNothing(own), Expected: "the outcome that is meant"}
		}
		outcome = own[0]
	}
	switch {
	case e.Remove:
		return w.unlead(e, at, outcome)
	case e.To == "":
		return &Error{Path: at.String(), Step: e.Step, Found: "no target", Expected: "to, a step's id or __end__"}
	case e.MaxVisits < 0 || e.MaxVisits == 0 && e.Exhausted != "":
		return &Error{Path: at.String(), Step: e.Step, Found: fmt.Sprintf("max_visits %d", e.MaxVisits), Expected: "a number of visits from 1 after which the edge is exhausted"}
	}
	if err := w.choice(i, step, outcome, e.When); err != nil {
		return err
	}
	from := e.Step
	own, _ := w.outcomes(w.at(at))
	if join := textOf(step.Get("join")); kindOf(step) == wf.TypeFork && join != "" && !slices.Contains(own, outcome) {
		from = join // what leaves a fork leaves from its join
	}
	var b *bound
	if e.MaxVisits > 0 {
		b = &bound{e.MaxVisits, e.Exhausted}
	}
	w.lead(from, outcome, e.To, b, KindSet)
	if own, known := w.outcomes(w.at(at)); known && !slices.Contains(append(own, caught(step)...), outcome) && from == e.Step {
		text := fmt.Sprintf("the step has no outcome %s; it has %s", quote(outcome), orNothing(own))
		if near, ok := suggest.Nearest(outcome, own); ok {
			text += "; did you mean " + quote(near) + "?"
		}
		w.note(KindKept, at, e.Step, "%s", text)
	}
	return nil
}

// unlead removes the edge of an outcome.
func (w *scope) unlead(e *Branch, at place, outcome string) *Error {
	x, ok := w.way(e.Step, outcome)
	if !ok {
		var routed []string
		for _, x := range w.out(e.Step) {
			routed = append(routed, x.outcome)
		}
		err := unknown("edge for the outcome", outcome, routed)
		err.Path, err.Step = at.String(), e.Step
		return err
	}
	kept := w.keepNext(e.Step)
	switch holder := x.at[:len(x.at)-1]; {
	case x.listed >= 0:
		w.removeEdges(x.listed)
	case !x.isNext && w.at(holder).Len() == 1: // the last one of on
		w.remove(holder)
	default:
		w.remove(x.at)
	}
	w.note(KindRemoved, x.at, e.Step, "%s leads nowhere, no more to %s", quote(outcome), quote(x.to))
	kept()
	return nil
}

// choice makes a step have the outcome that is routed, where that is written in the step: a case of a condition, a branch of a fork.
func (w *scope) choice(i int, step value.Value, outcome string, when json.RawMessage) *Error {
	condition, err := raw(when, "when")
	if err != nil {
		return err
	}
	at, id, kind := w.place("nodes", i), idOf(step), kindOf(step)
	list, name := "cases", "case"
	if kind == wf.TypeFork {
		list, name = "branches", "branch"
	}
	own, _ := w.outcomes(step)
	switch {
	case !condition.IsAbsent() && kind != wf.TypeCondition && kind != wf.TypeFork:
		return &Error{Path: at.String(), Step: id, Found: fmt.Sprintf("a condition for an outcome of a step of type %q", kind), Expected: "a condition or fork step"}
	case !condition.IsAbsent() && !step.Get("check").IsAbsent():
		return &Error{Path: under(at, "check").String(), Step: id, Found: `a condition that answers "true" or "false"`, Expected: "one with cases", Hint: "remove check first, with set-step"}
	case condition.IsAbsent() && (kind != wf.TypeFork || slices.Contains(own, outcome) || slices.Contains([]string{"done", "unmet", "timed_out"}, outcome) || slices.Contains(caught(step), outcome)):
		return nil
	}
	entry := object(member("outcome", value.String(outcome)))
	if !condition.IsAbsent() {
		entry = entry.With("when", condition)
	} else {
		entry = value.String(outcome)
	}
	for j, c := range step.Get(list).Items() {
		if textOf(c) == outcome || textOf(c.Get("outcome")) == outcome {
			w.become(under(at, list, j), entry)
			w.note(KindSet, under(at, list, j), id, "the %s %s has another condition", name, quote(outcome))
			return nil
		}
	}
	n := step.Get(list).Len()
	if n == 0 {
		w.become(under(at, list), value.Array(entry))
	} else {
		w.add(under(at, list, "-"), entry)
	}
	w.note(KindSet, under(at, list, n), id, "the %s %s is added", name, quote(outcome))
	return nil
}
