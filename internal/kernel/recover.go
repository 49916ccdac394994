package kernel

import "lda.chat/wf/internal/value"

// recovered deals with calls that are out: whoever made them is gone, and nobody knows how they ended. It is one call, or all
// that are out.
func (m *Machine) recovered(one Ref) {
	if one != (Ref{}) {
		m.lose(one.frame)
		return
	}
	var out []Ref
	m.eachFrame(m.root, func(f *Frame) {
		if f.status == frameCalling {
			out = append(out, f.ref())
		}
	})
	for _, r := range out {
		if f := m.live(r); f != nil { // the loss of another may have ended it
			m.lose(f)
		}
	}
}

// lose makes a lost call again if it may be made twice. That is recorded before it is made, so that a call that brings
// down whoever makes it is not made for ever.
func (m *Machine) lose(f *Frame) {
	op := &f.flow.prog.Ops[f.pc]
	const lost = "whoever made the call was gone before its result was kept"
	switch {
	case op.Once:
		m.stopTimer(f)
		fail := doubtful(&Failure{Code: "call_lost", Message: lost})
		if fail = m.caught(f, op, fail, false); fail != nil {
			fail = m.doubt(f, fail)
		}
		if fail != nil {
			m.giveUp(f, f.pc, f.visit, false, fail)
		}
	case f.lost()+1 >= mostDeliveries:
		m.stopTimer(f)
		m.fail(f, &Failure{Code: CodeCrashLoop, Message: "the call was made " + itoa(mostDeliveries) + " times, and each time " + lost,
			Details: value.Object(value.Member{Key: "deliveries", Value: value.Int(mostDeliveries)})}, false)
	default:
		input, fail := m.input(f, op, nil)
		if fail != nil { // an edit has taken away what it was made of
			m.stopTimer(f)
			m.fail(f, fail, false)
			return
		}
		m.emit(Entry{Kind: StepRecalled, Frame: f, Op: f.pc, Visit: f.visit, Attempt: f.attempt})
		m.effect(Effect{Kind: Call, Ref: f.ref(), Input: input, At: f.until})
	}
}

// Deliveries tells how often a call that is out was made and its result lost, and how often it may be: 0 if it would not be made again.
func (m *Machine) Deliveries(r Ref) (made, most int) {
	f := m.live(r)
	if f == nil || f.status != frameCalling {
		return 0, mostDeliveries
	}
	made = int(f.lost()) + 1
	if r.At().Once {
		made = 0
		if m.Doubts == DoubtRetries {
			made = int(f.attempt)
		}
	}
	if made >= mostDeliveries {
		return 0, mostDeliveries
	}
	return made, mostDeliveries
}
