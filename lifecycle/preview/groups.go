package preview

import "slices"

// arrange finds which steps lead to one another: along all ways, and in these groups along those that a frame may go any number of times.
func (a *area) arrange() {
	a.groups = a.together(func(way) bool { return true })
	a.group = make([]int, len(a.steps))
	for g, group := range a.groups {
		for _, s := range group {
			a.group[s] = g
		}
	}
	a.parts = make([][][]int, len(a.groups))
	for _, part := range a.together(func(w way) bool { return w.visits == 0 }) {
		g := a.group[part[0]]
		a.parts[g] = append(a.parts[g], part)
	}
}

// together are the sets of steps that lead to one another along the ways that keep accepts, each behind those that it leads to: Tarjan's
// algorithm (SIAM J. Comput. 1972), without recursion.
func (a *area) together(keep func(way) bool) [][]int {
	n := len(a.steps)
	order, low, open := make([]int, n), make([]int, n), make([]bool, n)
	next := make([]int, n) // the way to follow next
	var path, calls []int
	var found [][]int
	count := 0
	for start := range n {
		if order[start] != 0 {
			continue
		}
		calls = append(calls, start)
		for len(calls) > 0 {
			s := calls[len(calls)-1]
			if order[s] == 0 {
				count++
				order[s], low[s], open[s] = count, count, true
				path = append(path, s)
			}
			if next[s] < len(a.ways[s]) {
				w := a.ways[s][next[s]]
				next[s]++
				switch {
				case w.to == atEnd || !keep(w):
				case order[w.to] == 0:
					calls = append(calls, w.to)
				case open[w.to]:
					low[s] = min(low[s], order[w.to])
				}
				continue
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1]
				low[up] = min(low[up], low[s])
			}
			if low[s] == order[s] {
				i := len(path) - 1
				for path[i] != s {
					i--
				}
				found = append(found, slices.Clone(path[i:]))
				for _, member := range path[i:] {
					open[member] = false
				}
				path = path[:i]
			}
		}
	}
	return found
}
