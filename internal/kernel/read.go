package kernel

import "lda.chat/wf/internal/value"

// Position is where a frame stands.
type Position struct {
	Frame  string
	Step   string // the step it is in or enters next; "" after the end
	Visit  int32  // 0: not entered yet
	Status string // ready, calling, backoff, waiting, interrupted, inside, ended, closed
	Since  int64  // when the step was entered, unix nanoseconds
	Until  int64  // deadline of the attempt, or when the next one is due
}

// Status returns where the run stands.
func (m *Machine) Status() Status {
	if m.status == Running && m.asking > 0 && m.moving == 0 {
		return Interrupted
	}
	return m.status
}

// RunID returns the id that the Started event gave.
func (m *Machine) RunID() string { return m.runID }

// Now returns the time of the last event.
func (m *Machine) Now() int64 { return m.now }

// StartedAt returns the time of the Started event.
func (m *Machine) StartedAt() int64 { return m.startedAt }

// Steps returns how many plan steps were entered.
func (m *Machine) Steps() int64 { return m.steps }

// Seq returns the number of the last record.
func (m *Machine) Seq() int64 { return m.seq }

// Outcome returns the workflow's outcome of a completed run.
func (m *Machine) Outcome() string { return m.outcome }

// Output returns the output of a completed run, absent before.
func (m *Machine) Output() value.Value { return m.output }

// Input returns the run's input.
func (m *Machine) Input() value.Value {
	if m.root == nil {
		return value.Value{}
	}
	return m.root.flow.input
}

// State returns the root's state as an object.
func (m *Machine) State() value.Value {
	if m.root == nil {
		return value.Value{}
	}
	return m.stateValue(m.root)
}

// Failure returns what ended a failed or cancelled run and the step, frame and attempt it came from.
func (m *Machine) Failure() (*Failure, Origin) {
	switch {
	case m.failure == nil:
		return nil, Origin{}
	case m.failure.Origin != nil:
		return m.failure, *m.failure.Origin
	case m.failedAt.frame == nil || m.failedAt.Op < 0:
		return m.failure, Origin{Frame: "/"}
	}
	return m.failure, Origin{m.failedAt.At().ID, m.failedAt.frame.Path(), m.failedAt.Attempt}
}

// Prior returns the step that the root frame left last, and by which outcome.
func (m *Machine) Prior() (step, outcome string) {
	if m.root == nil || m.root.work == nil || m.root.priorOp < 0 {
		return "", ""
	}
	op := &m.prog.Ops[m.root.priorOp]
	return op.ID, op.Outcomes[m.root.priorOutcome]
}

// Positions returns where the frames of the run stand, in structural order.
func (m *Machine) Positions() []Position {
	var list []Position
	if m.root != nil {
		m.eachFrame(m.root, func(f *Frame) { list = append(list, m.position(f)) })
	}
	return list
}

func (m *Machine) position(f *Frame) Position {
	p := Position{Frame: f.Path(), Visit: f.visit, Status: frameStatusNames[f.status], Until: f.until}
	if f.pc >= 0 {
		p.Step = f.flow.prog.Ops[f.pc].ID
	}
	if f.visit > 0 {
		p.Since = f.entered
	}
	return p
}

// eachFrame visits the open frames from f on down, in structural order.
func (m *Machine) eachFrame(f *Frame, visit func(*Frame)) {
	visit(f)
	if f.under == nil {
		return
	}
	for i := range f.under.kids {
		if k := f.under.kids[i].frame; k != nil {
			m.eachFrame(k, visit)
		}
	}
}

// Root is the frame of the run's own workflow, nil before it has started.
func (m *Machine) Root() *Frame { return m.root }

// Below visits the open frames below one, in structural order.
func (m *Machine) Below(f *Frame, visit func(*Frame)) {
	if f != nil && f.open() {
		m.eachFrame(f, func(x *Frame) {
			if x != f {
				visit(x)
			}
		})
	}
}

// CallInfo is what a call's handler may know.
type CallInfo struct {
	RunID, Frame, Step string
	Visit, Attempt     int32
	Key                string
}

// Describe tells about a call that is out.
func (m *Machine) Describe(r Ref) CallInfo {
	return CallInfo{RunID: m.runID, Frame: r.frame.Path(), Step: r.At().ID, Visit: r.Visit, Attempt: r.Attempt, Key: m.key(r.StepRef)}
}

// key is a call's idempotency key: the recorded one, which was made from the run and the structural id of the visit.
func (m *Machine) key(r StepRef) string {
	if key := r.frame.key(); key != "" {
		return key
	}
	return m.runID + ":" + r.ID()
}
