package wf

import "fmt"

// checkRegions reports the edges that break the nesting of regions.
func (c *checker) checkRegions() {
	if c.lost.graph {
		return
	}
	for _, p := range c.tree.problems {
		if c.loose(p.region) || p.kind == faultShares && c.loose(p.other) {
			continue // the fork has no join: that is one finding, not one for each step after it
		}
		switch p.kind {
		case faultLeaves:
			c.reportLeak(p)
		case faultEnters:
			d := c.reportEdge("region_entered", p, fmt.Sprintf("%s leads into %s from outside", c.edgeText(p), c.regionName(p.other)),
				fmt.Sprintf("lead to %q, which begins it, or move %q out of it", c.ownerID(p.other), c.stepID(p.step)))
			d.relate(c.edge(c.tree.regions[p.other].entry), "the edge by which it is entered")
		case faultShares:
			d := c.reportEdge("region_overlap", p, fmt.Sprintf("%s leads out of %s into %s", c.edgeText(p), c.regionName(p.region), c.regionName(p.other)),
				fmt.Sprintf("end this one by %q, and put what both need after it", c.regionExit(p.region)))
			c.relateClaim(d, p.step)
		case faultEnd:
			c.reportEnd(p)
		case faultContinue:
			d := c.reportEdge("continue_outside_body", p, fmt.Sprintf("%s ends an item, but %s has none", c.edgeText(p), c.regionName(p.region)),
				fmt.Sprintf("lead to %q", c.regionExit(p.region)))
			c.redirect(d, p, c.regionExit(p.region), FixUnsafe)
		case faultDiscard:
			d := c.reportEdge("discard_outside_region", p, fmt.Sprintf("%s drops an item or a branch, but there is none here", c.edgeText(p)),
				fmt.Sprintf("lead to %q", ToEnd))
			c.redirect(d, p, ToEnd, FixUnsafe)
		case faultJoinOutside:
			c.reportJoinOutside(p)
		}
	}
}

// loose reports whether a region is the branch of a fork without a join, or lies in one: nobody knows where it ends.
func (c *checker) loose(r int) bool {
	for ; r >= 0; r = c.tree.regions[r].parent {
		if c.tree.regions[r].kind == regionBranch && c.tree.regions[r].end < 0 {
			return true
		}
	}
	return false
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
	if r.entry == p.edge {
		d := c.reportEdge("region_leak", p, fmt.Sprintf("%s should begin %s, but %q lies outside it", c.edgeText(p), c.regionName(p.region), c.stepID(p.step)),
			fmt.Sprintf("lead to a step that only this edge reaches, or to %q if there is nothing to do", exit))
		c.relateClaim(d, p.step)
		return
	}
	hint := fmt.Sprintf("end it by %q; what comes after it is wired from %q", exit, c.stepID(c.afterRegion(p.region)))
	if p.step == r.owner && r.kind == regionBody {
		d := c.reportEdge("region_leak", p, fmt.Sprintf("%s leads back to the foreach, which goes on to its next item by itself", c.edgeText(p)), fmt.Sprintf("lead to %q", exit))
		c.redirect(d, p, exit, c.certain(p))
		return
	}
	d := c.reportEdge("region_leak", p, fmt.Sprintf("%s leaves %s: %q lies outside it", c.edgeText(p), c.regionName(p.region), c.stepID(p.step)), hint)
	c.relateClaim(d, p.step)
	c.redirect(d, p, exit, FixUnsafe)
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

// certain says how far a redirected edge can be trusted: an exhausted edge must not lead where the edge itself leads.
func (c *checker) certain(p regionProblem) Applicability {
	edge := &c.w.Edges[p.edge]
	exit := c.regionExit(p.region)
	if p.exhausted && edge.To == exit || !p.exhausted && edge.Exhausted == exit {
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
