package wf

import (
	"fmt"
	"strings"
)

// maxIDLength bounds ids, outcomes and "as" names.
const maxIDLength = 128

// idProblem says what is wrong with an id, an outcome or an "as" name; "" if nothing is.
func idProblem(id string) string {
	switch {
	case id == "":
		return "is empty"
	case len(id) > maxIDLength:
		return fmt.Sprintf("has %d characters, the most is %d", len(id), maxIDLength)
	case strings.HasPrefix(id, "__"):
		return `begins with "__", which is kept for built-in edge targets`
	}
	for _, r := range id {
		if !isNameRune(r) {
			return fmt.Sprintf("holds %q, only letters, digits, _ and - may stand in it", r)
		}
	}
	return ""
}

func isNameRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-'
}

// idHint proposes a name in the alphabet.
func idHint(id string) string {
	clean := strings.Trim(strings.Map(func(r rune) rune {
		if isNameRune(r) {
			return r
		}
		return '_'
	}, strings.TrimLeft(id, "_")), "_")
	if clean == "" || len(clean) > maxIDLength {
		return "use letters, digits, _ and -, at most 128 of them"
	}
	return fmt.Sprintf("write %q", clean)
}

// checkName reports a name that does not keep to the alphabet; what says which name it is.
func (c *checker) checkName(what, name string, at *place, step int) bool {
	problem := idProblem(name)
	if problem != "" && !c.wasTold(what, name) {
		c.report("name_invalid", at, step, fmt.Sprintf("%s %q %s", what, clip(name), problem), idHint(name))
	}
	return problem == ""
}

// clip keeps a name short enough for a message.
func clip(s string) string { return shorten(s, 60) }

// checkOutcomeList checks the names of outcomes that something declares.
func (c *checker) checkOutcomeList(list []Outcome, at *place, step int) {
	seen := make(map[Outcome]bool, len(list))
	for i, o := range list {
		if c.checkName("outcome", string(o), at.at(i), step) && seen[o] {
			c.report("name_duplicate", at.at(i), step, fmt.Sprintf("outcome %q is listed twice", o), "remove one of the two").
				fix("Remove the repetition", FixSafe, testOp(at.at(i), o), removeOp(at.at(i)))
		}
		seen[o] = true
	}
}

// checkHead checks the workflow's name, outcomes, limits and start.
func (c *checker) checkHead() {
	w := c.w
	if w.Format != "" && w.Format != Format {
		c.report("format_unsupported", c.top("format"), noStep, fmt.Sprintf("the format is %q, only %q can be run", clip(w.Format), Format),
			fmt.Sprintf("write %q, or leave it out", Format)).expects(Format, w.Format)
	}
	if w.Name == "" {
		c.report("field_missing", c.top("name"), noStep, "the workflow has no name", `give it a name, for example "weekly_report"`)
	}
	c.checkOutcomeList(w.Outcomes, c.top("outcomes"), noStep)
	if l := w.Limits; l != nil {
		at := c.top("limits")
		c.checkCount("max_steps", float64(l.MaxSteps), at, noStep)
		c.checkCount("max_depth", float64(l.MaxDepth), at, noStep)
		c.checkSeconds("timeout_seconds", l.TimeoutSeconds, at, noStep)
	}
	switch {
	case c.isHole(w.Start):
	case len(w.Nodes) == 0:
		c.report("nodes_missing", c.top("nodes"), noStep, "the workflow has no steps", "add at least one step, and name it in start")
	case w.Start == "":
		first := w.Nodes[0].StepID()
		c.report("start_unknown", c.top("start"), noStep, "the workflow says nowhere which step is the first", fmt.Sprintf("set start to %q", first)).
			fix("Start at the first step", FixUnsafe, testOp(c.node(0).key("id"), first), addOp(c.top("start"), first))
	case !c.hasStart() && !c.lost.ids:
		d := c.report("start_unknown", c.top("start"), noStep, fmt.Sprintf("start names %q, which is no step", clip(w.Start)),
			c.suggest(w.Start, c.stepIDs(), "name one of the steps: "+listSome(c.stepIDs()))).expects(nil, w.Start)
		if meant, ok := c.nearest(w.Start, c.stepIDs()); ok {
			d.fix(fmt.Sprintf("Start at %q", meant), FixUnsafe, testOp(c.top("start"), w.Start), replaceOp(c.top("start"), meant))
		}
	}
}

// stepIDs lists the ids of the steps, in the plan's order.
func (c *checker) stepIDs() []string { return c.targetIDs()[:len(c.w.Nodes)] }

// targetIDs lists what an edge can lead to: the steps, then the built-in targets.
func (c *checker) targetIDs() []string {
	if c.targets == nil {
		for _, s := range c.w.Nodes {
			c.targets = append(c.targets, s.StepID())
		}
		c.targets = append(c.targets, edgeTargets...)
	}
	return c.targets
}

// checkIDs checks the ids of the steps: alphabet, and each once.
func (c *checker) checkIDs() {
	for i, s := range c.w.Nodes {
		id := s.StepID()
		if !c.checkName("step id", id, c.node(i).key("id"), i) {
			continue
		}
		if first := c.tree.index[id]; first != i {
			c.report("id_duplicate", c.node(i).key("id"), i, fmt.Sprintf("%s has the id %q too", ordinal(first), id),
				"give each step an id of its own, and let its edges name it").
				relate(c.node(first).key("id"), "the first step with this id")
		}
	}
}

// ordinal names a step by its position, for people.
func ordinal(i int) string { return fmt.Sprintf("the step at position %d", i) }
