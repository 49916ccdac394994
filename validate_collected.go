package wf

import "fmt"

// checkCollected warns of errors that a foreach or a fork collects and nothing reads: a workflow that looks as if it
// had gone well. Where it must reach a number of successes, failing shows by itself.
func (c *checker) checkCollected() {
	if c.holes {
		return
	}
	var collecting []int
	for i, s := range c.w.Nodes {
		switch s := s.(type) {
		case *ForeachStep:
			if s.OnItemError == OnErrorCollect && s.Complete == 0 && c.tree.of[i] != noRegion {
				collecting = append(collecting, i)
			}
		case *ForkStep:
			if s.OnBranchError == OnErrorCollect && s.Complete == 0 && c.tree.of[i] != noRegion {
				collecting = append(collecting, i)
			}
		}
	}
	if len(collecting) == 0 {
		return
	}
	read := c.readErrors()
	for _, i := range collecting {
		if read[i] {
			continue
		}
		id, what, member := c.stepID(i), "branches", "on_branch_error"
		if _, each := c.w.Nodes[i].(*ForeachStep); each {
			what, member = "items", "on_item_error"
		}
		d := c.report("errors_unread", c.node(i).key(member), i, fmt.Sprintf("the errors of failed %s are collected, and nothing reads them", what),
			fmt.Sprintf("read steps.%s.failed or steps.%s.errors, or write one of them to the state: {\"errors\": \"state.errors\"}", id, id))
		if what == "items" {
			at := c.node(i).key(member)
			d.fix("Skip failed items", FixUnsafe, testOp(at, OnErrorCollect), replaceOp(at, OnErrorSkip))
		}
	}
}

// readErrors finds the steps of whose results something is read that shows failures.
func (c *checker) readErrors() map[int]bool {
	read := make(map[int]bool)
	shows := func(step int, parts []Part) {
		if len(parts) == 0 || parts[0].Name == "errors" || parts[0].Name == "failed" || parts[0].Name == "succeeded" {
			read[step] = true
		}
	}
	w, own := readWalk{c: c}, noStep
	w.visit = func(p *Path, _ *place, _ readMode, at site) {
		if p.Root == RootLocal && at == siteAfter {
			shows(own, p.Parts)
		}
		if p.Root == RootSteps && len(p.Parts) > 0 {
			if step, known := c.tree.index[p.Parts[0].Name]; known {
				shows(step, p.Parts[1:])
			}
		}
	}
	w.result()
	for i, s := range c.w.Nodes {
		own = i
		w.step(i)
		w.conditions(i, func(Outcome, proven) {})
		list, _ := writes(s)
		for k := range list {
			if b := &list[k]; b.Source != nil && b.Source.Root == RootLocal {
				shows(i, b.Source.Parts)
			}
		}
	}
	return read
}
