package kernel

import "lda.chat/wf/internal/value"

// call announces an attempt of a node step.
func (m *Machine) call(f *Frame, attempt int32) {
	at := f.pc
	op := &f.flow.prog.Ops[at]
	input, fail := m.input(f, op, m.out.Inputs)
	if fail != nil { // only a first attempt: later ones find what this one found
		m.fail(f, fail, true)
		return
	}
	n := len(input.Values)
	input.Values, m.out.Inputs = input.Values[:n:n], input.Values[n:]
	visit, key := f.visit, f.key()
	if attempt == 1 {
		visit = f.nextVisit(at)
		key = ""
	}
	ref := Ref{StepRef: StepRef{frame: f, Op: at, Visit: visit}, Attempt: attempt}
	until := m.deadline(f, op.Timeout, op.Retry, attempt)
	e := Entry{Kind: StepCalled, Frame: f, Op: at, Visit: visit, Attempt: attempt}
	if key != "" || until != 0 {
		e.Rare = &Rare{Name: key, Until: until}
	}
	m.emit(e)
	m.setTimer(f)
	m.effect(Effect{Kind: Call, Ref: ref, Input: input, At: until})
}

// deadline is when an attempt that starts now ends at the latest: by its own timeout or the step's total.
func (m *Machine) deadline(f *Frame, timeout int64, retry *Retry, attempt int32) int64 {
	var until int64
	if timeout > 0 {
		until = m.now + timeout
	}
	if retry != nil && retry.Total > 0 {
		entered := f.since()
		if attempt == 1 {
			entered = m.now
		}
		if total := entered + retry.Total; total > m.now && (until == 0 || total < until) { // it has passed if somebody decided late
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
	op := ev.Ref.At()
	m.stopTimer(f)
	for i, name := range op.Outcomes {
		if name == ev.Outcome && int32(i) < op.Declared {
			m.finish(f, step{op: ev.Ref.Op, output: ev.Output, extra: ev.Extra}, int32(i))
			return
		}
	}
	m.fail(f, failf(CodeUndeclaredOutcome, "the step returned the outcome "+quote(ev.Outcome)+", which it does not declare"), false)
}
