package kernel

import (
	"bytes"
	"fmt"

	"lda.chat/wf/internal/value"
)

// Fold rebuilds a machine from the encoded records of its journal, in order, by apply alone.
func Fold(p *Program, records [][]byte) (*Machine, error) {
	m := New(p)
	for i, line := range records {
		r, err := m.Decode(line)
		if err != nil {
			return nil, fmt.Errorf("record %d: %w", i+1, err)
		}
		if err := m.Apply(r, nil); err != nil {
			return nil, fmt.Errorf("record %d: %w", i+1, err)
		}
	}
	return m, nil
}

// DigestOf gives the digest of the plan that a run is of from an encoded record on: "" if the record does not say, as few do.
func DigestOf(line []byte) string {
	head := line[:min(len(line), 120)]
	if !bytes.Contains(head, []byte(`"event":"started"`)) && !bytes.Contains(head, []byte(`"event":"edited"`)) {
		return ""
	}
	v, err := value.ParseLimits(line, &recordLimits)
	if err != nil {
		return ""
	}
	return text(v.Get("entries").Index(0), "digest")
}

// Apply carries out a record of this run or of another machine's. If look is not nil, it is called before each entry
// with the input that the entry's step was given: absent where a step has none. Inputs are not recorded: they are
// resolved again on the state as it was.
func (m *Machine) Apply(r *Record, look func(e *Entry, input value.Value)) error {
	if r.Seq != m.seq+1 {
		return fmt.Errorf("expected number %d, found %d", m.seq+1, r.Seq)
	}
	m.scratch = &scratch{}
	defer func() { m.scratch = nil }()
	m.seq, m.now = r.Seq, max(m.now, r.At)
	for i := range r.Entries {
		e := r.Entries[i]
		if err := m.adopt(&e); err != nil {
			return fmt.Errorf("entry %d: %w", i, err)
		}
		if look != nil {
			look(&e, m.given(&e))
		}
		m.apply(&e, m.now)
	}
	return nil
}

// given is what the step of an entry was given: a call's or subgraph's input, an interrupt's request, what a foreach goes
// over; absent if nothing.
func (m *Machine) given(e *Entry) value.Value {
	if e.Op < 0 || e.Attempt > 1 || e.Kind != StepCalled && e.Kind != StepOpened && e.Kind != StepAsked {
		return value.Value{}
	}
	f := e.Frame
	op := &f.flow.prog.Ops[e.Op]
	s := m.scopeAt(f)
	var v value.Value
	var fail *Failure
	switch op.Kind {
	case Node, Interrupt:
		v, fail = s.bind(op.Input, op.Shape, CodeBindingMissing)
	case Subgraph:
		v, fail = m.childInput(f, op)
	case Foreach:
		v, fail = m.items(f, op)
	}
	if fail != nil {
		return value.Value{}
	}
	return v
}

// adopt points an entry to this machine's frame, and refuses what this machine cannot take.
func (m *Machine) adopt(e *Entry) error {
	if e.Kind == RunStarted {
		if m.status != Created {
			return ErrState
		}
		e.Frame = m.newFlow(m.prog, nil)
		return nil
	}
	if m.status != Running || e.Frame == nil {
		return ErrState
	}
	if e.Kind == ChildStarted {
		return m.adoptChild(e)
	}
	path := e.Frame
	if e.Frame = m.counterpart(e.Frame); e.Frame == nil || !e.Frame.open() {
		return fmt.Errorf("there is no frame %s", path.Path())
	}
	if fits := m.fits(e); !fits {
		return fmt.Errorf("frame %s cannot take %s now", path.Path(), e.Kind)
	}
	if g := e.Frame.under; e.Kind == StepDone && g != nil && g.op.Fan != nil && e.Failure() == nil {
		e.Output = g.summary()
	}
	return nil
}

func (m *Machine) adoptChild(e *Entry) error {
	in := e.Frame.in
	if in == nil || in.op.Kind == Subgraph {
		return ErrState
	}
	owner := m.counterpart(in.owner)
	if owner == nil || !owner.open() || owner.under == nil || owner.under.at != in.at || owner.under.visit != in.visit || owner.under.attempt != in.attempt {
		return fmt.Errorf("there is nothing to start %s in", e.Frame.Path())
	}
	g := owner.under
	if !g.room() || g.indexOf(g.next) != e.Frame.index {
		return fmt.Errorf("%s is not the next to start", e.Frame.Path())
	}
	e.Frame = m.newChild(g)
	return nil
}

// fits reports whether an entry is one that decide could have made of its frame as it stands, as far as apply relies on it.
func (m *Machine) fits(e *Entry) bool {
	f := e.Frame
	prog := f.flow.prog
	var op *Op
	if e.Op >= 0 {
		if op = &prog.Ops[e.Op]; op.Region != f.region {
			return false
		}
	}
	entering := f.status == frameReady && f.visit == 0 && op != nil
	in := f.visit > 0 && op != nil && f.pc == e.Op && f.visit == e.Visit
	again := in && f.under == nil && (f.status == frameBackoff || f.status == frameReady || f.status == frameDoubting)
	begins := e.Attempt <= 1 && entering || e.Attempt > 1 && again
	switch e.Kind {
	case StepCalled:
		return begins && op.Kind == Node
	case StepOpened:
		return begins && m.opens(f, op, e)
	case StepAsked:
		return entering && op.Kind == Interrupt
	case StepWaiting:
		return entering && op.Kind == Wait
	case StepRetrying:
		return in
	case StepDue:
		return again
	case StepDoubted:
		return in && f.status == frameCalling && e.Failure() != nil
	case StepRecalled:
		return in && f.status == frameCalling && f.attempt == e.Attempt
	case RunEdited:
		return f == m.root && !e.Entered
	case StepDone:
		if e.Entered && (!entering || f.under != nil) || !e.Entered && !in {
			return false
		}
		return e.Next < 0 || prog.Ops[e.Next].Region == f.region
	case ChildClosed:
		return f.in != nil && (!e.Entered || entering) && (e.Output.IsAbsent() || f.in.op.Kind == Foreach)
	}
	return !e.Entered || entering
}

// opens reports whether a step has children, and those that an entry says.
func (m *Machine) opens(f *Frame, op *Op, e *Entry) bool {
	switch op.Kind {
	case Foreach:
		_, fail := m.items(f, op)
		return fail == nil
	case Fork:
		return e.Rare != nil
	case Subgraph:
		_, fail := m.childInput(f, op)
		return fail == nil
	}
	return false
}
