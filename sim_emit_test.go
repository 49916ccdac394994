package wf

// emit turns the blocks of a workflow into its steps and edges.
func (f *simFlow) emit() {
	f.w.Nodes, f.w.Edges = nil, nil
	f.w.Start = f.sequence(f.blocks, ToEnd, ToEnd)
}

// sequence wires blocks and gives where they begin: next is what lies behind them, end the end of their region.
func (f *simFlow) sequence(list []*simBlock, next, end string) string {
	for i := len(list) - 1; i >= 0; i-- {
		next = f.block(list[i], next, end)
	}
	return next
}

func (f *simFlow) block(b *simBlock, next, end string) string {
	f.w.Nodes = append(f.w.Nodes, b.step)
	id := b.step.StepID()
	wire := func(from string, o Outcome, to string) {
		f.w.Edges = append(f.w.Edges, Edge{From: from, Outcome: o, To: to})
	}
	arm := func(from string, o Outcome) { wire(from, o, f.arm(b.arms[o], next, end)) }
	switch s := b.step.(type) {
	case *ForeachStep:
		wire(id, outcomeItem, f.sequence(b.body, ToContinue, ToContinue))
		for _, o := range barrierOutcomes(s.Complete, s.TimeoutSeconds) {
			arm(id, o)
		}
	case *ForkStep:
		f.w.Nodes = append(f.w.Nodes, b.join)
		for i, branch := range s.Branches {
			wire(id, branch.Outcome, f.sequence(b.branches[i], b.join.ID, b.join.ID))
		}
		for _, o := range uniqueOutcomes(append(barrierOutcomes(s.Complete, s.TimeoutSeconds), caughtOutcomes(s)...)) {
			arm(b.join.ID, o)
		}
		return id
	case *ConditionStep:
		if b.loop {
			start := f.sequence(b.body, id, end)
			f.w.Edges = append(f.w.Edges, Edge{From: id, Outcome: outcomeTrue, To: start, MaxVisits: b.max, Exhausted: next})
			wire(id, outcomeFalse, next)
			return start
		}
		for _, o := range uniqueOutcomes(s.outcomes()) {
			arm(id, o)
		}
	default:
		for _, o := range uniqueOutcomes(simOutcomes(s)) {
			arm(id, o)
		}
		for _, o := range uniqueOutcomes(caughtOutcomes(s)) {
			arm(id, o)
		}
		return id
	}
	for _, o := range uniqueOutcomes(caughtOutcomes(b.step)) {
		arm(id, o)
	}
	return id
}

// simOutcomes are those that a step has of itself.
func simOutcomes(s Step) []Outcome {
	switch s := s.(type) {
	case *NodeStep:
		return simDefs[s.Node].Outcomes
	case *SubgraphStep:
		return []Outcome{OK, "other"}
	case *InterruptStep:
		return append(s.Outcomes[:len(s.Outcomes):len(s.Outcomes)], s.TimeoutOutcome)
	case *SetStep, *WaitStep:
		return []Outcome{outcomeDone}
	}
	return nil
}

// arm wires a way on and gives where it begins.
func (f *simFlow) arm(a *simArm, next, end string) string {
	if a == nil {
		return next
	}
	switch a.to {
	case "":
	case toRegionEnd:
		next = end
	default:
		next = a.to
	}
	if a.end != nil {
		f.w.Nodes = append(f.w.Nodes, a.end)
	}
	return f.sequence(a.blocks, next, end)
}

// simDefs are the capabilities that generated plans call.
var simDefs = map[string]*NodeDef{
	"sim.work": {Name: "sim.work", Outcomes: []Outcome{OK}, Effect: EffectIdempotent, InputSchema: simCallInput, OutputSchema: Schema(simOutput)},
	"sim.pick": {Name: "sim.pick", Outcomes: []Outcome{OK, "alt"}, Effect: EffectKeyed, InputSchema: simCallInput, OutputSchema: Schema(simOutput)},
	"sim.once": {Name: "sim.once", Outcomes: []Outcome{OK}, Effect: EffectOnce, InputSchema: simCallInput, OutputSchema: Schema(simOutput)},
}

var simCallInput = Schema(`{"type":"object","properties":{"a":{},"b":{},"deep":{"type":"object","properties":{"x":{}}}}}`)
