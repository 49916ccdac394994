package wf

import "slices"

// cycles finds the sets of steps that lead to one another within one region, regions inside it passed over, along the
// ways that keep accepts. They come in an order that only the plan decides.
func (t *regionTree) cycles(keep func(arc) bool) [][]int {
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
	keep  func(arc) bool
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
		way, ok := f.t.way(s, top.next)
		to := way.to
		top.next++
		switch {
		case !ok:
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].step
				f.low[up] = min(f.low[up], f.low[s])
			}
			f.leave(s)
		case to < 0 || f.t.of[to] != f.t.of[s] || !f.keep(way):
		case f.order[to] == 0:
			calls = append(calls, f.enter(to))
		case f.open[to]:
			f.low[s] = min(f.low[s], f.order[to])
			f.self[s] = f.self[s] || to == s
		}
	}
}

// arc is a way on from a step that passes over regions: an edge that does not enter one, its exhausted way, or a fork's way
// to its join, for which edge is -1. It leads to no step where to is -1.
type arc struct {
	from, to, edge int
	exhausted      bool
}

// way is the k-th way on from a step.
func (t *regionTree) way(s, k int) (way arc, ok bool) {
	out := t.out(s)
	if k == 2*len(out) {
		return arc{s, t.joinOf[s], -1, false}, true
	}
	if k > 2*len(out) {
		return arc{}, false
	}
	e := out[k/2]
	switch {
	case t.enters[e] != regionRoot:
		return arc{s, -1, e, false}, true
	case k%2 == 0:
		return arc{s, t.to[e], e, false}, true
	}
	return arc{s, t.exhaust[e], e, true}, true
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
