package wf

import (
	"cmp"
	"math"

	"lda.chat/wf/internal/kernel"
)

var errorPolicies = map[string]kernel.ErrorPolicy{"": kernel.FailAll, OnErrorFail: kernel.FailAll, OnErrorCollect: kernel.Collect, OnErrorSkip: kernel.Skip}

// fan makes what foreach and fork have in common; the outcomes by which the step ends come behind those it has.
func (c *compiler) fan(op *kernel.Op, onError string, complete int, timeout float64, retry *Retry, output []OutputBinding) {
	fan := &kernel.Fan{OnError: errorPolicies[onError], Complete: int32(min(complete, math.MaxInt32)), Body: -1, Join: -1, Unmet: -1, TimedOut: -1}
	op.Fan = fan
	for _, outcome := range barrierOutcomes(complete, timeout) {
		at := int32(len(op.Outcomes))
		switch outcome {
		case outcomeDone:
			fan.Done = at
		case outcomeUnmet:
			fan.Unmet = at
		case outcomeTimedOut:
			fan.TimedOut = at
		}
		op.Outcomes = append(op.Outcomes, string(outcome))
	}
	op.Timeout, op.Retry = nanoseconds(timeout), c.retry(retry)
	op.Writes = c.writes(output)
	c.waits(op.Timeout > 0 || op.Retry != nil)
}

// begin adds the outcomes that lead to children. No edge is taken on them: a child begins where its region does.
func begin(op *kernel.Op, outcomes ...Outcome) {
	for _, o := range outcomes {
		op.Outcomes, op.Next = append(op.Outcomes, string(o)), append(op.Next, nowhere)
	}
}

func (c *compiler) foreach(i int32, op *kernel.Op, s *ForeachStep) {
	begin(op, outcomeItem)
	c.fan(op, s.OnItemError, s.Complete, s.TimeoutSeconds, s.Retry, s.Output)
	fan := op.Fan
	fan.Over = c.some(&s.Over)
	fan.Body = c.enter(i, outcomeItem)
	fan.Serial = s.Mode != ModeParallel
	fan.Limit = 1
	if !fan.Serial {
		fan.Limit = int32(min(cmp.Or(s.MaxConcurrency, defaultMaxConcurrency), math.MaxInt32))
	}
	c.waits(fan.Limit > 1)
	if s.Result != nil { // it is taken in the item's frame
		outer := c.region
		c.region = fan.Body
		fan.Result = c.some(s.Result)
		c.region = outer
	}
}

func (c *compiler) fork(i int32, op *kernel.Op, s *ForkStep) {
	for _, b := range s.Branches {
		begin(op, b.Outcome)
	}
	c.fan(op, s.OnBranchError, s.Complete, s.TimeoutSeconds, s.Retry, s.Output)
	fan := op.Fan
	fan.Join = int32(c.tree.joinOf[i])
	fan.Branches = make([]kernel.Branch, len(s.Branches))
	for k, b := range s.Branches {
		fan.Branches[k] = kernel.Branch{Name: string(b.Outcome), Region: c.enter(i, b.Outcome)}
		if b.When != nil {
			fan.Branches[k].When = c.condition(b.When)
		}
	}
	c.waits(len(fan.Branches) > 1)
}

// toJoin leads what a fork ends by, and what it catches, to its join, which leaves by the outcome of the same name.
func (c *compiler) toJoin(op *kernel.Op) {
	next := nowhere
	if op.Fan.Join >= 0 {
		next.To = op.Fan.Join
	}
	for len(op.Next) < len(op.Outcomes) {
		op.Next = append(op.Next, next)
	}
}

func (c *compiler) join(i int32, op *kernel.Op) {
	op.Fork = int32(c.tree.forkOf[i])
	outcomes, _ := stepOutcomes(c.tree, int(i), nil)
	for _, o := range outcomes {
		op.Outcomes = append(op.Outcomes, string(o))
	}
}
