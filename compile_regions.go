package wf

import (
	"math"

	"lda.chat/wf/internal/kernel"
)

// layOut makes the ops and regions, without what is in them: where each step belongs, and its number there. The regions are
// those of the tree, in its order; behind them come empty ones for outcomes that begin no region, as of steps that
// nothing reaches, which count as the root's.
func (c *compiler) layOut() {
	t := c.tree
	c.routes = make(map[edgeKey]int, len(c.w.Edges))
	for e := range c.w.Edges {
		edge := &c.w.Edges[e]
		if _, taken := c.routes[edgeKey{edge.From, edge.Outcome}]; !taken {
			c.routes[edgeKey{edge.From, edge.Outcome}] = e
		}
	}
	c.inside = make([]int, len(c.w.Edges))
	c.out.Regions = make([]kernel.Region, len(t.regions))
	for r := range t.regions {
		from := &t.regions[r]
		k := kernel.Region{Owner: int32(from.owner), Start: kernel.ToNowhere, Scope: int32(r)}
		if from.kind == regionBranch {
			k.Scope = c.out.Regions[from.parent].Scope
		}
		if r > 0 {
			c.inside[from.entry] = r
			k.Start = c.destination(t.to[from.entry], c.w.Edges[from.entry].To, r)
		} else if start := t.stepAt(c.w.Start); start >= 0 {
			k.Start = int32(start)
		}
		c.out.Regions[r] = k
	}
	c.out.Ops = make([]kernel.Op, len(c.w.Nodes))
	for i := range c.out.Ops {
		op := &c.out.Ops[i]
		op.Region, op.Keep = int32(max(t.of[i], 0)), -1
		op.Local = c.out.Regions[op.Region].Ops
		c.out.Regions[op.Region].Ops++
	}
}

// enter gives the region that an outcome of a foreach or fork begins.
func (c *compiler) enter(owner int32, outcome Outcome) int32 {
	if e, wired := c.routes[edgeKey{c.out.Ops[owner].ID, outcome}]; wired && c.inside[e] > 0 {
		return int32(c.inside[e])
	}
	r := int32(len(c.out.Regions))
	k := kernel.Region{Owner: owner, Start: kernel.ToNowhere, Scope: r}
	if c.out.Ops[owner].Kind == kernel.Fork {
		k.Scope = c.out.Regions[c.out.Ops[owner].Region].Scope
	}
	c.out.Regions = append(c.out.Regions, k)
	return r
}

// destination is where an edge leads that was followed in a region of the tree: to is its target, step the step of that
// name or -1.
func (c *compiler) destination(step int, to string, region int) int32 {
	switch {
	case step >= 0 && step == c.tree.regions[region].end:
		return kernel.ToContinue
	case step >= 0:
		return int32(step)
	}
	switch to {
	case ToEnd:
		return kernel.ToEnd
	case ToContinue:
		return kernel.ToContinue
	case ToDiscard:
		return kernel.ToDiscard
	}
	return kernel.ToNowhere
}

// nowhere is the edge of an outcome that nothing wires.
var nowhere = kernel.Edge{To: kernel.ToNowhere, Exhausted: kernel.ToNowhere, Counter: -1}

// wire finds where the outcomes of a step lead, from the first on that has no way yet.
func (c *compiler) wire(op *kernel.Op) {
	for _, outcome := range op.Outcomes[len(op.Next):] {
		next := nowhere
		if e, wired := c.routes[edgeKey{op.ID, Outcome(outcome)}]; wired {
			next = c.edge(e, op.Region)
		}
		op.Next = append(op.Next, next)
	}
}

func (c *compiler) edge(e int, region int32) kernel.Edge {
	edge, next := &c.w.Edges[e], nowhere
	next.To = c.destination(c.tree.to[e], edge.To, int(region))
	if edge.MaxVisits > 0 {
		next.Max = int32(min(edge.MaxVisits, math.MaxInt32))
		next.Counter = c.out.Regions[region].Counters
		c.out.Regions[region].Counters++
	}
	if edge.Exhausted != "" {
		next.Exhausted = c.destination(c.tree.exhaust[e], edge.Exhausted, int(region))
	}
	return next
}

// keep makes a step's output stay in its frame, because something reads it.
func (c *compiler) keep(op int32) {
	if o := &c.out.Ops[op]; o.Keep < 0 {
		scope := &c.out.Regions[c.out.Regions[o.Region].Scope]
		o.Keep = scope.Kept
		scope.Kept++
	}
}

// sees reports whether what a step keeps may be seen where operands are compiled: not if it lies in the body of a foreach
// that is not around them.
func (c *compiler) sees(op int32) bool {
	scope := c.out.Regions[c.out.Ops[op].Region].Scope
	for r := c.region; r >= 0; r = c.around(r) {
		if c.out.Regions[r].Scope == scope {
			return true
		}
	}
	return false
}

// around is the region around a region, -1 around the root.
func (c *compiler) around(r int32) int32 {
	owner := c.out.Regions[r].Owner
	if owner < 0 {
		return -1
	}
	return c.out.Ops[owner].Region
}

// foreachOf finds the innermost foreach whose item has a name where operands are compiled, -1 if there is none.
func (c *compiler) foreachOf(as string) int32 {
	for r := c.region; r > 0; r = c.around(r) {
		owner := c.out.Regions[r].Owner
		if s, ok := c.w.Nodes[owner].(*ForeachStep); ok && s.As == as {
			return owner
		}
	}
	return -1
}
