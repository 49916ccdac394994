package kernel

import "lda.chat/wf/internal/value"

// Bound is what a node step is given, as it was bound: its members, or one value that is the whole. The object that members
// make is made only for those who need it. A Bound is good as long as nobody uses its room again, see [Out].
type Bound struct {
	Shape  *value.Shape  // of the object; nil: there is one value, the whole input
	Values []value.Value // in the order of the shape's keys, absent ones too
}

// Value makes the input as one value, which shares nothing with the Bound.
func (b Bound) Value() value.Value {
	if b.Shape == nil {
		return b.Values[0]
	}
	return b.Shape.Object(b.Values)
}

// input resolves a node's input bindings, in the spare capacity of room. It gives the same for every attempt: the frame and
// its ancestors stand still in between, and context.now is the step's entry.
func (m *Machine) input(f *Frame, op *Op, room []value.Value) (Bound, *Failure) {
	s := m.scopeAt(f)
	vals, fail := room[len(room):], (*Failure)(nil)
	if op.Shape != nil {
		vals, fail = s.members(op.Input, vals, CodeBindingMissing)
	} else {
		var whole value.Value
		whole, fail = s.fill(op.Input, CodeBindingMissing)
		vals = append(vals, whole)
	}
	return Bound{op.Shape, vals}, fail
}
