package kernel

import "lda.chat/wf/internal/value"

// timerOf is the timer that a frame may have set, by its status.
var timerOf = [...]TimerKind{frameCalling: AttemptTimer, frameBackoff: BackoffTimer, frameInside: RegionTimer, frameTending: RegionTimer,
	frameAsking: AskTimer, frameWaiting: WaitTimer, frameEnded: noTimer}

// setTimer sets the timer of the step that a frame has just entered or begun to wait in.
func (m *Machine) setTimer(f *Frame) {
	if f.until != 0 {
		m.effect(Effect{Kind: SetTimer, Timer: Timer{timerOf[f.status], f.ref()}, At: f.until})
	}
}

// stopTimer cancels the timer of a frame, if it has one.
func (m *Machine) stopTimer(f *Frame) {
	if t := (Timer{timerOf[f.status], f.ref()}); f.until != 0 && t != m.fired {
		m.effect(Effect{Kind: CancelTimer, Timer: t})
	}
}

func (m *Machine) timerLive(t Timer) bool {
	if t.Kind == RunTimer {
		return t.Ref == (Ref{}) && m.status == Running && m.prog.Timeout > 0
	}
	f := m.live(t.Ref)
	return f != nil && f.until != 0 && timerOf[f.status] == t.Kind
}

func (m *Machine) timer(ev *Event) {
	f := ev.Timer.Ref.frame
	switch ev.Timer.Kind {
	case RunTimer:
		m.runTimeout()
	case BackoffTimer:
		m.resume(f)
	case AttemptTimer:
		m.effect(Effect{Kind: CancelCall, Ref: ev.Timer.Ref})
		m.fail(f, &Failure{Code: CodeTimeout, Unknown: true, Message: m.timeoutMessage(f)}, false)
	case RegionTimer:
		m.regionTimeout(f)
	case AskTimer:
		m.unanswered(f)
	case WaitTimer:
		m.finish(f, step{op: f.pc}, 0)
	}
}

func (m *Machine) runTimeout() {
	limit, _ := value.Float(float64(m.prog.Timeout) / 1e9)
	m.failRun(m.root, m.root.pc, m.root.visit, false, nil, &Failure{Code: CodeTimeout, Final: true,
		Message: "the run took longer than its limit (timeout_seconds)",
		Details: value.Object(value.Member{Key: "limit", Value: limit})})
}

func (m *Machine) timeoutMessage(f *Frame) string {
	op := &f.flow.prog.Ops[f.pc]
	limit := op.Timeout
	if op.Kind == Subgraph {
		limit = op.Child.Timeout
	}
	if op.Retry != nil && op.Retry.Total > 0 && f.until == f.since()+op.Retry.Total {
		return "no result within " + seconds(op.Retry.Total) + ", the limit for all attempts together"
	}
	return "no result within " + seconds(limit) + ", the limit for one attempt"
}

// resume begins the next attempt of a frame that did nothing meanwhile, as soon as there is room for it.
func (m *Machine) resume(f *Frame) {
	if m.hasRoom(f) {
		m.again(f)
	} else {
		m.emit(Entry{Kind: StepDue, Frame: f, Op: f.pc, Visit: f.visit, Attempt: f.attempt})
	}
}

// hasRoom reports whether a frame that does nothing at present may go to work at once.
func (m *Machine) hasRoom(f *Frame) bool {
	for f.active == 0 && f.in != nil {
		if f.in.full() {
			return false
		}
		f = f.in.owner
	}
	return !m.isHeld(f)
}
