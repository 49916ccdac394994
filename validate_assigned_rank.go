package wf

import "slices"

// link groups the arcs by both ends, and ranks the points that the start reaches.
func (g *flowGraph) link() {
	n := len(g.points)
	ints := make([]int32, 2*(n+1)+2*len(g.arcs)+2*n)
	cut := func(k int) []int32 { part := ints[:k:k]; ints = ints[k:]; return part }
	g.firstNext, g.firstBack, g.next, g.back = cut(n+1), cut(n+1), cut(len(g.arcs)), cut(len(g.arcs))
	g.rank, g.byRank = cut(n), cut(n)[:0]
	for _, a := range g.arcs {
		g.firstNext[a.from+1]++
		g.firstBack[a.to+1]++
	}
	for p := range n {
		g.firstNext[p+1] += g.firstNext[p]
		g.firstBack[p+1] += g.firstBack[p]
	}
	used := make([]int32, 2*n)
	for _, a := range g.arcs {
		g.next[g.firstNext[a.from]+used[a.from]] = a.to
		g.back[g.firstBack[a.to]+used[n+int(a.to)]] = a.from
		used[a.from]++
		used[n+int(a.to)]++
	}
	for p := range g.rank {
		g.rank[p] = -1
	}
	type open struct{ point, next int32 }
	clear(used) // now: whether a point has been met
	used[pointStart] = 1
	for path := []open{{pointStart, 0}}; len(path) > 0; {
		top := &path[len(path)-1]
		if list := g.after(top.point); int(top.next) < len(list) {
			p := list[top.next]
			top.next++
			if used[p] == 0 {
				used[p] = 1
				path = append(path, open{p, 0})
			}
			continue
		}
		g.byRank = append(g.byRank, top.point)
		path = path[:len(path)-1]
	}
	slices.Reverse(g.byRank)
	for i, p := range g.byRank {
		g.rank[p] = int32(i)
	}
}

func (g *flowGraph) after(p int32) []int32  { return g.next[g.firstNext[p]:g.firstNext[p+1]] }
func (g *flowGraph) before(p int32) []int32 { return g.back[g.firstBack[p]:g.firstBack[p+1]] }
