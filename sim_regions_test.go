package wf

import "slices"

// each makes a foreach.
func (g *simGen) each(f *simFlow, sc *simScope) *simBlock {
	s := &ForeachStep{StepCommon: StepCommon{ID: g.id("each")}, Over: g.list(sc), As: g.id("it"), Mode: g.pick(ModeSerial, ModeParallel),
		OnItemError: g.pick("", OnErrorFail, OnErrorCollect, OnErrorSkip), Retry: g.retry()}
	b := &simBlock{step: s, arms: map[Outcome]*simArm{}}
	in := sc.inner('i')
	in.items = append(in.items, s.As)
	if s.Mode == ModeParallel || g.swap {
		in.loose, in.write = false, nil
	}
	if s.Mode == ModeParallel {
		s.MaxConcurrency = g.n(4)
	}
	if g.swap { // the body writes some fields and reads the others
		in.gather, in.read = nil, nil
		for _, field := range sc.read {
			if !slices.Contains(sc.gather, field) || g.maybe(4) {
				in.read = append(in.read, field)
			} else {
				in.gather = append(in.gather, field)
			}
		}
		if len(in.read) == 0 {
			in.read = []string{"a"}
		}
	}
	if (s.Mode == ModeSerial && !g.swap || g.wild) && g.maybe(2) {
		s.Complete = 1 + g.n(3)
	}
	if g.maybe(1) || g.wild && g.maybe(2) {
		s.TimeoutSeconds = float64(1 + g.n(30))
	}
	b.body = g.sequence(f, in, (1+g.n(5))%5)
	if g.maybe(4) {
		o := g.anything(in, 2)
		s.Result = &o
	}
	g.regionOut(f, sc, b, &s.StepCommon, &s.Output, s.Complete > 0, s.TimeoutSeconds > 0, nil)
	return b
}

// regionOut makes what comes behind a foreach or fork. within are the steps in it that are seen then.
func (g *simGen) regionOut(f *simFlow, sc *simScope, b *simBlock, common *StepCommon, output *[]OutputBinding, complete, timeout bool, within []simSeen) {
	if slices.Contains(sc.gather, "log") && g.maybe(5) {
		p := Path{Root: RootLocal, Parts: []Part{}}
		*output = append(*output, OutputBinding{Source: &p, Target: simPath(RootState, "log")})
	}
	if slices.Contains(sc.gather, "sum") && g.maybe(5) {
		p := simPath(RootLocal, "succeeded")
		*output = append(*output, OutputBinding{Source: &p, Target: simPath(RootState, "sum")})
	}
	g.catch(f, sc, b) // there, nothing of the region is seen
	sc.seen = append(sc.seen, within...)
	sc.see(common.ID, "succeeded")
	if complete && g.maybe(4) {
		b.arms[outcomeUnmet] = g.arm(f, sc)
	}
	if timeout && g.maybe(4) {
		b.arms[outcomeTimedOut] = g.arm(f, sc)
	}
}

// fork makes a fork with its join. Each field that is replaced belongs to one branch.
func (g *simGen) fork(f *simFlow, sc *simScope) *simBlock {
	s := &ForkStep{StepCommon: StepCommon{ID: g.id("fork")}, OnBranchError: g.pick("", OnErrorFail, OnErrorCollect), Retry: g.retry()}
	b := &simBlock{step: s, arms: map[Outcome]*simArm{}, join: &JoinStep{StepCommon{ID: g.id("join")}}}
	s.Join = b.join.ID
	n := 1 + g.n(3)
	owners := make([]int, len(sc.write))
	for i := range owners {
		owners[i] = g.n(n)
	}
	var seen []simSeen
	for i := range n {
		branch := ForkBranch{Outcome: Outcome(g.id("br"))}
		if g.maybe(3) {
			branch.When = g.condition(sc, 1)
		}
		in := sc.inner('b')
		in.loose, in.write = false, nil
		for k, field := range sc.write {
			if owners[k] == i || g.wild && branch.When != nil && g.maybe(1) { // these may conflict, but not surely
				in.write = append(in.write, field)
			}
		}
		b.branches = append(b.branches, g.sequence(f, in, (1+g.n(4))%4))
		seen = append(seen, in.seen[len(sc.seen):]...)
		s.Branches = append(s.Branches, branch)
	}
	if g.wild && g.maybe(2) {
		s.Complete = 1 + g.n(n)
	}
	if g.maybe(1) || g.wild && g.maybe(2) {
		s.TimeoutSeconds = float64(1 + g.n(30))
	}
	g.regionOut(f, sc, b, &s.StepCommon, &s.Output, s.Complete > 0, s.TimeoutSeconds > 0, seen)
	return b
}

// round makes a loop: blocks, then a question that goes back to them.
func (g *simGen) round(f *simFlow, sc *simScope) *simBlock {
	in := *sc
	in.depth--
	b := &simBlock{loop: true, max: 1 + g.n(3), arms: map[Outcome]*simArm{}}
	if b.body = g.sequence(f, &in, 1+g.n(2)); len(b.body) == 0 {
		return g.wait(sc)
	}
	sc.seen = in.seen
	b.step = &ConditionStep{StepCommon: StepCommon{ID: g.id("again")}, Check: g.condition(sc, 1)}
	return b
}

// child makes a workflow and the step that runs it.
func (g *simGen) child(f *simFlow, sc *simScope) *simBlock {
	name := g.id("flow")
	kid := g.flow(name, sc.depth-1)
	if f.kids == nil {
		f.kids, f.w.Workflows = map[string]*simFlow{}, map[string]*Workflow{}
	}
	f.kids[name], f.w.Workflows[name] = kid, kid.w
	s := &SubgraphStep{StepCommon: StepCommon{ID: g.id("sub")}, Workflow: name, Retry: g.retry()}
	for _, member := range []string{"n", "c"} {
		if g.maybe(4) {
			s.Input = append(s.Input, InputBinding{Target: simPath(RootLocal, member), Operand: g.integer(sc)})
		}
	}
	if g.maybe(2) {
		s.Input = append(s.Input, InputBinding{Target: simPath(RootLocal, "items"), Operand: g.list(sc)})
	}
	inner := *sc
	s.Output = g.writes(&inner, g.n(4), true)
	b := &simBlock{step: s, arms: map[Outcome]*simArm{}}
	g.catch(f, sc, b)
	if g.maybe(4) {
		b.arms["other"] = g.arm(f, sc)
	}
	sc.see(s.ID, "n")
	return b
}
