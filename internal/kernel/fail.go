package kernel

import (
	"hash/fnv"
	"slices"
)

// fail deals with a failure of the step that a frame is in, or (entered) is about to enter: retry, then the step's
// own catch, then those around it. The step has nothing out any more.
func (m *Machine) fail(f *Frame, fail *Failure, entered bool) {
	op := &f.flow.prog.Ops[f.pc]
	if !entered && m.retry(f, op, fail) {
		return
	}
	if fail = m.caught(f, op, fail, entered); fail == nil {
		return
	}
	if fail.Unknown && op.Once {
		if fail = m.caught(f, op, doubtful(fail), entered); fail == nil { // by a catch that names the doubt
			return
		}
		if fail = m.doubt(f, fail); fail == nil {
			return
		}
	}
	visit := f.visit
	if entered {
		visit = f.nextVisit(f.pc)
	}
	m.giveUp(f, f.pc, visit, entered, fail)
}

// giveUp deals with a failure that the step does not take: the policy of the foreach or fork around it does, or the step
// that the frame is a child of fails, or the run. The frame has nothing out any more.
func (m *Machine) giveUp(f *Frame, op, visit int32, entered bool, fail *Failure) {
	if fail.Final || f.in == nil {
		m.failRun(f, op, visit, entered, f, fail)
		return
	}
	if fail.Origin == nil {
		from := *fail
		from.Origin = &Origin{Frame: f.Path(), Attempts: max(f.attempt, 1)}
		if op >= 0 {
			from.Origin.Step = f.flow.prog.Ops[op].ID
		}
		fail = &from
	}
	g := f.in
	m.emit(Entry{Kind: ChildClosed, Entered: entered, Frame: f, Op: op, Visit: visit, Attempt: f.attempt, Outcome: childFailed, Rare: &Rare{Failure: fail}})
	if g.op.Fan != nil && g.op.Fan.OnError != FailAll {
		return
	}
	m.stopChildren(g.owner, nil)
	m.stopTimer(g.owner)
	m.fail(g.owner, fail, false)
}

// retry plans another attempt if the policy, the budget of attempts and time, and the call's effect allow one.
func (m *Machine) retry(f *Frame, op *Op, fail *Failure) bool {
	r := op.Retry
	if r == nil || fail.Final || f.attempt >= r.MaxAttempts || op.Once && !fail.Unsent || !slices.Contains(r.On, fail.Code) {
		return false
	}
	due := m.now + m.pause(f, r)
	if r.Total > 0 && due >= f.since()+r.Total {
		return false
	}
	m.emit(Entry{Kind: StepRetrying, Frame: f, Op: f.pc, Visit: f.visit, Attempt: f.attempt, Rare: &Rare{Failure: fail, Until: due}})
	if due > m.now {
		m.setTimer(f)
	} else {
		m.again(f)
	}
	return true
}

// pause is the back-off before the next attempt: exponential, bounded, and shortened by up to a fifth so that runs
// that failed together do not come back together. The jitter follows from the run, the step and the attempt alone.
func (m *Machine) pause(f *Frame, r *Retry) int64 {
	interval := float64(r.Initial)
	limit := float64(r.MaxInterval)
	for n := int32(1); n < f.attempt && interval < limit; n++ {
		interval *= r.Backoff
	}
	interval = min(interval, limit)
	h := fnv.New64a()
	h.Write([]byte(m.runID))
	h.Write([]byte(f.ref().ID()))
	h.Write([]byte{byte(f.attempt), byte(f.attempt >> 8)})
	jitter := float64(h.Sum64()%1024) / 1024 / 5
	return int64(interval * (1 - jitter))
}

// caught turns a failure into the outcome that the step's catch names for its code, and gives nil. Otherwise it gives the
// failure to go on with: if a catch was meant for it and could not be used, it says why.
func (m *Machine) caught(f *Frame, op *Op, fail *Failure, entered bool) *Failure {
	if fail.Final {
		return fail
	}
	for i := range op.Catch { // the first that can be used
		c := &op.Catch[i]
		if !slices.Contains(c.Codes, fail.Code) && !(c.Any && fail.Code != CodeCancelled && fail.Code != CodeInDoubt) {
			continue
		}
		next, counted, unusable := m.route(f, f.pc, c.Outcome)
		m.changes = m.changes[:0]
		if c.Slot >= 0 && unusable == nil {
			w := change{bind: &WriteBind{Slot: c.Slot, Path: c.Path, Recorded: true}, op: f.flow.prog.Fields[c.Slot].Op,
				in: fail.errorValue(Origin{op.ID, f.Path(), max(f.attempt, 1)})}
			if unusable = m.judge(f, &w); unusable == nil {
				m.changes = append(m.changes, w)
			}
		}
		if unusable != nil {
			noted := *fail
			noted.Message += " (its catch could not be used: " + unusable.Message + ")"
			fail = &noted
			continue
		}
		m.done(f, step{op: f.pc, entered: entered}, c.Outcome, next, counted, m.recorded(), fail)
		return nil
	}
	return fail
}
