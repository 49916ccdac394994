package kernel

import (
	"strconv"

	"lda.chat/wf/internal/value"
)

// finish leaves a step by an outcome: the route is found first, then all writes are worked out, and only then one
// entry commits both. What cannot be routed or written commits nothing.
func (m *Machine) finish(f *Frame, st step, outcome int32) {
	next, counted, fail := m.route(f, st.op, outcome)
	var writes []Write
	if fail == nil {
		writes, fail = m.writes(f, st)
	}
	if fail != nil {
		m.fail(f, fail, st.entered)
		return
	}
	m.done(f, st, outcome, next, counted, writes, nil)
}

func (m *Machine) done(f *Frame, st step, outcome, next int32, counted bool, writes []Write, caught *Failure) {
	visit := f.visit
	if st.entered {
		visit = m.nextVisit(f, st.op)
	}
	e := Entry{Kind: StepDone, Entered: st.entered, Counted: counted, Frame: f, Op: st.op, Visit: visit, Attempt: f.attempt,
		Outcome: outcome, Next: next, Output: st.output, Writes: writes}
	if caught != nil || !st.extra.IsAbsent() {
		e.Rare = &Rare{Failure: caught, Extra: st.extra}
	}
	m.emit(e)
}

// route finds where an outcome leads.
func (m *Machine) route(f *Frame, at, outcome int32) (next int32, counted bool, fail *Failure) {
	op := &m.prog.Ops[at]
	edge := &op.Next[outcome]
	if edge.To == ToNowhere {
		return 0, false, failf(CodeUnwiredOutcome, "the outcome "+quote(op.Outcomes[outcome])+" leads nowhere")
	}
	if edge.Max == 0 || f.counters[edge.Counter] < edge.Max {
		return edge.To, edge.Max > 0, nil
	}
	if edge.Exhausted != ToNowhere {
		return edge.Exhausted, false, nil
	}
	fail = limitFailure("the edge for outcome "+quote(op.Outcomes[outcome])+" was taken "+itoa(int64(edge.Max))+
		" times, its limit (max_visits), and says nothing about where to go then (exhausted)", int64(edge.Max))
	fail.Final = false
	return 0, false, fail
}

// writes works out what a step changes, each write seeing the ones before it, and checks the results.
func (m *Machine) writes(f *Frame, st step) ([]Write, *Failure) {
	op := &m.prog.Ops[st.op]
	if len(op.Writes) == 0 {
		return nil, nil
	}
	s := m.scopeAt(f)
	s.local = st.output
	from := len(m.out.Writes)
	for i := range op.Writes {
		w, skip, fail := s.write(&op.Writes[i])
		if fail == nil && !skip {
			fail = m.judge(f, &w, m.out.Writes[from:])
		}
		if fail != nil {
			m.out.Writes = m.out.Writes[:from]
			return nil, fail
		}
		if !skip {
			m.out.Writes = append(m.out.Writes, w)
		}
	}
	return m.out.Writes[from:len(m.out.Writes):len(m.out.Writes)], nil
}

// write resolves one write.
func (s *scope) write(b *WriteBind) (w Write, skip bool, fail *Failure) {
	field := &s.m.prog.Fields[b.Slot]
	w = Write{Bind: b}
	if b.Unset {
		w.Op = OpUnset
		return w, false, nil
	}
	if b.From != nil {
		v, bad := s.read(b.From)
		if bad != nil {
			return w, false, failf(CodeInputInvalid, b.Name+": "+bad.name+" is "+article(bad.kind)+", which does not fit here")
		}
		w.In = v
	} else {
		w.In = s.local.At(b.Source)
	}
	if !w.In.IsAbsent() {
		w.Op = field.Op
		return w, false, nil
	}
	switch {
	case b.Absent == AbsentFail:
		return w, false, failf(CodeOutputInvalid, b.Name+" is missing, and state."+field.Name+" needs it")
	case b.Absent == AbsentKeep || field.Op != OpSet:
		return w, true, nil
	}
	return Write{Bind: b, Op: OpUnset}, false, nil
}

// judge computes the field after the write and checks it. The result travels with the write, so that apply need not
// compute it again.
func (m *Machine) judge(f *Frame, w *Write, earlier []Write) *Failure {
	b := w.Bind
	field := &m.prog.Fields[b.Slot]
	cur := f.get(b.Slot)
	for i := range earlier {
		if earlier[i].Bind.Slot == b.Slot {
			cur = earlier[i].Result
		}
	}
	switch {
	case w.Op == OpUnset:
		w.Result = m.unset(cur, w)
		return nil
	case len(b.Path) > 0:
		v, err := cur.Set(b.Path, w.In)
		if err != nil {
			return failf(CodeStateInvalid, "cannot write state."+field.Name+b.Path.Pointer()+": "+err.Error())
		}
		w.Result = v
	case w.Op == OpHost:
		v, err := m.prog.Reduce[field.Host](cur, w.In)
		if err != nil {
			return reducerFailure(field, err.Error())
		}
		w.Result = v
	default:
		v, problem := reduce(w.Op, cur, w.In)
		if problem != "" {
			return reducerFailure(field, problem)
		}
		w.Result = v
	}
	switch {
	case b.Proved:
	case field.Item != nil && w.Op == OpAppend:
		return stateFailure(field, field.Item(w.In))
	case field.Item != nil && w.Op == OpExtend:
		for _, item := range w.In.Items() {
			if fail := field.Item(item); fail != nil {
				return stateFailure(field, fail)
			}
		}
	case field.Check != nil:
		return stateFailure(field, field.Check(w.Result))
	}
	return nil
}

func stateFailure(field *Field, fail *Failure) *Failure {
	if fail == nil {
		return nil
	}
	return &Failure{Code: CodeStateInvalid, Message: "state." + field.Name + ": " + fail.Message, Details: fail.Details}
}

func reducerFailure(field *Field, problem string) *Failure {
	return failf(CodeReducerError, "the reducer of state."+field.Name+" "+problem)
}

// end derives the workflow's output and ends the run.
func (m *Machine) end(f *Frame, op *Op, outcome string) {
	binds, shape := m.prog.Output, m.prog.Shape
	at := f.priorOp
	if op != nil && op.Output != nil {
		binds, shape = op.Output, op.Shape
	}
	s := scope{m: m, f: f, op: max(at, 0), visit: 1, now: m.now}
	output, fail := s.bind(binds, shape, CodeOutputInvalid)
	if fail == nil && m.prog.CheckOutput != nil {
		fail = m.prog.CheckOutput(output)
	}
	if fail != nil {
		m.failRun(f, at, 0, false, &Failure{Code: CodeOutputInvalid, Message: "the workflow's output: " + fail.Message, Details: fail.Details})
		return
	}
	m.emit(Entry{Kind: RunCompleted, Frame: f, Op: at, Rare: &Rare{Name: outcome}, Output: output})
	m.over()
}

func limitFailure(message string, limit int64) *Failure {
	return &Failure{Code: CodeLimitExceeded, Message: message, Final: true,
		Details: value.Object(value.Member{Key: "limit", Value: value.Int(limit)})}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func quote(s string) string { return strconv.Quote(s) }

// seconds writes a duration in nanoseconds for people.
func seconds(ns int64) string { return strconv.FormatFloat(float64(ns)/1e9, 'g', 6, 64) + " s" }
