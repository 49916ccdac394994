package wf

import (
	"fmt"
	"slices"
	"strings"
)

// checkPosition reports a write to a position of an array that nothing makes: positions are never made, so the write always fails.
// p is a place below a state field.
func (c *checker) checkPosition(p *Path, at *place, step int) bool {
	n := slices.IndexFunc(p.Parts, func(part Part) bool { return part.IsIndex })
	if n < 0 || c.holes || c.makesArray(p.Parts[:n]) {
		return true
	}
	array := Path{p.Root, p.Parts[:n]}
	c.report("target_position", at, step, fmt.Sprintf("%s is no place to write to: nothing makes the array %s, and a write makes no positions", p, array),
		fmt.Sprintf("write the whole array, %s, by {\"list\": […]}; to add elements, give the field the reducer \"append\"", array))
	return false
}

// makesArray reports whether something may bring an array to a place of the state: a default, the input at the start, or a write to
// the place or around it.
func (c *checker) makesArray(parts []Part) bool {
	if c.made == nil {
		c.made = make(map[string]bool)
		c.eachWritten(func(t *Path) {
			if t.Root == RootState && !slices.ContainsFunc(t.Parts, func(p Part) bool { return p.IsIndex }) {
				c.made[t.String()] = true
			}
		})
	}
	for n := 1; n <= len(parts); n++ {
		p := Path{RootState, parts[:n]}
		if c.made[p.String()] {
			return true
		}
	}
	if strings.Contains(string(c.w.StateSchema), `"default"`) || strings.Contains(string(c.w.StateSchema), `"$ref"`) {
		return true
	}
	if c.state == nil {
		return false
	}
	_, declared := c.state.Property(parts[0].Name)
	if !declared {
		return false
	}
	if c.input == nil {
		return true // an input of the field's name fills it at the start
	}
	_, filled := c.input.Property(parts[0].Name)
	return filled
}
