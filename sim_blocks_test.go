package wf

import (
	"encoding/json"
	"slices"
)

// call makes a node step.
func (g *simGen) call(f *simFlow, sc *simScope) *simBlock {
	s := &NodeStep{StepCommon: StepCommon{ID: g.id("call")}, Node: g.pick("sim.work", "sim.pick", "sim.once", "sim.pick"), Input: g.inputs(sc)}
	s.Output = g.writes(sc, g.n(4), true)
	s.Retry = g.retry()
	if g.maybe(2) {
		s.TimeoutSeconds = float64(1 + g.n(20))
	}
	b := &simBlock{step: s, arms: map[Outcome]*simArm{}}
	g.catch(f, sc, b)
	if s.Node == "sim.pick" && g.maybe(6) {
		b.arms["alt"] = g.arm(f, sc)
	}
	sc.see(s.ID, "n")
	return b
}

func (sc *simScope) see(id string, path ...string) { sc.seen = append(sc.seen, simSeen{id, path}) }

func (g *simGen) retry() *Retry {
	if !g.maybe(3) {
		return nil
	}
	r := &Retry{MaxAttempts: 2 + g.n(2), InitialIntervalSeconds: 1}
	if g.maybe(4) {
		r.On = []Code{"handler_error", "sim.a", "sim_fail"}
	}
	if g.wild && g.maybe(2) {
		r.TotalSeconds = float64(2 + g.n(20))
	}
	return r
}

// catch gives a step the means to deal with failures.
func (g *simGen) catch(f *simFlow, sc *simScope, b *simBlock) {
	for range g.n(3) {
		outcome := Outcome(g.pick("caught", "caught", "doubtful"))
		c := Catch{Codes: [][]Code{{"*"}, {"sim.a", "sim_fail"}, {"handler_error", "in_doubt"}}[g.n(3)], Outcome: outcome}
		if slices.Contains(sc.write, "err") && g.maybe(4) {
			p := simPath(RootState, "err")
			c.Error = &p
		}
		common := b.step.common()
		common.Catch = append(common.Catch, c)
		if b.arms[outcome] == nil && g.maybe(4) {
			b.arms[outcome] = g.arm(f, sc)
		}
	}
}

// arm makes a way on; what it does is seen behind its block, as far as it was done, but not by the block's other arms.
func (g *simGen) arm(f *simFlow, sc *simScope) *simArm {
	inner := *sc
	inner.depth--
	inner.seen, inner.later = slices.Clip(sc.seen), nil
	arm := &simArm{blocks: g.sequence(f, &inner, g.n(3))}
	switch ends := g.n(8); {
	case sc.region == 0 && ends == 6:
		arm.end = &EndStep{StepCommon: StepCommon{ID: g.id("end")}, Outcome: Outcome(g.pick("ok", "other"))}
		if g.maybe(4) {
			arm.end.Output = []InputBinding{{Target: simPath(RootLocal, "n"), Operand: g.integer(sc)},
				{Target: simPath(RootLocal, "list"), Operand: simLiterals("[4]")}, {Target: simPath(RootLocal, "obj"), Operand: simLiterals("{}")}}
		}
		arm.to = arm.end.ID
	case sc.region != 0 && ends == 6:
		arm.to = toRegionEnd
	case sc.region != 0 && ends == 7:
		arm.to = ToDiscard
	}
	if arm.to == "" {
		sc.later = append(sc.later, inner.seen[len(sc.seen):]...)
	}
	return arm
}

func simLiterals(text string) Operand { return Operand{Value: json.RawMessage(text)} }

func (g *simGen) set(sc *simScope) *simBlock {
	s := &SetStep{StepCommon: StepCommon{ID: g.id("set")}, Output: g.writes(sc, 1+g.n(3), false)}
	if free := slices.DeleteFunc(slices.Clone(sc.write), func(field string) bool { return writesField(s.Output, field) }); len(free) > 0 && g.maybe(2) {
		s.Unset = []Path{simPath(RootState, free[g.n(len(free))])}
	}
	if sc.loose && g.maybe(1) && !writesField(s.Output, "sum") {
		s.Unset = append(s.Unset, simPath(RootState, "sum"))
	}
	if len(s.Output)+len(s.Unset) == 0 {
		return g.wait(sc)
	}
	return &simBlock{step: s}
}

func writesField(list []OutputBinding, field string) bool {
	return slices.ContainsFunc(list, func(b OutputBinding) bool { return b.Target.Parts[0].Name == field })
}

