package kernel

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
			input, _ := m.input(f, f.ref().At(), nil) // it could be bound when the step was entered, and nothing of it has changed
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
