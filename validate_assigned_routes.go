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
		s := a.stepOf(p)
		if s == noStep {
			continue
		}
		if k := len(legs) - 1; k < 0 || legs[k].step != s || a.points[p].entry {
			legs = append(legs, leg{step: s})
		}
		if o := a.leftBy(p, next[p]); o != "" && len(a.c.outcomes[s]) > 1 {
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

// stepOf is the step at a point: a fork is left from its join.
func (a *assigned) stepOf(p int32) int {
	s := a.points[p].step
	if s == noStep || a.points[p].entry {
		return s
	}
	if _, isFork := a.c.w.Nodes[s].(*ForkStep); !isFork {
		return s
	}
	behind := p == a.done[s] || p == a.partial[s] || a.caught[s] >= 0 && p >= a.caught[s] && p < a.caught[s]+int32(len(a.c.w.Nodes[s].common().Catch))
	if j := a.c.tree.joinOf[s]; behind && j >= 0 {
		return j
	}
	return s
}

// leftBy is the outcome by which a way leaves a step between two points.
func (a *assigned) leftBy(p, to int32) Outcome {
	if o := a.points[p].outcome; o != "" {
		return o
	}
	own, s := a.points[p].step, a.stepOf(p)
	if to == noPoint || a.points[to].step == own && !a.points[to].entry {
		return ""
	}
	for _, e := range a.c.tree.out(s) {
		edge, r := &a.c.w.Edges[e], a.c.tree.of[s]
		early := edge.Outcome == outcomeUnmet || edge.Outcome == outcomeTimedOut
		if a.onlyCaught(s, edge.Outcome) || a.partial[own] >= 0 && early != (p == a.partial[own]) {
			continue // that has a point of its own
		}
		if a.target(a.c.tree.to[e], edge.To, r) == to || edge.Exhausted != "" && a.target(a.c.tree.exhaust[e], edge.Exhausted, r) == to {
			return edge.Outcome
		}
	}
	return ""
}
