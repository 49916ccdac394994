package wf

// nesting is a workflow with those around it: what its steps can name. Reading, writing, checking and compiling find
// contracts and nested workflows by it, so they cannot disagree.
type nesting struct {
	w     *Workflow
	outer *nesting // of the workflow around it, or nil
	defs  map[string]*NodeDef
	// coming are the outcomes of the nested workflows while these are being read, when w does not have them yet.
	coming map[string][]Outcome
}

func newNesting(w *Workflow, outer *nesting) *nesting {
	n := &nesting{w: w, outer: outer, defs: make(map[string]*NodeDef, len(w.NodeDefs))}
	for _, def := range w.NodeDefs {
		if def != nil && n.defs[def.Name] == nil {
			n.defs[def.Name] = def
		}
	}
	return n
}

// flattenHint is for workflows that lie too deep in one another.
const flattenHint = "make one workflow of two that run one another; saved workflows that are run count as those inside the plan do"

// depth counts the workflows in one another.
func (n *nesting) depth() int {
	count := 0
	for ; n != nil; n = n.outer {
		count++
	}
	return count
}

// isIn reports whether a workflow is this one or one around it.
func (n *nesting) isIn(w *Workflow) bool {
	for ; n != nil; n = n.outer {
		if n.w == w {
			return true
		}
	}
	return false
}

// def finds a contract that the plan brings: of the workflow, then of those around it.
func (n *nesting) def(ref string) *NodeDef {
	for ; n != nil; n = n.outer {
		if def := n.defs[ref]; def != nil {
			return def
		}
	}
	return nil
}

// workflow finds a workflow that a subgraph step names: among the workflow's own, then among those of the workflows around
// it. in is the nesting whose own it is.
func (n *nesting) workflow(name string) (found *Workflow, in *nesting) {
	for ; n != nil; n = n.outer {
		if w := n.w.Workflows[name]; w != nil {
			return w, n
		}
	}
	return nil, nil
}

// defOutcomes are what a capability may return, as far as the plan tells: "ok" if it has no contract of it.
func (n *nesting) defOutcomes(ref string) []Outcome {
	if def := n.def(ref); def != nil {
		return declaredOutcomes(def.Outcomes)
	}
	return []Outcome{OK}
}

// childOutcomes are what a workflow that a subgraph step names may end with: "ok" if the plan does not hold it.
func (n *nesting) childOutcomes(name string) []Outcome {
	for ; n != nil; n = n.outer {
		if outcomes, ok := n.coming[name]; ok {
			return outcomes
		}
		if w := n.w.Workflows[name]; w != nil {
			return declaredOutcomes(w.Outcomes)
		}
	}
	return []Outcome{OK}
}
