package wf

import (
	"sync/atomic"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// program is a compiled workflow with those that its subgraph steps run: what the kernel runs, and whom the node steps call.
type program struct {
	*flow                            // the workflow itself
	digest atomic.Pointer[string]    // once somebody asked: the program must not hold the workflow
	nodes  []*resolvedNode           // by the callee of an op, whichever flow it is in
	flows  map[*kernel.Program]*flow // the workflow itself too
	waits  bool                      // an event may come from elsewhere: a timer, a call beside another, an answer
}

// flow is one workflow of a program.
type flow struct {
	program      *program
	kernel       *kernel.Program
	name         string
	input        *schema.Schema
	secretInputs []string           // properties of the input that are secret, or fill a secret field
	hidden       []hiding           // by state field; nil when none is
	veiled       bool               // something in it is hidden
	veils        []veil             // of the output, however it is made
	inquiries    map[int32]*inquiry // of the interrupt steps, by op
}

// inquiry is what those who may answer an interrupt are told of it.
type inquiry struct {
	outcomes []Outcome          // to answer with
	answers  map[Outcome]Schema // what an answer must be, where something is said
}

// of is the flow that a frame is in.
func (p *program) of(f *kernel.Frame) *flow { return p.flows[f.Program()] }

// complete applies the input schema's top-level defaults.
func (f *flow) complete(in value.Value) value.Value {
	if in.Kind() != value.KindObject {
		return in
	}
	for _, prop := range f.kernel.Defaults {
		if in.Get(prop.Key).IsAbsent() {
			in = in.With(prop.Key, prop.Value)
		}
	}
	return in
}

// refuse tells why an input, with its defaults, cannot start the workflow; whose names it in the message. It is nil if it can.
func (f *flow) refuse(in value.Value, whose string) *kernel.Failure {
	if f.input != nil && !f.input.Valid(in) {
		fail := violationFailure(kernel.CodeInputInvalid, f.input.Check(in))
		fail.Message = whose + " does not fit the workflow's input schema: " + fail.Message
		return fail
	}
	if in.Kind() != value.KindObject {
		return &kernel.Failure{Code: kernel.CodeInputInvalid, Message: whose + " must be an object, and is of type " + in.Kind().String()}
	}
	for i := range f.kernel.Fields { // what the state is filled with at the start
		field := &f.kernel.Fields[i]
		v := in.Get(field.Name)
		if !field.Declared || field.Check == nil || v.IsAbsent() {
			continue
		}
		if fail := field.Check(v); fail != nil {
			return &kernel.Failure{Code: kernel.CodeInputInvalid, Details: fail.Details,
				Message: whose + " fills state." + field.Name + ", and does not fit its schema: " + fail.Message}
		}
	}
	return nil
}

// admit gives the input that a run starts with.
func (p *program) admit(in value.Value) (value.Value, error) {
	in = p.complete(in)
	if f := p.refuse(in, "the run's input"); f != nil {
		e := &Error{Code: CodeInputInvalid, Message: f.Message}
		if !f.Details.IsAbsent() {
			e.Details = f.Details.JSON()
		}
		return in, e
	}
	return in, nil
}
