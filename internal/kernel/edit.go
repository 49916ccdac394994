package kernel

import (
	"fmt"

	"lda.chat/wf/internal/value"
)

// admitEdit refuses an edit that the state cannot take.
func (m *Machine) admitEdit(ev *Event) error {
	if m.status != Running {
		return ErrState
	}
	if ev.RunID == "" {
		return ErrInvalid
	}
	if err := m.prog.edits(ev.State, ev.Unset); err != nil {
		return &RefusedError{failf(CodeStateInvalid, err.Error())}
	}
	for i := range m.prog.Fields {
		field := &m.prog.Fields[i]
		v := ev.State.Get(field.Name)
		if fail := m.judgeSize(field, v); fail != nil {
			return &RefusedError{fail}
		}
		if !v.IsAbsent() && field.Check != nil {
			if fail := field.Check(v); fail != nil {
				return &RefusedError{&Failure{Code: CodeStateInvalid, Message: "state." + field.Name + ": " + fail.Message, Details: fail.Details}}
			}
		}
	}
	return nil
}

// edits reports what of an edit the program has no place for.
func (p *Program) edits(state value.Value, unset []string) error {
	if !state.IsAbsent() && state.Kind() != value.KindObject {
		return fmt.Errorf("the state's fields are given as an object")
	}
	for name := range state.Members() {
		if p.field(name) < 0 {
			return fmt.Errorf("the workflow %q has no state field %q", p.Workflow, name)
		}
	}
	for _, name := range unset {
		if p.field(name) < 0 {
			return fmt.Errorf("the workflow %q has no state field %q", p.Workflow, name)
		}
	}
	return nil
}

func (p *Program) field(name string) int32 {
	for i := range p.Fields {
		if p.Fields[i].Name == name {
			return int32(i)
		}
	}
	return -1
}

func (m *Machine) edited(ev *Event) {
	m.emit(Entry{Kind: RunEdited, Frame: m.root, Op: ToNowhere, Output: ev.State,
		Rare: &Rare{Name: ev.RunID, Until: ev.Shift, Digest: ev.Digest, Unset: ev.Unset}})
	m.retime()
}

// retime sets all timers anew: whatever was set before was the run's that this one is a fork of.
func (m *Machine) retime() {
	for _, e := range m.Outstanding() {
		if e.Kind == SetTimer {
			m.effect(e)
		}
	}
}

// edit makes this run a fork: it has another id from here on, other state, and what it waits for comes later. Calls that
// are out keep the keys under which they were announced.
func (m *Machine) edit(e *Entry) {
	shift := e.Until()
	m.eachFrame(m.root, func(f *Frame) {
		if f.visit == 0 {
			return
		}
		said := f.said.copy()
		said.idle += shift
		op := &f.flow.prog.Ops[f.pc]
		if op.Kind == Node {
			said.key = m.key(f.ref().StepRef)
		}
		f.said = said
		if f.until != 0 && !(op.Kind == Wait && op.Until != nil) {
			f.until += shift
		}
	})
	m.idle += shift
	m.runID = e.Name()
	for name, v := range e.Output.Members() {
		m.root.set(m.prog.field(name), v)
	}
	for _, name := range e.Rare.Unset {
		slot := m.prog.field(name)
		m.root.set(slot, m.prog.Fields[slot].Default)
	}
}
