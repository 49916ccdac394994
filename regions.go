package wf

// regionKind tells the kinds of regions apart.
type regionKind uint8

const (
	regionRoot   regionKind = iota // the workflow itself
	regionBody                     // what a foreach does for one item; ends at ToContinue
	regionBranch                   // one branch of a fork; ends at the fork's join
)

// noRegion stands for the region of a step that nothing reaches.
const noRegion = -1

// region is a part of the graph that one frame runs: the workflow, the body of a foreach or a branch of a fork.
type region struct {
	kind    regionKind
	owner   int     // the foreach's or fork's step; -1 of the root
	outcome Outcome // the owner's outcome that enters it
	parent  int     // the region around it; -1 of the root
	depth   int     // regions around it
	entry   int     // the edge that enters it; -1 of the root
	end     int     // of a branch: its join's step, -1 if the fork names none; else -1
}

// regionTree says of every step which region it belongs to. It is computed once and used by the validator, the
// diagrams and the compiler, so they cannot disagree. Steps, edges and regions are named by their positions.
//
// Regions are found from the outside in: the steps that the root reaches by passing over whole regions (a foreach
// from itself to what follows it, a fork to its join) belong to the root, then the same inside each region. So an edge
// that leaves a region meets a step that already belongs elsewhere, and is the fault itself: it never pulls what
// follows the region into it.
type regionTree struct {
	w        *Workflow
	index    map[string]int // the first step of each id
	to       []int          // by edge: the step that it leads to, -1 if that is none
	exhaust  []int          // by edge: the same of its exhausted way
	first    []int          // by step: where its edges begin in edges
	enters   []regionKind   // by edge: the kind of region that it enters, or regionRoot
	edges    []int          // edges of the plan, by source step, in the plan's order; sources that do not exist are left out
	joinOf   []int          // by step: a fork's join, -1 if it has none
	forkOf   []int          // by step: the first fork that names this join, -1
	of       []int          // by step: its region, or noRegion
	via      []int          // by step: the edge that first reached it, -1
	regions  []region       // the root first; a region comes after the one around it
	problems []regionProblem
	ancestry *ancestry

	ends     []regionEnds // by step; nil if no edge ends an item
	guesses  int          // steps that looking for joins, and for where branches end, may still visit
	queue    []int        // regions to flood
	deferred []crossing
}

// crossing is an edge, or the exhausted way of one, with the region that it was followed from.
type crossing struct {
	edge, region int
	exhausted    bool
}

// faultKind says what is wrong with an edge.
type faultKind uint8

const (
	faultLeaves      faultKind = iota // leads out of its region, to a step of an outer one
	faultEnters                       // leads from outside into a region
	faultShares                       // leads to a step of a sibling region
	faultEnd                          // ends the workflow inside a region
	faultContinue                     // ends an item outside a body
	faultDiscard                      // drops an item or branch where there is none
	faultJoinOutside                  // edge is a fork's step: its join belongs to another region
)

// regionProblem is one edge that breaks the nesting of regions.
type regionProblem struct {
	kind      faultKind
	edge      int // of the plan, or -1 with faultJoinOutside
	exhausted bool
	region    int // where the edge comes from
	step      int // where it leads, -1 if that is no step
	other     int // the region of that step
}

// newRegionTree computes the regions of a workflow. It accepts any plan, broken ones too, and takes time in
// proportion to steps and edges.
func newRegionTree(w *Workflow) *regionTree {
	n := len(w.Nodes)
	ints := make([]int, 4*n)
	t := &regionTree{
		w:      w,
		index:  make(map[string]int, n),
		joinOf: ints[:n:n], forkOf: ints[n : 2*n : 2*n], of: ints[2*n : 3*n : 3*n], via: ints[3*n:],
	}
	for i := range ints {
		ints[i] = -1
	}
	t.guesses = 20 * (n + 100)
	for i, s := range w.Nodes {
		if _, taken := t.index[s.StepID()]; !taken {
			t.index[s.StepID()] = i
		}
	}
	t.sortEdges()
	t.findEntries()
	for i, s := range w.Nodes {
		fork, ok := s.(*ForkStep)
		if !ok {
			continue
		}
		j, found := t.index[fork.Join]
		if found {
			_, found = w.Nodes[j].(*JoinStep)
		}
		if !found {
			j = t.guessJoin(i)
		}
		t.joinOf[i] = j
		if j >= 0 && t.forkOf[j] < 0 {
			t.forkOf[j] = i
		}
	}
	t.findEnds()
	t.regions = append(t.regions, region{kind: regionRoot, owner: -1, parent: -1, entry: -1, end: -1})
	if start, ok := t.index[w.Start]; ok {
		t.of[start] = 0
		t.flood(0, []int{start})
		t.run()
	}
	t.settleDeferred()
	t.nest()
	t.classify()
	return t
}

// sortEdges groups the edges by their source.
func (t *regionTree) sortEdges() {
	n := len(t.w.Nodes)
	t.first = make([]int, n+1)
	ints := make([]int, 3*len(t.w.Edges))
	source := ints[:len(t.w.Edges)]
	t.to, t.exhaust = ints[len(source):2*len(source)], ints[2*len(source):]
	for e := range t.w.Edges {
		t.to[e], t.exhaust[e] = t.stepAt(t.w.Edges[e].To), t.stepAt(t.w.Edges[e].Exhausted)
		s, ok := t.index[t.w.Edges[e].From]
		if !ok {
			s = -1
		} else {
			t.first[s+1]++
		}
		source[e] = s
	}
	for s := range n {
		t.first[s+1] += t.first[s]
	}
	t.edges = make([]int, t.first[n])
	next := make([]int, n)
	for e, s := range source {
		if s >= 0 {
			t.edges[t.first[s]+next[s]] = e
			next[s]++
		}
	}
}

// stepAt is the first step of an id, -1 if there is none.
func (t *regionTree) stepAt(id string) int {
	if step, ok := t.index[id]; ok && id != "" {
		return step
	}
	return -1
}

// out returns the edges that leave a step, as positions in the plan's edges.
func (t *regionTree) out(step int) []int { return t.edges[t.first[step]:t.first[step+1]] }

// findEntries marks the edges that enter regions: a foreach's item, a fork's branches.
func (t *regionTree) findEntries() {
	t.enters = make([]regionKind, len(t.w.Edges))
	for i, s := range t.w.Nodes {
		switch s := s.(type) {
		case *ForeachStep:
			for _, e := range t.out(i) {
				if t.w.Edges[e].Outcome == outcomeItem {
					t.enters[e] = regionBody
				}
			}
		case *ForkStep:
			branches := make(map[Outcome]bool, len(s.Branches))
			for _, b := range s.Branches {
				branches[b.Outcome] = true
			}
			for _, e := range t.out(i) {
				if branches[t.w.Edges[e].Outcome] {
					t.enters[e] = regionBranch
				}
			}
		}
	}
}
