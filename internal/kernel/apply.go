package kernel

import "lda.chat/wf/internal/value"

// apply carries out one entry. It is the only code that changes a machine, and it evaluates no condition, route or host's
// reducer: all that was decided stands in the entry. What follows from the state alone, as what a foreach goes over, is
// worked out again.
func (m *Machine) apply(e *Entry, at int64) {
	f := e.Frame
	switch e.Kind {
	case RunStarted:
		m.status, m.runID, m.startedAt, m.scheduled = Running, e.Name(), at, e.Until()
		m.root, m.Doubts = f, e.Rare.Doubts
		f.flow.fill(e.Output)
		m.setStatus(f, frameReady)
	case StepCalled:
		m.attempt(f, e, at)
		f.said = f.said.called(e.Name())
		m.setStatus(f, frameCalling)
	case StepOpened:
		m.attempt(f, e, at)
		m.open(f, e)
	case StepAsked, StepWaiting:
		m.attempt(f, e, at)
		if e.Kind == StepAsked {
			m.setStatus(f, frameAsking)
		} else {
			m.setStatus(f, frameWaiting)
		}
	case StepRetrying:
		f.until, f.attempt = e.Until(), e.Attempt
		m.setStatus(f, frameBackoff)
		m.dropChildren(f)
	case StepDue:
		m.setStatus(f, frameReady)
	case StepDoubted:
		f.until, f.said = 0, f.said.doubted(e.Failure())
		m.setStatus(f, frameDoubting)
	case StepDone:
		m.leave(f, e, at)
	case ChildStarted:
		m.startChild(f)
	case ChildClosed:
		if e.Entered {
			m.enter(f, e, at)
		}
		m.closeChild(f, e)
	case StepRecalled:
		f.said = f.said.lostAgain()
	case RunEdited:
		m.edit(e)
	default:
		m.end(e, at)
	}
}

// end carries out the last entry of a run.
func (m *Machine) end(e *Entry, at int64) {
	switch e.Kind {
	case RunCompleted:
		m.status, m.outcome, m.output = Completed, e.Name(), e.Output
	case RunFailed:
		if e.Entered {
			m.enter(e.Frame, e, at)
		}
		m.status, m.failure = Failed, e.Failure()
		m.failedAt = Ref{StepRef: StepRef{frame: e.Frame, Op: e.Op, Visit: e.Visit}, Attempt: e.Frame.attempt}
	case RunCancelled:
		m.status, m.failure = Cancelled, e.Failure()
	}
	m.dropChildren(m.root)
	m.setStatus(m.root, frameClosed)
}

// fill puts the defaults into the state, then every input property that has a field of the same name.
func (fl *flow) fill(input value.Value) {
	fl.input = input
	for i := range fl.prog.Fields {
		field := &fl.prog.Fields[i]
		fl.slots[i] = field.Default
		if v := input.Get(field.Name); !v.IsAbsent() && field.Declared {
			fl.slots[i] = v
		}
	}
}

// enter counts a visit of a step.
func (m *Machine) enter(f *Frame, e *Entry, at int64) {
	f.visits[f.flow.prog.Ops[e.Op].Local]++
	f.pc, f.visit, f.attempt, f.entered = e.Op, e.Visit, 0, at
	f.flow.steps++
	m.steps++
}

// attempt begins an attempt of a step, which the first enters.
func (m *Machine) attempt(f *Frame, e *Entry, at int64) {
	if e.Attempt <= 1 {
		m.enter(f, e, at)
	}
	f.attempt, f.until = e.Attempt, e.Until()
}

// open makes the group of a step with children; a subgraph's only child starts at once.
func (m *Machine) open(f *Frame, e *Entry) {
	op := &f.flow.prog.Ops[e.Op]
	g := &group{owner: f, op: op, at: e.Op, visit: e.Visit, attempt: e.Attempt, total: 1}
	staged := m.staged
	m.staged = value.Value{}
	switch op.Kind {
	case Foreach:
		if staged.IsAbsent() {
			staged, _ = m.items(f, op)
		}
		g.over, g.total = staged, int32(staged.Len())
	case Fork:
		g.chosen = e.Rare.Chosen
		g.total = int32(len(g.chosen))
	}
	f.under = g
	if op.Kind == Subgraph {
		if staged.IsAbsent() {
			staged, _ = m.childInput(f, op)
		}
		child := m.newChild(g)
		child.flow.fill(staged)
		m.startChild(child)
	}
	m.unlink(f)                // the others have their turn first
	m.setStatus(f, g.inside()) // at once: it gives up no room in between
}

