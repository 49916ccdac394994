package preview

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"lda.chat/wf"
)

// counter counts one thing.
type counter struct {
	p *previewer
	// own is how often it happens, at most, each time a step is passed; 0: never. At least it is once, unless the step fails.
	own   func(f *flow, s wf.Step) int64
	known map[*flow]bounds
	areas map[*area]bounds
	open  map[string]bool // what does not bound it
}

// bounds is how often a thing happens.
type bounds struct {
	least, most int64
	open        bool // nothing bounds it; most is nothing
}

// mostCounted is where counting ends: the largest whole number that every reader of JSON has.
const mostCounted = 1<<53 - 1

// times counts how often a step is passed.
func (p *previewer) times(root *flow, step wf.Step) Count {
	return p.count(root, func(_ *flow, s wf.Step) int64 {
		if s == step {
			return 1
		}
		return 0
	})
}

// calls counts the calls of some capabilities, with the attempts of retries.
func (p *previewer) calls(root *flow, of func(ref string) bool) Count {
	return p.count(root, func(f *flow, s wf.Step) int64 {
		node, ok := s.(*wf.NodeStep)
		if !ok || !of(node.Node) {
			return 0
		}
		retry := node.Retry
		if def := p.contract(f, node.Node); retry == nil && def != nil {
			retry = def.Retry
		}
		return attempts(retry)
	})
}

// attempts is how often something is tried; see wf.Retry.
func attempts(r *wf.Retry) int64 {
	if r == nil {
		return 1
	}
	return int64(cmp.Or(r.MaxAttempts, 3))
}

func (p *previewer) count(root *flow, own func(*flow, wf.Step) int64) Count {
	c := &counter{p: p, own: own, known: map[*flow]bounds{}, areas: map[*area]bounds{}, open: map[string]bool{}}
	b := c.flow(root)
	count := Count{AtLeast: b.least}
	if !b.open {
		count.AtMost = &b.most
	} else {
		count.Open = slices.Sorted(maps.Keys(c.open))
	}
	return count
}

// flow counts in a workflow. One that runs itself is not bounded.
func (c *counter) flow(f *flow) bounds {
	if b, ok := c.known[f]; ok {
		if b.open && len(c.open) == 0 {
			c.open[fmt.Sprintf("the workflow %q runs itself", f.w.Name)] = true
		}
		return b
	}
	c.known[f] = bounds{open: true}
	b := c.area(f, f.root)
	c.known[f] = b
	return b
}

// area counts in a region, from its entry to its end.
func (c *counter) area(f *flow, a *area) bounds {
	if len(a.steps) == 0 {
		return bounds{}
	}
	if b, ok := c.areas[a]; ok {
		return b
	}
	c.areas[a] = bounds{open: true}        // for a plan in which a region is within itself
	passed := make([]bounds, len(a.steps)) // what happens each time a step is passed
	for i, step := range a.steps {
		passed[i] = c.step(f, step)
	}
	most := c.mostOf(f, a, passed)
	b := bounds{c.leastOf(f, a, passed), most.most, most.open}
	c.areas[a] = b
	return b
}

// step counts what happens each time a step is passed. A fork's branches count for it where they are at most, for its join where they
// are at least.
func (c *counter) step(f *flow, i int) bounds {
	b := bounds{most: c.own(f, f.w.Nodes[i])}
	b.least = min(b.most, 1)
	switch s := f.w.Nodes[i].(type) {
	case *wf.ForeachStep:
		body := c.area(f, f.innerArea(i, outcomeItem))
		least, most, bounded := c.p.items(f, s)
		if !firm(s.OnItemError, s.Complete, s.TimeoutSeconds) {
			least = 0
		}
		b.least = times(least, body.least)
		switch {
		case body.open || body.most > 0 && !bounded:
			b.open = true
			if !body.open {
				c.open[fmt.Sprintf("at most %d for each item of %q", body.most, s.ID)] = true
			} else if !bounded {
				c.open[fmt.Sprintf("for each item of %q", s.ID)] = true
			}
		default:
			b.most = times(times(most, body.most), attempts(s.Retry))
		}
	case *wf.ForkStep:
		for _, branch := range s.Branches {
			one := c.area(f, f.innerArea(i, branch.Outcome))
			b.most, b.open = plus(b.most, one.most), b.open || one.open
		}
		b.most = times(b.most, attempts(s.Retry))
	case *wf.JoinStep:
		if i, fork := f.forkOf(s.ID); fork != nil && firm(fork.OnBranchError, fork.Complete, fork.TimeoutSeconds) {
			for _, branch := range fork.Branches {
				if branch.When == nil {
					b.least = plus(b.least, c.area(f, f.innerArea(i, branch.Outcome)).least)
				}
			}
		}
	case *wf.SubgraphStep:
		if child, ok := c.p.child(f, s); ok {
			b = c.flow(child)
			b.most = times(b.most, attempts(s.Retry))
		}
	}
	return b
}

// firm reports whether a region that is done has surely done all of what is in it.
func firm(onError string, complete int, timeout float64) bool {
	return (onError == "" || onError == wf.OnErrorFail) && complete == 0 && timeout == 0
}

// innerArea is a region of a step.
func (f *flow) innerArea(step int, o wf.Outcome) *area {
	if a := f.inner[entry{step, o}]; a != nil {
		return a
	}
	return &area{}
}

// forkOf is the fork whose branches meet at a join.
func (f *flow) forkOf(join string) (int, *wf.ForkStep) {
	i, ok := f.forks[join]
	if !ok {
		return -1, nil
	}
	return i, f.w.Nodes[i].(*wf.ForkStep)
}

func plus(a, b int64) int64 { return min(a+b, mostCounted) }

func times(a, b int64) int64 {
	if a != 0 && b > mostCounted/a {
		return mostCounted
	}
	return a * b
}
