package wf

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// place makes steps and edges of a chain whose end leads to exit. It returns where the chain begins: exit if it is empty.
func (a *assembly) place(b *Builder, f *frame, exit string) (start string) {
	start = exit
	for i, it := range b.items {
		next := it.next
		if next == "" {
			next = nextInSequence(b.items[i+1:], exit)
		}
		a.placeItem(it, f, next)
	}
	start = nextInSequence(b.items, exit)
	if start == exit && len(b.items) > 0 {
		start = b.items[0].step.StepID() // only end and fail steps
	}
	if f.outer == nil {
		a.w.Start = start
	}
	return start
}

// nextInSequence is the first step that others can fall into.
func nextInSequence(items []*item, exit string) string {
	for _, it := range items {
		if !it.outside {
			return it.step.StepID()
		}
	}
	return exit
}

// placeItem adds one step, what belongs to it, and its edges.
func (a *assembly) placeItem(it *item, f *frame, next string) {
	step := cloneValue(reflect.ValueOf(it.step)).Interface().(Step)
	p := &placed{item: it, step: step, id: step.StepID(), index: len(a.w.Nodes), frame: f}
	a.placed = append(a.placed, p)
	a.w.Nodes = append(a.w.Nodes, step)
	a.report(p, it.problems)
	outcomes := it.outcomes
	if it.callable != nil {
		a.report(p, problems{list: problemsOf(it.callable)})
		p.contract = it.callable.Contract()
		p.gives = propertiesOf(p.contract.OutputSchema)
		if outcomes = p.contract.Outcomes; len(outcomes) == 0 {
			outcomes = []Outcome{OK}
		}
	}
	if it.callable == nil && len(outcomes) == 0 && !it.outside { // nothing to call
		outcomes = []Outcome{hole}
	}
	from := p.id // where the outcomes leave
	switch step := step.(type) {
	case *ForeachStep:
		a.edge(Edge{From: p.id, Outcome: outcomeItem, To: a.inner(p, it.body, &frame{outer: f, each: p, as: step.As}, ToContinue)})
	case *ForkStep:
		for i, body := range it.branches {
			a.edge(Edge{From: p.id, Outcome: step.Branches[i].Outcome, To: a.inner(p, body, &frame{outer: f, fork: p}, step.Join)})
		}
		a.w.Nodes = append(a.w.Nodes, &JoinStep{StepCommon{ID: step.Join}})
		from = step.Join
	}
	a.routes(p, from, outcomes, next)
}

// inner places the body of a step.
func (a *assembly) inner(p *placed, body *Builder, f *frame, exit string) (start string) {
	a.report(p, body.problems)
	if a.open[body] {
		a.add(p.path(), Diagnostic{Code: "body_invalid", Step: p.id, Message: "the body contains itself",
			RepairHint: "use a body in one place; to repeat steps, loop with On or Loop"})
		return exit
	}
	a.open[body] = true
	defer delete(a.open, body)
	return a.place(body, f, exit)
}

// routes adds the edges of a step's outcomes: those that were named, and the one that falls through.
func (a *assembly) routes(p *placed, from string, outcomes []Outcome, next string) {
	routes := slices.Clone(p.routes)
	for _, c := range p.catches {
		outcome := targetName(c.to)
		if slices.Contains(outcomes, outcome) {
			outcome = "caught_" + outcome
		}
		common := p.step.common()
		common.Catch = append(common.Catch, Catch{Codes: c.codes, Outcome: outcome, Error: c.into})
		if !slices.ContainsFunc(routes, func(e Edge) bool { return e.Outcome == outcome }) {
			routes = append(routes, Edge{Outcome: outcome, To: c.to})
		}
	}
	open := slices.DeleteFunc(slices.Clone(outcomes), func(o Outcome) bool {
		return slices.ContainsFunc(routes, func(e Edge) bool { return e.Outcome == o })
	})
	switch {
	case len(open) > 1:
		a.add(p.path(), Diagnostic{Code: "outcome_unwired", Step: p.id,
			Message:    fmt.Sprintf("%d outcomes lead nowhere: %s; one may fall through to the next step", len(open), quotedList(open)),
			RepairHint: "route all but one of them with On(outcome, to)"})
		for _, o := range open {
			routes = append(routes, Edge{Outcome: o, To: hole})
		}
	case len(open) == 1:
		routes = append(routes, Edge{Outcome: open[0], To: next})
	case p.next != "":
		a.add(p.path(), Diagnostic{Code: "goto_misplaced", Step: p.id,
			Message: "a Goto after a step that has no outcome left to go there", RepairHint: "leave out the Goto, or a route"})
	}
	for _, e := range routes {
		e.From = from
		a.edge(e)
	}
}

func (a *assembly) edge(e Edge) { a.w.Edges = append(a.w.Edges, e) }

func quotedList(outcomes []Outcome) string {
	quoted := make([]string, len(outcomes))
	for i, o := range outcomes {
		quoted[i] = quoteJSON(string(o))
	}
	return strings.Join(quoted, ", ")
}

// problemsOf returns what is wrong with a callable of ours.
func problemsOf(c Callable) Diagnostics {
	if p, ok := c.(interface{ Problems() Diagnostics }); ok {
		return p.Problems()
	}
	return nil
}
