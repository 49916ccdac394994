package wf

import (
	"fmt"
	"slices"
	"strings"
)

// edgeTargets are the targets of edges that are no step.
var edgeTargets = []string{ToEnd, ToContinue, ToDiscard}

// wire is what an edge consumes: one outcome of one step.
type wire struct {
	from    int
	outcome Outcome
}

// checkEdges checks every edge by itself: its ends, its outcome, its limits, and that no two have the same source
// and outcome. It also notes which outcomes are wired.
func (c *checker) checkEdges() {
	c.wired = make(map[wire]int, len(c.w.Edges))
	answers := c.findAnswers()
	for e := range c.w.Edges {
		edge := &c.w.Edges[e]
		c.checkTarget(e, edge.To, "to")
		if edge.Exhausted != "" {
			c.checkTarget(e, edge.Exhausted, "exhausted")
		}
		c.checkVisits(e)
		from, ok := c.tree.index[edge.From]
		if !ok {
			if !c.lost.ids && !c.isHole(edge.From) && !c.isHole(string(edge.Outcome)) { // without an outcome the reader has told it
				c.reportNoStep("edge_from_unknown", "comes from", e, edge.From, c.edge(e).key("from"), c.stepIDs())
			}
			continue
		}
		if c.isHole(edge.From) {
			continue
		}
		key := wire{from, edge.Outcome}
		if meant, told := answers[e]; told {
			c.wired[wire{from, meant}] = e
			continue
		}
		if before, taken := c.wired[key]; taken {
			if c.doubled == nil {
				c.doubled = make(map[wire]bool)
			}
			c.doubled[key] = true
			if !c.isHole(string(edge.Outcome)) && !c.twins.has(edge.From) {
				c.reportSecondEdge(e, before, from)
			}
			continue
		}
		c.wired[key] = e
		if c.known[from] && !c.declares(from, edge.Outcome) && !c.isHole(string(edge.Outcome)) && !c.twins.mayDeclare(edge.From, edge.Outcome) {
			c.reportOutcome(e, from)
		}
	}
}

// declares reports whether a step has an outcome.
func (c *checker) declares(step int, o Outcome) bool {
	list := c.outcomes[step]
	if len(list) <= manyOutcomes {
		return slices.Contains(list, o)
	}
	set := c.declared[step]
	if set == nil {
		set = setOf(list)
		c.declared[step] = set
	}
	return set[o]
}

// manyOutcomes are so many that looking for one of them takes a set.
const manyOutcomes = 16

func setOf(list []Outcome) map[Outcome]bool {
	set := make(map[Outcome]bool, len(list))
	for _, o := range list {
		set[o] = true
	}
	return set
}

// edgeStep is the step that a finding about an edge belongs to: its source.
func (c *checker) edgeStep(e int) int {
	if from, ok := c.tree.index[c.w.Edges[e].From]; ok {
		return from
	}
	return noStep
}

// checkTarget checks where an edge leads.
func (c *checker) checkTarget(e int, to, member string) {
	if c.tree.stepAt(to) < 0 && !slices.Contains(edgeTargets, to) && !c.isHole(to) && !c.lost.ids {
		c.reportNoStep("edge_to_unknown", "leads to", e, to, c.edge(e).key(member), c.targetIDs())
	}
}

// reportNoStep reports an edge of which one end is no step.
func (c *checker) reportNoStep(code Code, verb string, e int, name string, at *place, known []string) {
	step := c.edgeStep(e)
	if name == "" {
		c.report(code, at, step, fmt.Sprintf("the edge %s no step", verb), "name a step")
		return
	}
	d := c.report(code, at, step, fmt.Sprintf("the edge %s %q, which is no step", verb, clip(name)),
		"add the step, or name one that exists: "+listSome(known)).expects(nil, name)
	if meant, ok := c.nearest(name, known); ok {
		d.RepairHint = fmt.Sprintf("did you mean %q?", meant)
		d.fix(fmt.Sprintf("Write %q", meant), FixUnsafe, testOp(at, name), replaceOp(at, meant))
	}
}

func (c *checker) reportSecondEdge(e, first, from int) {
	a, b := c.w.Edges[first], c.w.Edges[e]
	message := fmt.Sprintf("outcome %q is wired twice: to %q and to %q", b.Outcome, a.To, b.To)
	if c.isHole(a.To) || c.isHole(b.To) {
		message = fmt.Sprintf("outcome %q is wired twice", b.Outcome)
	}
	d := c.report("edge_duplicate", c.edge(e), from, message,
		"keep one edge; to do two things side by side, use a fork").relate(c.edge(first), "the first edge of this outcome")
	if a == b {
		d.fix("Remove the repetition", FixSafe, append(testEdge(c.edge(e), b), removeOp(c.edge(e)))...)
	} else {
		d.fix(fmt.Sprintf("Keep the edge to %q", a.To), FixUnsafe, append(testEdge(c.edge(e), b), removeOp(c.edge(e)))...)
	}
}

