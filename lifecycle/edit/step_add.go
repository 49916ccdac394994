package edit

import (
	"encoding/json"
	"fmt"
	"slices"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

// AddStep adds a step of any type. After another one it stands between that and where it led; before another one, whatever led there
// leads to it. Without either, nothing leads to it but what names it already.
type AddStep struct {
	In      string          `json:"in,omitempty"`
	Step    json.RawMessage `json:"step"`              // the step: id, type and its other members
	After   string          `json:"after,omitempty"`   // a step's id
	Outcome string          `json:"outcome,omitempty"` // of the step it comes after; needed where several could be meant
	Before  string          `json:"before,omitempty"`  // a step's id
}

func (e *AddStep) edit(s *session) *Error {
	w, err := s.in(e.In)
	if err != nil {
		return err
	}
	step, err := raw(e.Step, "step")
	if err != nil {
		return err
	}
	id := idOf(step)
	switch {
	case step.Kind() != value.KindObject || id == "":
		return &Error{Found: "the step " + describe(step), Expected: `an object that has an id, for example {"id": "read", "node": "files.read"}`}
	case e.After != "" && e.Before != "":
		return &Error{Found: "both after and before", Expected: "one of them: what is around a step follows from either"}
	case e.Outcome != "" && e.After == "":
		return &Error{Found: "an outcome without after", Expected: "the step whose outcome leads to the new one"}
	}
	if err := w.freshID(id); err != nil {
		return err
	}
	switch {
	case e.After != "":
		return w.addAfter(e.After, e.Outcome, id, step)
	case e.Before != "":
		return w.addBefore(e.Before, id, step)
	}
	w.insert(w.steps().Len(), id, step)
	return nil
}

// insert puts a step into the list at a position.
func (w *scope) insert(i int, id string, step value.Value) {
	if i >= w.steps().Len() {
		w.note(KindSet, w.append("nodes", step), id, "the step is added")
		return
	}
	at := w.place("nodes", i)
	w.add(at, step)
	w.note(KindSet, at, id, "the step is added")
}

// addAfter puts a step behind an outcome of another one.
func (w *scope) addAfter(after, outcome, id string, step value.Value) *Error {
	i, before, err := w.step(after)
	if err != nil {
		return err
	}
	if outcome == "" {
		if outcome, err = w.wayOn(before, w.place("nodes", i)); err != nil {
			return err
		}
	}
	from := after
	if kindOf(before) == wf.TypeFork && slices.Contains(caught(before), outcome) {
		from = textOf(before.Get("join"))
	}
	was, led := w.way(from, outcome)
	w.insert(i+1, id, step)
	to, kind := was.to, KindRerouted
	if !led {
		to, kind = regionEnd(before, outcome), KindSet
	}
	w.lead(from, outcome, id, nil, kind)
	if to != "" && to != id {
		w.leadOn(id, to)
	}
	return nil
}

// regionEnd is where the first step of a region leads that has no other yet: a foreach's item is over, a fork's branch is at the join.
func regionEnd(before value.Value, outcome string) string {
	switch kindOf(before) {
	case wf.TypeForeach:
		if outcome == "item" {
			return wf.ToContinue
		}
	case wf.TypeFork:
		if !slices.Contains(caught(before), outcome) {
			return textOf(before.Get("join"))
		}
	}
	return ""
}

// wayOn is the outcome by which a step leads on, if there is no doubt.
func (w *scope) wayOn(step value.Value, at place) (string, *Error) {
	id := idOf(step)
	if kind := kindOf(step); kind == wf.TypeEnd || kind == wf.TypeFail {
		return "", &Error{Path: at.String(), Step: id, Found: fmt.Sprintf("a step of type %q, behind which nothing comes", kind), Expected: "a step that leads on",
			Hint: "put the new step before it"}
	}
	if outcome, isSure := w.onward(step); isSure {
		return outcome, nil
	}
	if out := w.out(id); len(out) == 1 && out[0].outcome != "" {
		return out[0].outcome, nil
	}
	own, _ := w.outcomes(step)
	e := &Error{Path: at.String(), Step: id, Found: "a step with the outcomes " + list(own), Expected: "the outcome that leads to the new step", Hint: "name it as outcome"}
	if len(own) == 0 {
		e.Found = "a step that has no outcomes yet"
	}
	return "", e
}

// leadOn leads a new step to where the one before it led, by the outcome that means that it is done. What the step routes by itself
// stays so. A fork is left by its join.
func (w *scope) leadOn(id, to string) {
	i, step := w.find(id)
	at := w.place("nodes", i)
	if kindOf(step) == wf.TypeFork {
		join := textOf(step.Get("join"))
		if join == "" {
			w.note(KindKept, at, id, "nothing leads to %s now: a fork is left by its join, and it names none", quote(to))
			return
		}
		id, step = join, value.Value{}
		if i, found := w.find(join); i >= 0 {
			step = found
		} else {
			step = object(member("id", value.String(join)), member("type", value.String(string(wf.TypeJoin))))
		}
	}
	outcome, isSure := w.onward(step)
	if outcome == "" {
		w.note(KindKept, at, id, "the step does not lead on to %s: it has no outcome for that", quote(to))
		return
	}
	if x, routed := w.way(id, outcome); routed {
		w.note(KindKept, x.at, id, "%s leads to %s, not to %s where the step before it led", quote(outcome), quote(x.to), quote(to))
		return
	}
	w.lead(id, outcome, to, nil, KindSet)
	if !isSure {
		own, _ := w.outcomes(step)
		last := &w.changes[len(w.changes)-1]
		last.Message += fmt.Sprintf(", as the first of the outcomes %s", list(own))
	}
}

// addBefore puts a step where another one is reached.
func (w *scope) addBefore(before, id string, step value.Value) *Error {
	i, behind, err := w.step(before)
	if err != nil {
		return err
	}
	var in []way
	for _, x := range w.ways() {
		if (x.to == before || x.exhausted == before) && x.from != id {
			in = append(in, x)
		}
	}
	if kindOf(behind) == wf.TypeJoin && len(in) > 1 {
		return &Error{Path: w.place("nodes", i).String(), Step: before, Found: fmt.Sprintf("a join that %d edges lead to", len(in)), Expected: "one of them",
			Hint: "put the new step after the last one of the branch that is meant"}
	}
	for _, x := range in {
		w.redirect(x, before, id)
	}
	if start, isWritten := w.start(); isWritten && start == before {
		w.replace(w.place("start"), value.String(id))
		w.note(KindSet, w.place("start"), id, "the workflow begins here, no more with %s", quote(before))
	}
	w.insert(i, id, step)
	w.leadOn(id, before)
	return nil
}

// redirect leads a way from one step to another, also where it goes when it is exhausted.
func (w *scope) redirect(x way, from, to string) {
	if x.to == from {
		w.retarget(x, to, nil)
		w.note(KindRerouted, x.at, x.from, "%s leads to %s, no more to %s", quote(x.outcome), quote(to), quote(from))
	}
	if x.exhausted == from {
		w.become(under(x.at, "exhausted"), value.String(to))
		w.note(KindRerouted, x.at, x.from, "%s leads to %s when it is exhausted, no more to %s", quote(x.outcome), quote(to), quote(from))
	}
}