func (g *simGen) wait(sc *simScope) *simBlock {
	s := &WaitStep{StepCommon: StepCommon{ID: g.id("wait")}}
	o := g.integer(sc)
	switch g.n(6) {
	case 0:
		o = simLiterals(`0`)
	case 1:
		o = simLiterals(`2.5`)
	case 2:
		o = simLiterals(g.pick(`"2020-01-01T00:00:00Z"`, `"2026-01-01T00:01:00Z"`))
		s.Until = &o
		return &simBlock{step: s}
	}
	s.Seconds = &o
	return &simBlock{step: s}
}

func (g *simGen) ask(f *simFlow, sc *simScope) *simBlock {
	s := &InterruptStep{StepCommon: StepCommon{ID: g.id("ask")}, Kind: "approval", Outcomes: []Outcome{"yes", "no"}[:1+g.n(2)],
		Request:      []InputBinding{{Target: simPath(RootLocal, "q"), Operand: g.integer(sc)}},
		ResumeSchema: Schema(`{"type":"object","required":["n"],"properties":{"n":{"type":"integer"},"m":{"type":"integer"}}}`)}
	for _, field := range both(simReplaced[:3], sc.write) {
		if g.maybe(3) {
			p := simPath(RootLocal, g.pick("n", "m"))
			s.Resume = append(s.Resume, OutputBinding{Source: &p, Target: simPath(RootState, field)})
		}
	}
	if slices.Contains(sc.gather, "log") {
		p := simPath(RootLocal, "n")
		s.Resume = append(s.Resume, OutputBinding{Source: &p, Target: simPath(RootState, "log")})
	}
	if g.maybe(2) {
		s.TimeoutSeconds, s.TimeoutOutcome = float64(1+g.n(30)), "late"
	}
	b := &simBlock{step: s, arms: map[Outcome]*simArm{}}
	for _, o := range []Outcome{"no", "late"} {
		if (o == "no" && len(s.Outcomes) > 1 || o == s.TimeoutOutcome) && g.maybe(4) {
			b.arms[o] = g.arm(f, sc)
		}
	}
	sc.see(s.ID, "n")
	return b
}

func (g *simGen) choice(f *simFlow, sc *simScope) *simBlock {
	s := &ConditionStep{StepCommon: StepCommon{ID: g.id("cond")}}
	b := &simBlock{step: s, arms: map[Outcome]*simArm{}}
	outcomes := []Outcome{"true", "false"}
	if g.maybe(4) {
		s.Check = g.condition(sc, 2)
	} else {
		outcomes = []Outcome{"big", "small", "other"}
		s.Cases = []Case{{g.condition(sc, 2), "big"}, {g.condition(sc, 1), "small"}}
		s.Default = Outcome(g.pick("other", "small"))
		if s.Default == "small" {
			outcomes = outcomes[:2]
		}
	}
	for _, o := range outcomes[:len(outcomes)-1] { // the last goes straight on
		if g.maybe(6) {
			b.arms[o] = g.arm(f, sc)
		}
	}
	return b
}

// failing makes a fail step, seldom one that nothing catches.
func (g *simGen) failing(f *simFlow, sc *simScope) *simBlock {
	s := &FailStep{StepCommon: StepCommon{ID: g.id("fail")}, Code: Code(g.pick("sim_fail", "sim.a"))}
	if g.maybe(4) {
		o := Operand{Text: []Operand{{Value: json.RawMessage(`"after "`)}, g.integer(sc)}}
		s.Message = &o
	}
	b := &simBlock{step: s, arms: map[Outcome]*simArm{}}
	if !g.maybe(1) || sc.region == 0 {
		s.Catch = []Catch{{Codes: []Code{"*"}, Outcome: "caught"}}
		if g.maybe(4) { // this one has no other outcome, and must lead on
			inner := *sc
			inner.depth--
			b.arms["caught"] = &simArm{blocks: g.sequence(f, &inner, g.n(3))}
			sc.seen = inner.seen
		}
	}
	if len(s.Catch) == 0 { // only sometimes reached, so that what comes behind can be
		return &simBlock{step: &ConditionStep{StepCommon: StepCommon{ID: g.id("cond")}, Check: g.condition(sc, 1)},
			arms: map[Outcome]*simArm{"true": {blocks: []*simBlock{b}}}}
	}
	return b
}