// testEdge makes sure that a patch meets the edge it was made for.
func testEdge(at *place, e Edge) []patchOp {
	return []patchOp{testOp(at.key("from"), e.From), testOp(at.key("outcome"), e.Outcome), testOp(at.key("to"), e.To)}
}

// reportOutcome reports an edge for an outcome that its step does not have.
func (c *checker) reportOutcome(e, from int) {
	edge, at := c.w.Edges[e], c.edge(e).key("outcome")
	has := c.outcomes[from]
	if join := c.tree.joinOf[from]; join >= 0 && slices.Contains(c.outcomes[join], edge.Outcome) {
		id := c.w.Nodes[join].StepID()
		d := c.report("outcome_unknown", at, from, fmt.Sprintf("a fork's %q leaves from its join %q", edge.Outcome, id),
			fmt.Sprintf("let the edge come from %q", id)).expects(has, edge.Outcome)
		d.fix(fmt.Sprintf("Let the edge come from %q", id), FixUnsafe,
			append(testEdge(c.edge(e), edge), replaceOp(c.edge(e).key("from"), id))...)
		return
	}
	message := fmt.Sprintf("outcome %q is none of its outcomes: %s", clip(string(edge.Outcome)), listSome(has))
	if len(has) == 0 {
		message = fmt.Sprintf("a step of type %q has no outcomes, no edge can leave it", c.w.Nodes[from].StepType())
	}
	hint, never := outcomeHint(c.w.Nodes[from], edge.Outcome)
	d := c.report("outcome_unknown", at, from, message, hint).expects(has, edge.Outcome)
	if never {
		d.fix("Remove the edge", FixUnsafe, append(testEdge(c.edge(e), edge), removeOp(c.edge(e)))...)
		return
	}
	meant, ok := c.nearest(string(edge.Outcome), wordsOf(has))
	if !ok && len(has) == 1 {
		meant, ok = string(has[0]), true
	}
	if ok {
		d.RepairHint = fmt.Sprintf("did you mean %q?", meant)
		d.fix(fmt.Sprintf("Write %q", meant), FixUnsafe, testOp(at, edge.Outcome), replaceOp(at, meant))
	}
}

// outcomeHint says how a step comes to have the outcome that an edge expects, and whether it has none like it.
func outcomeHint(s Step, o Outcome) (hint string, never bool) {
	switch s.(type) {
	case *ForeachStep, *JoinStep, *ForkStep:
		owner := ""
		if _, each := s.(*ForeachStep); !each {
			owner = " of the fork"
		}
		switch o {
		case outcomeUnmet:
			return `"unmet" exists only with complete` + owner + `: add that, or remove the edge`, true
		case outcomeTimedOut:
			return `"timed_out" exists only with timeout_seconds` + owner + `: add that, or remove the edge`, true
		}
	case *EndStep, *FailStep:
		return "remove the edge", true
	}
	return "wire one of the outcomes that the step has, or let it catch a failure into this one", false
}

// checkVisits checks the limit of an edge.
func (c *checker) checkVisits(e int) {
	edge, at := &c.w.Edges[e], c.edge(e)
	if edge.MaxVisits == 0 && edge.Exhausted == "" {
		return
	}
	step := c.edgeStep(e)
	switch {
	case c.holes && edge.MaxVisits == holeNumber:
	case edge.MaxVisits < 0:
		c.report("out_of_range", at.key("max_visits"), step, fmt.Sprintf("max_visits is %d, it must be at least 1", edge.MaxVisits),
			"write how often the edge may be taken, or leave it out")
	case edge.MaxVisits == 0 && edge.Exhausted != "":
		c.report("max_visits_invalid", at.key("exhausted"), step, "exhausted says where to go after max_visits, which is not given",
			"add max_visits, or remove exhausted").
			fix("Remove exhausted", FixSafe, testOp(at.key("exhausted"), edge.Exhausted), removeOp(at.key("exhausted")))
	case edge.MaxVisits > 0 && c.tree.enters[e] != regionRoot:
		c.report("max_visits_invalid", at.key("max_visits"), step, "an edge into an item or a branch is taken once in each, max_visits counts nothing here",
			"put max_visits on the edge that leads back to this step")
	case edge.Exhausted != "" && edge.Exhausted == edge.To:
		c.report("max_visits_invalid", at.key("exhausted"), step, "exhausted leads where the edge leads, so the limit limits nothing",
			"let exhausted lead out of the loop")
	}
}

