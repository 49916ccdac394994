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

// admit gives the input that a run starts with: with its defaults, checked, also against the fields of the state that it
// fills. What a subgraph starts with the kernel checks.
func (p *program) admit(in value.Value) (value.Value, error) {
	in = p.complete(in)
	if p.input != nil && !p.input.Valid(in) {
		f := violationFailure(kernel.CodeInputInvalid, p.input.Check(in))
		return in, &Error{Code: CodeInputInvalid, Message: "the run's input does not fit the workflow's input schema: " + f.Message, Details: f.Details.JSON()}
	}
	if in.Kind() != value.KindObject {
		return in, &Error{Code: CodeInputInvalid, Message: "the run's input must be an object, and is of type " + in.Kind().String()}
	}
	for i := range p.kernel.Fields {
		field := &p.kernel.Fields[i]
		v := in.Get(field.Name)
		if !field.Declared || field.Check == nil || v.IsAbsent() {
			continue
		}
		if f := field.Check(v); f != nil {
			return in, &Error{Code: CodeInputInvalid, Details: f.Details.JSON(),
				Message: "the run's input fills state." + field.Name + ", and does not fit its schema: " + f.Message}
		}
	}
	return in, nil
}
