package wf

import (
	"fmt"
	"sync"
)

// checkRegions reports the edges that break the nesting of regions.
func (c *checker) checkRegions() {
	if c.lost.graph {
		return
	}
	inside := sync.OnceValue(c.startedInside)
	for _, p := range c.tree.problems {
		if c.loose(p.region) || p.kind == faultShares && c.loose(p.other) {
			continue // the fork has no join: that is one finding, not one for each step after it
		}
		switch p.kind {
		case faultLeaves:
			c.reportLeak(p)
		case faultEnters:
			c.reportEntering(p)
		case faultShares:
			d := c.reportEdge("region_overlap", p, fmt.Sprintf("%s leads out of %s into %s", c.edgeText(p), c.regionName(p.region), c.regionName(p.other)),
				c.overlapHint(p))
			c.relateClaim(d, p.step)
		case faultEnd:
			c.reportEnd(p)
		case faultContinue:
			c.reportContinue(p, inside)
		case faultDiscard:
			d := c.reportEdge("discard_outside_region", p, fmt.Sprintf("%s drops an item or a branch, but there is none here", c.edgeText(p)),
				fmt.Sprintf("lead to %q", ToEnd))
			c.redirect(d, p, ToEnd, FixUnsafe)
		case faultJoinOutside:
			c.reportJoinOutside(p)
		}
	}
}

// overlapHint says what to do about a step that two regions share.
func (c *checker) overlapHint(p regionProblem) string {
	exit := c.regionExit(p.region)
	if c.tree.regions[p.region].owner == c.tree.regions[p.other].owner {
		return fmt.Sprintf("end this one by %q, and put what both need after it", exit)
	}
	return fmt.Sprintf("let each have steps of its own that end by %q; what both do can be a workflow that each runs", exit)
}

// reportContinue reports an end of an item where there is none.
func (c *checker) reportContinue(p regionProblem, startedInside func() int) {
	exit := c.regionExit(p.region)
	message := fmt.Sprintf("%s ends an item, but %s has none", c.edgeText(p), c.regionName(p.region))
	if c.tree.ancestry.body[p.region] >= 0 {
		message = fmt.Sprintf("%s ends the item from inside %s, while other branches are at work", c.edgeText(p), c.regionName(p.region))
	}
	d := c.reportEdge("continue_outside_body", p, message, fmt.Sprintf("lead to %q", exit))
	if p.region == 0 && startedInside() >= 0 {
		id := c.stepID(startedInside())
		d.RepairHint = fmt.Sprintf("the start %q is what %q does for an item: start at %q, or lead to %q", c.w.Start, id, id, exit)
		d.fix(fmt.Sprintf("Start at %q", id), FixUnsafe, testOp(c.top("start"), c.w.Start), replaceOp(c.top("start"), id))
	}
	c.redirect(d, p, exit, FixUnsafe)
}

// startedInside is a foreach that is never reached and whose body begins with the workflow's start, -1 if there is none.
func (c *checker) startedInside() int {
	start := c.tree.stepAt(c.w.Start)
	for e, kind := range c.tree.enters {
		if kind == regionBody && start >= 0 && c.tree.to[e] == start && c.tree.of[c.edgeStep(e)] == noRegion {
			return c.edgeStep(e)
		}
	}
	return -1
}

// loose reports whether a region is the branch of a fork without a join, or lies in one: nobody knows where it ends.
func (c *checker) loose(r int) bool { return r >= 0 && c.tree.ancestry.loose[r] }

// checkUnmerged warns of bodies and branches that can end, but never so that what they wrote is kept.
func (c *checker) checkUnmerged() {
	if len(c.tree.regions) == 1 || c.lost.graph || c.lost.edges {
		return
	}
	p, ending := c.passage(), c.endingSteps()
	for r := 1; r < len(c.tree.regions); r++ {
		entry := c.tree.regions[r].entry
		start := p.start(r)
		if c.loose(r) || start < 0 && c.w.Edges[entry].To != ToDiscard || start >= 0 && (p.merges[start] || !ending[start]) {
			continue
		}
		c.report("region_unmerged", c.edge(entry).key("to"), c.tree.regions[r].owner,
			fmt.Sprintf("no path through %s comes to %q: it always ends by %q or in a failure, so nothing that it writes is kept", c.regionName(r), c.regionExit(r), ToDiscard),
			fmt.Sprintf("let the way that succeeds lead to %q", c.regionExit(r)))
	}
}

