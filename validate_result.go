package wf

import (
	"fmt"
	"slices"

	"lda.chat/wf/internal/schema"
)

// checkResult checks what the workflow returns: its outcomes and its output.
func (c *checker) checkResult() {
	declared := declaredOutcomes(c.w.Outcomes)
	for i, s := range c.w.Nodes {
		end, ok := s.(*EndStep)
		if !ok {
			continue
		}
		at := c.node(i)
		switch {
		case end.Outcome == "":
			c.report("field_missing", at.key("outcome"), i, "the end has no outcome", "name one of the workflow's outcomes: "+listSome(declared))
		case !slices.Contains(declared, end.Outcome) && !c.isHole(string(end.Outcome)) && !c.mayHaveOther(declared):
			c.reportEndOutcome(end.Outcome, declared, at.key("outcome"), i)
		}
		if end.Output != nil {
			c.checkFilled(end.Output, at, "output", c.at(i), c.resultTarget())
		}
	}
	if !slices.Contains(declared, OK) && !c.mayHaveOther(declared) {
		for e := range c.w.Edges {
			if edge := &c.w.Edges[e]; edge.To == ToEnd {
				c.reportEndOutcome(OK, declared, c.edge(e).key("to"), c.edgeStep(e))
			} else if edge.Exhausted == ToEnd {
				c.reportEndOutcome(OK, declared, c.edge(e).key("exhausted"), c.edgeStep(e))
			}
		}
	}
	if c.w.Output != nil {
		c.checkFilled(c.w.Output, c.root, "output", pathScope{step: noStep}, c.resultTarget())
	} else if c.output != nil {
		c.checkProjection()
	}
}

func (c *checker) resultTarget() fillTarget {
	return fillTarget{container: container{what: "the workflow's output", schema: c.output}, unknown: "result_unknown", unbound: "result_unbound"}
}

func (c *checker) reportEndOutcome(o Outcome, declared []Outcome, at *place, step int) {
	d := c.report("end_outcome_undeclared", at, step, fmt.Sprintf("the workflow ends here with the outcome %q, it declares %s", clip(string(o)), listSome(declared)),
		c.suggest(string(o), wordsOf(declared), "declare the outcome, or end with one that is declared")).expects(declared, o)
	outcomes := c.top("outcomes")
	if len(c.w.Outcomes) == 0 {
		d.fix("Declare the outcome", FixUnsafe, testOp(c.top("name"), c.w.Name), addOp(outcomes, append(slices.Clone(declared), o)))
	} else {
		d.fix("Declare the outcome", FixUnsafe, testOp(outcomes.at(0), c.w.Outcomes[0]), appendOp(outcomes, o))
	}
}

// checkProjection checks that an output taken from the state by name can have all that its schema requires.
func (c *checker) checkProjection() {
	if c.state == nil {
		return
	}
	for _, p := range c.output.Properties() {
		c.checkProjected(p)
		if !p.Required || c.lookup(c.state, namePart(p.Name)).presence != schema.Never {
			continue
		}
		c.report("result_unbound", c.top("output_schema"), noStep,
			fmt.Sprintf("the output requires %q, and the state schema allows no field of that name to take it from", p.Name),
			fmt.Sprintf("add the state field, or bind the output: {%q: \"state.…\"}", p.Name))
	}
}
