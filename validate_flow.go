package wf

import "fmt"

// checkReachable warns of steps that nothing leads to. What follows such a step is only counted, since one missing
// edge is one finding; and so nothing is said of steps to which the fix of an outcome that leads nowhere will lead.
func (c *checker) checkReachable() {
	if !c.hasStart() || c.lost.graph {
		return
	}
	lost := func(i int) bool { return c.tree.of[i] == noRegion }
	follows := make([]bool, len(c.w.Nodes)) // an unreachable step leads to it
	for i := range c.w.Nodes {
		if lost(i) {
			c.eachNext(i, func(to int) { follows[to] = follows[to] || to != i })
		}
	}
	seen := make([]bool, len(c.w.Nodes))
	for _, pass := range [...]struct{ offered, follows bool }{{true, false}, {true, true}, {false, false}, {false, true}} { // last the loops, of which each step follows another
		for i := range c.w.Nodes {
			if !lost(i) || seen[i] || pass.offered != c.offered[i] || pass.follows != follows[i] || c.twins.has(c.stepID(i)) { // nothing can lead to the second of an id
				continue
			}
			seen[i] = true
			after := 0
			for pending := []int{i}; len(pending) > 0; {
				s := pending[len(pending)-1]
				pending = pending[:len(pending)-1]
				c.eachNext(s, func(to int) {
					if lost(to) && !seen[to] {
						seen[to] = true
						after++
						pending = append(pending, to)
					}
				})
			}
			if pass.offered {
				continue
			}
			message := "no path from the start leads to this step"
			if after > 0 {
				message += fmt.Sprintf(", nor to the %s after it", counted(after, "step"))
			}
			c.report("step_unreachable", c.node(i), i, message, "wire an outcome of an earlier step to it, or remove it")
		}
	}
}

// eachNext visits the steps that a step's edges lead to, and a fork's join.
func (c *checker) eachNext(i int, visit func(to int)) {
	for _, e := range c.tree.out(i) {
		if to := c.tree.to[e]; to >= 0 {
			visit(to)
		}
		if to := c.tree.exhaust[e]; to >= 0 {
			visit(to)
		}
	}
	if j := c.tree.joinOf[i]; j >= 0 {
		visit(j)
	}
}
