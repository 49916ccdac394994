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

// admit gives the input that a run starts with: with its defaults, checked.
func (p *program) admit(in value.Value) (value.Value, error) {
	in = p.kernel.Complete(in)
	if fail := p.kernel.Refuse(in, "the run's input"); fail != nil {
		return in, p.flow.refused(in, fail)
	}
	return in, nil
}

// digestOf is the digest of the workflow that the program was made of, worked out once for all its runs.
func (p *program) digestOf(w *Workflow) string {
	if d := p.digest.Load(); d != nil {
		return *d
	}
	d := w.Digest()
	p.digest.Store(&d)
	return d
}
