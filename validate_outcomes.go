package wf

import "slices"

// The outcomes of the steps that steer.
const (
	outcomeDone     Outcome = "done"      // set, foreach, join, wait
	outcomeItem     Outcome = "item"      // foreach: the edge into the body
	outcomeUnmet    Outcome = "unmet"     // foreach, join: complete is out of reach
	outcomeTimedOut Outcome = "timed_out" // foreach, join
	outcomeTrue     Outcome = "true"      // condition with a check
	outcomeFalse    Outcome = "false"
)

// stepOutcomes lists the outcomes that an edge has to wire for one step, in the order of the plan and without
// repetition; caught outcomes come last. An unknown capability or subgraph makes the list incomplete (known is false).
func stepOutcomes(t *regionTree, step int, called func(step int) (outcomes []Outcome, known bool)) (list []Outcome, known bool) {
	known = true
	s := t.w.Nodes[step]
	switch s := s.(type) {
	case *NodeStep, *SubgraphStep:
		list, known = called(step)
	case *SetStep, *WaitStep:
		list = []Outcome{outcomeDone}
	case *ConditionStep:
		list = s.outcomes()
	case *ForeachStep:
		list = append([]Outcome{outcomeItem}, barrierOutcomes(s.Complete, s.TimeoutSeconds)...)
	case *ForkStep:
		for _, b := range s.Branches {
			list = append(list, b.Outcome)
		}
		return uniqueOutcomes(list), true // what it catches leaves from its join
	case *JoinStep:
		if t.forkOf[step] < 0 {
			return []Outcome{outcomeDone}, true
		}
		fork := t.w.Nodes[t.forkOf[step]].(*ForkStep)
		list = append(barrierOutcomes(fork.Complete, fork.TimeoutSeconds), caughtOutcomes(fork)...)
		return uniqueOutcomes(list), true
	case *InterruptStep:
		list = slices.Clone(s.Outcomes)
		if s.TimeoutOutcome != "" {
			list = append(list, s.TimeoutOutcome)
		}
	case *FailStep, *EndStep:
	}
	if caught := caughtOutcomes(s); len(caught) > 0 {
		list = append(slices.Clip(list), caught...)
	}
	return uniqueOutcomes(list), known
}

// outcomes are the answers that a condition step can give.
func (s *ConditionStep) outcomes() []Outcome {
	if s.Check != nil || len(s.Cases) == 0 {
		return []Outcome{outcomeTrue, outcomeFalse}
	}
	list := make([]Outcome, 0, len(s.Cases)+1)
	for _, c := range s.Cases {
		list = append(list, c.Outcome)
	}
	return append(list, s.Default)
}

// barrierOutcomes are the ways out of a region that may end early.
func barrierOutcomes(complete int, timeout float64) []Outcome {
	list := []Outcome{outcomeDone}
	if complete != 0 {
		list = append(list, outcomeUnmet)
	}
	if timeout != 0 {
		list = append(list, outcomeTimedOut)
	}
	return list
}

func caughtOutcomes(s Step) []Outcome {
	var list []Outcome
	for _, c := range s.common().Catch {
		list = append(list, c.Outcome)
	}
	return list
}

// uniqueOutcomes leaves out repetitions and empty ones, which are findings of their own.
func uniqueOutcomes(list []Outcome) []Outcome {
	if len(list) <= 1 && !slices.Contains(list, "") {
		return list
	}
	seen := make(map[Outcome]bool, len(list))
	kept := make([]Outcome, 0, len(list))
	for _, o := range list {
		if o != "" && !seen[o] {
			seen[o] = true
			kept = append(kept, o)
		}
	}
	return kept
}

// declaredOutcomes are a def's or a workflow's outcomes: just OK if it names none.
func declaredOutcomes(list []Outcome) []Outcome {
	if len(list) == 0 {
		return []Outcome{OK}
	}
	return list
}
