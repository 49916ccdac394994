package kernel

import "lda.chat/wf/internal/value"

// Outstanding gives what a run has out: its timers, the calls and the open interrupts, as the effects that made them, in
// structural order. A driver that has folded a run does them again, as far as it may; it knows them from before by their ids
// ([StepRef.ID]), which are the same in every fold.
func (m *Machine) Outstanding() []Effect {
	if m.status != Running {
		return nil
	}
	var list []Effect
	if m.prog.Timeout > 0 {
		list = append(list, Effect{Kind: SetTimer, Timer: Timer{Kind: RunTimer}, At: m.startedAt + m.idle + m.prog.Timeout})
	}
	m.eachFrame(m.root, func(f *Frame) {
		if kind := timerOf[f.status]; kind != noTimer && f.until != 0 {
			list = append(list, Effect{Kind: SetTimer, Timer: Timer{kind, f.ref()}, At: f.until})
		}
		switch f.status {
		case frameCalling:
			input, fail := m.input(f, f.ref().At(), nil)
			if fail != nil { // an edit has taken away what it was made of
				input = Bound{Values: make([]value.Value, 1)}
			}
			list = append(list, Effect{Kind: Call, Ref: f.ref(), Input: input, At: f.until})
		case frameAsking:
			list = append(list, Effect{Kind: OpenInterrupt, Ref: f.ref(), At: f.until})
		}
	})
	return list
}

// Proceeds reports whether a Proceed event is due: frames can go on without any other. A run that was folded may have been
// in the middle of that.
func (m *Machine) Proceeds() bool { return m.status == Running && m.first != nil }

// Resting reports whether nothing is at work in a run that has not ended: whatever it does next, time, an answer or a
// decision begins it.
func (m *Machine) Resting() bool { return m.status == Running && m.root.active == 0 }

// Calls reports whether calls are out.
func (m *Machine) Calls() bool {
	found := false
	if m.status == Running {
		m.eachFrame(m.root, func(f *Frame) { found = found || f.status == frameCalling })
	}
	return found
}

// Owns reports whether something is named by this machine, and not by another one of the same run.
func (m *Machine) Owns(r Ref) bool {
	f := r.frame
	for f.in != nil {
		f = f.in.owner
	}
	return f == m.root
}

// Wakes gives when the first timer fires of a run that rests, in unix nanoseconds; 0 if none does.
func (m *Machine) Wakes() int64 {
	var first int64
	for _, e := range m.Outstanding() {
		if e.Kind == SetTimer && (first == 0 || e.At < first) {
			first = e.At
		}
	}
	return first
}
