package wf

import (
	"fmt"
	"maps"
	"slices"

	"lda.chat/wf/internal/schema"
)

// checkUnsets checks what set steps unset, where an unset does nothing or cannot be. That the place can exist is checked with
// the writes.
func (c *checker) checkUnsets() {
	var filled map[string]bool
	for i, s := range c.w.Nodes {
		set, ok := s.(*SetStep)
		if !ok {
			continue
		}
		for k := range set.Unset {
			p, at := &set.Unset[k], c.node(i).key("unset").at(k)
			if p.Root != RootState || len(p.Parts) == 0 || p.Parts[0].IsIndex {
				continue
			}
			last := p.Parts[len(p.Parts)-1]
			if last.IsIndex {
				c.report("unset_position", at, i, fmt.Sprintf("%s is a position of an array: elements are never removed, so this does nothing", p),
					"write the array without it, or unset the whole array")
				continue
			}
			if c.checkUnsetRequired(p, at, i) {
				continue
			}
			if filled == nil {
				filled = c.filledFields()
			}
			c.checkUnsetUnfilled(p, at, i, filled)
		}
	}
}

// checkUnsetRequired reports an unset of what the state schema demands.
func (c *checker) checkUnsetRequired(p *Path, at *place, step int) bool {
	first, last := p.Parts[0].Name, p.Parts[len(p.Parts)-1]
	if len(p.Parts) == 1 {
		if c.state == nil {
			return false
		}
		property, declared := c.state.Property(first)
		if !declared || !property.Required || !property.Default.IsAbsent() {
			return false
		}
		c.report("unset_required", at, step, fmt.Sprintf("the state schema requires %q, which has no default to go back to", first),
			"give the field a default, or do not require it").Severity = SeverityWarning // a state is never checked as a whole
		return true
	}
	holder := c.below(c.stateField(first), p.Parts[1:len(p.Parts)-1]...)
	if holder == nil || c.lookup(holder, last).presence != schema.Always || !slices.Equal(holder.Types(), []string{"object"}) {
		return false
	}
	field := Path{p.Root, p.Parts[:1]}
	c.report("unset_required", at, step, fmt.Sprintf("the schema of %s requires %s, so a state without it is refused", field, p),
		fmt.Sprintf("unset all of %s, or let its schema not require %q", Path{p.Root, p.Parts[:len(p.Parts)-1]}, last.Name))
	return true
}

// checkUnsetUnfilled warns of an unset of a field that nothing ever fills.
func (c *checker) checkUnsetUnfilled(p *Path, at *place, step int, filled map[string]bool) {
	field := p.Parts[0]
	if c.holes || filled[field.Name] {
		return
	}
	if c.state != nil && c.nearDeclared(c.state, field) != "" {
		return // a finding of its own
	}
	if c.state != nil {
		if _, wrong := c.walk(c.state, p.Parts); wrong >= 0 {
			return // likewise
		}
	}
	names := slices.Sorted(maps.Keys(filled))
	d := c.report("unset_unfilled", at, step, fmt.Sprintf("nothing ever writes state.%s, so there is nothing to unset", field.Name),
		c.suggest(field.Name, names, "unset a field that a step writes, or remove this"))
	if meant, ok := c.nearest(field.Name, names); ok {
		part := at.key("parts").at(0)
		d.fix(fmt.Sprintf("Write %q", meant), FixUnsafe, testOp(part, field.Name), replaceOp(part, meant))
	}
}

// eachWritten visits the places that steps and their catches write.
func (c *checker) eachWritten(visit func(*Path)) {
	for _, s := range c.w.Nodes {
		list, _ := writes(s)
		for k := range list {
			visit(&list[k].Target)
		}
		for _, catch := range s.common().Catch {
			if catch.Error != nil {
				visit(catch.Error)
			}
		}
	}
}

// filledFields are the fields of the state that steps write, and those that the input may fill at the start.
func (c *checker) filledFields() map[string]bool {
	filled := make(map[string]bool)
	note := func(p *Path) {
		if p.Root == RootState && len(p.Parts) > 0 && !p.Parts[0].IsIndex {
			filled[p.Parts[0].Name] = true
		}
	}
	c.eachWritten(note)
	for name := range c.fields {
		if c.input == nil || c.lookup(c.input, namePart(name)).presence != schema.Never {
			filled[name] = true
		}
	}
	return filled
}
