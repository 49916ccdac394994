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
		d.fix(fmt.Sprintf("Let the branches meet at %q", id), FixUnsafe, append(ops, addOp(at, id))...)
	}
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
