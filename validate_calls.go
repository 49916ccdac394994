package wf

import (
	"slices"
	"strings"

	"lda.chat/wf/internal/schema"
)

// callee is what a node or subgraph step calls: the contract that its bindings must keep to.
type callee struct {
	input    *schema.Schema // nil: anything
	output   *schema.Schema
	outcomes []Outcome
	kept     []string // the members of the output that are kept, sorted: those that the contract declares; nil: all are
}

// resolveCalls finds the callee of every step that has one.
func (c *checker) resolveCalls() {
	c.calls = make([]*callee, len(c.w.Nodes))
	byDef := make(map[*NodeDef]*callee)
	for i, s := range c.w.Nodes {
		switch s := s.(type) {
		case *NodeStep:
			def, ok := c.lookupDef(s.Node)
			if !ok {
				continue
			}
			call := byDef[def]
			if call == nil {
				call = &callee{c.schema(def.InputSchema), c.schema(def.OutputSchema), declaredOutcomes(def.Outcomes), nil}
				call.kept = declaredMembers(call.output)
				byDef[def] = call
			}
			if len(s.OutputSchema) > 0 {
				narrowed := c.schema(s.OutputSchema)
				if kept := call.kept; kept != nil {
					kept = declaredMembers(call.output, narrowed)
					call = &callee{call.input, narrowed, call.outcomes, kept}
				} else {
					call = &callee{call.input, narrowed, call.outcomes, nil}
				}
			}
			c.calls[i] = call
		case *SubgraphStep:
			w := c.lookupWorkflow(s.Workflow)
			if w == nil {
				continue
			}
			c.calls[i] = &callee{c.schema(w.InputSchema), c.schema(w.OutputSchema), declaredOutcomes(w.Outcomes), nil}
			if c.subcalls[c.plan] == nil {
				c.callers = append(c.callers, c.plan)
			}
			c.subcalls[c.plan] = append(c.subcalls[c.plan], subcall{c, i, w})
		}
	}
}

// calledOutcomes are the outcomes that a node or subgraph step gets from what it calls.
func (c *checker) calledOutcomes(step int) ([]Outcome, bool) {
	if call := c.calls[step]; call != nil {
		return call.outcomes, true
	}
	return nil, false
}

// inputOf is what a step's callee takes, nil for anything.
func (c *checker) inputOf(step int) *schema.Schema {
	if call := c.calls[step]; call != nil {
		return call.input
	}
	return nil
}

// isArtifactRef reports whether a subgraph names a saved workflow, artifact@version, instead of one of the plan's own.
func isArtifactRef(name string) bool { return strings.Contains(name, "@") }

// lookupWorkflow finds a workflow by name: among the workflow's own, then among those of the workflows around it.
func (c *checker) lookupWorkflow(name string) *Workflow {
	if c.isHole(name) {
		return nil
	}
	w, _ := c.nest.workflow(name)
	return w
}

// workflowNames lists the workflows that a subgraph step can name, in order.
func (c *checker) workflowNames() []string {
	var names []string
	for scope := c; scope != nil; scope = scope.outer {
		for name := range scope.w.Workflows {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
