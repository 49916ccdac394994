package preview

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// mostOf is the way from a region's entry to its end on which the most happens. Steps that lead to one another are taken together: each
// way among them that has a bound is gone at most that often in a frame, and between two goings nothing leads back. Where something
// else leads back, nothing bounds what happens there.
func (c *counter) mostOf(f *flow, a *area, passed []bounds) bounds {
	total := make([]bounds, len(a.steps)) // from a step to the end
	for g, group := range a.groups {      // what is behind a group comes before it
		var behind bounds
		var bounded []way
		inside := 0
		for _, s := range group {
			for _, w := range a.ways[s] {
				switch {
				case w.to == atEnd:
				case a.group[w.to] != g:
					behind = larger(behind, total[w.to])
				case w.visits > 0:
					bounded = append(bounded, w)
					inside++
				default:
					inside++
				}
			}
		}
		within := map[int]bounds{}
		if inside == 0 {
			within[group[0]] = passed[group[0]]
		} else {
			within = c.around(f, a, passed, g, bounded)
		}
		for _, s := range group {
			total[s] = sum(within[s], behind)
		}
	}
	return total[0]
}

// around counts among steps that lead to one another: from each, the most on a way without the bounded ones, and for each going of these
// the most that comes behind it.
func (c *counter) around(f *flow, a *area, passed []bounds, g int, bounded []way) map[int]bounds {
	alone := map[int]bounds{}
	for _, part := range a.parts[g] {
		var own, behind bounds
		loops := len(part) > 1
		for _, s := range part {
			own = sum(own, passed[s])
			for _, w := range a.ways[s] {
				if w.to != atEnd && a.group[w.to] == g && w.visits == 0 {
					loops = loops || slices.Contains(part, w.to)
					behind = larger(behind, alone[w.to])
				}
			}
		}
		if loops && (own.most > 0 || own.open) {
			if !own.open {
				c.open[fmt.Sprintf("in the cycle of %s", f.names(a, part))] = true
			}
			own = bounds{open: true}
		}
		for _, s := range part {
			alone[s] = sum(own, behind)
		}
	}
	var again bounds
	for _, w := range bounded {
		each := alone[w.to]
		again = sum(again, bounds{most: times(int64(w.visits), each.most), open: each.open})
	}
	within := map[int]bounds{}
	for _, s := range a.groups[g] {
		within[s] = sum(alone[s], again)
	}
	return within
}

func sum(a, b bounds) bounds { return bounds{most: plus(a.most, b.most), open: a.open || b.open} }

func larger(a, b bounds) bounds { return bounds{most: max(a.most, b.most), open: a.open || b.open} }

// names names steps, in the order of the plan.
func (f *flow) names(a *area, group []int) string {
	var at []int
	for _, s := range group {
		at = append(at, a.steps[s])
	}
	slices.Sort(at)
	var names []string
	for _, i := range at {
		names = append(names, strconv.Quote(f.w.Nodes[i].StepID()))
	}
	return strings.Join(names, ", ")
}
