package kernel

import (
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

// Status is where a run stands.
type Status uint8

// The statuses.
const (
	Created Status = iota // not started yet
	Running
	Completed
	Failed
	Cancelled
)

var statusNames = [...]string{"created", "running", "completed", "failed", "cancelled"}

func (s Status) String() string { return statusNames[s] }

// Ended reports whether nothing more will happen.
func (s Status) Ended() bool { return s >= Completed }

// frameStatus is what a frame is doing.
type frameStatus uint8

const (
	frameReady   frameStatus = iota // its next step can be entered
	frameCalling                    // a call is out
	frameBackoff                    // a call failed and will be tried again
	frameClosed
)

var frameStatusNames = [...]string{"ready", "calling", "backoff", "closed"}

// Machine is one run. It belongs to one goroutine at a time.
type Machine struct {
	// Budget bounds how many plan steps one Step takes before it asks for a Proceed event. 0: DefaultBudget.
	Budget int
	// Single makes only Proceed events take steps, one each: the debugger's step.
	Single bool

	prog      *Program
	runID     string
	status    Status
	root      *Frame
	now       int64 // unix nanoseconds; never goes back
	startedAt int64
	scheduled int64 // 0: not started by a schedule
	steps     int64 // plan steps entered
	seq       int64 // records
	outcome   string
	output    value.Value
	failure   *Failure
	failedAt  StepRef // where the failure came from

	changes []change // of the step that is being left; empty in a fold

	pending bool // ready frames are left: a Proceed event is due
	fired   bool // the run's timer brought the present event
	out     *Out // where decide puts what it makes, during Step
}

// maxDepth is how deep arrays and objects of the state may be nested: as deep as a value that is read.
const maxDepth = 200

// DefaultBudget is how many plan steps one event may cause.
const DefaultBudget = 1000

// Frame is one level of a run: the root here; a subgraph, an item or a branch below it.
type Frame struct {
	parent *Frame
	prog   *Program // of its workflow
	region int32
	status frameStatus

	pc      int32 // the step it is in, or will enter next
	visit   int32 // of that step, while in it
	attempt int32
	entered int64 // when that step was entered
	until   int64 // end of the attempt or of the back-off; 0: none
	key     string

	priorOp      int32 // the step before; -1: none
	priorOutcome int32
	priorRetries int32

	input    value.Value
	slots    []value.Value // the state, by field
	outputs  []value.Value // kept step outputs
	visits   []int32       // by op, within the region
	counters []int32       // by counted edge
}

// New makes the machine of a run that has not started.
func New(p *Program) *Machine { return &Machine{prog: p} }

func newFrame(p *Program, region int32, parent *Frame) *Frame {
	r := &p.Regions[region]
	f := &Frame{parent: parent, prog: p, region: region, pc: r.Start, priorOp: -1}
	// One array serves both counters.
	counts := make([]int32, r.Ops+r.Counters)
	f.visits, f.counters = counts[:r.Ops:r.Ops], counts[r.Ops:]
	values := make([]value.Value, int32(len(p.Fields))+r.Kept)
	f.slots, f.outputs = values[:len(p.Fields):len(p.Fields)], values[len(p.Fields):]
	return f
}

// Program is what the frame runs: the root's, or a subgraph's.
func (f *Frame) Program() *Program { return f.prog }

// owner is the frame whose workflow this frame belongs to: the one with the input and the state.
func (f *Frame) owner() *Frame {
	for f.slots == nil {
		f = f.parent
	}
	return f
}

func (f *Frame) get(slot int32) value.Value { return f.owner().slots[slot] }

// kept returns the output that a step left in this frame or an enclosing one.
func (f *Frame) kept(p *Program, op int32) value.Value {
	o := &p.Ops[op]
	for ; f != nil; f = f.parent {
		if f.region == o.Region {
			return f.outputs[o.Keep]
		}
	}
	return value.Value{}
}

// Path names a frame by structure: "/" is the root.
func (f *Frame) Path() string { return "/" }

// StepRef names one visit of a step.
type StepRef struct {
	frame *Frame
	Op    int32
	Visit int32
}

// At is the step itself.
func (r StepRef) At() *Op { return &r.frame.prog.Ops[r.Op] }

// Ref names one attempt of a call. It is comparable.
type Ref struct {
	StepRef
	Attempt int32
}

// String gives a visit's id in its run: the frame's path, the step and, from the second time on, the visit.
func (m *Machine) stepID(r StepRef) string {
	var b strings.Builder
	b.WriteString(r.frame.Path())
	b.WriteString(m.prog.Ops[r.Op].ID)
	if r.Visit > 1 {
		b.WriteByte('#')
		b.WriteString(strconv.Itoa(int(r.Visit)))
	}
	return b.String()
}

// live returns the frame that a call belongs to, nil if nobody waits for the call.
func (m *Machine) live(r Ref) *Frame {
	f := r.frame
	if f == nil || m.status != Running || f.status != frameCalling && f.status != frameBackoff ||
		f.pc != r.Op || f.visit != r.Visit || f.attempt != r.Attempt {
		return nil
	}
	return f
}

// stateValue is the whole state as an object.
func (m *Machine) stateValue(f *Frame) value.Value {
	slots := f.owner().slots
	members := make([]value.Member, len(slots))
	for i, v := range slots {
		members[i] = value.Member{Key: m.prog.Fields[i].Name, Value: v}
	}
	return value.Object(members...)
}

// context reads one member of the context root.
func (s *scope) context(name ContextName) value.Value {
	switch name {
	case CtxRunID:
		return value.String(s.m.runID)
	case CtxWorkflow:
		return value.String(s.m.prog.Workflow)
	case CtxStep:
		return value.String(s.m.prog.Ops[s.op].ID)
	case CtxVisit:
		return value.Int(int64(s.visit))
	case CtxNow:
		return value.Timestamp(s.now)
	case CtxStartedAt:
		return value.Timestamp(s.m.startedAt)
	case CtxScheduledAt:
		if s.m.scheduled != 0 {
			return value.Timestamp(s.m.scheduled)
		}
	case CtxOutcome:
		if s.f.priorOp >= 0 {
			return value.String(s.m.prog.Ops[s.f.priorOp].Outcomes[s.f.priorOutcome])
		}
	case CtxRetryCount:
		if s.f.priorOp >= 0 {
			return value.Int(int64(s.f.priorRetries))
		}
	}
	return value.Value{}
}