// regionName names a region in messages.
func (c *checker) regionName(r int) string {
	switch region := c.tree.regions[r]; region.kind {
	case regionBody:
		return fmt.Sprintf("the body of foreach %q", c.ownerID(r))
	case regionBranch:
		return fmt.Sprintf("branch %q of fork %q", region.outcome, c.ownerID(r))
	}
	return "the workflow"
}

func (c *checker) ownerID(r int) string { return c.stepID(c.tree.regions[r].owner) }

func (c *checker) stepID(step int) string {
	if step < 0 {
		return ""
	}
	return c.w.Nodes[step].StepID()
}

// edgeText names the edge of a problem in messages.
func (c *checker) edgeText(p regionProblem) string {
	edge := &c.w.Edges[p.edge]
	if p.exhausted {
		return fmt.Sprintf("the edge %s (exhausted)", edgeArrow(edge.From, edge.Outcome, edge.Exhausted))
	}
	return "the edge " + edgeArrow(edge.From, edge.Outcome, edge.To)
}

func edgeArrow(from string, outcome Outcome, to string) string {
	if isHole(outcome) {
		return fmt.Sprintf("%s -> %s", from, to)
	}
	return fmt.Sprintf("%s -%s-> %s", from, outcome, to)
}

// targetPlace is the end of the edge of a problem.
func (c *checker) targetPlace(p regionProblem) *place {
	if p.exhausted {
		return c.edge(p.edge).key("exhausted")
	}
	return c.edge(p.edge).key("to")
}

func (c *checker) reportEdge(code Code, p regionProblem, message, hint string) *Diagnostic {
	return c.report(code, c.targetPlace(p), c.edgeStep(p.edge), message, hint)
}

// redirect adds the fix that lets the edge of a problem lead elsewhere.
func (c *checker) redirect(d *Diagnostic, p regionProblem, to string, how Applicability) {
	edge := c.w.Edges[p.edge]
	ops := testEdge(c.edge(p.edge), edge)
	if p.exhausted {
		ops = append(ops, testOp(c.targetPlace(p), edge.Exhausted))
	}
	d.fix(fmt.Sprintf("Lead to %q", to), how, append(ops, replaceOp(c.targetPlace(p), to))...)
}

// reportLeak reports an edge that leads out of its region.
func (c *checker) reportLeak(p regionProblem) {
	r := c.tree.regions[p.region]
	exit := c.regionExit(p.region)
	switch {
	case p.step == r.owner && r.kind == regionBody:
		d := c.reportEdge("region_leak", p, fmt.Sprintf("%s leads back to the foreach, which goes on to its next item by itself", c.edgeText(p)), fmt.Sprintf("lead to %q", exit))
		c.redirect(d, p, exit, c.certain(p))
	case p.step == r.owner:
		d := c.reportEdge("region_leak", p, fmt.Sprintf("%s leads back to the fork from inside its %s", c.edgeText(p), c.branchText(p.region)),
			fmt.Sprintf("end the branch by %q; to start all branches again, lead from %q to the fork", exit, c.stepID(c.afterRegion(p.region))))
		c.redirect(d, p, exit, FixUnsafe)
	case r.entry == p.edge && c.comesToJoin(p):
		c.reportEntered(p)
	case r.entry == p.edge:
		d := c.reportEdge("region_leak", p, fmt.Sprintf("%s should begin %s, but %q lies outside it", c.edgeText(p), c.regionName(p.region), c.stepID(p.step)),
			fmt.Sprintf("lead to a step that only this edge reaches, or to %q if there is nothing to do", exit))
		c.relateClaim(d, p.step)
		c.redirect(d, p, exit, FixUnsafe)
	default:
		d := c.reportEdge("region_leak", p, fmt.Sprintf("%s leaves %s: %q lies outside it", c.edgeText(p), c.regionName(p.region), c.stepID(p.step)),
			fmt.Sprintf("end it by %q; to go to %q afterwards, lead there from %q", exit, c.stepID(p.step), c.stepID(c.afterRegion(p.region))))
		c.relateClaim(d, p.step)
		c.redirect(d, p, exit, FixUnsafe)
	}
}

// branchText names a branch whose fork was named already.
func (c *checker) branchText(r int) string {
	return fmt.Sprintf("branch %q", c.tree.regions[r].outcome)
}

