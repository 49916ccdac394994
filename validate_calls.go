package wf

import (
	"slices"
	"strings"

	"lda.chat/wf/internal/schema"
)

// callee is what a node or subgraph step calls: the contract that its bindings must keep to.
type callee struct {
	known    bool // false: nothing below is to be trusted
	what     string
	input    *schema.Schema // nil: anything
	output   *schema.Schema
	outcomes []Outcome
	defaults bool // defaults of the input schema are applied
}

// resolveCalls finds the callee of every step that has one.
func (c *checker) resolveCalls() {
	c.calls = make(map[Step]callee)
	byDef := make(map[*NodeDef]callee)
	for _, s := range c.w.Nodes {
		switch s := s.(type) {
		case *NodeStep:
			def, ok := c.lookupDef(s.Node)
			if !ok {
				continue
			}
			call, ok := byDef[def]
			if !ok {
				call = callee{
					known: true, what: def.Name, outcomes: declaredOutcomes(def.Outcomes),
					input: c.schema(def.InputSchema), output: c.schema(def.OutputSchema),
				}
				byDef[def] = call
			}
			if len(s.OutputSchema) > 0 {
				call.output = c.schema(s.OutputSchema)
			}
			c.calls[s] = call
		case *SubgraphStep:
			if w, _, ok := c.lookupWorkflow(s.Workflow); ok {
				c.calls[s] = callee{
					known: true, what: s.Workflow, outcomes: declaredOutcomes(w.Outcomes), defaults: true,
					input: c.schema(w.InputSchema), output: c.schema(w.OutputSchema),
				}
			}
		}
	}
}

// contractOutcomes are the outcomes that a node or subgraph step can return.
func (c *checker) contractOutcomes(s Step) ([]Outcome, bool) {
	call := c.calls[s]
	return call.outcomes, call.known
}

// isArtifactRef reports whether a subgraph names a saved workflow, artifact@version, instead of one of the plan's own.
func isArtifactRef(name string) bool { return strings.Contains(name, "@") }

// lookupWorkflow finds a workflow by name: among the workflow's own, then among those of the workflows around it.
func (c *checker) lookupWorkflow(name string) (w *Workflow, owner *checker, ok bool) {
	for scope := c; scope != nil; scope = scope.outer {
		if w := scope.w.Workflows[name]; w != nil {
			return w, scope, true
		}
	}
	return nil, nil, false
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
