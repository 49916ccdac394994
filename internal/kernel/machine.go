package kernel

import (
	"lda.chat/wf/internal/value"
)

// Status is where a run stands.
type Status uint8

// The statuses.
const (
	Created Status = iota // not started yet
	Running
	Interrupted // nothing goes on until somebody answers
	Completed
	Failed
	Cancelled
)

var statusNames = [...]string{"created", "running", "interrupted", "completed", "failed", "cancelled"}

func (s Status) String() string { return statusNames[s] }

// Ended reports whether nothing more will happen.
func (s Status) Ended() bool { return s >= Completed }

// Machine is one run. It belongs to one goroutine at a time.
type Machine struct {
	// Budget bounds how many plan steps one Step takes before it asks for a Proceed event. 0: DefaultBudget.
	Budget int
	// Single makes only Proceed events take steps, one each: the debugger's step.
	Single bool
	// Doubts says what becomes of calls that may have happened, must not be made twice, and are not caught.
	Doubts DoubtPolicy

	prog      *Program
	runID     string
	status    Status
	root      *Frame
	now       int64 // unix nanoseconds; never goes back
	startedAt int64
	scheduled int64 // 0: not started by a schedule
	idle      int64 // how long it lay between the times when it was forked from and the forks
	steps     int64 // plan steps entered
	seq       int64 // records
	moving    int   // frames that go on without anybody's answer
	asking    int   // open interrupts
	holding   int   // frames that wait for room

	first, last *Frame  // the queue
	spare       []*work // of frames that are closed
	room        struct {
		frame Frame
		flow  flow
		work  work
	} // of the root
	outcome  string
	output   value.Value
	failure  *Failure
	failedAt Ref // where the failure came from

	*scratch                   // during a Step or Apply
	places   map[string]*Frame // see place; look-up only
	pending  bool              // frames that can go on are left: a Proceed event is due
	fired    Timer             // that brought the present event
	out      *Out              // where decide puts what it makes, during Step
}

// scratch is what decide has worked out and apply need not work out again. It is empty in a fold.
type scratch struct {
	changes []change      // of the step that is being left
	merged  []cell        // of the region that is being left
	results []value.Value // what the host's reducers made in merging it
	staged  value.Value   // the array of a foreach, or the input of a subgraph, that is being entered
}

// maxDepth is how deep arrays and objects of the state may be nested: as deep as a value that is read.
const maxDepth = 200

// DefaultBudget is how many plan steps one event may cause.
const DefaultBudget = 1000

// New makes the machine of a run that has not started.
func New(p *Program) *Machine { return &Machine{prog: p} }

// live returns the frame that is still in what r names, nil if none is.
func (m *Machine) live(r Ref) *Frame {
	f := r.frame
	if f == nil || m.status != Running || !f.open() || f.ref() != r || f.status == frameReady {
		return nil
	}
	return f
}

// stateValue is the whole state as a frame sees it, an object.
func (m *Machine) stateValue(f *Frame) value.Value {
	s := scope{m: m, f: f}
	return s.state()
}

// state is the whole state as an object.
func (s *scope) state() value.Value {
	fields := s.f.flow.prog.Fields
	members := make([]value.Member, len(fields))
	for i := range fields {
		members[i] = value.Member{Key: fields[i].Name, Value: s.field(int32(i))}
	}
	return value.Object(members...)
}

// context reads one member of the context root.
func (s *scope) context(name ContextName) value.Value {
	switch name {
	case CtxRunID:
		return value.String(s.m.runID)
	case CtxWorkflow:
		return value.String(s.f.flow.prog.Workflow)
	case CtxStep:
		if s.op >= 0 {
			return value.String(s.f.flow.prog.Ops[s.op].ID)
		}
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
			return value.String(s.f.flow.prog.Ops[s.f.priorOp].Outcomes[s.f.priorOutcome])
		}
	case CtxRetryCount:
		if s.f.priorOp >= 0 {
			return value.Int(int64(s.f.priorRetries))
		}
	}
	return value.Value{}
}
