package codec

import (
	"sync"
	"unsafe"

	"lda.chat/wf/internal/value"
)

// A layout writes the objects of one struct type. Objects with the same members share a shape.
type layout struct {
	members []member
	whole   *value.Shape // nothing left out
	partial *sync.Map    // uint64, a bit for each member that is there -> *value.Shape; nil: not worth it
}

// maxPartial is up to how many members that can be left out the shapes are kept.
const maxPartial = 10

func newLayout(members []member) *layout {
	l := &layout{members: members, whole: shapeOf(members, ^uint64(0))}
	optional := 0
	for _, m := range members {
		if m.omit != nil || m.hops != nil {
			optional++
		}
	}
	if optional > 0 && optional <= maxPartial && len(members) <= 64 {
		l.partial = &sync.Map{}
	}
	return l
}

// shapeOf is the shape of the members whose bits are set.
func shapeOf(members []member, there uint64) *value.Shape {
	var names []string
	for i, m := range members {
		if i >= 64 || there&(1<<i) != 0 {
			names = append(names, m.name)
		}
	}
	return value.NewShape(names...)
}

// encode writes the struct at p, collecting its members in vals, which has room for all.
func (l *layout) encode(p unsafe.Pointer, d depth, vals []value.Value) (value.Value, error) {
	d, err := d.in()
	if err != nil {
		return value.Value{}, err
	}
	var there uint64
	for i := range l.members {
		m := &l.members[i]
		at := m.read(p)
		var v value.Value
		if at != nil && (m.omit == nil || !m.omitted(at)) {
			if v, err = m.enc(at, d); err != nil {
				return value.Value{}, underKey(err, m.name)
			}
		}
		if !v.IsAbsent() {
			there |= 1 << (i & 63)
		} else if l.partial != nil {
			continue
		}
		vals = append(vals, v)
	}
	if len(vals) == len(l.members) {
		return l.whole.Object(vals), nil
	}
	return l.shape(there).Object(vals), nil
}

func (l *layout) shape(there uint64) *value.Shape {
	if s, ok := l.partial.Load(there); ok {
		return s.(*value.Shape)
	}
	s, _ := l.partial.LoadOrStore(there, shapeOf(l.members, there))
	return s.(*value.Shape)
}
