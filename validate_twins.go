package wf

// twins are the ids that several steps have, with the outcomes of all of them; nil if one of them may have any. The edges
// of such steps cannot be told apart, so what only follows from that is not reported.
type twins map[string]map[Outcome]bool

// findTwins runs when the outcomes of the steps are known.
func (c *checker) findTwins() {
	if len(c.tree.index) == len(c.w.Nodes) {
		return
	}
	c.twins = make(twins)
	for i, s := range c.w.Nodes {
		if c.tree.index[s.StepID()] != i {
			c.twins[s.StepID()] = make(map[Outcome]bool)
		}
	}
	for i, s := range c.w.Nodes {
		all, isTwin := c.twins[s.StepID()]
		switch {
		case !isTwin || all == nil:
		case !c.known[i]:
			c.twins[s.StepID()] = nil
		default:
			for _, o := range c.outcomes[i] {
				all[o] = true
			}
		}
	}
}

func (t twins) has(id string) bool {
	_, isTwin := t[id]
	return isTwin
}

// mayDeclare reports whether one of the steps of an id may have an outcome.
func (t twins) mayDeclare(id string, o Outcome) bool {
	all, isTwin := t[id]
	return isTwin && (all == nil || all[o])
}
