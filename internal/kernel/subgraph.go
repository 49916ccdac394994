package kernel

import (
	"slices"

	"lda.chat/wf/internal/value"
)

// childInput binds the input of a subgraph, and fills in the defaults of the child's schema.
func (m *Machine) childInput(f *Frame, op *Op) (value.Value, *Failure) {
	s := m.scopeAt(f)
	v, fail := s.bind(op.Input, op.Shape, CodeBindingMissing)
	if fail != nil {
		return v, fail
	}
	return op.Child.Complete(v), nil
}

// openChild begins an attempt of a subgraph.
func (m *Machine) openChild(f *Frame, op *Op, attempt int32) {
	input, fail := m.childInput(f, op)
	if fail == nil {
		fail = op.Child.Refuse(input, "the input of the workflow "+quote(op.Child.Workflow))
	}
	if fail != nil {
		m.fail(f, fail, attempt == 1)
		return
	}
	m.staged = input
	m.emitOpened(f, attempt, m.deadline(f, op.Child.Timeout, op.Retry, attempt), nil)
}

// Complete applies the defaults of the input's properties.
func (p *Program) Complete(input value.Value) value.Value {
	if input.Kind() != value.KindObject {
		return input
	}
	for _, d := range p.Defaults {
		if input.Get(d.Key).IsAbsent() {
			input = input.With(d.Key, d.Value)
		}
	}
	return input
}

// Refuse tells why a workflow cannot start with an input, that with its defaults, nil if it can: the input is checked, and the
// fields of the state that it fills. whose names it in the message.
func (p *Program) Refuse(input value.Value, whose string) *Failure {
	if p.CheckInput != nil {
		if fail := p.CheckInput(input); fail != nil {
			return &Failure{Code: CodeInputInvalid, Message: whose + " does not fit the workflow's input schema: " + fail.Message, Details: fail.Details}
		}
	}
	if input.Kind() != value.KindObject {
		return failf(CodeInputInvalid, whose+" must be an object, and is of type "+input.Kind().String())
	}
	for i := range p.Fields {
		field := &p.Fields[i]
		v := input.Get(field.Name)
		if !field.Declared || field.Check == nil || v.IsAbsent() {
			continue
		}
		if fail := field.Check(v); fail != nil {
			return &Failure{Code: CodeInputInvalid, Details: fail.Details,
				Message: whose + " fills state." + field.Name + ", and does not fit its schema: " + fail.Message}
		}
	}
	return nil
}

// childCompleted ends a subgraph by the outcome of its workflow.
func (m *Machine) childCompleted(f *Frame, outcome string, output value.Value) {
	op := &f.flow.prog.Ops[f.pc]
	m.stopTimer(f)
	at := slices.Index(op.Outcomes[:op.Declared], outcome)
	if at < 0 {
		m.fail(f, failf(CodeUndeclaredOutcome, "the workflow ended with the outcome "+quote(outcome)+", which the step does not have"), false)
		return
	}
	m.finish(f, step{op: f.pc, output: output}, int32(at))
}
