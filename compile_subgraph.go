package wf

import (
	"fmt"

	"lda.chat/wf/internal/kernel"
)

// subgraph compiles a step that runs another workflow of the plan.
func (c *compiler) subgraph(op *kernel.Op, s *SubgraphStep) {
	w, in := c.nest.workflow(s.Workflow)
	if w == nil {
		c.report(CodeWorkflowUnavailable, c.at+"/workflow", fmt.Sprintf("the workflow %q is not available here", s.Workflow),
			"this runtime has no saved workflows: put a copy into the plan's workflows, and name it")
		return
	}
	child := c.child(w, in, s.Workflow)
	op.Child = child.kernel
	for _, o := range declaredOutcomes(w.Outcomes) {
		op.Outcomes = append(op.Outcomes, string(o))
	}
	binds := c.binds(s.Input, child.input)
	for i := range binds { // what has a default may be left out, even where the schema requires it
		if target := binds[i].Target; len(target) == 1 && !target[0].IsIndex && child.input != nil {
			p, _ := child.input.Property(target[0].Key)
			binds[i].Optional = binds[i].Optional || !p.Default.IsAbsent()
		}
	}
	op.Shape, op.Input = shapeOf(binds)
	op.Writes = c.writes(s.Output)
	op.Retry = c.retry(s.Retry)
	c.waits(op.Retry != nil)
}

// child gives the flow of a nested workflow, whose own it is in; all steps that run it share it.
func (c *compiler) child(w *Workflow, in *nesting, name string) *flow {
	key := childKey{in, name}
	if f, known := c.children[key]; known {
		return f
	}
	f := c.newFlow(w)
	c.children[key] = f
	c.workflow(newNesting(w, in), f, child(c.places[in]+"/workflows", name))
	return f
}
