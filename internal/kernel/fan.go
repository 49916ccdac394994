package kernel

import (
	"slices"

	"lda.chat/wf/internal/value"
)

// items reads what a foreach goes over.
func (m *Machine) items(f *Frame, op *Op) (value.Value, *Failure) {
	s := m.scopeAt(f)
	v, bad := s.read(op.Fan.Over)
	switch {
	case bad != nil:
		return v, failf(CodeInputInvalid, op.Fan.Over.Name+": "+bad.name+" is "+article(bad.kind)+", which does not fit here")
	case v.IsAbsent():
		return v, failf(CodeBindingMissing, "over: "+op.Fan.Over.Name+" is missing; give it a default")
	case v.Kind() != value.KindArray:
		return v, failf(CodeNotArray, "over: "+op.Fan.Over.Name+" must be an array, but is "+describe(v))
	}
	return v, nil
}

// chosen evaluates which branches of a fork are activated.
func (m *Machine) chosen(f *Frame, op *Op) ([]int32, *Failure) {
	s := m.scopeAt(f)
	list := make([]int32, 0, len(op.Fan.Branches))
	for i := range op.Fan.Branches {
		if when := op.Fan.Branches[i].When; when != nil {
			yes, fail := s.holds(when)
			if fail != nil {
				return nil, fail
			}
			if !yes {
				continue
			}
		}
		list = append(list, int32(i))
	}
	return list, nil
}

// openFan begins an attempt of a foreach or fork. Its children are started one by one, see tend.
func (m *Machine) openFan(f *Frame, op *Op, attempt int32) {
	var fail *Failure
	var list []int32
	if op.Kind == Foreach {
		m.staged, fail = m.items(f, op)
	} else {
		list, fail = m.chosen(f, op)
	}
	if fail != nil {
		m.staged = value.Value{}
		m.fail(f, fail, attempt == 1)
		return
	}
	m.emitOpened(f, attempt, m.deadline(f, op.Timeout, op.Retry, attempt), list)
}

// emitOpened enters a step with children, or begins its next attempt.
func (m *Machine) emitOpened(f *Frame, attempt int32, until int64, chosen []int32) {
	visit := f.visit
	if attempt == 1 {
		visit = f.nextVisit(f.pc)
	}
	e := Entry{Kind: StepOpened, Frame: f, Op: f.pc, Visit: visit, Attempt: attempt}
	if until != 0 || chosen != nil {
		e.Rare = &Rare{Until: until, Chosen: chosen}
	}
	m.emit(e)
	m.setTimer(f)
}

// tend ends a foreach or fork if its children allow it, or starts the next of them.
func (m *Machine) tend(f *Frame) {
	g := f.under
	if outcome, ends := g.settled(); ends {
		m.finishFan(f, outcome)
		return
	}
	m.emit(Entry{Kind: ChildStarted, Frame: m.newChild(g), Op: ToNowhere})
}

// endChild ends an item or branch that has come to its end.
func (m *Machine) endChild(f *Frame) {
	e := Entry{Kind: ChildClosed, Frame: f, Op: ToNowhere, Outcome: childSucceeded}
	if f.pc == ToDiscard {
		e.Outcome = childDiscarded
	} else if result := f.in.op.Fan.Result; result != nil {
		at, visit := f.lastStep()
		s := scope{m: m, f: f, op: at, visit: visit, now: m.now}
		v, bad := s.read(result)
		if bad != nil {
			m.giveUp(f, at, visit, false, failf(CodeInputInvalid, "result: "+bad.name+" is "+article(bad.kind)+", which does not fit here"))
			return
		}
		if fail := m.judgeAs("the result", "", value.Size(v), 0); fail != nil {
			m.giveUp(f, at, visit, false, fail)
			return
		}
		e.Output = v
	}
	m.emit(e)
}

// finishFan ends a foreach or fork by an outcome: what its children that succeeded have written is merged, the others are
// stopped.
func (m *Machine) finishFan(f *Frame, outcome int32) {
	g := f.under
	m.stopChildren(f, nil)
	m.stopTimer(f)
	st := step{op: f.pc}
	cells, fail := m.merge(g, func(field *Field, cur, in value.Value) (value.Value, error) {
		v, err := f.flow.prog.Reduce[field.Host](cur, in)
		m.results = append(m.results, v)
		return v, err
	})
	if fail == nil {
		fail = m.judgeMerged(g, cells)
	}
	if fail != nil {
		m.results = nil
		m.fail(f, fail, false)
		return
	}
	m.merged, st.output = cells, g.summary()
	m.finish(f, st, outcome)
}

// regionTimeout ends a foreach, fork or subgraph that took too long: by its outcome for that, or as a failure.
func (m *Machine) regionTimeout(f *Frame) {
	op := &f.flow.prog.Ops[f.pc]
	total := op.Retry != nil && op.Retry.Total > 0 && f.until == f.since()+op.Retry.Total
	if op.Fan != nil && op.Fan.TimedOut >= 0 && !total { // another plan's timeout may have no outcome in this one
		m.finishFan(f, op.Fan.TimedOut)
		return
	}
	m.stopChildren(f, nil)
	m.fail(f, &Failure{Code: CodeTimeout, Message: m.timeoutMessage(f)}, false)
}

// join leaves a join: by the outcome of its fork if that was just left, else as done.
func (m *Machine) join(f *Frame, op *Op) {
	outcome := int32(0)
	if fork := op.Fork; fork >= 0 && f.priorOp == fork {
		from := &f.flow.prog.Ops[fork]
		name := from.Outcomes[f.priorOutcome]
		if at := slices.Index(op.Outcomes, name); at >= 0 {
			outcome = int32(at)
		}
	}
	m.finish(f, step{op: f.pc, entered: true}, outcome)
}
