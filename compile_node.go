package wf

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"lda.chat/wf/internal/kernel"
)

// node compiles a step that makes a call: its contract, its function, its bindings.
func (c *compiler) node(op *kernel.Op, s *NodeStep) {
	callee, ok := c.callee(s)
	if !ok {
		c.report(CodeCapabilityMissing, c.at, fmt.Sprintf("no source offers %q", s.Node),
			"add the source that has it, or name a capability that exists")
		return
	}
	to := c.prog.nodes[callee]
	op.Callee = callee
	def := to.def
	for _, o := range to.live.Outcomes {
		if !slices.Contains(to.outcomes, o) {
			c.report(CodeOutcomeUndeclared, c.at, fmt.Sprintf("%s has the outcome %q, which the plan's definition of it lacks", s.Node, o),
				"add the outcome to its entry in node_defs, and wire it")
		}
	}
	for _, outcome := range to.outcomes {
		op.Outcomes = append(op.Outcomes, string(outcome))
	}
	op.Shape, op.Input = shapeOf(c.binds(s.Input, to.input))
	op.Writes = c.writes(s.Output)
	op.Once = def.Effect == EffectOnce || to.live.Effect == EffectOnce // the plan cannot make it harmless
	op.Timeout = nanoseconds(cmp.Or(s.TimeoutSeconds, def.TimeoutSeconds))
	retry := s.Retry
	if retry == nil {
		retry = def.Retry
	}
	op.Retry = c.retry(retry)
	c.waits(op.Timeout > 0 || op.Retry != nil)
}

// callee finds whom a node step calls; false if nobody offers it.
func (c *compiler) callee(s *NodeStep) (int32, bool) {
	if i, known := c.found[s.Node]; known && s.OutputSchema == nil {
		return i, true
	}
	fn := c.find(s.Node)
	if fn == nil {
		return 0, false
	}
	i := int32(len(c.prog.nodes))
	c.prog.nodes = append(c.prog.nodes, resolveNode(s.Node, c.nest.def(s.Node), fn, c.schema(s.OutputSchema), c.schema))
	if s.OutputSchema == nil {
		c.found[s.Node] = i
	}
	return i, true
}

// find looks for a function: among those that the workflow brings, then among those of the workflows around it, then outside.
func (c *compiler) find(ref string) *Func {
	for n := c.nest; n != nil; n = n.outer {
		if fn := n.w.funcs[ref]; fn != nil {
			return fn
		}
	}
	if c.nodes != nil {
		if fn, ok := c.nodes(ref); ok {
			return fn
		}
	}
	return nil
}

func (c *compiler) retry(r *Retry) *kernel.Retry {
	if r == nil || r.MaxAttempts == 1 {
		return nil
	}
	k := &kernel.Retry{
		MaxAttempts: int32(min(cmp.Or(r.MaxAttempts, defaultMaxAttempts), math.MaxInt32)),
		Initial:     nanoseconds(cmp.Or(r.InitialIntervalSeconds, defaultInitialInterval)),
		Backoff:     cmp.Or(r.Backoff, defaultBackoff),
		MaxInterval: nanoseconds(cmp.Or(r.MaxIntervalSeconds, defaultMaxInterval)),
		Total:       nanoseconds(r.TotalSeconds),
	}
	on := r.On
	if on == nil {
		on = defaultRetryOn
	}
	for _, code := range on {
		k.On = append(k.On, string(code))
	}
	return k
}

// nanoseconds rounds up, so that what is more than nothing stays so.
func nanoseconds(seconds float64) int64 { return int64(math.Ceil(seconds * 1e9)) }
