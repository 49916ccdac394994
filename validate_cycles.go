package wf

import (
	"fmt"
	"slices"
)

// checkLoops looks at the cycles of each region: those that no path leaves, and those that nothing bounds.
func (c *checker) checkLoops() {
	all := c.tree.cycles(anyWay)
	if len(all) == 0 || c.lost.graph {
		return
	}
	ending := c.endingSteps()
	for _, cycle := range all {
		if !ending[cycle[0]] {
			c.reportEndless(cycle, c.closing(cycle, anyWay))
		}
	}
	if l := c.w.Limits; l != nil && (l.MaxSteps != 0 || l.TimeoutSeconds != 0) {
		return
	}
	unbounded := c.unbounded()
	for _, cycle := range c.tree.cycles(unbounded) {
		if way := c.closing(cycle, unbounded); ending[cycle[0]] && way.edge >= 0 {
			c.reportUnbounded(cycle, way)
		}
	}
}

func anyWay(arc) bool { return true }

// unbounded tells the ways on that may be taken any number of times: those that count no visits and ask nobody.
func (c *checker) unbounded() func(arc) bool {
	asks := c.asking()
	return func(way arc) bool {
		return !asks[way.from] && (way.edge < 0 || way.exhausted || c.w.Edges[way.edge].MaxVisits == 0)
	}
}

// reportEndless reports a cycle that no path leaves.
func (c *checker) reportEndless(cycle []int, closing arc) {
	first := slices.Min(cycle)
	r := c.tree.of[first]
	exit := c.regionExit(r)
	var d *Diagnostic
	if c.tree.regions[r].kind == regionRoot {
		d = c.report("no_end_reachable", c.node(first), first, fmt.Sprintf("no path from here ends the workflow: %s", cycleText(c, cycle)),
			fmt.Sprintf("wire one outcome of them out of the cycle: to a step after it, or to %q", exit))
	} else {
		d = c.report("region_endless", c.node(first), first, fmt.Sprintf("no path from here ends %s: %s", c.regionName(r), cycleText(c, cycle)),
			fmt.Sprintf("wire one outcome of them to %q", exit))
	}
	if closing.edge < 0 {
		return
	}
	edge := c.w.Edges[closing.edge]
	d.relate(c.edge(closing.edge), "the edge that closes the cycle: %s", edgeArrow(edge.From, edge.Outcome, c.stepID(closing.to)))
	if !closing.exhausted && edge.Exhausted != exit {
		d.fix(fmt.Sprintf("Lead that edge to %q", exit), FixUnsafe, append(testEdge(c.edge(closing.edge), edge), replaceOp(c.edge(closing.edge).key("to"), exit))...)
	}
}

// reportUnbounded reports a cycle that only the run's limit ends.
func (c *checker) reportUnbounded(cycle []int, closing arc) {
	edge, at := c.w.Edges[closing.edge], c.edge(closing.edge)
	message := fmt.Sprintf("nothing bounds the cycle that this edge closes (%s) but the run's limit of steps", stepNames(c, cycle))
	if closing.exhausted {
		c.report("cycle_unbounded", at.key("exhausted"), c.edgeStep(closing.edge), message, "let exhausted lead out of the cycle; or set limits.max_steps")
		return
	}
	c.report("cycle_unbounded", at, c.edgeStep(closing.edge), message, "give the edge max_visits, and exhausted where it goes then; or set limits.max_steps").
		fix("Take the edge 100 times at most", FixPlaceholder, append(testEdge(at, edge), addOp(at.key("max_visits"), 100))...)
}

// stepNames names the steps of a cycle.
func stepNames(c *checker, cycle []int) string {
	cycle = slices.Sorted(slices.Values(cycle))
	ids := make([]string, len(cycle))
	for i, s := range cycle {
		ids[i] = c.w.Nodes[s].StepID()
	}
	return listSome(ids)
}

// cycleText says that the steps of a cycle go round.
func cycleText(c *checker, cycle []int) string {
	if len(cycle) == 1 {
		return stepNames(c, cycle) + " only leads to itself"
	}
	return stepNames(c, cycle) + " only lead to one another"
}

// closing is the way of a cycle that leads furthest back in the order in which the steps are written. The ways that an edge
// takes when it is exhausted come last.
func (c *checker) closing(cycle []int, keep func(arc) bool) arc {
	in := make(map[int]bool, len(cycle))
	for _, s := range cycle {
		in[s] = true
	}
	best := arc{edge: -1}
	for _, s := range slices.Sorted(slices.Values(cycle)) {
		c.tree.arcs(s, func(way arc) {
			switch {
			case !in[way.to] || way.edge < 0 || !keep(way):
			case best.edge < 0, best.exhausted && !way.exhausted,
				best.exhausted == way.exhausted && (way.to < best.to || way.to == best.to && way.from > best.from):
				best = way
			}
		})
	}
	return best
}

// asking tells of every step whether whoever passes it has asked a person: it is a question, or a fork with a branch that
// always runs and always asks.
func (c *checker) asking() []bool {
	t := c.tree
	asks := make([]bool, len(c.w.Nodes))
	var inBranches []int
	for i, s := range c.w.Nodes {
		_, asks[i] = s.(*InterruptStep)
		if r := t.of[i]; r > 0 && t.regions[r].kind == regionBranch {
			inBranches = append(inBranches, i)
		}
	}
	if len(inBranches) == 0 {
		return asks
	}
	p := c.passage()
	slices.SortStableFunc(inBranches, func(a, b int) int { return t.of[b] - t.of[a] }) // inner ones first
	for _, i := range inBranches {
		region := &t.regions[t.of[i]]
		if asks[i] && p.sure[2*i] && c.w.Nodes[region.owner].(*ForkStep).Complete == 0 && !p.conditional[wire{region.owner, region.outcome}] {
			asks[region.owner] = true
		}
	}
	return asks
}

// endingSteps tells of every step whether a path from it can end its region. A step that is not wired fully yet, or
// has an edge that is wrong in itself, may end it.
func (c *checker) endingSteps() []bool {
	t := c.tree
	ending := make([]bool, len(c.w.Nodes))
	for s := range c.w.Nodes {
		ending[s] = t.of[s] == noRegion || c.endsByItself(s)
	}
	t.spreadBack(ending)
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
