package wf

import "encoding/json"

// step makes a random step of any kind.
func (g planGen) step(id string) Step {
	c := StepCommon{ID: id, Desc: g.pick("", "", "Why")}
	kind := stepKinds[g.IntN(len(stepKinds))].typ
	if kind != TypeEnd && kind != TypeJoin && g.maybe(3) {
		p := g.path(RootState)
		c.Catch = []Catch{{Codes: []Code{"*"}, Outcome: "failed"}, {Codes: []Code{"timeout", "no_stock"}, Outcome: "late", Error: &p}}
	}
	switch kind {
	case TypeNode:
		return &NodeStep{c, g.pick("src.a", "src.b", "gone"), g.inputs(), g.outputs(), g.nilSchema(), g.seconds(), g.retry()}
	case TypeSet:
		return &SetStep{c, g.outputs(), times(g.IntN(3), func(int) Path { return g.path(RootState) })}
	case TypeCondition:
		if g.maybe(2) {
			return &ConditionStep{StepCommon: c, Check: g.condition(4)}
		}
		return &ConditionStep{c, nil, []Case{{g.condition(3), "big"}, {g.condition(3), "small"}}, Outcome(g.pick("", "other", "big"))}
	case TypeForeach:
		s := &ForeachStep{StepCommon: c, Over: g.operand(2), As: g.id(), Mode: g.pick("", ModeSerial, ModeParallel),
			OnItemError: g.pick("", OnErrorFail, OnErrorSkip), MaxConcurrency: g.IntN(3), Complete: g.IntN(3), TimeoutSeconds: g.seconds(),
			Output: g.outputs(), Retry: g.retry()}
		if g.maybe(2) {
			o := g.operand(2)
			s.Result = &o
		}
		return s
	case TypeFork:
		branches := append([]ForkBranch{}, times(g.IntN(4), func(int) ForkBranch {
			b := ForkBranch{Outcome: Outcome(g.id())}
			if g.maybe(2) {
				b.When = g.condition(2)
			}
			return b
		})...)
		return &ForkStep{c, branches, g.pick("", "join"), g.pick("", OnErrorCollect), g.IntN(3), g.seconds(), g.outputs(), g.retry()}
	case TypeJoin:
		return &JoinStep{c}
	case TypeInterrupt:
		s := &InterruptStep{StepCommon: c, Kind: "approval", Request: g.inputs(), RequestSchema: g.nilSchema(), Resume: g.outputs(),
			ResumeSchema: g.nilSchema(), Outcomes: []Outcome{"approved", "rejected"}[:1+g.IntN(2)], TimeoutSeconds: g.seconds(),
			TimeoutOutcome: Outcome(g.pick("", "late"))}
		if g.maybe(3) {
			s.ResumeSchemas = map[Outcome]Schema{"approved": Schema(`{}`), "rejected": Schema(`{"type":"object"}`)}
		}
		return s
	case TypeWait:
		o := g.operand(1)
		if g.maybe(2) {
			return &WaitStep{StepCommon: c, Until: &o}
		}
		if o.Value != nil {
			o.Value = json.RawMessage(`2.5`)
		}
		return &WaitStep{StepCommon: c, Seconds: &o}
	case TypeSubgraph:
		return &SubgraphStep{c, g.pick("child", "other.one", "report@1.2"), g.inputs(), g.outputs(), g.retry()}
	case TypeFail:
		o := g.operand(2)
		return &FailStep{c, "no_stock", &o}
	}
	return &EndStep{c, Outcome(g.pick("", "ok", "gave_up")), g.inputs()}
}
