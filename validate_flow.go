package wf

import (
	"fmt"
	"slices"
)

// checkReachable warns of steps that nothing leads to. What follows such a step is only counted, since one missing
// edge is one finding.
func (c *checker) checkReachable() {
	if !c.hasStart() || c.lost.graph {
		return
	}
	lost := func(i int) bool { return c.tree.of[i] == noRegion }
	follows := make([]bool, len(c.w.Nodes)) // an unreachable step leads to it
	for i := range c.w.Nodes {
		if lost(i) {
			c.eachNext(i, func(to int) { follows[to] = follows[to] || to != i })
		}
	}
	seen := make([]bool, len(c.w.Nodes))
	for _, heads := range []bool{true, false} { // then the loops, of which each step follows another
		for i := range c.w.Nodes {
			if !lost(i) || seen[i] || heads == follows[i] || c.twins.has(c.stepID(i)) { // nothing can lead to the second of an id
				continue
			}
			seen[i] = true
			after := 0
			for pending := []int{i}; len(pending) > 0; {
				s := pending[len(pending)-1]
				pending = pending[:len(pending)-1]
				c.eachNext(s, func(to int) {
					if lost(to) && !seen[to] {
						seen[to] = true
						after++
						pending = append(pending, to)
					}
				})
			}
			message := "no path from the start leads to this step"
			if after > 0 {
				message += fmt.Sprintf(", nor to the %s after it", counted(after, "step"))
			}
			c.report("step_unreachable", c.node(i), i, message, "wire an outcome of an earlier step to it, or remove it")
		}
	}
}

// eachNext visits the steps that a step's edges lead to, and a fork's join.
func (c *checker) eachNext(i int, visit func(to int)) {
	for _, e := range c.tree.out(i) {
		if to := c.tree.to[e]; to >= 0 {
			visit(to)
		}
		if to := c.tree.exhaust[e]; to >= 0 {
			visit(to)
		}
	}
	if j := c.tree.joinOf[i]; j >= 0 {
		visit(j)
	}
}

// checkLoops looks at the cycles of each region: those that no path leaves, and those that nothing bounds.
func (c *checker) checkLoops() {
	all := c.tree.cycles(func(int, int) bool { return true })
	if len(all) == 0 || c.lost.graph {
		return
	}
	ending := c.endingSteps()
	for _, cycle := range all {
		if ending[cycle[0]] {
			continue
		}
		first := slices.Min(cycle)
		r := c.tree.regions[c.tree.of[first]]
		if r.kind == regionRoot {
			c.report("no_end_reachable", c.node(first), first, fmt.Sprintf("no path from here ends the workflow: %s only lead to one another", cycleText(c, cycle)),
				"wire one outcome of them out of the cycle")
		} else {
			c.report("region_endless", c.node(first), first, fmt.Sprintf("no path from here ends %s: %s only lead to one another", c.regionName(c.tree.of[first]), cycleText(c, cycle)),
				fmt.Sprintf("wire one outcome of them to %q", c.regionExit(c.tree.of[first])))
		}
	}
	if l := c.w.Limits; l != nil && (l.MaxSteps != 0 || l.TimeoutSeconds != 0) {
		return
	}
	unbounded := func(step, edge int) bool {
		_, person := c.w.Nodes[step].(*InterruptStep)
		return !person && (edge < 0 || c.w.Edges[edge].MaxVisits == 0)
	}
	for _, cycle := range c.tree.cycles(unbounded) {
		if e := c.closingEdge(cycle, unbounded); ending[cycle[0]] && e >= 0 {
			edge := c.w.Edges[e]
			c.report("cycle_unbounded", c.edge(e), c.edgeStep(e),
				fmt.Sprintf("nothing bounds the cycle that this edge closes (%s) but the run's limit of steps", cycleText(c, cycle)),
				"give the edge max_visits, and exhausted where it goes then; or set limits.max_steps").
				fix("Take the edge 100 times at most", FixPlaceholder, append(testEdge(c.edge(e), edge), addOp(c.edge(e).key("max_visits"), 100))...)
		}
	}
}

// cycleText names the steps of a cycle.
func cycleText(c *checker, cycle []int) string {
	cycle = slices.Sorted(slices.Values(cycle))
	ids := make([]string, len(cycle))
	for i, s := range cycle {
		ids[i] = c.w.Nodes[s].StepID()
	}
	return listSome(ids)
}

// closingEdge is the edge of a cycle that leads furthest back in the order in which the steps are written.
func (c *checker) closingEdge(cycle []int, keep func(step, edge int) bool) int {
	in := make(map[int]bool, len(cycle))
	for _, s := range cycle {
		in[s] = true
	}
	best, bestTo, bestFrom := -1, 0, 0
	for _, s := range slices.Sorted(slices.Values(cycle)) {
		c.tree.arcs(s, func(to, e int) {
			if !in[to] || e < 0 || !keep(s, e) {
				return
			}
			if best < 0 || to < bestTo || to == bestTo && s > bestFrom {
				best, bestTo, bestFrom = e, to, s
			}
		})
	}
	return best
}

// endingSteps tells of every step whether a path from it can end its region. A step that is not wired fully yet, or
// has an edge that is wrong in itself, may end it.
func (c *checker) endingSteps() []bool {
	t := c.tree
	ending := make([]bool, len(c.w.Nodes))
	var pending []int
	for s := range c.w.Nodes {
		if t.of[s] == noRegion || c.endsByItself(s) {
			ending[s] = true
			pending = append(pending, s)
		}
	}
	first, back := t.backward()
	for len(pending) > 0 {
		s := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for _, p := range back[first[s]:first[s+1]] {
			if !ending[p] && t.of[p] == t.of[s] {
				ending[p] = true
				pending = append(pending, p)
			}
		}
	}
	return ending
}

// endsByItself reports whether a step ends its region, or may do so once it is wired.
func (c *checker) endsByItself(s int) bool {
	t := c.tree
	switch c.w.Nodes[s].(type) {
	case *EndStep, *FailStep:
		return true
	}
	if !c.known[s] {
		return true
	}
	for _, o := range c.outcomes[s] {
		if _, ok := c.wired[wire{s, o}]; !ok {
			return true
		}
	}
	for _, e := range t.out(s) {
		if t.enters[e] != regionRoot {
			continue
		}
		to, exhausted := t.to[e], t.exhaust[e]
		if to < 0 || t.of[to] != t.of[s] || c.w.Edges[e].Exhausted != "" && (exhausted < 0 || t.of[exhausted] != t.of[s]) {
			return true
		}
	}
	return false
}
