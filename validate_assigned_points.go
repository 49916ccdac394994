package wf

import (
	"slices"

	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// flowGraph is a workflow's graph as data flows through it, regions and failures included: points between which what
// has been written does not change, and the arcs along which it is handed on.
type flowGraph struct {
	c      *checker
	points []point
	arcs   []flowArc
	next   []int32 // by arc, grouped by the point that it leaves: firstNext[p] to firstNext[p+1]
	back   []int32 // the same, by the point that it reaches
	rank   []int32 // by point: its position in reverse postorder, -1 if nothing reaches it
	byRank []int32

	firstNext, firstBack []int32

	joins     []joinFlow
	entry     []int32   // by step; see exits for the points at which it is left
	done      []int32   // by step: left as it should be
	partial   []int32   // by step, of a foreach or a fork: left by unmet or timed_out
	outcomes  []flowOut // of steps of which each outcome has a point of its own
	firstOut  []int32   // by step: where its outcomes begin
	caught    []int32   // by step: where the points of its catches begin, one for each
	in, end   []int32   // by region: its beginning, and where the ways through it meet
	item      []int32   // by step, of a foreach: the beginning of its body, and the end
	itemEnd   []int32
	branch    map[int]int32            // by edge that enters a branch: its beginning
	asked     map[wire]bool            // branches that are taken only if a condition holds
	discarded []bool                   // by region: an edge of it drops the item or branch
	catching  map[int]map[Outcome]bool // by step, of those with many catches: their outcomes
}

// The points that no step has.
const (
	pointStart int32 = iota
	pointExit        // where the workflow's own output is made
	noPoint    int32 = -1
)

type point struct {
	step    int     // noStep: the start, the exit, where a branch ends
	outcome Outcome // by which the step has been left, where one point has one
	entry   bool    // the step has only been reached
	join    int     // into joins: how the branches of a fork come together here; or -1
}

type flowArc struct{ from, to int32 }

type flowOut struct {
	outcome Outcome
	point   int32
}

// joinFlow is the barrier of a fork of which each branch came to its end, but those that were not taken.
type joinFlow struct {
	fork     int32 // the fork's entry
	branches []branchFlow
}

type branchFlow struct {
	region int
	surely bool // it is merged whenever the join is done
}

func newFlowGraph(c *checker) *flowGraph {
	n, r := len(c.w.Nodes), len(c.tree.regions)
	ints := make([]int32, 6*n+2*r)
	g := &flowGraph{
		c: c, points: make([]point, 0, 2*n+2*r+2), arcs: make([]flowArc, 0, 2*n+2*r),
		entry: ints[:n], done: ints[n : 2*n], partial: ints[2*n : 3*n], caught: ints[3*n : 4*n], item: ints[4*n : 5*n], itemEnd: ints[5*n : 6*n],
		in: ints[6*n : 6*n+r], end: ints[6*n+r:], branch: make(map[int]int32), asked: make(map[wire]bool),
		firstOut: make([]int32, n+1), discarded: make([]bool, r),
	}
	for i := range ints {
		ints[i] = noPoint
	}
	g.add(noStep, "")
	g.add(noStep, "")
	for b := 1; b < r; b++ {
		r := c.tree.regions[b]
		g.in[b] = g.add(r.owner, r.outcome)
		if r.kind == regionBody {
			g.end[b] = g.add(r.owner, "")
			g.item[r.owner], g.itemEnd[r.owner] = g.in[b], g.end[b]
		} else {
			g.end[b] = g.add(noStep, "")
			g.branch[r.entry] = g.in[b]
		}
	}
	for s := range c.w.Nodes {
		g.firstOut[s] = int32(len(g.outcomes))
		if c.tree.of[s] != noRegion {
			g.addStep(s)
		}
	}
	g.firstOut[n] = int32(len(g.outcomes))
	g.arc(pointStart, g.entry[c.tree.index[c.w.Start]])
	for s := range c.w.Nodes {
		if c.tree.of[s] != noRegion {
			g.connect(s)
		}
	}
	for b := 1; b < r; b++ {
		g.connectRegion(b)
	}
	g.link()
	return g
}

func (g *flowGraph) add(step int, outcome Outcome) int32 {
	g.points = append(g.points, point{step: step, outcome: outcome, join: -1})
	return int32(len(g.points) - 1)
}

func (g *flowGraph) arc(from, to int32) {
	if from >= 0 && to >= 0 {
		g.arcs = append(g.arcs, flowArc{from, to})
	}
}

// addStep makes the points of a step.
func (g *flowGraph) addStep(s int) {
	step := g.c.w.Nodes[s]
	g.entry[s] = g.add(s, "")
	g.points[g.entry[s]].entry = true
	for k, catch := range step.common().Catch {
		if p := g.add(s, catch.Outcome); k == 0 {
			g.caught[s] = p
		}
	}
	switch step := step.(type) {
	case *EndStep, *FailStep:
	case *ConditionStep:
		g.addOutcomes(s, uniqueOutcomes(step.outcomes()))
	case *InterruptStep:
		if len(step.ResumeSchemas) > 0 {
			g.addOutcomes(s, uniqueOutcomes(step.Outcomes))
		} else {
			g.done[s] = g.add(s, "")
		}
	case *ForeachStep:
		g.done[s] = g.add(s, "")
		if step.Complete != 0 || step.TimeoutSeconds != 0 {
			g.partial[s] = g.add(s, "")
		}
	case *ForkStep: // left from its join, which has a point for what is merged surely, and one for what may be
		g.done[s] = g.add(s, "")
		g.points[g.done[s]].join = len(g.joins)
		g.joins = append(g.joins, joinFlow{fork: g.entry[s]})
		if step.Complete != 0 || step.TimeoutSeconds != 0 {
			g.partial[s] = g.add(s, "")
		}
	default:
		g.done[s] = g.add(s, "")
	}
}

func (g *flowGraph) addOutcomes(s int, list []Outcome) {
	for _, o := range list {
		g.outcomes = append(g.outcomes, flowOut{o, g.add(s, o)})
	}
}

// outs are the points of a step's outcomes, if each has its own.
func (g *flowGraph) outs(s int) []flowOut { return g.outcomes[g.firstOut[s]:g.firstOut[s+1]] }

// isSure reports whether a foreach has merged at least one item when it is done.
func (g *flowGraph) isSure(s *ForeachStep, body int) bool {
	if g.discarded[body] || s.Complete == 0 && s.OnItemError != "" && s.OnItemError != OnErrorFail {
		return false
	}
	switch o := &s.Over; {
	case o.List != nil:
		return len(o.List) > 0
	case len(o.Value) > 0:
		v, err := value.Parse(o.Value)
		return err == nil && v.Len() > 0
	case o.Path != nil && len(o.Default) == 0:
		over := g.c.sourceSchema(o.Path, g.c.at(g.c.tree.index[s.ID]))
		if over == nil || !slices.Equal(over.Types(), []string{"array"}) {
			return false
		}
		return g.c.lookup(over, indexPart(0)).presence == schema.Always
	}
	return false
}
