package wf

import "slices"

// connect lays the arcs along which a step is left.
func (g *flowGraph) connect(s int) {
	t, step := g.c.tree, g.c.w.Nodes[s]
	entry := g.entry[s]
	for k, catch := range step.common().Catch {
		g.arc(entry, g.caught[s]+int32(k))
		at := s
		if j := t.joinOf[s]; j >= 0 {
			at = j // what a fork catches leaves from its join
		}
		g.leave(g.caught[s]+int32(k), at, catch.Outcome)
	}
	switch step := step.(type) {
	case *EndStep:
		if step.Output == nil {
			g.arc(entry, pointExit)
		}
		return
	case *ForeachStep, *ForkStep: // by their regions
	default:
		g.arc(entry, g.done[s])
	}
	for _, out := range g.outs(s) {
		g.arc(entry, out.point)
		g.leave(out.point, s, out.outcome)
	}
	if len(g.outs(s)) > 0 || g.done[s] == noPoint {
		if ask, ok := step.(*InterruptStep); ok {
			g.leave(entry, s, ask.TimeoutOutcome)
		}
		return
	}
	if fork, ok := step.(*ForkStep); ok {
		g.connectFork(s, fork)
		return
	}
	for _, e := range t.out(s) {
		if t.enters[e] != regionRoot {
			continue
		}
		o := g.c.w.Edges[e].Outcome
		if g.onlyCaught(s, o) {
			continue
		}
		switch from := g.done[s]; {
		case t.forkOf[s] >= 0 && o != outcomeDone: // a join that no branch leads to is done at once
		case o == outcomeUnmet && g.partial[s] >= 0, o == outcomeTimedOut && g.partial[s] >= 0:
			g.follow(g.partial[s], e)
		default:
			if ask, ok := step.(*InterruptStep); ok && o == ask.TimeoutOutcome && o != "" {
				g.follow(entry, e) // nobody answered
				if !slices.Contains(ask.Outcomes, o) {
					continue
				}
			}
			g.follow(from, e)
		}
	}
}

// onlyCaught reports whether an outcome is one of a step's catches, a join's being those of its fork, and no other.
func (g *flowGraph) onlyCaught(s int, o Outcome) bool {
	own := s
	if f := g.c.tree.forkOf[s]; f >= 0 {
		own = f
	}
	return g.catches(own, o) && !g.declares(s, o)
}

// catches reports whether an outcome is one of a step's catches.
func (g *flowGraph) catches(s int, o Outcome) bool {
	list := g.c.w.Nodes[s].common().Catch
	if len(list) <= manyOutcomes {
		return slices.ContainsFunc(list, func(c Catch) bool { return c.Outcome == o })
	}
	if g.catching[s] == nil {
		if g.catching == nil {
			g.catching = make(map[int]map[Outcome]bool)
		}
		g.catching[s] = setOf(caughtOutcomes(g.c.w.Nodes[s]))
	}
	return g.catching[s][o]
}

// declares reports whether an outcome is one that a step has without its catches.
func (g *flowGraph) declares(s int, o Outcome) bool {
	switch step := g.c.w.Nodes[s].(type) {
	case *NodeStep, *SubgraphStep:
		return g.c.calls[s] != nil && slices.Contains(g.c.calls[s].outcomes, o)
	case *InterruptStep:
		return slices.Contains(step.Outcomes, o) || o == step.TimeoutOutcome
	case *ForeachStep:
		return slices.Contains(barrierOutcomes(step.Complete, step.TimeoutSeconds), o)
	}
	return o == outcomeDone
}

// leave follows the edge of an outcome.
func (g *flowGraph) leave(from int32, s int, o Outcome) {
	if e, ok := g.c.wired[wire{s, o}]; ok && o != "" && g.c.tree.enters[e] == regionRoot {
		g.follow(from, e)
	}
}

// follow lays the arcs of an edge, and of its exhausted way.
func (g *flowGraph) follow(from int32, e int) {
	edge, r := &g.c.w.Edges[e], g.c.tree.of[g.c.tree.index[g.c.w.Edges[e].From]]
	g.arc(from, g.target(g.c.tree.to[e], edge.To, r))
	if edge.Exhausted != "" {
		g.arc(from, g.target(g.c.tree.exhaust[e], edge.Exhausted, r))
	}
}

// target is the point that an edge of a region leads to. One that leaves its region, which is an error of its own, ends it.
func (g *flowGraph) target(step int, to string, r int) int32 {
	t := g.c.tree
	switch {
	case to == ToDiscard:
		g.discarded[r] = true
		return noPoint
	case step >= 0 && t.regions[r].end == step && r != 0:
		return g.end[r]
	case step >= 0 && (t.of[step] == r || r == 0 || !t.ancestry.contains(t.of[step], r)):
		return g.entry[step]
	case step >= 0, to == ToEnd, to == ToContinue:
		if r > 0 {
			return g.end[r]
		}
	}
	if to == ToEnd {
		return pointExit
	}
	return noPoint
}

// connectFork lays the ways on from a fork's join.
func (g *flowGraph) connectFork(s int, fork *ForkStep) {
	g.arc(g.entry[s], g.done[s])
	g.arc(g.entry[s], g.partial[s])
	for _, b := range fork.Branches {
		if b.When != nil {
			g.asked[wire{s, b.Outcome}] = true
		}
	}
	j := g.c.tree.joinOf[s]
	if j < 0 || g.c.tree.forkOf[j] != s {
		return
	}
	g.leave(g.done[s], j, outcomeDone)
	g.leave(g.partial[s], j, outcomeUnmet)
	g.leave(g.partial[s], j, outcomeTimedOut)
}

// connectRegion lays the arcs into a region and out of it. The ways of all steps are known by then.
func (g *flowGraph) connectRegion(b int) {
	r := g.c.tree.regions[b]
	edge := &g.c.w.Edges[r.entry]
	g.arc(g.entry[r.owner], g.in[b])
	g.arc(g.in[b], g.target(g.c.tree.to[r.entry], edge.To, b))
	g.arc(g.end[b], g.done[r.owner])
	g.arc(g.end[b], g.partial[r.owner])
	switch owner := g.c.w.Nodes[r.owner].(type) {
	case *ForeachStep:
		if owner.Mode != ModeParallel {
			g.arc(g.end[b], g.in[b])
		}
		if !g.isSure(owner, b) {
			g.arc(g.entry[r.owner], g.done[r.owner])
		}
		g.arc(g.entry[r.owner], g.partial[r.owner])
	case *ForkStep:
		all := owner.Complete >= len(owner.Branches) || owner.Complete == 0 && owner.OnBranchError != OnErrorCollect
		j := &g.joins[g.points[g.done[r.owner]].join]
		j.branches = append(j.branches, branchFlow{region: b, surely: all && !g.asked[wire{r.owner, r.outcome}] && !g.discarded[b]})
	}
}
