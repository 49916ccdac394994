package kernel

import (
	"strconv"

	"lda.chat/wf/internal/value"
)

// finish leaves a step by an outcome: the route is found first, then all writes are worked out, and only then one
// entry commits both. What cannot be routed or written commits nothing.
func (m *Machine) finish(f *Frame, st step, outcome int32) {
	next, counted, writes, fail := m.leaving(f, st, outcome)
	if fail != nil {
		m.merged, m.results = nil, nil
		m.fail(f, fail, st.entered)
		return
	}
	m.done(f, st, outcome, next, counted, writes, nil)
}

// leaving works out where an outcome leads and what it writes, and leaves the results in m.changes.
func (m *Machine) leaving(f *Frame, st step, outcome int32) (next int32, counted bool, writes *Write, fail *Failure) {
	if next, counted, fail = m.route(f, st.op, outcome); fail == nil {
		writes, fail = m.writes(f, st)
	}
	if fail == nil {
		if fail = m.tooMuch(f, st, writes); fail != nil {
			m.changes = m.changes[:0]
		}
	}
	return next, counted, writes, fail
}

func (m *Machine) done(f *Frame, st step, outcome, next int32, counted bool, writes *Write, caught *Failure) {
	visit := f.visit
	if st.entered {
		visit = f.nextVisit(st.op)
	}
	e := Entry{Kind: StepDone, Entered: st.entered, Counted: counted, Frame: f, Op: st.op, Visit: visit, Attempt: f.attempt,
		Outcome: outcome, Next: next, Output: st.output, Writes: writes}
	if caught != nil || !st.extra.IsAbsent() {
		e.Rare = &Rare{Failure: caught, Extra: st.extra}
	}
	if len(m.results) > 0 {
		e.rare().Results, m.results = m.results, nil
	}
	m.emit(e)
}

// route finds where an outcome leads.
func (m *Machine) route(f *Frame, at, outcome int32) (next int32, counted bool, fail *Failure) {
	op := &f.flow.prog.Ops[at]
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
	return 0, false, fail
}

// change is a write that decide has worked out: what it puts in, and the field afterwards.
type change struct {
	bind   *WriteBind
	op     Operation
	in     value.Value
	result value.Value
	added  bool // the elements are added when somebody reads the list: there is no result yet
}

// writes works out what a step changes, each write seeing the ones before it, checks the results, and leaves them in
// m.changes, so that apply need not compute them again. It gives what is recorded of them.
func (m *Machine) writes(f *Frame, st step) (*Write, *Failure) {
	op := &f.flow.prog.Ops[st.op]
	if len(op.Writes) == 0 || st.silent {
		return nil, nil
	}
	s := m.scopeAt(f)
	s.local, s.leaving = st.output, true
	plain := op.plain
	for i := range op.Writes {
		c, skip, fail := s.write(&op.Writes[i])
		if fail == nil && !skip {
			fail = m.judge(f, &c)
		}
		if fail != nil {
			m.changes = m.changes[:0]
			return nil, fail
		}
		if !skip {
			m.changes = append(m.changes, c)
		}
		if plain != nil && (skip || c.op != plain[i].Op) {
			plain = nil
		}
	}
	if plain != nil {
		return &plain[0], nil
	}
	return m.recorded(), nil
}

// recorded makes the writes of an entry from the changes.
func (m *Machine) recorded() (first *Write) {
	for i := len(m.changes) - 1; i >= 0; i-- {
		c := &m.changes[i]
		w := &Write{Next: first, Bind: c.bind, Op: c.op}
		if !c.bind.ofOutput() {
			w.Value = c.in
		}
		if c.op == OpHost {
			w.Result = c.result
		}
		first = w
	}
	return first
}

// write resolves one write.
func (s *scope) write(b *WriteBind) (c change, skip bool, fail *Failure) {
	field := &s.f.flow.prog.Fields[b.Slot]
	c = change{bind: b}
	if b.Unset {
		c.op = OpUnset
		return c, false, nil
	}
	if b.From != nil {
		v, bad := s.read(b.From)
		if bad != nil {
			return c, false, failf(CodeInputInvalid, b.Name+": "+bad.name+" is "+article(bad.kind)+", which does not fit here")
		}
		c.in = v
	} else {
		c.in = s.local.At(b.Source)
	}
	if !c.in.IsAbsent() {
		c.op = field.Op
		return c, false, nil
	}
	switch {
	case b.Absent == AbsentFail:
		return c, false, failf(CodeOutputInvalid, b.Name+" is missing, and state."+field.Name+" needs it")
	case b.Absent == AbsentKeep || b.Absent == AbsentDefault && field.Op != OpSet:
		return c, true, nil
	}
	c.op = OpUnset
	return c, false, nil
}

// judge computes the field after a write, as the merged region and the changes before it leave it, and checks it.
func (m *Machine) judge(f *Frame, c *change) *Failure {
	b, prog := c.bind, f.flow.prog
	field := &prog.Fields[b.Slot]
	if m.adds(f, c) {
		c.added = true
		return m.judgeAdded(f, field, c)
	}
	cur := m.before(f, b.Slot)
	if c.op == OpHost {
		v, err := prog.Reduce[field.Host](cur, c.in)
		if err != nil {
			return reducerFailure(field, err.Error())
		}
		c.result = v
	} else {
		v, problem := written(prog, c.op, b, cur, c.in)
		switch {
		case problem != "" && len(b.Path) > 0:
			return failf(CodeStateInvalid, "cannot write state."+field.Name+dotted(b.Path)+": "+problem)
		case problem != "":
			return reducerFailure(field, problem)
		}
		c.result = v
		if c.op == OpUnset && (len(b.Path) == 0 || v.IsAbsent()) {
			return nil
		}
	}
	if fail := m.judgeSize(field, c.result); fail != nil {
		return fail
	}
	if field.Item != nil && (c.op == OpAppend || c.op == OpExtend) {
		return judgeItems(field, c)
	}
	if field.Check != nil {
		return stateFailure(field, field.Check(c.result))
	}
	return nil
}

