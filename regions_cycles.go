package wf

import "slices"

// cycles finds the sets of steps that lead to one another within one region, regions inside it passed over, along the
// ways that keep accepts (edge is -1 from a fork to its join). They come in an order that only the plan decides.
func (t *regionTree) cycles(keep func(step, edge int) bool) [][]int {
	f := &cycleFinder{t: t, keep: keep, order: make([]int, len(t.w.Nodes)), low: make([]int, len(t.w.Nodes)), open: make([]bool, len(t.w.Nodes))}
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
	path  []int // open steps
	count int
	found [][]int
}

// visit is a step whose ways are being followed.
type visit struct {
	step int
	next []int // steps still to follow
	self bool  // it leads to itself
}

func (f *cycleFinder) search(start int) {
	calls := []visit{f.enter(start)}
	for len(calls) > 0 {
		top := &calls[len(calls)-1]
		if len(top.next) > 0 {
			to := top.next[0]
			top.next = top.next[1:]
			switch {
			case f.order[to] == 0:
				calls = append(calls, f.enter(to))
			case f.open[to]:
				f.low[top.step] = min(f.low[top.step], f.order[to])
			}
			continue
		}
		done := *top
		calls = calls[:len(calls)-1]
		if len(calls) > 0 {
			up := calls[len(calls)-1].step
			f.low[up] = min(f.low[up], f.low[done.step])
		}
		f.leave(done)
	}
}

func (f *cycleFinder) enter(s int) visit {
	f.count++
	f.order[s], f.low[s], f.open[s] = f.count, f.count, true
	f.path = append(f.path, s)
	v := visit{step: s}
	f.t.arcs(s, func(to, edge int) {
		if f.t.of[to] == f.t.of[s] && f.keep(s, edge) {
			v.next = append(v.next, to)
			v.self = v.self || to == s
		}
	})
	return v
}

// leave closes the component that begins at a step, and keeps it if it is a cycle.
func (f *cycleFinder) leave(v visit) {
	if f.low[v.step] != f.order[v.step] {
		return
	}
	i := len(f.path) - 1
	for f.path[i] != v.step {
		i--
	}
	component := f.path[i:]
	f.path = f.path[:i]
	for _, s := range component {
		f.open[s] = false
	}
	if len(component) > 1 || v.self {
		f.found = append(f.found, slices.Clone(component))
	}
}
