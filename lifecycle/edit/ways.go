package edit

import (
	"slices"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

// way is an edge, wherever it is written: next or on of a step, or the list of edges.
type way struct {
	at        place  // of its target's text, or of the object that has it as "to"
	from      string // a step
	outcome   string // "": it is next, and not clear for which one it stands
	to        string
	visits    int // how often it may be taken; 0: not bounded
	exhausted string
	isText    bool // it is written as its target alone
	isNext    bool
	listed    int // its position in the list of edges; -1 of one on a step
}

// ways are all edges: those on the steps, then the list.
func (w *scope) ways() (all []way) {
	read := func(v value.Value, at place, x way) {
		x.at = at
		if to, ok := v.AsString(); ok {
			x.to, x.isText = to, true
		} else {
			x.to, x.exhausted = textOf(v.Get("to")), textOf(v.Get("exhausted"))
			visits, _ := v.Get("max_visits").AsInt()
			x.visits = int(visits)
		}
		all = append(all, x)
	}
	steps := map[string]value.Value{} // the first of each id
	for i, step := range w.steps().Items() {
		from := idOf(step)
		if _, seen := steps[from]; !seen {
			steps[from] = step
		}
		for outcome, route := range step.Get("on").Members() {
			read(route, w.place("nodes", i, "on", outcome), way{from: from, outcome: outcome, listed: -1})
		}
		if next := step.Get("next"); !next.IsAbsent() {
			read(next, w.place("nodes", i, "next"), way{from: from, isNext: true, listed: -1})
		}
	}
	for i, edge := range w.get("edges").Items() {
		read(edge, w.place("edges", i), way{from: textOf(edge.Get("from")), outcome: textOf(edge.Get("outcome")), listed: i})
	}
	for i := range all {
		if all[i].outcome == "" {
			all[i].outcome = w.implied(steps[all[i].from], all)
		}
	}
	return all
}

// implied is the outcome that next, or an edge without one, stands for: the one that means "done", else the only one of the step that is
// not routed by name. "" if that is not clear.
func (w *scope) implied(step value.Value, all []way) string {
	switch kindOf(step) {
	case wf.TypeSet, wf.TypeWait, wf.TypeForeach, wf.TypeJoin:
		return "done"
	case wf.TypeNode:
		if _, inPlan, _ := w.contract(textOf(step.Get("node"))); !inPlan { // as the plan is read
			return string(wf.OK)
		}
	}
	own, _ := w.outcomes(step)
	if len(own) > 1 {
		own = slices.DeleteFunc(slices.Clone(own), func(o string) bool {
			return slices.ContainsFunc(all, func(x way) bool { return x.from == idOf(step) && x.outcome == o && !x.isNext })
		})
	}
	if len(own) == 1 {
		return own[0]
	}
	return ""
}

// out are the ways that leave a step.
func (w *scope) out(id string) (out []way) {
	return slices.DeleteFunc(w.ways(), func(x way) bool { return x.from != id })
}

// way finds the one for an outcome.
func (w *scope) way(from, outcome string) (way, bool) {
	for _, x := range w.out(from) {
		if x.outcome == outcome {
			return x, true
		}
	}
	return way{}, false
}

// listsEdges reports whether the document has its routes in a list, not on its steps.
func (w *scope) listsEdges() bool {
	for _, step := range w.steps().Items() {
		if !step.Get("next").IsAbsent() || !step.Get("on").IsAbsent() {
			return false
		}
	}
	return w.get("edges").Kind() == value.KindArray
}

// append puts an element behind a list of the workflow, which it makes if there is none, and returns its place.
func (w *scope) append(name string, v value.Value) place {
	if w.get(name).Kind() != value.KindArray {
		w.add(w.place(name), value.Array(v))
		return w.place(name, 0)
	}
	n := w.get(name).Len()
	w.add(w.place(name, "-"), v)
	return w.place(name, n)
}

// onward is the outcome by which a step leads on when it has done its work; isSure is false if that is only the first of several.
func (w *scope) onward(step value.Value) (outcome string, isSure bool) {
	switch kindOf(step) {
	case wf.TypeSet, wf.TypeWait, wf.TypeForeach, wf.TypeJoin:
		return "done", true
	}
	own, _ := w.outcomes(step)
	switch {
	case len(own) == 0:
		return "", false
	case len(own) == 1:
		return own[0], true
	case slices.Contains(own, string(wf.OK)):
		return string(wf.OK), true
	}
	return own[0], false
}

// start is the step that a run begins with; isWritten tells whether the workflow names it, or just has it first.
func (w *scope) start() (id string, isWritten bool) {
	if v := w.get("start"); !v.IsAbsent() {
		return textOf(v), true
	}
	return idOf(w.steps().Index(0)), false
}

// removeEdges removes elements of the list of edges, and the list with the last one, unless that is how the document has its routes.
func (w *scope) removeEdges(positions ...int) {
	if len(positions) == w.get("edges").Len() && len(positions) > 0 && !w.listsEdges() {
		w.remove(w.place("edges"))
		return
	}
	for _, i := range slices.Backward(positions) {
		w.remove(w.place("edges", i))
	}
}
