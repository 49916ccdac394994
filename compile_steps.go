package wf

import (
	"slices"

	"lda.chat/wf/internal/kernel"
)

// op compiles one step.
func (c *compiler) op(i int32, s Step) {
	op := &c.out.Ops[i]
	op.ID = s.StepID()
	switch s := s.(type) {
	case *NodeStep:
		op.Kind = kernel.Node
		c.node(op, s)
	case *SetStep:
		op.Kind, op.Outcomes = kernel.Set, doneOutcome
		op.Writes = c.writes(s.Output)
		for j := range s.Unset {
			slot, rest := c.target(&s.Unset[j])
			op.Writes = append(op.Writes, kernel.WriteBind{Slot: slot, Path: rest, Unset: true, Name: s.Unset[j].String()})
		}
	case *ConditionStep:
		op.Kind = kernel.Cond
		c.choice(op, s)
	case *ForeachStep:
		op.Kind = kernel.Foreach
		c.foreach(i, op, s)
	case *ForkStep:
		op.Kind = kernel.Fork
		c.fork(i, op, s)
	case *JoinStep:
		op.Kind = kernel.Join
		c.join(i, op)
	case *InterruptStep:
		op.Kind = kernel.Interrupt
		c.interrupt(i, op, s)
	case *WaitStep:
		op.Kind, op.Outcomes = kernel.Wait, doneOutcome
		op.For, op.Until = c.some(s.Seconds), c.some(s.Until)
		c.waits(true)
	case *SubgraphStep:
		op.Kind = kernel.Subgraph
		c.subgraph(op, s)
	case *FailStep:
		op.Kind, op.Code, op.Message = kernel.Fail, string(s.Code), c.some(s.Message)
	case *EndStep:
		op.Kind, op.Outcomes = kernel.End, []string{string(s.Outcome)}
		if s.Output != nil {
			op.Output = c.result(s.Output)
		}
		if len(op.Output) > 0 { // an empty one is not one that is not given
			op.Shape, op.Output = shapeOf(op.Output)
		}
	}
	if op.Declared == 0 {
		op.Declared = int32(len(op.Outcomes))
	}
	c.catches(op, s.common().Catch)
	c.wire(op)
}

var doneOutcome = []string{string(outcomeDone)}

// catches compiles a step's catches; an outcome that only they have is added behind the others. What a fork catches leaves
// from its join, as its ends do.
func (c *compiler) catches(op *kernel.Op, catches []Catch) {
	for i := range catches {
		from := &catches[i]
		k := kernel.Catch{Slot: -1}
		for _, code := range from.Codes {
			if code == codeAny {
				k.Any = true
			} else {
				k.Codes = append(k.Codes, string(code))
			}
		}
		k.Outcome = number(op, from.Outcome)
		if from.Error != nil {
			k.Slot, k.Path = c.target(from.Error)
		}
		op.Catch = append(op.Catch, k)
	}
	if op.Kind == kernel.Fork {
		c.toJoin(op)
	}
}

// number is the number of an outcome by which a step can be left; it is added if the step does not have it yet. Those that
// begin an item or a branch are none such.
func number(op *kernel.Op, outcome Outcome) int32 {
	first := 0
	if op.Fan != nil {
		first = int(op.Fan.Done)
	}
	at := slices.Index(op.Outcomes[first:], string(outcome))
	if at < 0 {
		op.Outcomes = append(slices.Clip(op.Outcomes), string(outcome))
		return int32(len(op.Outcomes) - 1)
	}
	return int32(first + at)
}

// choice compiles a condition step.
func (c *compiler) choice(op *kernel.Op, s *ConditionStep) {
	if s.Check != nil {
		op.Outcomes = []string{string(outcomeTrue), string(outcomeFalse)}
		op.Check = c.condition(s.Check)
		return
	}
	for _, k := range s.Cases {
		op.Cases = append(op.Cases, kernel.Case{When: c.condition(k.When), Outcome: number(op, k.Outcome)})
	}
	op.Else = number(op, s.Default)
}
