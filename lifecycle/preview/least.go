package preview

import (
	"container/heap"
	"slices"

	"lda.chat/wf"
)

// leastOf is the way from a region's entry to its end on which the least happens (Dijkstra, Numerische Mathematik 1959). If no way leads
// there, nothing is sure.
func (c *counter) leastOf(f *flow, a *area, passed []bounds) int64 {
	best := make([]int64, len(a.steps))
	for i := range best {
		best[i] = mostCounted + 1
	}
	best[0] = 0
	end := int64(mostCounted + 1)
	for open := (frontier{{0, 0}}); len(open) > 0; {
		at := heap.Pop(&open).(reach)
		if at.cost > best[at.step] {
			continue
		}
		s := f.w.Nodes[a.steps[at.step]]
		for _, w := range a.ways[at.step] {
			cost := at.cost
			if _, isFork := s.(*wf.ForkStep); !isFork && f.succeeds(s, w.outcome) {
				cost = plus(cost, passed[at.step].least)
			}
			switch {
			case w.to == atEnd:
				end = min(end, cost)
			case cost < best[w.to]:
				best[w.to] = cost
				heap.Push(&open, reach{w.to, cost})
			}
		}
	}
	if end > mostCounted {
		return 0
	}
	return end
}

// succeeds reports whether a step that is left by an outcome has surely done what it does: no failure was caught, no region was left early.
func (f *flow) succeeds(s wf.Step, o wf.Outcome) bool {
	caught := func(list []wf.Catch) bool {
		return slices.ContainsFunc(list, func(c wf.Catch) bool { return c.Outcome == o })
	}
	switch s := s.(type) {
	case *wf.NodeStep:
		return !caught(s.Catch)
	case *wf.SubgraphStep:
		return !caught(s.Catch)
	case *wf.InterruptStep:
		return !caught(s.Catch)
	case *wf.WaitStep:
		return !caught(s.Catch)
	case *wf.ForeachStep:
		return o == outcomeDone && !caught(s.Catch)
	case *wf.JoinStep:
		_, fork := f.forkOf(s.ID)
		return o == outcomeDone && (fork == nil || !caught(fork.Catch))
	}
	return true
}

// reach is a step and what happens at least on a way to it.
type reach struct {
	step int
	cost int64
}

// frontier is a heap of what was reached, the least first.
type frontier []reach

func (h frontier) Len() int           { return len(h) }
func (h frontier) Less(i, j int) bool { return h[i].cost < h[j].cost }
func (h frontier) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *frontier) Push(x any)        { *h = append(*h, x.(reach)) }
func (h *frontier) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
