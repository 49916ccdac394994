package kernel

import (
	"strconv"

	"lda.chat/wf/internal/value"
)

// claim is a place of a field with the child that has written it. Two children may write places of which neither lies
// in the other.
type claim struct {
	writer *writer
	below  *writer // one of those that have written a place below
	mixed  *writer // another of them
	parts  map[string]*claim
}

// writer is a child, and the step in it that wrote.
type writer struct{ number, by int32 }

// write claims what a write changes, and gives the other child that has claimed it, a place around it or a place in it.
func (c *claim) write(w *logged, number int32) *writer {
	by := &writer{number, w.by}
	keys := make([]string, 0, len(w.bind.Path)+1)
	for _, part := range w.bind.Path {
		keys = append(keys, partKey(part))
	}
	if w.op == OpMerge || w.op == OpDeepMerge {
		return c.members(keys, w.in, by, w.op == OpDeepMerge)
	}
	return c.place(keys, by)
}

// partKey tells positions and names apart.
func partKey(p value.Part) string {
	if p.IsIndex {
		return "[" + strconv.Itoa(p.Index)
	}
	return "." + p.Key
}

// members claims the members of an object, and with deep those inside them.
func (c *claim) members(at []string, v value.Value, by *writer, deep bool) *writer {
	for key, x := range v.Members() {
		place := append(at, "."+key)
		var other *writer
		if deep && x.Kind() == value.KindObject && x.Len() > 0 {
			other = c.members(place, x, by, true)
		} else {
			other = c.place(place, by)
		}
		if other != nil {
			return other
		}
	}
	return nil
}

func (c *claim) place(keys []string, by *writer) *writer {
	for _, key := range keys {
		if c.writer != nil && c.writer.number != by.number {
			return c.writer
		}
		switch {
		case c.below == nil:
			c.below = by
		case c.below.number != by.number && c.mixed == nil:
			c.mixed = by
		}
		if c.parts == nil {
			c.parts = map[string]*claim{} // look-up only
		}
		next := c.parts[key]
		if next == nil {
			next = &claim{}
			c.parts[key] = next
		}
		c = next
	}
	switch {
	case c.writer != nil && c.writer.number != by.number:
		return c.writer
	case c.below != nil && c.below.number != by.number:
		return c.below
	case c.mixed != nil:
		return c.mixed
	}
	c.writer = by
	return nil
}
