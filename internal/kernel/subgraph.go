package kernel

import (
	"slices"

	"lda.chat/wf/internal/value"
)

// childInput binds the input of a subgraph, and fills in the defaults of the child's schema.
func (m *Machine) childInput(f *Frame, op *Op) (value.Value, *Failure) {
	s := m.scopeAt(f)
	v, fail := s.bind(op.Input, op.Shape, CodeBindingMissing)
	if fail == nil && v.Kind() == value.KindObject {
		for _, d := range op.Child.Defaults {
			if v.Get(d.Key).IsAbsent() {
				v = v.With(d.Key, d.Value)
			}
		}
	}
	return v, fail
}

// openChild begins an attempt of a subgraph.
func (m *Machine) openChild(f *Frame, op *Op, attempt int32) {
	input, fail := m.childInput(f, op)
	if fail == nil {
		fail = op.Child.admits(input)
	}
	if fail != nil {
		m.fail(f, fail, attempt == 1)
		return
	}
	m.staged = input
	m.emitOpened(f, attempt, m.deadline(f, op.Child.Timeout, op.Retry, attempt), nil)
}

// admits checks the input of a workflow that runs as a step, and the fields that it fills.
func (p *Program) admits(input value.Value) *Failure {
	if input.Kind() != value.KindObject {
		return failf(CodeInputInvalid, "the input of the workflow "+quote(p.Workflow)+" must be an object, but is "+describe(input))
	}
	if p.CheckInput != nil {
		if fail := p.CheckInput(input); fail != nil {
			return &Failure{Code: CodeInputInvalid, Message: "the input of the workflow " + quote(p.Workflow) + ": " + fail.Message, Details: fail.Details}
		}
	}
	for i := range p.Fields {
		field := &p.Fields[i]
		v := input.Get(field.Name)
		if !field.Declared || field.Check == nil || v.IsAbsent() {
			continue
		}
		if fail := field.Check(v); fail != nil {
			return &Failure{Code: CodeInputInvalid, Details: fail.Details,
				Message: "the input of the workflow " + quote(p.Workflow) + " fills its state." + field.Name + ": " + fail.Message}
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