// checkWiring checks that every outcome of every reachable step is wired: one finding a step, with all edges that are missing.
func (c *checker) checkWiring() {
	if c.lost.edges {
		return
	}
	for i, s := range c.w.Nodes {
		if !c.reachable(i) || c.tree.index[s.StepID()] != i || c.isHole(s.StepID()) {
			continue
		}
		if _, loose := c.wired[wire{i, hole}]; loose && c.holes {
			continue // it has an edge of which nobody knows the outcome
		}
		var missing []Outcome
		for _, o := range c.outcomes[i] {
			if _, ok := c.wired[wire{i, o}]; !ok && !c.wiredAtFork(i, o) {
				missing = append(missing, o)
			}
		}
		if len(missing) == 0 {
			continue
		}
		message := fmt.Sprintf("outcome %s leads nowhere", listSome(missing))
		if len(missing) > 1 {
			message = fmt.Sprintf("outcomes %s lead nowhere", listSome(missing))
		}
		hint := c.wiringHint(i, missing)
		d := c.report("outcome_unwired", c.node(i), i, message, hint).expects(c.outcomes[i], c.wiredOutcomes(i))
		ops := []patchOp{testOp(c.node(i).key("id"), s.StepID())}
		if len(c.w.Edges) == 0 {
			ops = append(ops, addOp(c.top("edges"), []Edge{}))
		}
		for _, o := range missing {
			end := c.endOf(i, o)
			ops = append(ops, appendOp(c.top("edges"), Edge{From: s.StepID(), Outcome: o, To: end}))
			c.offer(end)
		}
		title := "Add the missing edges, then choose where each leads"
		if len(missing) == 1 {
			title = "Add the missing edge, then choose where it leads"
		}
		d.fix(title, FixPlaceholder, ops...)
	}
}

// offer notes that a fix leads to a step, if it is one: should nothing else lead there, that is told.
func (c *checker) offer(end string) {
	if to, isStep := c.tree.index[end]; isStep {
		if c.offered == nil {
			c.offered = make(map[int]bool)
		}
		c.offered[to] = true
	}
}

// wiringHint says where outcomes can lead.
func (c *checker) wiringHint(step int, missing []Outcome) string {
	verb, end := "lead it", c.endOf(step, missing[0])
	if len(missing) > 1 {
		verb = "lead each"
	}
	ends := make([]string, len(missing))
	same := true
	for i, o := range missing {
		ends[i] = fmt.Sprintf("%q to %s", o, c.endOf(step, o))
		same = same && c.endOf(step, o) == end
	}
	if same {
		return fmt.Sprintf("%s to a step, or to %s", verb, end)
	}
	const most = 4
	return fmt.Sprintf("%s to a step, or %s", verb, strings.Join(ends[:min(most, len(ends))], ", "))
}

// wiredAtFork reports whether an outcome of a join is wired from its fork instead: that is one finding, about the edge.
func (c *checker) wiredAtFork(join int, o Outcome) bool {
	fork := c.tree.forkOf[join]
	if fork < 0 || c.declares(fork, o) {
		return false
	}
	_, wired := c.wired[wire{fork, o}]
	return wired
}

// wiredOutcomes are the outcomes that have an edge; never nil, since it is shown as a list.
func (c *checker) wiredOutcomes(step int) []Outcome {
	have := []Outcome{}
	for _, o := range c.outcomes[step] {
		if _, ok := c.wired[wire{step, o}]; ok {
			have = append(have, o)
		}
	}
	return have
}

// endOf is the target by which an outcome ends at once: the region that it enters, or the one that its step lies in.
func (c *checker) endOf(step int, o Outcome) string {
	if meant, ok := c.tree.index[string(o)]; ok && meant != step && !c.reachable(meant) {
		return string(o) // nothing leads to the step that is called like the outcome
	}
	switch c.w.Nodes[step].(type) {
	case *ForeachStep:
		if o == outcomeItem {
			return ToContinue
		}
	case *ForkStep: // its outcomes are its branches
		if join := c.tree.joinOf[step]; join >= 0 {
			return c.w.Nodes[join].StepID()
		}
	}
	return c.regionExit(c.tree.of[step])
}

// regionExit is the target by which a region ends.
func (c *checker) regionExit(r int) string {
	if r == noRegion {
		return ToEnd
	}
	switch region := c.tree.regions[r]; {
	case region.kind == regionBody:
		return ToContinue
	case region.kind == regionBranch && region.end >= 0:
		return c.w.Nodes[region.end].StepID()
	}
	return ToEnd
}
