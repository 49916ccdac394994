package wf

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// artifactRef is the name of a saved workflow with its version.
var artifactRef = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}@[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

// checkWorkflowRef checks that the workflow which a step runs exists.
func (c *checker) checkWorkflowRef(i int, s *SubgraphStep) {
	at := c.node(i).key("workflow")
	if s.Workflow == "" || c.calls[i] != nil || c.isHole(s.Workflow) || c.mayHaveWorkflow() {
		return
	}
	if isArtifactRef(s.Workflow) {
		if !artifactRef.MatchString(s.Workflow) {
			c.report("workflow_unknown", at, i, fmt.Sprintf("%q is no artifact@version", clip(s.Workflow)), `write for example "report_case_study@1"`)
		}
		return
	}
	names := c.workflowNames()
	hint := "add it to workflows, or name a saved one by artifact@version"
	if len(names) > 0 {
		hint = "the plan has " + listSome(names)
	}
	d := c.report("workflow_unknown", at, i, fmt.Sprintf("the plan has no workflow %q", clip(s.Workflow)), c.suggest(s.Workflow, names, hint))
	if meant, ok := c.nearest(s.Workflow, names); ok {
		d.fix(fmt.Sprintf("Run %q", meant), FixUnsafe, testOp(at, s.Workflow), replaceOp(at, meant))
	}
}

// checkNested checks the workflows inside this one, and that none of them runs itself. A copy of a saved workflow has that one's name
// and version.
func (c *checker) checkNested() {
	for _, name := range slices.Sorted(maps.Keys(c.w.Workflows)) {
		if c.isHole(name) {
			continue
		}
		at := c.top("workflows").key(name)
		if problem := idProblem(name); problem != "" && !artifactRef.MatchString(name) {
			c.report("name_invalid", at, noStep, fmt.Sprintf("workflow name %q %s", clip(name), problem), idHint(name))
		}
		nested := c.w.Workflows[name]
		switch {
		case nested == nil:
			c.report("nodes_missing", at, noStep, "the workflow is empty", "remove it, or fill it in")
		case c.nest.isIn(nested):
			c.report("workflow_recursive", at, noStep, fmt.Sprintf("workflow %q contains itself", name), "let it stand beside the workflow that runs it, not inside itself")
		case c.nest.depth() > maxWorkflows:
			c.report("too_deep", at, noStep, fmt.Sprintf("workflows lie more than %d deep in one another", maxWorkflows), flattenHint)
		default:
			newChecker(nested, c.checkShared, at, c).run()
		}
	}
}

// subcall is a step that runs another workflow of the plan.
type subcall struct {
	by   *checker
	step int
	to   *Workflow
}

// checkCalls checks that no workflow of the plan runs itself, by itself or by way of others, and that they do not run one
// another deeper than limits.max_depth allows.
func (sh *checkShared) checkCalls(root *checker) {
	const closed = -1
	state, recursive := make(map[*Workflow]int), false // a workflow's position among those being followed, from 1
	heights := make(map[*Workflow]int)                 // how many subgraphs a run of a workflow has in one another
	var names []string                                 // of those being followed
	var follow func(w *Workflow, name string)
	follow = func(w *Workflow, name string) {
		names = append(names, name)
		state[w] = len(names)
		for _, call := range sh.subcalls[w] {
			name := call.name()
			switch at := state[call.to]; {
			case at == 0:
				follow(call.to, name)
			case at > 0:
				recursive = true
				call.by.report("workflow_recursive", call.by.node(call.step).key("workflow"), call.step,
					fmt.Sprintf("running %q from here means that it runs itself, without end: %s", name, chainText(names[at-1:], name)),
					"repeat by a cycle of edges, or by a foreach, instead of recursion")
			}
			heights[w] = max(heights[w], heights[call.to]+1)
		}
		names = names[:len(names)-1]
		state[w] = closed
	}
	follow(root.plan, root.plan.Name)
	for _, w := range sh.callers {
		if state[w] == 0 {
			follow(w, w.Name)
		}
	}
	if recursive {
		return
	}
	for _, w := range sh.callers {
		sh.checkDepth(w, root.plan, heights)
	}
}

// checkDepth checks the steps by which a workflow runs others against its limits.max_depth; only the outermost has a default.
func (sh *checkShared) checkDepth(w, root *Workflow, heights map[*Workflow]int) {
	limit := 0
	if w == root {
		limit = defaultMaxDepth
	}
	if w.Limits != nil && w.Limits.MaxDepth > 0 {
		limit = w.Limits.MaxDepth
	}
	if limit == 0 || heights[w] <= limit {
		return
	}
	for _, call := range sh.subcalls[w] {
		if n := heights[call.to] + 1; n > limit {
			call.by.report("depth_exceeded", call.by.node(call.step).key("workflow"), call.step,
				fmt.Sprintf("running %q from here has %d workflows run one another, at most %d may", call.name(), n, limit),
				"raise limits.max_depth, or run some of them one after the other")
		}
	}
}

func (call subcall) name() string { return call.by.w.Nodes[call.step].(*SubgraphStep).Workflow }

// chainText writes who runs whom, up to the one that closes the circle.
func chainText(names []string, last string) string {
	const most = 8
	if len(names) > most {
		names = append(slices.Clone(names[:most-1]), "…")
	}
	return strings.Join(names, " -> ") + " -> " + last
}
