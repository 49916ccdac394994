package wf

import (
	"fmt"

	"lda.chat/wf/internal/schema"
)

// writes are the output bindings of a step, and the name of the member that holds them.
func writes(s Step) (list []OutputBinding, member string) {
	switch s := s.(type) {
	case *NodeStep:
		return s.Output, "output"
	case *SetStep:
		return s.Output, "output"
	case *ForeachStep:
		return s.Output, "output"
	case *ForkStep:
		return s.Output, "output"
	case *InterruptStep:
		return s.Resume, "resume"
	case *SubgraphStep:
		return s.Output, "output"
	}
	return nil, ""
}

// checkOutputs checks what steps write to the state.
func (c *checker) checkOutputs() {
	for i, s := range c.w.Nodes {
		list, member := writes(s)
		in := c.at(i)
		if out, has := c.outputOf(i); has {
			in.local = &out
		}
		for k := range list {
			c.checkWrite(&list[k], c.node(i).key(member).at(k), in)
		}
		if set, ok := s.(*SetStep); ok {
			for k := range set.Unset {
				c.checkStateTarget(set.Unset[k], c.node(i).key("unset").at(k), i)
			}
		}
	}
}

func (c *checker) checkWrite(b *OutputBinding, at *place, in pathScope) {
	defer c.binding(at)()
	c.checkWord("if_absent", b.IfAbsent, at, in.step, AbsentUnset, AbsentKeep, AbsentFail)
	var target *schema.Schema
	if c.checkStateTarget(b.Target, at.key("target"), in.step) && c.checkPosition(&b.Target, at.key("target"), in.step) {
		target, in.field, in.reducer = c.writeTarget(&b.Target), b.Target.Parts[0].Name, c.fields[b.Target.Parts[0].Name]
	}
	if in.reducer == "append" {
		c.checkAppend(b, at, in)
	}
	switch {
	case b.Source != nil && b.Operand != nil:
		c.report("operand_kind", at, in.step, "the binding has a source and an operand, exactly one of them may stand", "keep one")
	case b.Operand != nil:
		c.checkOperand(b.Operand, at.key("source"), in, target)
	case b.Source == nil:
		c.report("operand_kind", at, in.step, "the binding has no source", "say where the value comes from")
	case c.isHole(string(b.Source.Root)):
	case b.Source.Root != RootLocal:
		c.report("path_root", at.key("source"), in.step, fmt.Sprintf("the source is %s, it must be a path below local", b.Source),
			"read it below local, or write it as an operand").expects(RootLocal, b.Source.Root)
	default:
		c.checkPath(b.Source, at.key("source"), in)
		c.checkFits(b.Source, at.key("source"), in, target)
	}
}

// checkStateTarget checks a place of the state that is written: it lies below state, the state schema leaves room for
// it, and it is deeper than a field only if the field is replaced.
func (c *checker) checkStateTarget(p Path, at *place, step int) bool {
	switch {
	case c.isHole(string(p.Root)):
		return false
	case p.Root != RootState:
		c.report("path_root", at, step, fmt.Sprintf("the target is %s, it must be a path below state", p), "name a state field, for example state.text").
			expects(RootState, p.Root)
		return false
	case len(p.Parts) == 0 || p.Parts[0].IsIndex:
		c.report("path_invalid", at, step, fmt.Sprintf("the target %s names no field of the state", p), "write to one field, for example state.text")
		return false
	}
	if !c.checkField("state_field_unknown", c.stateFields(), &p, 0, at, step) {
		return false
	}
	if reducer := c.fields[p.Parts[0].Name]; reducer != "" && len(p.Parts) > 1 && !c.isHole(reducer) {
		field := Path{p.Root, p.Parts[:1]}
		c.report("target_too_deep", at, step, fmt.Sprintf("%s lies inside %s, whose reducer %q takes the whole field", p, field, reducer),
			fmt.Sprintf("write %s, or let the field have the reducer \"replace\"", field))
		return false
	}
	return true
}

// checkOverlaps checks that no step writes one place of the state twice, where the second write would replace the first.
func (c *checker) checkOverlaps() {
	for i, s := range c.w.Nodes {
		list, member := writes(s)
		var unset []Path
		if set, ok := s.(*SetStep); ok {
			unset = set.Unset
		}
		if len(list)+len(unset) < 2 {
			continue
		}
		places := make([]*place, 0, len(list)+len(unset))
		var paths pathSet
		check := func(p *Path, at *place) {
			places = append(places, at)
			if p.Root != RootState || len(p.Parts) == 0 {
				return
			}
			if c.fields[p.Parts[0].Name] != "" && len(list) >= len(places) {
				return // the reducer brings several writes together
			}
			if first, taken := paths.add(p, len(places)-1); taken {
				c.report("write_duplicate", at, i, fmt.Sprintf("the step writes %s twice", p), "keep one of the two writes").
					relate(places[first], "the first write")
			}
		}
		for k := range list {
			check(&list[k].Target, c.node(i).key(member).at(k).key("target"))
		}
		for k := range unset {
			check(&unset[k], c.node(i).key("unset").at(k))
		}
	}
}
