package wf

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// step writes a step with the edges that stand on it.
func (wr writer) step(s Step, own []Edge) fields {
	c := s.common()
	f := fields{{"id", c.ID}}
	if node, ok := s.(*NodeStep); !ok || !wr.short || node.Node == "" {
		f.set("type", string(s.StepType()))
	}
	f.add("desc", c.Desc)
	switch s := s.(type) {
	case *NodeStep:
		f.set("node", s.Node)
		f.add("input", wr.inputBindings(s.Input))
		f.add("output", wr.outputBindings(s.Output, false))
		f.add("output_schema", s.OutputSchema)
		f.add("timeout_seconds", s.TimeoutSeconds)
		f.add("retry", retryTree(s.Retry))
	case *SetStep:
		f.add("output", wr.outputBindings(s.Output, true))
		f.add("unset", listOf(s.Unset, wr.path))
	case *ConditionStep:
		f.add("check", wr.optionalCondition(s.Check))
		f.add("cases", listOf(s.Cases, func(c Case) any {
			return fields{{"when", wr.optionalCondition(c.When)}, {"outcome", string(c.Outcome)}}
		}))
		f.add("default", string(s.Default))
	case *ForeachStep:
		wr.foreach(&f, s)
	case *ForkStep:
		wr.fork(&f, s)
	case *InterruptStep:
		wr.interrupt(&f, s)
	case *WaitStep:
		wr.setOperand(&f, "seconds", s.Seconds)
		wr.setOperand(&f, "until", s.Until)
	case *SubgraphStep:
		f.set("workflow", s.Workflow)
		f.add("input", wr.inputBindings(s.Input))
		f.add("output", wr.outputBindings(s.Output, false))
		f.add("retry", retryTree(s.Retry))
	case *FailStep:
		f.set("code", string(s.Code))
		wr.setOperand(&f, "message", s.Message)
	case *EndStep:
		if outcome := cmp.Or(s.Outcome, OK); !wr.short || outcome != OK {
			f.set("outcome", string(outcome))
		}
		f.add("output", wr.inputBindings(s.Output))
	}
	f.add("catch", listOf(c.Catch, wr.catch))
	return wr.routes(f, s, own)
}

func (wr writer) catch(c Catch) any {
	f := fields{{"codes", textsOf(c.Codes)}, {"outcome", string(c.Outcome)}}
	if c.Error != nil {
		f.set("error", wr.path(*c.Error))
	}
	return f
}

func (wr writer) foreach(f *fields, s *ForeachStep) {
	f.set("over", wr.operand(s.Over))
	f.set("as", s.As)
	wr.word(f, "mode", s.Mode, ModeSerial)
	wr.word(f, "on_item_error", s.OnItemError, OnErrorFail)
	f.add("max_concurrency", int64(s.MaxConcurrency))
	f.add("complete", int64(s.Complete))
	f.add("timeout_seconds", s.TimeoutSeconds)
	wr.setOperand(f, "result", s.Result)
	f.add("output", wr.outputBindings(s.Output, false))
	f.add("retry", retryTree(s.Retry))
}

func (wr writer) fork(f *fields, s *ForkStep) {
	f.set("branches", listOf(s.Branches, func(b ForkBranch) any {
		if wr.short && b.When == nil {
			return string(b.Outcome)
		}
		bf := fields{{"outcome", string(b.Outcome)}}
		bf.add("when", wr.optionalCondition(b.When))
		return bf
	}))
	f.add("join", s.Join)
	wr.word(f, "on_branch_error", s.OnBranchError, OnErrorFail)
	f.add("complete", int64(s.Complete))
	f.add("timeout_seconds", s.TimeoutSeconds)
	f.add("output", wr.outputBindings(s.Output, false))
	f.add("retry", retryTree(s.Retry))
}

func (wr writer) interrupt(f *fields, s *InterruptStep) {
	f.set("kind", s.Kind)
	f.add("request", wr.inputBindings(s.Request))
	f.add("request_schema", s.RequestSchema)
	f.set("outcomes", textsOf(s.Outcomes))
	f.add("resume", wr.outputBindings(s.Resume, false))
	f.add("resume_schema", s.ResumeSchema)
	var schemas fields
	for _, outcome := range sortedKeys(s.ResumeSchemas) {
		schemas.set(string(outcome), s.ResumeSchemas[outcome])
	}
	f.add("resume_schemas", schemas)
	f.add("timeout_seconds", s.TimeoutSeconds)
	f.add("timeout_outcome", string(s.TimeoutOutcome))
}

// word writes one of a few words; the default is left out of the short form.
func (wr writer) word(f *fields, key, word, standard string) {
	if word = cmp.Or(word, standard); !wr.short || word != standard {
		f.set(key, word)
	}
}

// ownEdges takes out the edges that the short form writes on their steps: at most one for each outcome.
func ownEdges(w *Workflow, edges []Edge) (own map[string][]Edge, rest []Edge) {
	own = make(map[string][]Edge, len(w.Nodes))
	for _, s := range w.Nodes {
		if s == nil {
			continue
		}
		if _, seen := own[s.StepID()]; !seen && s.StepType() == TypeEnd {
			own[s.StepID()] = nil // an end has no outcomes to route
		} else if !seen {
			own[s.StepID()] = []Edge{}
		}
	}
	for _, e := range edges {
		list := own[e.From]
		if n := len(list); list == nil || n > 0 && list[n-1].Outcome == e.Outcome { // sorted: the same outcomes stand together
			rest = append(rest, e)
			continue
		}
		own[e.From] = append(list, e)
	}
	return own, rest
}

// routes writes the edges of a step as its next and on.
func (wr writer) routes(f fields, s Step, own []Edge) fields {
	next := nextOutcomes(s, wr.known, nil)
	var on fields
	for _, e := range own {
		switch plain := e.MaxVisits == 0 && e.Exhausted == ""; {
		case plain && len(next) == 1 && e.Outcome == next[0]:
			f.set("next", e.To)
		case plain:
			on.set(string(e.Outcome), e.To)
		default:
			on.set(string(e.Outcome), routeTree(e))
		}
	}
	f.add("on", on)
	return f
}

// sortNodeDefs puts contracts into their one order, by name.
func sortNodeDefs(defs []*NodeDef) {
	slices.SortStableFunc(defs, func(a, b *NodeDef) int { return strings.Compare(a.Name, b.Name) })
}

func sortedKeys[K ~string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
