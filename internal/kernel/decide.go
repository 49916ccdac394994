package kernel

import "lda.chat/wf/internal/value"

// Step takes one event. An error means that the event was refused and nothing was touched. Otherwise out holds the
// record of what happened, to be made durable, and then the effects to carry out.
func (m *Machine) Step(ev *Event, out *Out) error {
	if err := m.admit(ev); err != nil {
		return err
	}
	m.now = max(m.now, ev.At)
	m.seq++
	m.out, m.pending = out, false
	out.More = false
	out.Record.Seq, out.Record.At, out.Record.Event = m.seq, m.now, ev.Kind
	switch ev.Kind {
	case Started:
		m.start(ev)
	case CallCompleted:
		m.completed(ev)
	case CallFailed:
		m.stopTimer(ev.Ref)
		m.fail(ev.Ref.frame, ev.Failure, false)
	case TimerFired:
		m.timer(ev)
	case CancelRequested:
		m.cancel(ev)
	case Proceed:
	}
	m.advance(ev.Kind)
	out.More, m.out = m.pending, nil
	return nil
}

// admit refuses what does not fit, before anything changes.
func (m *Machine) admit(ev *Event) error {
	switch ev.Kind {
	case Started:
		if m.status != Created {
			return ErrState
		}
		if ev.RunID == "" || ev.Input.IsAbsent() {
			return ErrInvalid
		}
		return nil
	case CallCompleted, CallFailed:
		if f := m.live(ev.Ref); f == nil || f.status != frameCalling {
			return ErrStale
		}
		if ev.Kind == CallFailed && ev.Failure == nil {
			return ErrInvalid
		}
		return nil
	case TimerFired:
		if !m.timerLive(ev.Timer) {
			return ErrStale
		}
		return nil
	case CancelRequested, Proceed:
		if m.status != Running {
			return ErrState
		}
		return nil
	}
	return ErrInvalid
}

func (m *Machine) emit(e Entry) {
	m.out.Record.Entries = append(m.out.Record.Entries, e)
	m.apply(&m.out.Record.Entries[len(m.out.Record.Entries)-1], m.now)
}

func (m *Machine) effect(e Effect) { m.out.Effects = append(m.out.Effects, e) }

func (m *Machine) start(ev *Event) {
	f := newFrame(m.prog, 0, nil)
	m.emit(Entry{Kind: RunStarted, Frame: f, Rare: &Rare{Name: ev.RunID, Until: ev.Scheduled}, Output: ev.Input, Op: ToNowhere})
	if m.prog.Timeout > 0 {
		m.effect(Effect{Kind: SetTimer, Timer: Timer{Kind: RunTimer}, At: m.now + m.prog.Timeout})
	}
}

// advance runs the ready frame until it waits, the run ends or the budget is used up.
func (m *Machine) advance(after EventKind) {
	budget := m.Budget
	switch {
	case m.Single && after == Proceed:
		budget = 1
	case m.Single:
		budget = 0
	case budget <= 0:
		budget = DefaultBudget
	}
	f := m.root
	for m.status == Running && f.status == frameReady {
		if f.pc < 0 {
			m.end(f)
			return
		}
		if budget == 0 {
			m.pending = true
			return
		}
		if m.prog.MaxSteps > 0 && m.steps >= m.prog.MaxSteps {
			m.failRun(f, f.pc, 0, false, limitFailure("the run has taken "+itoa(m.steps)+" steps, its limit (max_steps)", m.prog.MaxSteps))
			return
		}
		budget--
		m.enterStep(f)
	}
}

// enterStep takes the next plan step of a frame.
func (m *Machine) enterStep(f *Frame) {
	op := &m.prog.Ops[f.pc]
	switch op.Kind {
	case Node:
		m.call(f, 1)
	case Set:
		m.finish(f, step{op: f.pc, entered: true}, 0)
	case Cond:
		m.choose(f, op)
	case Fail:
		m.failStep(f, op)
	case End:
		m.endAtStep(f, op)
	}
}

func (m *Machine) nextVisit(f *Frame, op int32) int32 { return f.visits[m.prog.Ops[op].Local] + 1 }

// scopeAt is where the operands of the step that a frame is about to enter, or is in, are read.
func (m *Machine) scopeAt(f *Frame) scope {
	s := scope{m: m, f: f, op: f.pc, visit: f.visit, now: f.entered}
	if f.status == frameReady {
		s.visit, s.now = m.nextVisit(f, f.pc), m.now
	}
	return s
}

func (m *Machine) choose(f *Frame, op *Op) {
	s := m.scopeAt(f)
	if op.Check != nil {
		yes, fail := s.holds(op.Check)
		if fail != nil {
			m.fail(f, fail, true)
			return
		}
		outcome := int32(1)
		if yes {
			outcome = 0
		}
		m.finish(f, step{op: f.pc, entered: true}, outcome)
		return
	}
	outcome := op.Else
	for i := range op.Cases {
		yes, fail := s.holds(op.Cases[i].When)
		if fail != nil {
			m.fail(f, fail, true)
			return
		}
		if yes {
			outcome = op.Cases[i].Outcome
			break
		}
	}
	m.finish(f, step{op: f.pc, entered: true}, outcome)
}

// failStep is a fail step: its own code, and a message that may quote values.
func (m *Machine) failStep(f *Frame, op *Op) {
	fail := failf(op.Code, "")
	if op.Message != nil {
		s := m.scopeAt(f)
		v, bad := s.read(op.Message)
		text, isText := v.AsString()
		switch {
		case bad == nil && isText:
			fail.Message = text
		case bad == nil && !v.IsAbsent():
			fail.Message = string(v.AppendJSON(nil))
		default:
			fail.Message = "the message of this failure could not be made: " + op.Message.Name + " is missing or no scalar"
		}
	}
	m.fail(f, fail, true)
}

// step is a step about to be left.
type step struct {
	op      int32
	entered bool // by the very entry that leaves it
	output  value.Value
	extra   value.Value
}
