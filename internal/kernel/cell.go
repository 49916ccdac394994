package kernel

import "lda.chat/wf/internal/value"

// cell is a value with its number: a field, or a kept output.
type cell struct {
	slot  int32
	val   value.Value
	more  []value.Value // elements that are to be added to val
	bytes int           // of JSON that they are
}

// value is what the cell holds. What was added to it is put in now: a child that never reads the list it adds to never makes it.
func (c *cell) value() value.Value {
	if len(c.more) > 0 {
		c.val = c.val.Append(c.more...)
		c.more, c.bytes = nil, 0
	}
	return c.val
}

func find(cells []cell, slot int32) *cell {
	for i := range cells {
		if cells[i].slot == slot {
			return &cells[i]
		}
	}
	return nil
}

func put(cells []cell, slot int32, v value.Value) []cell {
	if c := find(cells, slot); c != nil {
		c.val, c.more, c.bytes = v, nil, 0
		return cells
	}
	return append(cells, cell{slot: slot, val: v})
}

// listed is a list as a child holds it, without what is still to be added to it, and how many bytes of JSON that is.
func (f *Frame) listed(slot int32) (list value.Value, more int) {
	if c := find(f.cells, slot); c != nil {
		return c.val, c.bytes
	}
	return f.get(slot), 0
}

// list is the cell of a child to which elements can be added; it begins with what those around the child hold.
func (f *Frame) list(slot int32) *cell {
	c := find(f.cells, slot)
	if c == nil {
		f.cells = append(f.cells, cell{slot: slot, val: f.get(slot)})
		c = &f.cells[len(f.cells)-1]
	}
	return c
}

// adds reports whether a write adds to a list that a child need not make for that: nothing judges the list as a whole.
func (f *Frame) adds(op Operation, b *WriteBind) bool {
	field := &f.flow.prog.Fields[b.Slot]
	return !f.whole() && (op == OpAppend || op == OpExtend) && len(b.Path) == 0 && (field.Item != nil || field.Check == nil)
}

// add puts elements behind a list, without making it.
func (f *Frame) add(op Operation, slot int32, in value.Value) {
	c := f.list(slot)
	c.bytes += value.Size(in) + 1
	if op == OpAppend {
		c.more = append(c.more, in)
		return
	}
	for _, x := range in.Items() {
		c.more = append(c.more, x)
	}
}
