package wf

// regionEnds says how the paths from a step can end, regions passed over.
type regionEnds uint8

const (
	endsWorkflow regionEnds = 1 << iota // at ToEnd or an end step
	endsItem                            // at ToContinue
)

// endsItem reports whether all ends that the step can reach are ends of an item: whether it can only belong to a body.
func (t *regionTree) endsItem(step int) bool { return t.ends != nil && t.ends[step] == endsItem }

// findEnds fills in ends, walking the edges backwards from both kinds of end.
func (t *regionTree) findEnds() {
	var atWorkflow, atItem []int
	for s := range t.w.Nodes {
		if t.isEnd(s) {
			atWorkflow = append(atWorkflow, s)
		}
		for _, e := range t.out(s) {
			edge := &t.w.Edges[e]
			if t.enters[e] != regionRoot {
				continue
			}
			for _, to := range [...]string{edge.To, edge.Exhausted} {
				switch to {
				case ToEnd:
					atWorkflow = append(atWorkflow, s)
				case ToContinue:
					atItem = append(atItem, s)
				}
			}
		}
	}
	if len(atItem) == 0 {
		return
	}
	t.ends = make([]regionEnds, len(t.w.Nodes))
	first, back := t.backward()
	mark := func(mark regionEnds, from []int) {
		for len(from) > 0 {
			s := from[len(from)-1]
			from = from[:len(from)-1]
			if t.ends[s]&mark == 0 {
				t.ends[s] |= mark
				from = append(from, back[first[s]:first[s+1]]...)
			}
		}
	}
	mark(endsWorkflow, atWorkflow)
	mark(endsItem, atItem)
}

// spreadBack marks the steps that lead to a marked one within their region.
func (t *regionTree) spreadBack(marked []bool) {
	var pending []int
	for s, is := range marked {
		if is {
			pending = append(pending, s)
		}
	}
	first, back := t.backward()
	for len(pending) > 0 {
		s := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for _, from := range back[first[s]:first[s+1]] {
			if !marked[from] && t.of[from] == t.of[s] {
				marked[from] = true
				pending = append(pending, from)
			}
		}
	}
}

// backward turns the graph round: the steps that lead to step s, regions passed over, are back[first[s]:first[s+1]].
func (t *regionTree) backward() (first, back []int) {
	n := len(t.w.Nodes)
	first = make([]int, n+1)
	t.eachArc(func(way arc) { first[way.to+1]++ })
	for s := range n {
		first[s+1] += first[s]
	}
	back = make([]int, first[n])
	next := make([]int, n)
	t.eachArc(func(way arc) {
		back[first[way.to]+next[way.to]] = way.from
		next[way.to]++
	})
	return first, back
}

// eachArc visits every way from one step to another that passes over regions.
func (t *regionTree) eachArc(visit func(arc)) {
	for s := range t.w.Nodes {
		t.arcs(s, visit)
	}
}

// arcs visits the ways of one step.
func (t *regionTree) arcs(s int, visit func(arc)) {
	for k := 0; ; k++ {
		way, ok := t.way(s, k)
		if !ok {
			return
		}
		if way.to >= 0 {
			visit(way)
		}
	}
}

// guessJoin finds the join that a fork without a valid one probably means: the nearest join step that no other fork
// has and every wired branch can reach. Without such a step it returns -1.
func (t *regionTree) guessJoin(fork int) int {
	hits := make(map[int]int)
	branches := 0
	var order []int // joins in the order in which the first branch meets them
	for _, e := range t.out(fork) {
		start := t.to[e]
		if start < 0 || t.enters[e] == regionRoot {
			continue
		}
		branches++
		for _, j := range t.joinsAfter(start, fork) {
			hits[j]++
			if branches == 1 {
				order = append(order, j)
			}
		}
	}
	for _, j := range order {
		if hits[j] == branches && t.forkOf[j] < 0 {
			return j
		}
	}
	return -1
}

// joinsAfter lists the joins that can be reached from a step without passing a fork again, the nearest first.
func (t *regionTree) joinsAfter(start, fork int) (joins []int) {
	seen := map[int]bool{start: true, fork: true}
	for pending := []int{start}; len(pending) > 0 && t.guesses > 0; t.guesses-- {
		at := pending[0]
		pending = pending[1:]
		if _, isJoin := t.w.Nodes[at].(*JoinStep); isJoin {
			joins = append(joins, at)
		}
		for _, e := range t.out(at) {
			if to := t.to[e]; to >= 0 && !seen[to] {
				seen[to] = true
				pending = append(pending, to)
			}
		}
	}
	return joins
}