// comesToJoin reports whether a step that a branch should begin with, and that lies outside, leads to the branch's join: then it
// was meant to be in the branch, and another edge leads into that from outside.
func (c *checker) comesToJoin(p regionProblem) bool {
	t, r := c.tree, c.tree.regions[p.region]
	if r.end < 0 || t.via[p.step] < 0 || t.of[p.step] != r.parent {
		return false
	}
	seen := map[int]bool{p.step: true, r.owner: true}
	found := false
	for pending := []int{p.step}; len(pending) > 0 && !found && t.guesses > 0; t.guesses-- {
		s := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		t.arcs(s, func(way arc) {
			found = found || way.to == r.end
			if !seen[way.to] {
				seen[way.to] = true
				pending = append(pending, way.to)
			}
		})
	}
	return found
}

// reportEntered reports the edge by which the first step of a branch was reached before.
func (c *checker) reportEntered(p regionProblem) {
	via := c.tree.via[p.step]
	c.reportEntering(regionProblem{faultEnters, via, c.tree.to[via] != p.step, p.other, p.step, p.region})
}

// reportEntering reports an edge that leads into a region from outside.
func (c *checker) reportEntering(p regionProblem) {
	owner := c.ownerID(p.other)
	hint := fmt.Sprintf("lead to %q, which begins it, or move %q out of it", owner, c.stepID(p.step))
	if c.stepID(c.edgeStep(p.edge)) == owner {
		hint = fmt.Sprintf("lead to a step outside it, or move %q out of it", c.stepID(p.step))
	}
	d := c.reportEdge("region_entered", p, fmt.Sprintf("%s leads into %s from outside", c.edgeText(p), c.regionName(p.other)), hint)
	entry := c.tree.regions[p.other].entry
	d.relate(c.edge(entry), "the edge by which it is entered: %s", edgeArrow(owner, c.w.Edges[entry].Outcome, c.w.Edges[entry].To))
	if c.tree.regions[p.other].owner != c.edgeStep(p.edge) {
		c.redirect(d, p, owner, FixUnsafe)
	}
}

// afterRegion is the step whose edges lead on from a region: the foreach, or the join.
func (c *checker) afterRegion(r int) int {
	if end := c.tree.regions[r].end; end >= 0 {
		return end
	}
	return c.tree.regions[r].owner
}

// relateClaim points to the edge by which a step belongs to its region.
func (c *checker) relateClaim(d *Diagnostic, step int) {
	if via := c.tree.via[step]; via >= 0 {
		edge := &c.w.Edges[via]
		d.relate(c.edge(via), "it is reached by %s", edgeArrow(edge.From, edge.Outcome, c.stepID(step)))
	} else {
		d.relate(c.node(step), "the step outside")
	}
}

// reportEnd reports an edge that ends the workflow inside a region.
func (c *checker) reportEnd(p regionProblem) {
	exit := c.regionExit(p.region)
	what := "the workflow"
	if p.step >= 0 {
		what = fmt.Sprintf("the workflow by %q", c.stepID(p.step))
	}
	d := c.reportEdge("end_in_region", p, fmt.Sprintf("%s ends %s inside %s", c.edgeText(p), what, c.regionName(p.region)),
		fmt.Sprintf("lead to %q; to stop early, set a state field and look at it after the region", exit))
	how := FixUnsafe
	if p.step < 0 {
		how = c.certain(p)
	}
	c.redirect(d, p, exit, how)
}

// certain says how far a redirected edge can be trusted: an exhausted edge must not lead where the edge itself leads, and of several
// edges of one outcome it is not known which was meant.
func (c *checker) certain(p regionProblem) Applicability {
	edge := &c.w.Edges[p.edge]
	exit := c.regionExit(p.region)
	if p.exhausted && edge.To == exit || !p.exhausted && edge.Exhausted == exit || c.doubled[wire{c.edgeStep(p.edge), edge.Outcome}] {
		return FixUnsafe
	}
	return FixSafe
}

// reportJoinOutside reports a fork whose join belongs to another region than the fork itself.
func (c *checker) reportJoinOutside(p regionProblem) {
	join := c.tree.joinOf[p.step]
	if c.tree.forkOf[join] != p.step {
		return // shared with another fork: a finding of its own
	}
	c.report("join_outside", c.node(p.step).key("join"), p.step,
		fmt.Sprintf("the fork lies in %s, its join %q in %s", c.regionName(p.region), c.stepID(join), c.regionName(p.other)),
		"let the branches meet at a join that lies where the fork lies").relate(c.node(join), "the join")
}
