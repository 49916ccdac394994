package wf

import "slices"

// losses are what holes leave unknown about a workflow as a whole.
type losses struct {
	ids   bool // a name that is no step's may be that of a step that could not be read
	edges bool // any step may have edges that it seems not to have
	graph bool // steps may lead elsewhere, and lie in other regions, than it seems
	calls bool // capabilities may be defined that seem not to be
}

// isHole reports whether a text stands for one that could not be read.
func (sh *checkShared) isHole(text string) bool { return sh.holes && isHole(text) }

// lose finds out what the holes of a workflow leave unknown.
func (c *checker) lose() {
	if !c.holes {
		return
	}
	c.lost.graph = isHole(c.w.Start)
	for i, s := range c.w.Nodes {
		fork, isFork := s.(*ForkStep)
		switch {
		case isHole(s.StepID()):
			c.lost.ids, c.lost.graph = true, true
		case isHoleStep(s), isFork && (isHole(fork.Join) || slices.ContainsFunc(c.branchesOf(i), isHole[Outcome])):
			c.lost.graph = true
		}
	}
	for e := range c.w.Edges {
		edge := &c.w.Edges[e]
		if isHole(edge.From) || isHole(edge.To) || isHole(edge.Exhausted) {
			c.lost.graph = true
		}
		c.lost.edges = c.lost.edges || isHole(edge.From)
		if from, known := c.tree.index[edge.From]; known && isHole(edge.Outcome) {
			switch c.w.Nodes[from].(type) {
			case *ForeachStep, *ForkStep:
				c.lost.graph = true
			}
		}
	}
	c.lost.calls = slices.ContainsFunc(c.w.NodeDefs, func(d *NodeDef) bool { return d != nil && isHole(d.Name) })
	if c.outer != nil && c.outer.lost.calls {
		c.lost.calls = true
	}
}

func (c *checker) branchesOf(step int) []Outcome {
	var list []Outcome
	for _, b := range c.w.Nodes[step].(*ForkStep).Branches {
		list = append(list, b.Outcome)
	}
	return list
}

// loseOutcomes leaves out of a step's outcomes what is not sure, and tells whether others may be missing.
func (c *checker) loseOutcomes(i int) {
	if !c.holes {
		return
	}
	list := c.outcomes[i]
	unsure := slices.ContainsFunc(list, isHole[Outcome])
	drop := func(o Outcome) {
		unsure = true
		list = slices.DeleteFunc(slices.Clone(list), func(x Outcome) bool { return x == o })
	}
	barrier := func(complete int, timeout float64) {
		if complete == holeNumber {
			drop(outcomeUnmet)
		}
		if timeout == holeNumber {
			drop(outcomeTimedOut)
		}
	}
	switch s := c.w.Nodes[i].(type) {
	case *ConditionStep:
		if isHole(s.Default) {
			unsure, list = true, nil
		}
	case *ForeachStep:
		barrier(s.Complete, s.TimeoutSeconds)
	case *JoinStep:
		if f := c.tree.forkOf[i]; f >= 0 {
			fork := c.w.Nodes[f].(*ForkStep)
			barrier(fork.Complete, fork.TimeoutSeconds)
		} else if c.lost.graph {
			unsure = true
		}
	}
	if !unsure {
		return
	}
	c.known[i] = false
	c.outcomes[i] = slices.DeleteFunc(slices.Clone(list), isHole[Outcome])
}

// mayHaveOther reports whether a list of outcomes is not complete.
func (sh *checkShared) mayHaveOther(list []Outcome) bool {
	return sh.holes && slices.ContainsFunc(list, isHole[Outcome])
}

// mayHaveWorkflow reports whether workflows could not be read, of which one may have the name that is looked for.
func (c *checker) mayHaveWorkflow() bool {
	if !c.holes {
		return false
	}
	for scope := c; scope != nil; scope = scope.outer {
		for name := range scope.w.Workflows {
			if isHole(name) {
				return true
			}
		}
	}
	return false
}

// wasTold reports whether a name that is not well formed was reported in reading. Of names the reader asks only steps' ids
// whether they begin with two underscores.
func (sh *checkShared) wasTold(what, name string) bool {
	return sh.holes && (isHole(name) || what == "step id")
}
