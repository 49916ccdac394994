package wf

// run floods the regions that wait, outer ones first.
func (t *regionTree) run() {
	for len(t.queue) > 0 {
		r := t.queue[0]
		t.queue = t.queue[1:]
		entry := t.regions[r].entry
		t.flood(r, t.follow(t.to[entry], t.w.Edges[entry].To, crossing{edge: entry, region: r}, nil))
	}
}

// flood follows the edges of a region from steps that it has claimed, without going into the regions inside it.
func (t *regionTree) flood(r int, pending []int) {
	for len(pending) > 0 {
		s := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for _, e := range t.out(s) {
			edge := &t.w.Edges[e]
			if kind := t.enters[e]; kind != regionRoot {
				end := -1
				if kind == regionBranch {
					end = t.joinOf[s]
				}
				t.queue = append(t.queue, len(t.regions))
				t.regions = append(t.regions, region{
					kind: kind, owner: s, outcome: edge.Outcome, parent: r, depth: t.regions[r].depth + 1, entry: e, end: end,
				})
				continue
			}
			pending = t.follow(t.to[e], edge.To, crossing{e, r, false}, pending)
			if edge.Exhausted != "" {
				pending = t.follow(t.exhaust[e], edge.Exhausted, crossing{e, r, true}, pending)
			}
		}
		if j := t.joinOf[s]; j >= 0 {
			pending = t.reachJoin(s, j, r, pending)
		}
	}
}

// follow goes along an edge, and adds the step it leads to if that is new.
func (t *regionTree) follow(step int, to string, c crossing, pending []int) []int {
	if step < 0 {
		t.special(c, to)
		return pending
	}
	if _, isEnd := t.w.Nodes[step].(*EndStep); isEnd && c.region != 0 {
		t.problem(faultEnd, c, step)
	}
	if t.claim(step, c) {
		pending = append(pending, step)
	}
	return pending
}

// reachJoin passes over a fork's branches to its join.
func (t *regionTree) reachJoin(fork, join, r int, pending []int) []int {
	switch t.of[join] {
	case noRegion:
		t.of[join] = r
		return append(pending, join)
	case r:
	default:
		t.problems = append(t.problems, regionProblem{
			kind: faultJoinOutside, edge: -1, region: r, step: fork, other: t.of[join],
		})
	}
	return pending
}

// special judges an edge that leads to no step.
func (t *regionTree) special(c crossing, to string) {
	kind := t.regions[c.region].kind
	switch {
	case to == ToEnd && kind != regionRoot:
		t.problem(faultEnd, c, -1)
	case to == ToContinue && kind != regionBody:
		t.problem(faultContinue, c, -1)
	case to == ToDiscard && kind == regionRoot:
		t.problem(faultDiscard, c, -1)
	}
}

// claim gives a step to the region that an edge comes from, and reports whether it was nobody's before. An edge to a
// step of another region is a problem, unless that step is the region's own end.
func (t *regionTree) claim(step int, c crossing) bool {
	r := c.region
	switch q := t.of[step]; {
	case step == t.regions[r].end:
	case q == r:
	case q == noRegion && t.endsItem(step) && t.regions[r].kind != regionBody:
		t.deferred = append(t.deferred, c)
	case q == noRegion:
		t.of[step], t.via[step] = r, c.edge
		return true
	case t.isEnd(step) && r != 0: // already a problem by itself
	default:
		t.problem(faultShares, c, step) // or leaves, or enters: see classify
	}
	return false
}

func (t *regionTree) isEnd(step int) bool {
	_, is := t.w.Nodes[step].(*EndStep)
	return is
}

// problem notes what is wrong with an edge; step is -1 where it leads to none.
func (t *regionTree) problem(kind faultKind, c crossing, step int) {
	other := noRegion
	if step >= 0 {
		other = t.of[step]
	}
	t.problems = append(t.problems, regionProblem{kind, c.edge, c.exhausted, c.region, step, other})
}

// settleDeferred looks again at the edges to steps that can only end an item but were reached from outside a body:
// a body has them by now, and the edge enters it from outside; or nobody has, and they are followed as they stand.
func (t *regionTree) settleDeferred() {
	waiting := t.deferred
	t.deferred, t.ends = nil, nil // from here on nothing is deferred
	for _, c := range waiting {
		step := t.to[c.edge]
		if c.exhausted {
			step = t.exhaust[c.edge]
		}
		if t.claim(step, c) {
			t.flood(c.region, []int{step})
			t.run()
		}
	}
}
