package wf

import "lda.chat/wf/internal/value"

func readConditionStep(o object, c StepCommon) Step {
	s := &ConditionStep{StepCommon: c, Check: o.optionalCondition("check")}
	cases, at := o.items("cases", `a list such as [{"when": {"gt": ["state.n", 5]}, "outcome": "big"}]`)
	if v, _, ok := o.get("cases"); ok && v.Kind() != value.KindArray {
		s.Cases = []Case{{When: holeCondition(), Outcome: hole}}
	}
	for i, item := range cases {
		co, ok := o.object(item, element(at, i), "a case", []string{"when", "outcome"})
		if !ok {
			s.Cases = append(s.Cases, Case{When: holeCondition(), Outcome: hole})
			continue
		}
		when := co.optionalCondition("when")
		if when == nil {
			co.missing("when", `add the condition: "when": {"exists": "state.n"}`)
			when = holeCondition()
		}
		s.Cases = append(s.Cases, Case{When: when,
			Outcome: co.outcome("outcome", `add the outcome that it takes: "outcome": "big"`)})
	}
	if v, at, ok := o.get("default"); ok {
		s.Default = Outcome(o.name(v, at, "an outcome"))
	}
	switch {
	case o.has("check") && (o.has("cases") || o.has("default")):
		o.add(Diagnostic{Code: "field_conflict", Path: o.at, RepairHint: `keep one of them: "check" has the outcomes true and false`,
			Message: `a condition step has either "check", or "cases" and "default"`})
		s.Default = hole
	case !o.has("check") && !o.has("cases"):
		o.missing("check", `add what it asks: "check": {"gt": ["state.n", 5]}, or "cases" and "default"`)
		s.Check, s.Default = holeCondition(), hole
	}
	return s
}

func readForeach(o object, c StepCommon) Step {
	s := &ForeachStep{StepCommon: c, Over: holeOperand(), As: hole, Result: o.optionalOperand("result")}
	if v, at, ok := o.need("over", `add the array to go through: "over": "state.items"`); ok {
		s.Over = o.operand(v, at, operandPlace{})
	}
	if v, at, ok := o.need("as", `add the item's name: "as": "item"`); ok {
		s.As = o.name(v, at, `the "as" name`)
	}
	s.Mode = o.choice("mode", ModeSerial, ModeParallel)
	s.OnItemError = o.choice("on_item_error", OnErrorFail, OnErrorCollect, OnErrorSkip)
	s.MaxConcurrency = int(o.count("max_concurrency", 1, maxCount))
	s.Complete = int(o.count("complete", 1, maxCount))
	s.TimeoutSeconds = o.seconds("timeout_seconds", false)
	s.Output = o.outputBindings("output", false)
	s.Retry = o.retry()
	return s
}

func readFork(o object, c StepCommon) Step {
	s := &ForkStep{StepCommon: c, Branches: []ForkBranch{}}
	if !o.has("branches") {
		o.missing("branches", `add the outcomes that its branches begin with: "branches": ["left", "right"]`)
	}
	v, at, _ := o.get("branches")
	if branches, ok := o.branchMap(v, at); ok {
		s.Branches = branches
	} else {
		o.branchList(s)
	}
	if v, at, ok := o.get("join"); ok {
		s.Join = o.name(v, at, "the join's id")
	}
	s.OnBranchError = o.choice("on_branch_error", OnErrorFail, OnErrorCollect)
	s.Complete = int(o.count("complete", 1, maxCount))
	s.TimeoutSeconds = o.seconds("timeout_seconds", false)
	s.Output = o.outputBindings("output", false)
	s.Retry = o.retry()
	return s
}

// branchList reads the branches of a fork.
func (o object) branchList(s *ForkStep) {
	if v, _, _ := o.get("branches"); v.Kind() != value.KindArray {
		s.Branches = append(s.Branches, ForkBranch{Outcome: hole})
	}
	branches, at := o.items("branches", `a list such as ["left", "right"]`)
	for i, item := range branches {
		if item.Kind() == value.KindString {
			s.Branches = append(s.Branches, ForkBranch{Outcome: Outcome(o.name(item, element(at, i), "an outcome"))})
			continue
		}
		if bo, ok := o.object(item, element(at, i), "a branch", []string{"outcome", "when"}); ok {
			s.Branches = append(s.Branches, ForkBranch{Outcome: bo.outcome("outcome", `add its outcome: "outcome": "left"`), When: bo.optionalCondition("when")})
		} else {
			s.Branches = append(s.Branches, ForkBranch{Outcome: hole})
		}
	}
}