// leave takes a step's outcome: what its children and the step itself have written, and where it goes on.
func (m *Machine) leave(f *Frame, e *Entry, at int64) {
	if e.Entered {
		m.enter(f, e, at)
	}
	op := &f.flow.prog.Ops[e.Op]
	caught := e.Failure() != nil
	if g := f.under; g != nil && op.Fan != nil && !caught {
		m.takeOver(f, g, e)
	}
	m.write(f, e)
	if op.Keep >= 0 && !caught { // a caught failure has no output: the latest one stays
		f.keep(op.Keep, e.Output)
	}
	if e.Counted {
		f.counters[op.Next[e.Outcome].Counter]++
	}
	f.priorOp, f.priorOutcome, f.priorRetries = e.Op, e.Outcome, max(f.attempt, 1)-1
	f.pc, f.visit, f.attempt, f.until, f.said = e.Next, 0, 0, 0, nil
	m.unlink(f) // the others have their turn first
	if op.Kind == End {
		m.setStatus(f, frameEnded)
		return
	}
	m.setStatus(f, frameReady)
	m.dropChildren(f)
}

// takeOver merges a region into the frame that has waited for it.
func (m *Machine) takeOver(f *Frame, g *group, e *Entry) {
	merged := m.merged
	m.merged = nil
	if merged == nil {
		results := e.results()
		merged, _ = m.merge(g, func(*Field, value.Value, value.Value) (v value.Value, err error) {
			if len(results) > 0 {
				v, results = results[0], results[1:]
			}
			return v, nil
		})
	}
	for i := range merged {
		f.set(merged[i].slot, merged[i].value())
	}
	switch {
	case f.whole():
	case g.serial():
		f.log = append(f.log, g.log...)
	default:
		for i := range g.kids {
			f.log = append(f.log, g.written(i)...)
		}
	}
	for _, kept := range g.kept {
		for _, c := range kept {
			f.keep(c.slot, c.val)
		}
	}
}

// write changes the fields. Decide has computed them already, to check them; a fold computes them here.
func (m *Machine) write(f *Frame, e *Entry) {
	if len(m.changes) > 0 {
		for i := range m.changes {
			c := &m.changes[i]
			if c.added {
				f.add(c.op, c.bind.Slot, c.in)
			} else {
				f.set(c.bind.Slot, c.result)
			}
			f.remember(c.bind, c.op, e.Op, c.in)
		}
		m.changes = m.changes[:0]
		return
	}
	for w := e.Writes; w != nil; w = w.Next {
		in := e.In(w)
		switch {
		case w.Op == OpHost:
			f.set(w.Bind.Slot, w.Result)
		case f.adds(w.Op, w.Bind):
			f.add(w.Op, w.Bind.Slot, in)
		default:
			v, _ := written(f.flow.prog, w.Op, w.Bind, f.get(w.Bind.Slot), in)
			f.set(w.Bind.Slot, v)
		}
		f.remember(w.Bind, w.Op, e.Op, in)
	}
}

// remember keeps a child's write for the merging.
func (f *Frame) remember(b *WriteBind, op Operation, by int32, in value.Value) {
	if !f.whole() {
		f.log = append(f.log, logged{bind: b, op: op, by: by, in: in})
	}
}

// written is a field after a write that no host's reducer makes. The problem is why it cannot be made; a fold meets none.
func written(p *Program, op Operation, b *WriteBind, cur, in value.Value) (v value.Value, problem string) {
	switch {
	case op == OpUnset && len(b.Path) > 0:
		return cur.Unset(b.Path), ""
	case op == OpUnset:
		return p.Fields[b.Slot].Default, ""
	case len(b.Path) > 0:
		v, err := cur.Set(b.Path, in)
		if err != nil {
			return cur, err.Error()
		}
		return v, ""
	}
	return reduce(op, cur, in)
}
