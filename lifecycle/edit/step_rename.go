package edit

import (
	"strconv"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

// RenameStep gives a step another id, in every edge, join and path of its workflow that names it.
type RenameStep struct {
	In   string `json:"in,omitempty"`
	Step string `json:"step"`
	To   string `json:"to"` // an id that no step has
}

func (e *RenameStep) edit(s *session) *Error {
	w, err := s.in(e.In)
	if err != nil {
		return err
	}
	i, _, err := w.step(e.Step)
	if err != nil {
		return err
	}
	if e.To == e.Step {
		return nil
	}
	if err := w.freshID(e.To); err != nil {
		return err
	}
	to, count := value.String(e.To), 0
	rename := func(at place) {
		w.replace(at, to)
		count++
	}
	for _, x := range w.ways() {
		if x.to == e.Step {
			if x.isText {
				rename(x.at)
			} else {
				rename(under(x.at, "to"))
			}
		}
		if x.exhausted == e.Step {
			rename(under(x.at, "exhausted"))
		}
	}
	for i, edge := range w.get("edges").Items() {
		if textOf(edge.Get("from")) == e.Step {
			rename(w.place("edges", i, "from"))
		}
	}
	for i, step := range w.steps().Items() {
		if kindOf(step) == wf.TypeFork && textOf(step.Get("join")) == e.Step {
			rename(w.place("nodes", i, "join"))
		}
	}
	if start, isWritten := w.start(); isWritten && start == e.Step {
		rename(w.place("start"))
	}
	r := &renaming{scope: w, from: e.Step, to: e.To}
	r.workflow()
	w.replace(w.place("nodes", i, "id"), to)
	w.note(KindSet, w.place("nodes", i, "id"), e.To, "the step %s is called %s now, also in %s and %s",
		quote(e.Step), quote(e.To), counted(count, "edge or join", "edges and joins"), counted(r.count, "path", "paths"))
	return nil
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
