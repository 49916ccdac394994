package kernel

import "lda.chat/wf/internal/value"

// apply carries out one entry. It is the only code that changes a machine, and it evaluates no condition, binding,
// route or host's reducer: all that was decided stands in the entry.
func (m *Machine) apply(e *Entry, at int64) {
	f := e.Frame
	switch e.Kind {
	case RunStarted:
		m.status, m.runID, m.startedAt, m.scheduled = Running, e.Name(), at, e.Until()
		m.root = f
		m.fillState(f, e.Output)
	case StepCalled:
		if e.Attempt == 1 {
			m.enter(f, e, at)
		}
		f.status, f.attempt, f.until, f.key = frameCalling, e.Attempt, e.Until(), e.Name()
	case StepRetrying:
		f.status, f.until = frameBackoff, e.Until()
		f.attempt = e.Attempt
	case StepDone:
		m.leave(f, e, at)
	case RunCompleted:
		m.status, m.outcome, m.output = Completed, e.Name(), e.Output
		f.status = frameClosed
	case RunFailed:
		if e.Entered {
			m.enter(f, e, at)
		}
		m.status, m.failure = Failed, e.Failure()
		m.failedAt = StepRef{frame: f, Op: e.Op, Visit: e.Visit}
		f.status = frameClosed
	case RunCancelled:
		m.status, m.failure = Cancelled, e.Failure()
		m.root.status = frameClosed
	}
}

// fillState puts the defaults into the state, then every input property that has a field of the same name.
func (m *Machine) fillState(f *Frame, input value.Value) {
	f.input = input
	for i := range m.prog.Fields {
		field := &m.prog.Fields[i]
		f.slots[i] = field.Default
		if v := input.Get(field.Name); !v.IsAbsent() && field.Declared {
			f.slots[i] = v
		}
	}
}

func (m *Machine) enter(f *Frame, e *Entry, at int64) {
	f.visits[m.prog.Ops[e.Op].Local]++
	f.pc, f.visit, f.attempt, f.entered = e.Op, e.Visit, 0, at
	m.steps++
}

func (m *Machine) leave(f *Frame, e *Entry, at int64) {
	if e.Entered {
		m.enter(f, e, at)
	}
	op := &m.prog.Ops[e.Op]
	m.write(f, e)
	if op.Keep >= 0 && e.Failure() == nil { // a caught failure has no output: the latest one stays
		f.outputs[op.Keep] = e.Output
	}
	if e.Counted {
		f.counters[op.Next[e.Outcome].Counter]++
	}
	f.priorOp, f.priorOutcome, f.priorRetries = e.Op, e.Outcome, max(f.attempt, 1)-1
	f.status, f.pc, f.visit, f.attempt, f.until, f.key = frameReady, e.Next, 0, 0, 0, ""
}

// write changes the fields. Decide has computed them already, to check them; a fold computes them here.
func (m *Machine) write(f *Frame, e *Entry) {
	if len(m.changes) > 0 {
		for i := range m.changes {
			f.slots[m.changes[i].bind.Slot] = m.changes[i].result
		}
		m.changes = m.changes[:0]
		return
	}
	for w := e.Writes; w != nil; w = w.Next {
		slot := &f.slots[w.Bind.Slot]
		switch {
		case w.Op == OpUnset:
			*slot = m.unset(*slot, w.Bind)
		case w.Op == OpHost:
			*slot = w.Result
		case len(w.Bind.Path) > 0:
			*slot, _ = slot.Set(w.Bind.Path, e.In(w))
		default:
			*slot, _ = reduce(w.Op, *slot, e.In(w))
		}
	}
}

// unset takes a place back: a whole field to its default.
func (m *Machine) unset(cur value.Value, b *WriteBind) value.Value {
	if len(b.Path) > 0 {
		return cur.Unset(b.Path)
	}
	return m.prog.Fields[b.Slot].Default
}
