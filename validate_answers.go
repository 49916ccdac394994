package wf

import (
	"fmt"
	"slices"
	"strings"
)

// What the outcomes true and false of a condition are called elsewhere, in small letters.
var (
	yesWords = []string{"true", "yes", "y", "then", "if_true", "on_true"}
	noWords  = []string{"false", "no", "n", "else", "otherwise", "default", "if_false", "on_false"}
)

// answerWord is the outcome of a condition that a word of another language means.
func answerWord(o Outcome) (meant Outcome, ok bool) {
	switch word := strings.ToLower(string(o)); {
	case o == outcomeTrue || o == outcomeFalse:
		return o, false
	case slices.Contains(yesWords, word):
		return outcomeTrue, true
	case slices.Contains(noWords, word):
		return outcomeFalse, true
	}
	return o, false
}

// findAnswers reports, once a step, edges of conditions for yes and no, and returns what they mean, by edge.
func (c *checker) findAnswers() map[int]Outcome {
	var steps []int // in the order of their first such edge
	edges := map[int][]int{}
	for e := range c.w.Edges {
		edge := &c.w.Edges[e]
		if _, ok := answerWord(edge.Outcome); !ok {
			continue
		}
		from, known := c.tree.index[edge.From]
		if !known || c.twins.has(edge.From) || c.isHole(edge.From) {
			continue
		}
		if s, isCondition := c.w.Nodes[from].(*ConditionStep); !isCondition || s.Check == nil || slices.Contains(c.outcomes[from], edge.Outcome) {
			continue
		}
		if edges[from] == nil {
			steps = append(steps, from)
		}
		edges[from] = append(edges[from], e)
	}
	meant := map[int]Outcome{}
	for _, from := range steps {
		c.reportAnswers(from, edges[from], meant)
	}
	return meant
}

// reportAnswers reports the edges of a condition for yes and no, unless two edges would mean the same.
func (c *checker) reportAnswers(from int, edges []int, meant map[int]Outcome) {
	taken := map[Outcome]bool{}
	for _, e := range c.tree.out(from) {
		taken[c.w.Edges[e].Outcome] = true
	}
	var words []Outcome
	var tests, ops []patchOp
	for _, e := range edges {
		edge, at := c.w.Edges[e], c.edge(e).key("outcome")
		to, _ := answerWord(edge.Outcome)
		if taken[to] {
			return
		}
		taken[to] = true
		words, tests, ops = append(words, edge.Outcome), append(tests, testOp(c.edge(e).key("from"), edge.From), testOp(at, edge.Outcome)), append(ops, replaceOp(at, to))
	}
	for _, e := range edges {
		meant[e], _ = answerWord(c.w.Edges[e].Outcome)
	}
	verb := "is"
	if len(words) > 1 {
		verb = "are"
	}
	d := c.report("outcome_unknown", c.edge(edges[0]).key("outcome"), from, fmt.Sprintf("%s %s none of its outcomes: a check has the outcomes true and false", listText(words), verb),
		`write "true" and "false"`).expects(c.outcomes[from], words)
	d.fix("Write true and false", FixSafe, append(tests, ops...)...)
}
