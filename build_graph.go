package wf

// backwards is the graph of a workflow's steps by their places in Nodes, each with the steps that lead to it. The end of
// a foreach's body leads to the foreach.
type backwards struct {
	before [][]int
	seen   []int // the search that met a step last
	search int
}

// trace fills the graph.
func (a *assembly) trace() {
	g := &a.graph
	g.before, g.seen, g.search = make([][]int, len(a.w.Nodes)+1), make([]int, len(a.w.Nodes)+1), 0
	index := make(map[string]int, len(a.w.Nodes))
	for i, s := range a.w.Nodes {
		index[s.StepID()] = i
	}
	index[ToEnd] = len(a.w.Nodes) // the workflow's end counts as a step
	frames := make(map[string]*frame, len(a.placed))
	for _, p := range a.placed {
		frames[p.id] = p.frame
		if fork, ok := p.step.(*ForkStep); ok {
			frames[fork.Join] = p.frame
		}
	}
	for _, e := range a.w.Edges {
		from, known := index[e.From]
		for _, to := range []string{e.To, e.Exhausted} {
			if to == ToContinue {
				to = frames[e.From].foreach()
			}
			if target, ok := index[to]; ok && known {
				g.before[target] = append(g.before[target], from)
			}
		}
	}
}

// foreach is the id of the innermost foreach around a frame.
func (f *frame) foreach() string {
	for ; f != nil; f = f.outer {
		if f.each != nil {
			return f.each.id
		}
	}
	return ""
}

// earlier keeps those of the candidates from which a way leads to the step at a place. It searches no further than to the
// last of them.
func (g *backwards) earlier(at int, candidates []*placed) []*placed {
	g.search++
	wanted := map[int]bool{}
	for _, c := range candidates {
		wanted[c.index] = true
	}
	queue := []int{at}
	for len(queue) > 0 && len(wanted) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, b := range g.before[n] {
			if g.seen[b] != g.search {
				g.seen[b] = g.search
				delete(wanted, b)
				queue = append(queue, b)
			}
		}
	}
	var kept []*placed
	for _, c := range candidates {
		if g.seen[c.index] == g.search {
			kept = append(kept, c)
		}
	}
	return kept
}
