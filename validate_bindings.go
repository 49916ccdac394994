package wf

import (
	"encoding/json"
	"fmt"

	"lda.chat/wf/internal/schema"
)

// checkInputs checks what steps hand over: to capabilities, to workflows, to people.
func (c *checker) checkInputs() {
	for i, s := range c.w.Nodes {
		in := c.at(i)
		switch s := s.(type) {
		case *NodeStep:
			c.checkFilled(s.Input, c.node(i), "input", in, inputTarget(container{"the input of", s.Node, c.inputOf(i), nil, nil}))
		case *SubgraphStep:
			t := inputTarget(container{"the input of workflow", s.Workflow, c.inputOf(i), nil, nil})
			t.defaults = true
			c.checkFilled(s.Input, c.node(i), "input", in, t)
		case *InterruptStep:
			c.checkFilled(s.Request, c.node(i), "request", in, inputTarget(container{"the request of", s.ID, c.schema(s.RequestSchema), nil, nil}))
		}
	}
}

// fillTarget is what input bindings fill.
type fillTarget struct {
	container
	unknown  Code // a target that it has no room for
	unbound  Code // a required property that nothing fills
	defaults bool // its defaults are applied, so that a property with one need not be filled
}

func inputTarget(k container) fillTarget {
	return fillTarget{container: k, unknown: "input_unknown", unbound: "input_unbound"}
}

// checkFilled checks the bindings of one member of an object, and that they fill all that is required.
func (c *checker) checkFilled(list []InputBinding, owner *place, member string, in pathScope, t fillTarget) {
	at := owner.key(member)
	for k := range list {
		c.checkFill(&list[k], at.at(k), in, t)
	}
	c.checkFillOverlaps(list, at, in.step)
	c.checkRequired(list, owner, member, in, t)
}

func (c *checker) checkFill(b *InputBinding, at *place, in pathScope, t fillTarget) {
	defer c.binding(at)()
	target := t.schema
	if c.isHole(string(b.Target.Root)) || !c.localTarget(&b.Target, at.key("target"), in.step) {
		target = nil // what it should fit is not known
	} else if len(b.Target.Parts) > 0 {
		c.checkField(t.unknown, t.container, &b.Target, 0, at.key("target"), in.step)
		target = c.below(target, b.Target.Parts...)
		c.provePresence(b, t, at, in)
	}
	c.checkOperand(&b.Operand, at, in, target)
}

// localTarget checks that a target is a place that a binding can make: members of objects, below local.
func (c *checker) localTarget(p *Path, at *place, step int) bool {
	if p.Root != RootLocal {
		c.report("path_root", at, step, fmt.Sprintf("the target is %s, it must be a path below local", p), "name the field of the target, for example local.text").
			expects(RootLocal, p.Root)
		return false
	}
	for _, part := range p.Parts {
		if part.IsIndex {
			c.report("target_position", at, step, fmt.Sprintf("%s: a binding makes members of objects, never positions of arrays", p),
				`bind the whole array, for example by {"list": […]}`)
			return false
		}
	}
	return true
}

// checkFillOverlaps checks that no place is filled twice.
func (c *checker) checkFillOverlaps(list []InputBinding, at *place, step int) {
	if len(list) < 2 {
		return
	}
	var paths pathSet
	for k := range list {
		if c.isHole(string(list[k].Target.Root)) {
			continue
		}
		if first, taken := paths.add(&list[k].Target, k); taken {
			c.report("binding_duplicate", at.at(k).key("target"), step, fmt.Sprintf("%s is filled already, by the binding of %s", clip(list[k].Target.String()), clip(list[first].Target.String())),
				"keep one of the two bindings").relate(at.at(first).key("target"), "the first binding")
		}
	}
}

// checkRequired checks that every required property has a binding, or is inside a value that has one.
func (c *checker) checkRequired(list []InputBinding, owner *place, member string, in pathScope, t fillTarget) {
	if t.schema == nil {
		return
	}
	filled := make(map[string]bool, len(list))
	for k := range list {
		if len(list[k].Target.Parts) == 0 {
			return
		}
		filled[list[k].Target.Parts[0].Name] = true
	}
	for _, p := range t.schema.Properties() {
		if !p.Required || filled[p.Name] || t.defaults && !p.Default.IsAbsent() {
			continue
		}
		c.reportUnbound(list, owner, member, p, in, t)
	}
}

// reportUnbound reports a required property that nothing fills, with a binding of the value of that name if there is one.
func (c *checker) reportUnbound(list []InputBinding, owner *place, member string, p schema.Property, in pathScope, t fillTarget) {
	d := c.report(t.unbound, owner, in.step, fmt.Sprintf("%s requires %q, which nothing fills", t.container, p.Name),
		fmt.Sprintf("bind a value to %q", p.Name)).expects(json.RawMessage(p.Schema.JSON()), nil)
	source, how, title := c.sourceByName(p.Name)
	binding := map[string]any{"target": Path{Root: RootLocal, Parts: []Part{namePart(p.Name)}}, "path": source}
	if how != FixPlaceholder {
		d.RepairHint += fmt.Sprintf(", for example %s", source)
	}
	ops := []patchOp{testOp(owner.key("name"), c.w.Name)}
	if in.step >= 0 {
		ops[0] = testOp(owner.key("id"), c.w.Nodes[in.step].StepID())
	}
	if len(list) == 0 {
		ops = append(ops, addOp(owner.key(member), []any{binding}))
	} else {
		ops = append(ops, appendOp(owner.key(member), binding))
	}
	d.fix(title, how, ops...)
}

// sourceByName finds a state field or an input of that name.
func (c *checker) sourceByName(name string) (Path, Applicability, string) {
	parts := []Part{namePart(name)}
	for _, s := range []struct {
		schema *schema.Schema
		root   Root
	}{{c.state, RootState}, {c.input, RootInput}} {
		if s.schema == nil {
			continue
		}
		if _, known := s.schema.Property(name); known {
			p := Path{s.root, parts}
			return p, FixUnsafe, fmt.Sprintf("Bind %s", p)
		}
	}
	return Path{RootInput, parts}, FixPlaceholder, "Bind a value, then choose which"
}

// pathSet finds paths of which one lies in another, in time proportional to their length: as a tree of their parts.
type pathSet struct {
	nodes map[pathStep]int32
	first []pathNode // by node
}

type pathStep struct {
	above int32 // the node that it leads on from; -1: none, and the part is the root's name
	part  Part
}

// pathNode tells the first paths that lead through a node and that end there, counted from 1.
type pathNode struct{ through, whole int }

// add puts a path into the set. taken tells that it equals, holds, or lies in an earlier one, which is first.
func (s *pathSet) add(p *Path, id int) (first int, taken bool) {
	if s.nodes == nil {
		s.nodes = make(map[pathStep]int32)
	}
	at, within := s.step(-1, namePart(string(p.Root)), id), 0
	for _, part := range p.Parts {
		if within == 0 {
			within = s.first[at].whole
		}
		at = s.step(at, part, id)
	}
	node := &s.first[at]
	if before := node.through; before != id+1 {
		within = before
	}
	if node.whole == 0 {
		node.whole = id + 1
	}
	return within - 1, within > 0
}

// step goes on by one part.
func (s *pathSet) step(above int32, part Part, id int) int32 {
	key := pathStep{above, part}
	at, known := s.nodes[key]
	if !known {
		at = int32(len(s.first))
		s.nodes[key], s.first = at, append(s.first, pathNode{through: id + 1})
	}
	return at
}
