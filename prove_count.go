package wf

// prove counts what a workflow has, and notes where a run has to see for itself. It comes after the rules.
func (c *checker) prove() {
	p := c.proof
	for i, s := range c.w.Nodes {
		if !c.reachable(i) {
			continue
		}
		at := c.node(i)
		p.count("ends", 1)
		p.count("outcomes", len(c.outcomes[i]))
		if !c.known[i] {
			p.leave("outcomes_open", at)
		}
		switch s := s.(type) {
		case *NodeStep:
			if c.isForeign(i, s.Node) {
				p.leave("capabilities_foreign", at.key("node"))
			} else {
				p.count("capabilities", 1)
			}
		case *SubgraphStep:
			if isArtifactRef(s.Workflow) && c.calls[i] == nil {
				p.leave("workflows_saved", at.key("workflow"))
			} else {
				p.count("capabilities", 1)
			}
		case *InterruptStep:
			p.leave("people", at)
		case *ForeachStep:
			if c.canBeOther(&s.Over, c.at(i), typesArray) {
				p.leave("lists_open", at.key("over"))
			}
		}
	}
	p.count("regions", len(c.tree.regions)-1)
	c.proveWrites()
	c.proveCycles()
	p.repeats = p.repeats || len(c.tree.regions) > 1 || p.counts["cycles"] > 0
}

// isForeign reports whether a step's capability is defined by the plan, and is not among those at hand.
func (c *checker) isForeign(step int, ref string) bool {
	if c.opts.Nodes == nil || c.calls[step] == nil {
		return false
	}
	_, here := c.opts.Nodes(ref)
	return !here
}

// proveSteps notes that a run which may repeat steps is bounded by default only.
func (c *checker) proveSteps() {
	if l := c.w.Limits; c.proof.repeats && (l == nil || l.MaxSteps == 0) {
		c.proof.leave("steps", c.root)
	}
}

// proveWrites counts the writes that others may stand beside: those in branches, and in the bodies that run in parallel.
func (c *checker) proveWrites() {
	for i, s := range c.w.Nodes {
		list, _ := writes(s)
		for r := c.tree.of[i]; r > 0; r = c.tree.regions[r].parent {
			each, isForeach := c.w.Nodes[c.tree.regions[r].owner].(*ForeachStep)
			if !isForeach || each.Mode == ModeParallel {
				c.proof.count("conflicts", len(list))
				break
			}
		}
	}
}

// proveCycles notes what bounds the cycles.
func (c *checker) proveCycles() {
	p := c.proof
	cycles := c.tree.cycles(anyWay)
	if len(cycles) == 0 {
		return
	}
	p.count("cycles", len(cycles))
	if p.bounds == nil { // else by the cycles of a workflow around this one
		p.bounds = make(map[string]bool)
	}
	asks := c.asking()
	for _, cycle := range cycles {
		in := make(map[int]bool, len(cycle))
		for _, s := range cycle {
			in[s] = true
		}
		for _, s := range cycle {
			if asks[s] {
				p.bounds["a person's answer"] = true
			}
			for _, e := range c.tree.out(s) {
				if in[c.tree.to[e]] && c.w.Edges[e].MaxVisits > 0 {
					p.bounds["max_visits"] = true
				}
			}
		}
	}
	if len(c.tree.cycles(c.unbounded())) > 0 {
		p.bounds["the plan's limits"] = true
	}
}
