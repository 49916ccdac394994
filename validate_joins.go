package wf

import (
	"fmt"
	"sync"
)

// checkJoins checks that each fork names a join of its own.
func (c *checker) checkJoins() {
	joins := sync.OnceValue(c.joinIDs)
	for i, s := range c.w.Nodes {
		switch s := s.(type) {
		case *ForkStep:
			c.checkJoinOf(i, s, joins)
		case *JoinStep:
			if c.tree.forkOf[i] < 0 && c.tree.of[i] != noRegion && !c.lost.graph {
				c.report("join_without_fork", c.node(i), i, "no fork names this join, so it waits for nothing", "name it as the join of a fork, or remove it")
			}
		}
	}
}

func (c *checker) checkJoinOf(i int, s *ForkStep, joinIDs func() []string) {
	at := c.node(i).key("join")
	step, exists := c.tree.index[s.Join]
	if c.isHole(s.Join) || c.lost.ids && !exists || c.holes && exists && isHoleStep(c.w.Nodes[step]) {
		return
	}
	isJoin := false
	if exists {
		_, isJoin = c.w.Nodes[step].(*JoinStep)
	}
	if isJoin {
		if first := c.tree.forkOf[step]; first != i {
			c.report("join_shared", at, i, fmt.Sprintf("%q is the join of fork %q already", s.Join, c.w.Nodes[first].StepID()),
				"give each fork a join of its own").relate(c.node(first).key("join"), "the first fork that names it")
		}
		return
	}
	var d *Diagnostic
	joins := joinIDs()
	hint := "name a step of type \"join\"; the joins are " + listSome(joins)
	if len(joins) == 0 {
		hint = `there is no join yet: add {"id": "…", "type": "join"} where the branches meet, let them lead there, and name it`
	}
	switch {
	case s.Join == "" && len(joins) == 0:
		d = c.report("join_unknown", at, i, "the fork names no join", hint)
	case s.Join == "":
		d = c.report("join_unknown", at, i, "the fork names no join", "name the join step at which its branches meet")
	case exists:
		d = c.report("join_unknown", at, i, fmt.Sprintf("the fork's join is %q, a step of type %q", s.Join, c.w.Nodes[step].StepType()),
			hint)
	default:
		d = c.report("join_unknown", at, i, fmt.Sprintf("the fork's join is %q, which is no step", clip(s.Join)),
			c.suggest(s.Join, joins, hint))
	}
	if guess := c.tree.joinOf[i]; guess >= 0 {
		id := c.w.Nodes[guess].StepID()
		d.RepairHint = fmt.Sprintf("its branches meet at %q", id)
		ops := []patchOp{testOp(c.node(i).key("id"), s.ID)}
		if s.Join != "" {
			ops = append(ops, testOp(at, s.Join))
		}
		trust := FixUnsafe
		if s.Join == "" && c.isOnlyFreeJoin(guess) {
			trust = FixSafe
		}
		d.fix(fmt.Sprintf("Let the branches meet at %q", id), trust, append(ops, addOp(at, id))...)
	} else if s.Join == "" {
		c.offerJoin(d, i, s)
	}
}

// isOnlyFreeJoin reports whether there is no other join that no fork names.
func (c *checker) isOnlyFreeJoin(join int) bool {
	for i, s := range c.w.Nodes {
		if _, isJoin := s.(*JoinStep); isJoin && i != join && c.tree.forkOf[i] < 0 {
			return false
		}
	}
	return true
}

// offerJoin offers a new join to a fork without one, if all its branches end by edges to one place: the join takes these edges, and
// goes on to there.
func (c *checker) offerJoin(d *Diagnostic, fork int, s *ForkStep) {
	end, edges, ok := c.branchEnds(fork)
	id := s.ID + "_join"
	if _, taken := c.tree.index[id]; !ok || taken || s.ID == "" || len(id) > maxNameLen {
		return
	}
	d.RepairHint = fmt.Sprintf("add a join at which its branches meet, and which goes on to %q", end)
	ops := []patchOp{testOp(c.node(fork).key("id"), s.ID), addOp(c.node(fork).key("join"), id)}
	for _, e := range edges {
		ops = append(ops, testOp(c.edge(e).key("to"), end), replaceOp(c.edge(e).key("to"), id))
	}
	ops = append(ops, appendOp(c.top("nodes"), map[string]string{"id": id, "type": string(TypeJoin)}),
		appendOp(c.top("edges"), Edge{From: id, Outcome: outcomeDone, To: end}))
	d.fix(fmt.Sprintf("Add the join %q", id), FixUnsafe, ops...)
}

// branchEnds finds the one target, beyond the branches of a fork, at which they all end, and the edges that lead there: the first
// step that all branches come to, or else the end of the workflow.
func (c *checker) branchEnds(fork int) (end string, edges []int, ok bool) {
	t := c.tree
	if t.guesses -= len(t.out(fork)) * len(c.w.Nodes); t.guesses < 0 || len(t.out(fork)) < 2 {
		return "", nil, false
	}
	var branches []map[int]bool // the steps that each comes to
	for _, e := range t.out(fork) {
		reached := map[int]bool{}
		if start := t.to[e]; start >= 0 {
			reached[start] = true
			for pending := []int{start}; len(pending) > 0; {
				s := pending[len(pending)-1]
				pending = pending[:len(pending)-1]
				c.eachNext(s, func(to int) {
					if !reached[to] && to != fork {
						reached[to] = true
						pending = append(pending, to)
					}
				})
			}
		}
		branches = append(branches, reached)
	}
	inAll := func(step int) bool {
		for _, reached := range branches {
			if !reached[step] {
				return false
			}
		}
		return true
	}
	inner := map[int]bool{fork: true}
	for _, reached := range branches {
		for step := range reached {
			if !inAll(step) {
				inner[step] = true
			}
		}
	}
	targets := map[string]bool{}
	for e := range c.w.Edges {
		from, known := t.index[c.w.Edges[e].From]
		if to := t.to[e]; known && inner[from] && !inner[to] && t.joinOf[from] < 0 {
			end = c.w.Edges[e].To
			targets[end], edges = true, append(edges, e)
		}
	}
	return end, edges, len(targets) == 1 && (end == ToEnd || end == ToContinue || t.stepAt(end) >= 0)
}

// joinIDs lists the joins of the workflow.
func (c *checker) joinIDs() []string {
	var ids []string
	for _, s := range c.w.Nodes {
		if _, ok := s.(*JoinStep); ok {
			ids = append(ids, s.StepID())
		}
	}
	return ids
}
