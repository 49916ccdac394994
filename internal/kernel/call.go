package kernel

import "lda.chat/wf/internal/value"

// call announces an attempt of a node step.
func (m *Machine) call(f *Frame, attempt int32) {
	at := f.pc
	op := &m.prog.Ops[at]
	input, fail := m.input(f, op, m.out.Inputs)
	if fail != nil { // only a first attempt: later ones find what this one found
		m.fail(f, fail, true)
		return
	}
	n := len(input.Values)
	input.Values, m.out.Inputs = input.Values[:n:n], input.Values[n:]
	visit, key := f.visit, f.key
	if attempt == 1 {
		visit = m.nextVisit(f, at)
		key = ""
	}
	ref := Ref{StepRef: StepRef{frame: f, Op: at, Visit: visit}, Attempt: attempt}
	until := m.deadline(f, op, attempt)
	e := Entry{Kind: StepCalled, Frame: f, Op: at, Visit: visit, Attempt: attempt}
	if key != "" || until != 0 {
		e.Rare = &Rare{Name: key, Until: until}
	}
	m.emit(e)
	if until != 0 {
		m.effect(Effect{Kind: SetTimer, Timer: Timer{AttemptTimer, ref}, At: until})
	}
	m.effect(Effect{Kind: Call, Ref: ref, Input: input, At: until})
}

// deadline is when an attempt that starts now ends at the latest: by its own timeout or the step's total.
func (m *Machine) deadline(f *Frame, op *Op, attempt int32) int64 {
	var until int64
	if op.Timeout > 0 {
		until = m.now + op.Timeout
	}
	if op.Retry != nil && op.Retry.Total > 0 {
		entered := f.entered
		if attempt == 1 {
			entered = m.now
		}
		if total := entered + op.Retry.Total; until == 0 || total < until {
			until = total
		}
	}
	return until
}

// bind fills an object from bindings. Absent and not optional is a failure with code.
func (s *scope) bind(binds []Bind, shape *value.Shape, code string) (value.Value, *Failure) {
	if shape == nil {
		return s.fill(binds, code)
	}
	var room [8]value.Value // on the stack; more members go to the heap
	vals, fail := s.members(binds, room[:0], code)
	if fail != nil {
		return value.Value{}, fail
	}
	return shape.Object(vals), nil
}

// members appends the values of bindings that are one member each, absent ones too.
func (s *scope) members(binds []Bind, vals []value.Value, code string) ([]value.Value, *Failure) {
	for i := range binds {
		v, fail := s.bound(&binds[i], code)
		if fail != nil {
			return vals, fail
		}
		vals = append(vals, v)
	}
	return vals, nil
}

// fill makes a value of bindings whose targets are any places in it.
func (s *scope) fill(binds []Bind, code string) (value.Value, *Failure) {
	out := value.Object()
	for i := range binds {
		b := &binds[i]
		v, fail := s.bound(b, code)
		if fail != nil {
			return v, fail
		}
		if v.IsAbsent() {
			continue
		}
		if len(b.Target) == 0 {
			out = v
			continue
		}
		next, err := out.Set(b.Target, v)
		if err != nil {
			return v, failf(CodeInputInvalid, "cannot fill "+b.Target.Pointer()+" from "+b.From.Name+": "+err.Error())
		}
		out = next
	}
	return out, nil
}

func (s *scope) bound(b *Bind, code string) (value.Value, *Failure) {
	v, bad := s.read(&b.From)
	if bad != nil {
		return v, failf(CodeInputInvalid, b.From.Name+": "+bad.name+" is "+article(bad.kind)+", but a text is made of strings, numbers, booleans and null")
	}
	if v.IsAbsent() && !b.Optional {
		return v, failf(code, b.Target.Pointer()+" is required, but "+b.From.Name+" is missing; give it a default, or make it optional")
	}
	return v, nil
}

func (m *Machine) completed(ev *Event) {
	f := ev.Ref.frame
	op := &m.prog.Ops[ev.Ref.Op]
	m.stopTimer(ev.Ref)
	for i, name := range op.Outcomes {
		if name == ev.Outcome && int32(i) < op.Declared {
			m.finish(f, step{op: ev.Ref.Op, output: ev.Output, extra: ev.Extra}, int32(i))
			return
		}
	}
	m.fail(f, failf(CodeUndeclaredOutcome, "the step returned the outcome "+quote(ev.Outcome)+", which it does not declare"), false)
}

func (m *Machine) stopTimer(r Ref) {
	if f := r.frame; f.until != 0 {
		kind := AttemptTimer
		if f.status == frameBackoff {
			kind = BackoffTimer
		}
		m.effect(Effect{Kind: CancelTimer, Timer: Timer{kind, r}})
	}
}

func (m *Machine) timerLive(t Timer) bool {
	if t.Kind == RunTimer {
		return m.status == Running && m.prog.Timeout > 0
	}
	f := m.live(t.Ref)
	return f != nil && f.until != 0 && (f.status == frameBackoff) == (t.Kind == BackoffTimer)
}

func (m *Machine) timer(ev *Event) {
	f := ev.Timer.Ref.frame
	switch ev.Timer.Kind {
	case RunTimer:
		m.fired = true
		m.stopAll()
		fail := limitFailure("the run took longer than its limit (timeout_seconds)", 0)
		limit, _ := value.Float(float64(m.prog.Timeout) / 1e9)
		fail.Details = value.Object(value.Member{Key: "limit", Value: limit})
		fail.Code = CodeTimeout
		m.failRun(m.root, m.root.pc, m.root.visit, false, fail)
	case BackoffTimer:
		m.call(f, f.attempt+1)
	case AttemptTimer:
		m.effect(Effect{Kind: CancelCall, Ref: ev.Timer.Ref})
		m.fail(f, &Failure{Code: CodeTimeout, Unknown: true, Message: m.timeoutMessage(f)}, false)
	}
}

func (m *Machine) timeoutMessage(f *Frame) string {
	op := &m.prog.Ops[f.pc]
	if op.Retry != nil && op.Retry.Total > 0 && f.until == f.entered+op.Retry.Total {
		return "no result within " + seconds(op.Retry.Total) + ", the limit for all attempts together"
	}
	return "no result within " + seconds(op.Timeout) + ", the limit for one attempt"
}

// stopAll cancels what is out: calls, timers and back-offs.
func (m *Machine) stopAll() {
	f := m.root
	ref := Ref{StepRef: StepRef{frame: f, Op: f.pc, Visit: f.visit}, Attempt: f.attempt}
	switch f.status {
	case frameCalling:
		m.stopTimer(ref)
		m.effect(Effect{Kind: CancelCall, Ref: ref})
	case frameBackoff:
		m.stopTimer(ref)
	}
}

func (m *Machine) cancel(ev *Event) {
	m.stopAll()
	fail := failf(CodeCancelled, ev.Reason)
	fail.Cause = ev.Cause
	m.emit(Entry{Kind: RunCancelled, Frame: m.root, Op: ToNowhere, Rare: &Rare{Name: ev.Reason, Failure: fail}})
	m.over()
}

// over says that the run has ended.
func (m *Machine) over() {
	if m.prog.Timeout > 0 && !m.fired {
		m.effect(Effect{Kind: CancelTimer, Timer: Timer{Kind: RunTimer}})
	}
	m.effect(Effect{Kind: Finish})
}
