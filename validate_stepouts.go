package wf

import (
	"fmt"
	"slices"

	"lda.chat/wf/internal/schema"
)

// stepOutput is what a path below steps, or below local in output bindings, can find.
type stepOutput struct {
	what   string         // for messages
	schema *schema.Schema // nil: anything
	names  []string       // instead of a schema: all members
}

// regionResults are what a foreach or a fork offers when it ends.
var regionResults = []string{"count", "errors", "failed", "succeeded"}

// outputOf tells what a step's output can hold, as far as that is known, and whether the step has one at all.
func (c *checker) outputOf(step int) (out stepOutput, has bool) {
	s := c.w.Nodes[step]
	switch s := s.(type) {
	case *NodeStep, *SubgraphStep:
		call := c.calls[s]
		return stepOutput{what: fmt.Sprintf("the output of %q", call.what), schema: call.output}, true
	case *ForeachStep:
		names := regionResults
		if s.Result != nil {
			names = append(slices.Clip(names), "results")
		}
		return stepOutput{what: fmt.Sprintf("what foreach %q offers", s.ID), names: names}, true
	case *ForkStep:
		return stepOutput{what: fmt.Sprintf("what fork %q offers", s.ID), names: regionResults}, true
	case *InterruptStep:
		out := stepOutput{what: fmt.Sprintf("the answer to %q", s.ID)}
		if len(s.ResumeSchemas) == 0 { // else which one counts depends on the answer
			out.schema = c.schema(s.ResumeSchema)
		}
		return out, true
	}
	return stepOutput{}, false
}
