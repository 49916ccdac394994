package wf

import "slices"

// passage is how the frames of each region go through it: what all of them surely do, and what can come of it. A step
// stands for two points: 2*step, where it is entered, and 2*step+1, where it has succeeded and committed. Failures that
// it catches, and the timeout of a question, leave it in between.
type passage struct {
	c        *checker
	sure     []bool // by point: every way from the region's entry to its end passes it
	merges   []bool // by step: a way from it ends the region so that its writes are merged
	discards []bool // by region: a way through it drops the frame
	budget   int    // points that avoids may still visit
	// conditional are the branches that their fork does not always start.
	conditional map[wire]bool

	seen []int // by point: the last search that met it
	turn int
	on   []int // by point: its position on the sample way, from 1
}

// passage is the passage of the workflow, worked out once. What is wired must be known.
func (c *checker) passage() *passage {
	if c.pass == nil {
		c.pass = c.newPassage()
	}
	return c.pass
}

// newPassage looks at every region but the root. It takes time in proportion to steps and edges.
func (c *checker) newPassage() *passage {
	n := len(c.w.Nodes)
	p := &passage{
		c: c, sure: make([]bool, 2*n), merges: make([]bool, n), discards: make([]bool, len(c.tree.regions)),
		seen: make([]int, 2*n), on: make([]int, 2*n), budget: 20 * (n + 100),
	}
	p.findMerging()
	for i, s := range c.w.Nodes {
		if fork, ok := s.(*ForkStep); ok {
			p.findConditional(i, fork)
		}
	}
	for r := 1; r < len(c.tree.regions); r++ {
		if start := p.start(r); start >= 0 {
			p.findSure(r, 2*start)
		}
	}
	return p
}

// findConditional notes the branches of a fork that have a condition. Of a branch that stands twice the first counts.
func (p *passage) findConditional(i int, fork *ForkStep) {
	for k := len(fork.Branches) - 1; k >= 0; k-- {
		key := wire{i, fork.Branches[k].Outcome}
		if fork.Branches[k].When == nil {
			delete(p.conditional, key)
			continue
		}
		if p.conditional == nil {
			p.conditional = make(map[wire]bool)
		}
		p.conditional[key] = true
	}
}

// start is the first step of a region, -1 if it has none.
func (p *passage) start(r int) int {
	if s := p.c.tree.to[p.c.tree.regions[r].entry]; s >= 0 && p.c.tree.of[s] == r {
		return s
	}
	return -1
}

// atEnd stands for the end of the region in the ways on from a point, whatever comes of it.
const atEnd = -1

// next visits the points that follow a point within its region, or atEnd. Where an outcome is not wired, or not known, anything may follow.
func (p *passage) next(point int, visit func(int)) {
	c, s := p.c, point/2
	committed := point%2 == 1
	if !committed {
		switch c.w.Nodes[s].(type) {
		case *FailStep:
		case *EndStep:
			visit(atEnd)
			return
		default:
			visit(2*s + 1)
		}
	} else if c.mayLeaveUnwired(s) {
		visit(atEnd)
	}
	follow := func(step int, to string) {
		switch {
		case to == "":
		case step < 0 || c.tree.of[step] != c.tree.of[s]:
			visit(atEnd)
		default:
			visit(2 * step)
		}
	}
	for _, e := range c.tree.out(s) {
		edge := &c.w.Edges[e]
		if c.tree.enters[e] != regionRoot || !committed && !c.uncommitted(s, edge.Outcome) {
			continue
		}
		follow(c.tree.to[e], edge.To)
		follow(c.tree.exhaust[e], edge.Exhausted)
	}
	if j := c.tree.joinOf[s]; j >= 0 && committed {
		follow(j, c.stepID(j))
	}
}

// mayLeaveUnwired reports whether a step may take an outcome of which nobody knows where it leads.
func (c *checker) mayLeaveUnwired(s int) bool {
	if !c.known[s] {
		return true
	}
	for _, o := range c.outcomes[s] {
		if _, ok := c.wired[wire{s, o}]; !ok {
			return true
		}
	}
	return false
}

