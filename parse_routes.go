package wf

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf/internal/value"
)

// route is an edge that is being read. Its outcome may follow from its step.
type route struct {
	Edge
	at      string
	step    Step // that has it as its own; nil of one in the list of edges
	implied bool // the outcome was left out: next, or an edge without one
}

// holeRoute is an edge of which nothing is known yet.
func holeRoute(at string) route {
	return route{Edge: Edge{From: hole, Outcome: hole, To: hole}, at: at}
}

// stepRoutes reads a step's next and on.
func (o object) stepRoutes(s Step) {
	id := s.StepID()
	if v, at, ok := o.get("next"); ok && (v.Kind() == value.KindString || v.IsNull()) {
		o.routes = append(o.routes, route{Edge: Edge{From: id, To: o.reader.target(v, at)}, at: at, step: s, implied: true})
	} else if ok {
		o.otherNext(v, at, s)
	}
	v, at, ok := o.get("on")
	if !ok {
		return
	}
	if v.Kind() != value.KindObject {
		o.otherOn(v, at, s)
		return
	}
	o.routeMap(v, at, id)
}

// routeMap reads a map from outcomes to steps.
func (o object) routeMap(v value.Value, at, id string) {
	for outcome, to := range v.Members() {
		place := child(at, outcome)
		e := route{Edge: Edge{From: id, To: hole, Outcome: Outcome(readKey(o.reader, outcome, place, "an outcome", o.name))}, at: place}
		if to.Kind() == value.KindString {
			e.To = o.reader.target(to, place)
		} else if t, ok := o.object(to, place, "a route", edgeFields[2:]); ok {
			t.ends(&e)
		}
		o.routes = append(o.routes, e)
	}
}

// addRoutes adds the edges to the plan. The outcomes that were left out are those that their steps have left.
func (r *reader) addRoutes(w *Workflow, known *nesting) {
	steps := map[string]Step{}
	for _, s := range w.Nodes {
		if _, ok := steps[s.StepID()]; !ok {
			steps[s.StepID()] = s
		}
	}
	taken := map[string][]Outcome{}
	for _, e := range r.routes {
		if !e.implied {
			taken[e.From] = append(taken[e.From], e.Outcome)
		}
	}
	for i := range r.routes {
		e := &r.routes[i]
		if e.implied {
			r.step = e.From
			if isHole(r.step) {
				r.step = ""
			}
			if e.step == nil {
				e.step = steps[e.From]
			}
			e.Outcome = r.impliedOutcome(*e, known, taken[e.From])
			r.step = ""
		}
		w.Edges = append(w.Edges, e.Edge)
	}
}

// impliedOutcome finds the one outcome that an edge without an outcome can have.
func (r *reader) impliedOutcome(e route, known *nesting, taken []Outcome) Outcome {
	s := e.step
	if isHole(e.From) || r.isLocked || s != nil && isHoleStep(s) { // reported, or not worth it any more
		return hole
	}
	if s == nil {
		r.add(Diagnostic{Code: "field_missing", Path: e.at, RepairHint: `add "outcome"`,
			Message: fmt.Sprintf("an edge needs the field \"outcome\": there is no step %q that would tell it", e.From)})
		return hole
	}
	left := nextOutcomes(s, known, taken)
	switch {
	case len(left) == 1:
		return left[0]
	case slices.ContainsFunc(left, isHole[Outcome]):
		return hole
	}
	d := Diagnostic{Code: "next_ambiguous", Path: e.at, Expected: jsonOf(left),
		Message:    fmt.Sprintf("the step has the outcomes %s: one target does not say which of them goes there", listText(left)),
		RepairHint: `route each by name: "on": {"` + strings.Join(wordsOf(left), `": "…", "`) + `": "…"}`}
	if len(left) == 0 {
		d.Message, d.RepairHint = "the step has no outcome left that could go there", "remove it, or route a caught outcome by name, with \"on\""
	}
	r.add(d)
	return hole
}

// nextOutcomes lists the outcomes that a step's next can stand for: the one that means "done", else those of its own
// that nothing else routes. Caught outcomes are always routed by name. A capability or workflow that the plan does not
// hold counts as one with the outcome "ok".
func nextOutcomes(s Step, known *nesting, taken []Outcome) []Outcome {
	var own []Outcome
	switch s := s.(type) {
	case *SetStep, *WaitStep, *ForeachStep, *JoinStep:
		own = []Outcome{outcomeDone}
	case *NodeStep:
		own = known.defOutcomes(s.Node)
	case *SubgraphStep:
		own = known.childOutcomes(s.Workflow)
	case *ConditionStep:
		own = s.outcomes()
	case *ForkStep:
		for _, b := range s.Branches {
			own = append(own, b.Outcome)
		}
	case *InterruptStep:
		own = append(slices.Clone(s.Outcomes), s.TimeoutOutcome)
	}
	own = uniqueOutcomes(own)
	if len(own) <= 1 {
		return own
	}
	return slices.DeleteFunc(own, func(o Outcome) bool { return slices.Contains(taken, o) })
}

// sortedEdges returns a workflow's edges in their one order: by the position of the step that they leave, then by
// outcome. Edges that leave no step come last, by name.
func sortedEdges(w *Workflow) []Edge {
	position := make(map[string]int, len(w.Nodes))
	for i, s := range w.Nodes {
		if s == nil {
			continue
		}
		if _, ok := position[s.StepID()]; !ok {
			position[s.StepID()] = i
		}
	}
	of := func(e Edge) int {
		if i, ok := position[e.From]; ok {
			return i
		}
		return len(w.Nodes)
	}
	edges := slices.Clone(w.Edges)
	slices.SortStableFunc(edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(of(a), of(b)), strings.Compare(a.From, b.From), strings.Compare(string(a.Outcome), string(b.Outcome)),
			strings.Compare(a.To, b.To), cmp.Compare(a.MaxVisits, b.MaxVisits), strings.Compare(a.Exhausted, b.Exhausted))
	})
	return edges
}