// judgeItems checks what is added to a list of which a schema judges each element alone.
func judgeItems(field *Field, c *change) *Failure {
	if c.op == OpAppend {
		return stateFailure(field, field.Item(c.in))
	}
	for _, item := range c.in.Items() {
		if fail := field.Item(item); fail != nil {
			return stateFailure(field, fail)
		}
	}
	return nil
}

// adds reports whether a change adds to a list without making it.
func (m *Machine) adds(f *Frame, c *change) bool {
	if !f.adds(c.op, c.bind) || c.op == OpExtend && c.in.Kind() != value.KindArray || find(m.merged, c.bind.Slot) != nil {
		return false
	}
	for i := range m.changes {
		if m.changes[i].bind.Slot == c.bind.Slot {
			return false
		}
	}
	list, _ := f.listed(c.bind.Slot)
	return list.IsAbsent() || list.Kind() == value.KindArray
}

// judgeAdded checks what is added to a list that is not made for that.
func (m *Machine) judgeAdded(f *Frame, field *Field, c *change) *Failure {
	list, more := f.listed(c.bind.Slot)
	if fail := m.judgeAs("state.", field.Name, value.Size(list)+more+value.Size(c.in)+1, value.Depth(c.in)+1); fail != nil {
		return fail
	}
	if field.Item == nil {
		return nil
	}
	return judgeItems(field, c)
}

// before is a field as the next write finds it.
func (m *Machine) before(f *Frame, slot int32) value.Value {
	for i := len(m.changes) - 1; i >= 0; i-- {
		c := &m.changes[i]
		if c.bind.Slot != slot {
			continue
		}
		if c.added { // the first of this field
			c.added = false
			c.result, _ = reduce(c.op, f.get(slot), c.in)
		}
		return c.result
	}
	if c := find(m.merged, slot); c != nil {
		return c.value()
	}
	return f.get(slot)
}

func stateFailure(field *Field, fail *Failure) *Failure {
	if fail == nil {
		return nil
	}
	return &Failure{Code: CodeStateInvalid, Message: "state." + field.Name + ": " + fail.Message, Details: fail.Details}
}

func reducerFailure(field *Field, problem string) *Failure {
	return failf(CodeReducerError, "the reducer of state."+field.Name+": "+problem)
}

// endAtStep enters an end step, which makes the workflow's output, and ends the workflow.
func (m *Machine) endAtStep(f *Frame, op *Op) {
	at, visit := f.pc, f.nextVisit(f.pc)
	binds, shape := f.flow.prog.Output, f.flow.prog.Shape
	if op.Output != nil {
		binds, shape = op.Output, op.Shape
	}
	s := m.scopeAt(f)
	output, fail := s.output(binds, shape)
	if fail != nil {
		m.giveUp(f, at, visit, true, fail)
		return
	}
	m.emit(Entry{Kind: StepDone, Entered: true, Frame: f, Op: at, Visit: visit, Next: ToNowhere})
	m.complete(f, at, op.Outcomes[0], output)
}

// endBehind ends the workflow behind its last step, with the outcome "ok".
func (m *Machine) endBehind(f *Frame) {
	at, visit := f.lastStep()
	s := scope{m: m, f: f, op: at, visit: visit, now: m.now}
	output, fail := s.output(f.flow.prog.Output, f.flow.prog.Shape)
	if fail != nil {
		m.giveUp(f, at, visit, false, fail)
		return
	}
	m.complete(f, at, "ok", output)
}

// lastStep is the step that a frame has left last, ToNowhere if there is none.
func (f *Frame) lastStep() (op, visit int32) {
	if f.priorOp < 0 {
		return ToNowhere, 0
	}
	return f.priorOp, f.visits[f.flow.prog.Ops[f.priorOp].Local]
}

// complete ends a workflow: the run, or the step that it is a subgraph of.
func (m *Machine) complete(f *Frame, at int32, outcome string, output value.Value) {
	if f.in != nil {
		m.childCompleted(f.in.owner, outcome, output)
		return
	}
	m.emit(Entry{Kind: RunCompleted, Frame: f, Op: at, Rare: &Rare{Name: outcome}, Output: output})
	m.over()
}

// output derives the workflow's output.
func (s *scope) output(binds []Bind, shape *value.Shape) (value.Value, *Failure) {
	v, fail := s.bind(binds, shape, CodeOutputInvalid)
	if fail == nil && s.f.flow.prog.CheckOutput != nil {
		fail = s.f.flow.prog.CheckOutput(v)
	}
	if fail != nil {
		return v, &Failure{Code: CodeOutputInvalid, Message: "the workflow's output: " + fail.Message, Details: fail.Details}
	}
	if limit := s.m.prog.MaxValue; limit > 0 && value.Size(v) > limit {
		return v, tooLarge("the output of the workflow "+quote(s.f.flow.prog.Workflow), value.Size(v), limit)
	}
	return v, nil
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func quote(s string) string { return strconv.Quote(s) }

// seconds writes a duration in nanoseconds for people.
func seconds(ns int64) string { return strconv.FormatFloat(float64(ns)/1e9, 'g', 6, 64) + " s" }
