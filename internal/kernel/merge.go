package kernel

import "lda.chat/wf/internal/value"

// hostReducer gives what a reducer of the host makes of a field.
type hostReducer func(field *Field, cur, in value.Value) (value.Value, error)

// merge works out the fields that a foreach or fork leaves behind: those of its children that succeeded, in structural order,
// whatever order they finished in. It changes nothing.
func (m *Machine) merge(g *group, host hostReducer) ([]cell, *Failure) {
	if g.serial() {
		return g.cells, nil
	}
	var fields []mergedField
	prog := g.owner.flow.prog
	for i := range g.kids {
		log := g.written(i)
		for j := range log {
			w := &log[j]
			fields = touched(fields, w.bind.Slot)
			f := last(fields, w.bind.Slot)
			if fail := f.take(g, prog, w, int32(i), host); fail != nil {
				return nil, fail
			}
		}
	}
	cells := make([]cell, len(fields))
	for i := range fields {
		fields[i].settle()
		cells[i] = cell{slot: fields[i].slot, val: fields[i].val}
	}
	return cells, nil
}

// mergedField is a field in the making.
type mergedField struct {
	slot    int32
	begun   bool
	val     value.Value
	pending []value.Value // inputs of op that are still to be put in: many of them are put in at once
	op      Operation
	deep    *tree // what deep merges make of it, not yet a value
	claims  *claim
}

func touched(fields []mergedField, slot int32) []mergedField {
	if last(fields, slot) == nil {
		fields = append(fields, mergedField{slot: slot})
	}
	return fields
}

func last(fields []mergedField, slot int32) *mergedField {
	for i := range fields {
		if fields[i].slot == slot {
			return &fields[i]
		}
	}
	return nil
}

// take puts one write of a child into the field.
func (f *mergedField) take(g *group, prog *Program, w *logged, number int32, host hostReducer) *Failure {
	field := &prog.Fields[f.slot]
	if !f.begun {
		f.begun, f.val = true, g.owner.get(f.slot)
	}
	if orderShows(field, w.op) {
		if f.claims == nil {
			f.claims = &claim{}
		}
		if other := f.claims.write(w, number); other != nil {
			return conflict(g, prog, field, other.number, other.by, number, w.by)
		}
	}
	if w.op == OpUnion || w.op == OpMerge {
		f.op, f.pending = w.op, append(f.pending, w.in)
		return nil
	}
	if w.op == OpDeepMerge && w.in.Kind() == value.KindObject && (f.deep != nil || f.val.Kind() == value.KindObject) {
		if f.deep == nil {
			f.deep = &tree{val: f.val}
		}
		f.deep.merge(w.in)
		return nil
	}
	f.settle()
	if w.op == OpHost {
		v, err := host(field, f.val, w.in)
		if err != nil {
			return reducerFailure(field, err.Error())
		}
		f.val = v
		return nil
	}
	v, problem := written(prog, w.op, w.bind, f.val, w.in)
	if problem != "" {
		return reducerFailure(field, problem)
	}
	f.val = v
	return nil
}

// settle puts in what is pending, so that many small inputs do not each cost the whole: halves first, or as the tree has it.
func (f *mergedField) settle() {
	if len(f.pending) > 0 {
		f.val, _ = reduce(f.op, f.val, combined(f.op, f.pending))
		f.pending = f.pending[:0]
	}
	if f.deep != nil {
		f.val, f.deep = f.deep.value(), nil
	}
}

func combined(op Operation, in []value.Value) value.Value {
	if len(in) == 1 {
		return in[0]
	}
	half := len(in) / 2
	v, _ := reduce(op, combined(op, in[:half]), combined(op, in[half:]))
	return v
}

// orderShows reports whether the order of a write among those of other children could show.
func orderShows(field *Field, op Operation) bool {
	switch op {
	case OpAppend, OpExtend, OpAdd, OpUnion, OpMax, OpMin: // in structural order, whatever finished first
		return false
	case OpHost:
		return !field.Shared
	}
	return true
}

// conflict names two children that both write what only one may.
func conflict(g *group, prog *Program, field *Field, first, firstBy, second, secondBy int32) *Failure {
	writer := func(number, by int32) string {
		f := Frame{flow: g.owner.flow, in: g, index: g.indexOf(number)}
		return StepRef{frame: &f, Op: by, Visit: 1}.ID()
	}
	a, b := writer(first, firstBy), writer(second, secondBy)
	return &Failure{Code: CodeMergeConflict,
		Message: "state." + field.Name + " is written by " + a + " and by " + b + ", side by side: which of them counts would be chance",
		Details: value.Object(
			value.Member{Key: "field", Value: value.String(field.Name)},
			value.Member{Key: "writers", Value: value.Array(value.String(a), value.String(b))},
		)}
}

// judgeMerged checks the fields that a region leaves behind.
func (m *Machine) judgeMerged(g *group, cells []cell) *Failure {
	if g.serial() { // each item's writes were checked on top of the ones before
		return nil
	}
	prog := g.owner.flow.prog
	for i := range cells {
		field := &prog.Fields[cells[i].slot]
		if fail := m.judgeSize(field, cells[i].val); fail != nil {
			return fail
		}
		if field.Check != nil && field.Item == nil && !cells[i].val.IsAbsent() {
			if fail := field.Check(cells[i].val); fail != nil {
				return stateFailure(field, fail)
			}
		}
	}
	return nil
}
