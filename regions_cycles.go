package wf

import "slices"

// cycles finds the sets of steps that lead to one another within one region, regions inside it passed over, along the
// ways that keep accepts (edge is -1 from a fork to its join). They come in an order that only the plan decides.
func (t *regionTree) cycles(keep func(step, edge int) bool) [][]int {
	n := len(t.w.Nodes)
	f := &cycleFinder{t: t, keep: keep, order: make([]int, n), low: make([]int, n), open: make([]bool, n), self: make([]bool, n)}
	for s := range t.w.Nodes {
		if f.order[s] == 0 && t.of[s] != noRegion {
			f.search(s)
		}
	}
	return f.found
}

// cycleFinder is Tarjan's algorithm for strongly connected components (SIAM J. Comput. 1972), without recursion.
type cycleFinder struct {
	t     *regionTree
	keep  func(step, edge int) bool
	order []int // when a step was met, from 1
	low   []int // the earliest open step that it leads back to
	open  []bool
	self  []bool // it leads to itself
	path  []int  // open steps
	count int
	found [][]int
}

// visit is a step whose ways are being followed.
type visit struct {
	step int
	next int // the way to follow next
}

func (f *cycleFinder) search(start int) {
	calls := []visit{f.enter(start)}
	for len(calls) > 0 {
		top := &calls[len(calls)-1]
		s := top.step
		to, edge, ok := f.t.way(s, top.next)
		top.next++
		switch {
		case !ok:
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].step
				f.low[up] = min(f.low[up], f.low[s])
			}
			f.leave(s)
		case to < 0 || f.t.of[to] != f.t.of[s] || !f.keep(s, edge):
		case f.order[to] == 0:
			calls = append(calls, f.enter(to))
		case f.open[to]:
			f.low[s] = min(f.low[s], f.order[to])
			f.self[s] = f.self[s] || to == s
		}
	}
}

// way is the k-th way on from a step that passes over regions, as in arcs; to is -1 where it leads to no step.
func (t *regionTree) way(s, k int) (to, edge int, ok bool) {
	out := t.out(s)
	if k == 2*len(out) {
		return t.joinOf[s], -1, true
	}
	if k > 2*len(out) {
		return -1, -1, false
	}
	e := out[k/2]
	switch {
	case t.enters[e] != regionRoot:
		return -1, e, true
	case k%2 == 0:
		return t.to[e], e, true
	}
	return t.exhaust[e], e, true
}

func (f *cycleFinder) enter(s int) visit {
	f.count++
	f.order[s], f.low[s], f.open[s] = f.count, f.count, true
	f.path = append(f.path, s)
	return visit{step: s}
}

// leave closes the component that begins at a step, and keeps it if it is a cycle.
func (f *cycleFinder) leave(step int) {
	if f.low[step] != f.order[step] {
		return
	}
	i := len(f.path) - 1
	for f.path[i] != step {
		i--
	}
	component := f.path[i:]
	f.path = f.path[:i]
	for _, s := range component {
		f.open[s] = false
	}
	if len(component) > 1 || f.self[step] {
		f.found = append(f.found, slices.Clone(component))
	}
}
