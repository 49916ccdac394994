package wf

import (
	"fmt"
	"strings"
)

// route describes the shortest way to a point on which a fact is not there, from the start or (origin) from the point
// that took it away. It is "" when no more may be looked for.
func (a *assigned) route(to int32, bit uint64) (text string, origin int32) {
	next := map[int32]int32{to: noPoint} // the point behind, on the way to the read
	queue := []int32{to}
	for len(queue) > 0 && a.routes > 0 {
		p := queue[0]
		queue = queue[1:]
		a.routes--
		if p == pointStart {
			return a.wayText(p, next), pointStart
		}
		for _, q := range a.before(p) {
			if _, met := next[q]; met || a.rank[q] < 0 || a.cells[q].outAbsent()&bit == 0 {
				continue
			}
			next[q] = p
			if (a.cells[q].kill|a.cells[q].maybe)&bit != 0 {
				return a.wayText(q, next), q
			}
			queue = append(queue, q)
		}
	}
	return "", pointStart
}

// leg is a step of a way, with the outcome by which it is left if it has several.
type leg struct {
	step    int
	outcome Outcome
}

// wayText writes a way as people do: draft → review (rejected) → send.
func (a *assigned) wayText(from int32, next map[int32]int32) string {
	var legs []leg
	for p := from; p != noPoint; p = next[p] {
		s := a.points[p].step
		if s == noStep {
			continue
		}
		if k := len(legs) - 1; k < 0 || legs[k].step != s || a.points[p].entry {
			legs = append(legs, leg{step: s})
		}
		if o := a.leftBy(p, next[p]); o != "" && len(a.c.outcomes[s])+len(a.branches(s)) > 1 {
			legs[len(legs)-1].outcome = o
		}
	}
	var words []string
	for _, l := range legs {
		word := a.c.stepID(l.step)
		if l.outcome != "" {
			word += fmt.Sprintf(" (%s)", l.outcome)
		}
		words = append(words, word)
	}
	if next[from] == noPoint || a.endsWay(next, from) {
		words = append(words, "the end")
	}
	const most = 7
	if len(words) > most {
		words = append(append(words[:3:3], "…"), words[len(words)-3:]...)
	}
	return strings.Join(words, " → ")
}

// endsWay reports whether a way leads to the workflow's output.
func (a *assigned) endsWay(next map[int32]int32, from int32) bool {
	_, ends := next[pointExit]
	return ends && next[pointExit] == noPoint && from != pointExit
}

// leftBy is the outcome by which a way leaves a step between two points.
func (a *assigned) leftBy(p, to int32) Outcome {
	if o := a.points[p].outcome; o != "" {
		return o
	}
	s := a.points[p].step
	if to == noPoint || a.points[to].step == s && !a.points[to].entry {
		return ""
	}
	at := s
	if j := a.c.tree.joinOf[s]; j >= 0 {
		at = j
	}
	for _, e := range a.c.tree.out(at) {
		edge, r := &a.c.w.Edges[e], a.c.tree.of[at]
		if a.target(a.c.tree.to[e], edge.To, r) == to || edge.Exhausted != "" && a.target(a.c.tree.exhaust[e], edge.Exhausted, r) == to {
			return edge.Outcome
		}
	}
	return ""
}

// branches are those of a fork.
func (a *assigned) branches(s int) []Outcome {
	if _, is := a.c.w.Nodes[s].(*ForkStep); is {
		return a.c.branchesOf(s)
	}
	return nil
}
