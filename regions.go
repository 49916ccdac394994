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

	ends     []regionEnds // by step; nil if no edge ends an item
	guesses  int          // steps that looking for joins may still visit
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

// run floods the regions that wait, outer ones first.
func (t *regionTree) run() {
	for len(t.queue) > 0 {
		r := t.queue[0]
		t.queue = t.queue[1:]
		entry := crossing{edge: t.regions[r].entry, region: r}
		if step := t.to[entry.edge]; step >= 0 {
			if t.claim(step, entry) {
				t.flood(r, []int{step})
			}
		} else {
			t.special(entry, t.w.Edges[entry.edge].To)
		}
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
	case t.contains(q, r):
		t.problem(faultLeaves, c, step)
	case t.contains(r, q):
		t.problem(faultEnters, c, step)
	default:
		t.problem(faultShares, c, step)
	}
	return false
}

func (t *regionTree) isEnd(step int) bool {
	_, is := t.w.Nodes[step].(*EndStep)
	return is
}

// contains reports whether region inner lies within region outer.
func (t *regionTree) contains(outer, inner int) bool {
	for t.regions[inner].depth > t.regions[outer].depth {
		inner = t.regions[inner].parent
	}
	return inner == outer
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
