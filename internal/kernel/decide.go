package kernel

import "lda.chat/wf/internal/value"

// Step takes one event. An error means that the event was refused and nothing was touched. Otherwise out holds the
// record of what happened, to be made durable, and then the effects to carry out.
func (m *Machine) Step(ev *Event, out *Out) error {
	m.scratch = &out.scratch
	err := m.step(ev, out)
	m.scratch = nil // a machine that waits keeps no room
	return err
}

func (m *Machine) step(ev *Event, out *Out) error {
	if err := m.admit(ev); err != nil {
		return err
	}
	m.now = max(m.now, ev.At)
	m.seq++
	m.out, m.pending, m.fired = out, false, ev.Timer
	out.More, out.bytes = false, 0
	out.Record.Seq, out.Record.At, out.Record.Event = m.seq, m.now, ev.Kind
	out.Record.Message = ev.Message
	switch ev.Kind {
	case Started:
		m.start(ev)
	case CallCompleted:
		m.completed(ev)
	case CallFailed:
		m.stopTimer(ev.Ref.frame)
		m.fail(ev.Ref.frame, ev.Failure, false)
	case Resumed:
		m.resumed(ev)
	case Decided:
		m.decided(ev)
	case TimerFired:
		m.timer(ev)
	case CancelRequested:
		m.cancel(ev)
	case Recovered:
		m.recovered(ev.Ref)
	case Edited:
		m.edited(ev)
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
	case Resumed:
		return m.admitAnswer(ev)
	case Decided:
		return m.admitVerdict(ev)
	case TimerFired:
		if !m.timerLive(ev.Timer) {
			return ErrStale
		}
		return nil
	case Edited:
		return m.admitEdit(ev)
	case Recovered:
		if f := m.live(ev.Ref); ev.Ref != (Ref{}) && (f == nil || f.status != frameCalling) {
			return ErrStale
		}
		if m.status != Running {
			return ErrState
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
	m.out.bytes += int32(e.bytes())
	m.apply(&m.out.Record.Entries[len(m.out.Record.Entries)-1], m.now)
}

func (m *Machine) effect(e Effect) { m.out.Effects = append(m.out.Effects, e) }

func (m *Machine) start(ev *Event) {
	f := m.newFlow(m.prog, nil)
	m.emit(Entry{Kind: RunStarted, Frame: f, Rare: &Rare{Name: ev.RunID, Until: ev.Scheduled, Digest: ev.Digest, Doubts: m.Doubts}, Output: ev.Input, Op: ToNowhere})
	if m.prog.Timeout > 0 {
		m.effect(Effect{Kind: SetTimer, Timer: Timer{Kind: RunTimer}, At: m.now + m.prog.Timeout})
	}
}

// advance lets the frames of the queue go on until all wait, the run ends or the budget is used up. What is no plan step,
// starting children and ending them, the debugger's step does without being asked.
func (m *Machine) advance(after EventKind) {
	budget := m.Budget
	if budget <= 0 {
		budget = DefaultBudget
	}
	steps := budget
	if m.Single {
		steps = 0
		if after == Proceed {
			steps = 1
		}
	}
	for ; m.status == Running && m.first != nil; budget-- {
		f := m.first
		isStep := f.status == frameReady && f.pc >= 0
		if budget == 0 || m.full() || isStep && steps == 0 {
			m.pending = true
			return
		}
		switch {
		case f.status == frameTending:
			m.tend(f)
		case f.visit > 0:
			m.again(f)
		case isStep:
			steps--
			m.enterStep(f)
		case f.pc == ToEnd:
			m.endBehind(f)
		default:
			m.endChild(f)
		}
	}
}

// enterStep takes the next plan step of a frame.
func (m *Machine) enterStep(f *Frame) {
	if limit := m.prog.MaxSteps; limit > 0 && m.steps >= limit {
		fail := limitFailure("the run has taken "+itoa(m.steps)+" steps, its limit (max_steps)", limit)
		fail.Final = true
		m.giveUp(f, f.pc, 0, false, fail)
		return
	}
	if fl := f.flow; f.inSubgraph() && fl.prog.MaxSteps > 0 && fl.steps >= fl.prog.MaxSteps {
		top := f.top()
		m.stop(top, nil)
		m.giveUp(top, top.pc, top.visit, false, limitFailure("the workflow "+quote(fl.prog.Workflow)+" has taken "+itoa(fl.steps)+" steps, its limit (max_steps)", fl.prog.MaxSteps))
		return
	}
	op := &f.flow.prog.Ops[f.pc]
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
	case Foreach, Fork:
		m.openFan(f, op, 1)
	case Join:
		m.join(f, op)
	case Interrupt:
		m.ask(f, op)
	case Wait:
		m.wait(f, op)
	case Subgraph:
		m.openChild(f, op, 1)
	}
}

// again begins the next attempt of the step that a frame is in.
func (m *Machine) again(f *Frame) {
	op := &f.flow.prog.Ops[f.pc]
	switch op.Kind {
	case Foreach, Fork:
		m.openFan(f, op, f.attempt+1)
	case Subgraph:
		m.openChild(f, op, f.attempt+1)
	default:
		m.call(f, f.attempt+1)
	}
}

func (f *Frame) nextVisit(op int32) int32 { return f.visits[f.flow.prog.Ops[op].Local] + 1 }

// top is the frame of the workflow that a frame belongs to.
func (f *Frame) top() *Frame {
	for !f.whole() {
		f = f.in.owner
	}
	return f
}

func (f *Frame) inSubgraph() bool { return f.top().in != nil }

// scopeAt is where the operands of the step that a frame is about to enter, or is in, are read.
func (m *Machine) scopeAt(f *Frame) scope {
	s := scope{m: m, f: f, op: f.pc, visit: f.visit, now: f.entered}
	if f.visit == 0 {
		s.visit, s.now = f.nextVisit(f.pc), m.now
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

// failStep is a fail step: its own code, and a message that may quote values; a plain one if the step has none.
func (m *Machine) failStep(f *Frame, op *Op) {
	fail := failf(op.Code, "the plan failed with code "+string(op.Code))
	if op.Message != nil {
		s := m.scopeAt(f)
		v, bad := s.read(op.Message)
		text, isText := v.AsString()
		switch {
		case bad == nil && isText:
			fail.Message = short(text)
		case bad == nil && !v.IsAbsent():
			fail.Message = short(string(v.AppendJSON(nil)))
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
	silent  bool // it writes nothing: nobody has answered
	output  value.Value
	extra   value.Value
}
