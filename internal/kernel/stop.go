package kernel

import "lda.chat/wf/internal/value"

// stop cancels what a frame and those below it have out, children first: calls, timers and questions. but is a frame
// that has nothing out any more, nil if there is none.
func (m *Machine) stop(f, but *Frame) {
	if f == but {
		return
	}
	m.stopChildren(f, but)
	if timerOf[f.status] == noTimer {
		return
	}
	m.stopTimer(f)
	switch f.status {
	case frameCalling:
		m.effect(Effect{Kind: CancelCall, Ref: f.ref()})
	case frameAsking:
		m.effect(Effect{Kind: CloseInterrupt, Ref: f.ref()})
	}
}

func (m *Machine) stopChildren(f, but *Frame) {
	if f.under == nil {
		return
	}
	for i := range f.under.kids {
		if k := f.under.kids[i].frame; k != nil {
			m.stop(k, but)
		}
	}
}

func (m *Machine) cancel(ev *Event) {
	m.stop(m.root, nil)
	fail := failf(CodeCancelled, ev.Reason)
	fail.Cause = ev.Cause
	m.emit(Entry{Kind: RunCancelled, Frame: m.root, Op: ToNowhere, Rare: &Rare{Name: ev.Reason, Failure: fail}})
	m.over()
}

// failRun ends the run. quiet is the frame whose step has ended and has nothing out, if there is one.
func (m *Machine) failRun(f *Frame, op, visit int32, entered bool, quiet *Frame, fail *Failure) {
	m.stop(m.root, quiet)
	m.emit(Entry{Kind: RunFailed, Entered: entered, Frame: f, Op: op, Visit: visit, Attempt: f.attempt, Rare: &Rare{Failure: fail}})
	m.over()
}

// over says that the run has ended.
func (m *Machine) over() {
	if m.prog.Timeout > 0 && m.fired.Kind != RunTimer {
		m.effect(Effect{Kind: CancelTimer, Timer: Timer{Kind: RunTimer}})
	}
	m.effect(Effect{Kind: Finish})
}

// limitFailure is what ends a step, or the run, that has gone on for too long.
func limitFailure(message string, limit int64) *Failure {
	return &Failure{Code: CodeLimitExceeded, Message: message, Details: value.Object(value.Member{Key: "limit", Value: value.Int(limit)})}
}
