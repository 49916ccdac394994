package edit

import (
	"slices"

	"lda.chat/wf/internal/value"
)

// RemoveStep removes a step. If all its ways lead to one place, what led to the step leads there; else those edges stay as they are,
// to be led elsewhere, and are reported. What reads its output stays too.
type RemoveStep struct {
	In   string `json:"in,omitempty"`
	Step string `json:"step"`
	To   string `json:"to,omitempty"` // where what led to it leads instead
}

func (e *RemoveStep) edit(s *session) *Error {
	w, err := s.in(e.In)
	if err != nil {
		return err
	}
	i, _, err := w.step(e.Step)
	if err != nil {
		return err
	}
	to, left := e.To, w.behind(e.Step)
	if to == e.Step {
		return &Error{Path: w.place("nodes", i).String(), Step: e.Step, Found: "to, which names the step that is removed", Expected: "another step"}
	}
	if to == "" && len(left) == 1 {
		to = left[0]
	}
	var in []way
	for _, x := range w.ways() {
		if x.from != e.Step && (x.to == e.Step || x.exhausted == e.Step) {
			in = append(in, x)
		}
	}
	for _, x := range in {
		if to != "" {
			w.redirect(x, e.Step, to)
		} else {
			w.note(KindKept, x.at, x.from, "%s still leads to %s, which is gone and led to %s", quote(x.outcome), quote(e.Step), orNothing(left))
		}
	}
	start, isWritten := w.start()
	var own []int
	for i, edge := range w.get("edges").Items() {
		if textOf(edge.Get("from")) == e.Step {
			own = append(own, i)
		}
	}
	w.removeEdges(own...)
	w.remove(w.place("nodes", i))
	w.note(KindRemoved, w.place("nodes", i), e.Step, "the step is removed; it led to %s", orNothing(left))
	if start == e.Step {
		w.startAt(to, isWritten)
	}
	return nil
}

// behind are the targets of a step's ways, but for itself.
func (w *scope) behind(id string) (targets []string) {
	for _, x := range w.out(id) {
		for _, target := range []string{x.to, x.exhausted} {
			if target != "" && target != id && !slices.Contains(targets, target) {
				targets = append(targets, target)
			}
		}
	}
	return targets
}

func orNothing(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return list(names)
}

// startAt makes the workflow begin with a step, after the one that it began with is gone.
func (w *scope) startAt(to string, isWritten bool) {
	i, _ := w.find(to)
	if w.steps().Len() == 0 {
		if isWritten {
			w.remove(w.place("start"))
		}
		return
	}
	switch first := idOf(w.steps().Index(0)); {
	case i >= 0 && isWritten:
		w.replace(w.place("start"), value.String(to))
	case i > 0:
		w.add(w.place("start"), value.String(to))
	case i < 0 && isWritten:
		w.remove(w.place("start"))
		to = first
	default:
		to = first
	}
	w.note(KindSet, w.place("start"), to, "the workflow begins here")
}