// uncommitted reports whether a step can leave by an outcome without having written its output: a failure that it, or
// the fork of the join that it is, catches; a question that nobody answered.
func (c *checker) uncommitted(s int, o Outcome) bool {
	step := c.w.Nodes[s]
	switch x := step.(type) {
	case *InterruptStep:
		if o == x.TimeoutOutcome {
			return true
		}
	case *JoinStep:
		if fork := c.tree.forkOf[s]; fork >= 0 {
			step = c.w.Nodes[fork]
		}
	}
	return slices.ContainsFunc(step.common().Catch, func(catch Catch) bool { return catch.Outcome == o })
}

// findSure finds the points that all ways through a region pass. It follows one way from entry to end; the points off it
// are each looked at once, and lead from one position of the way to a later one. What lies between can be avoided.
func (p *passage) findSure(r, entry int) {
	way := p.sampleWay(r, entry)
	if way == nil || p.discards[r] {
		return
	}
	for i, point := range way {
		p.on[point] = i + 1
	}
	p.turn++
	far := 1 // the furthest position that is reached so far
	for i, point := range way {
		p.sure[point] = far == i+1
		for pending := []int{point}; len(pending) > 0; {
			at := pending[len(pending)-1]
			pending = pending[:len(pending)-1]
			p.next(at, func(to int) {
				switch {
				case to == atEnd:
					far = len(way) + 1
				case p.on[to] > 0:
					far = max(far, p.on[to])
				case p.seen[to] != p.turn:
					p.seen[to] = p.turn
					pending = append(pending, to)
				}
			})
		}
	}
}

// sampleWay is a way from a region's entry to its end, nil if there is none. It goes through all of the region, and
// notes whether the frame can be dropped.
func (p *passage) sampleWay(r, entry int) (way []int) {
	before := map[int]int{entry: atEnd}
	last := atEnd
	for pending := []int{entry}; len(pending) > 0; {
		at := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		p.next(at, func(to int) {
			if to == atEnd {
				last = at
			} else if _, met := before[to]; !met {
				before[to] = at
				pending = append(pending, to)
			}
		})
		p.discards[r] = p.discards[r] || p.leadsTo(at/2, ToDiscard)
	}
	for at := last; at != atEnd; at = before[at] {
		way = append(way, at)
	}
	slices.Reverse(way)
	return way
}

// leadsTo reports whether an edge of a step leads to a target that is no step.
func (p *passage) leadsTo(s int, target string) bool {
	for _, e := range p.c.tree.out(s) {
		if edge := &p.c.w.Edges[e]; p.c.tree.enters[e] == regionRoot && (edge.To == target || edge.Exhausted == target) {
			return true
		}
	}
	return false
}

// avoids reports whether a way through a region passes none of the points. When too much was asked, it may.
func (p *passage) avoids(r int, points map[int]bool) bool {
	p.turn++
	entry, avoided := 2*p.start(r), false
	if points[entry] {
		return false
	}
	for pending := []int{entry}; len(pending) > 0 && !avoided; p.budget-- {
		if p.budget < 0 {
			return true
		}
		at := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		p.next(at, func(to int) {
			if to == atEnd {
				avoided = true
			} else if !points[to] && p.seen[to] != p.turn {
				p.seen[to] = p.turn
				pending = append(pending, to)
			}
		})
	}
	return avoided
}

// findMerging finds the steps from which a frame can come to an end that merges what it wrote.
func (p *passage) findMerging() {
	c, t := p.c, p.c.tree
	for s := range c.w.Nodes {
		p.merges[s] = t.of[s] != noRegion && p.endsMerging(s)
	}
	t.spreadBack(p.merges)
}

// endsMerging reports whether an edge of a step ends its region in another way than by dropping the frame, or may.
func (p *passage) endsMerging(s int) bool {
	if p.c.mayLeaveUnwired(s) {
		return true
	}
	for _, e := range p.c.tree.out(s) {
		if p.c.tree.enters[e] == regionRoot && p.edgeMerges(e, p.c.tree.of[s], false) {
			return true
		}
	}
	return false
}

// edgeMerges reports whether an edge out of a region ends it and merges, or, if asked, leads on to a step that can.
func (p *passage) edgeMerges(e, r int, further bool) bool {
	t, edge := p.c.tree, &p.c.w.Edges[e]
	ends := func(step int, to string) bool {
		switch {
		case to == "" || to == ToDiscard:
			return false
		case step < 0 || t.of[step] != r:
			return true
		}
		return further && p.merges[step]
	}
	return ends(t.to[e], edge.To) || ends(t.exhaust[e], edge.Exhausted)
}
