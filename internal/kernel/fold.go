package kernel

import (
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

// Apply carries out a record of this run or of another machine's. If look is not nil, it is called before each entry
// with the input that the entry's step was given: absent where a step has none. Inputs are not recorded: they are
// resolved again on the state as it was.
func (m *Machine) Apply(r *Record, look func(e *Entry, input value.Value)) error {
	if r.Seq != m.seq+1 {
		return fmt.Errorf("expected number %d, found %d", m.seq+1, r.Seq)
	}
	m.seq, m.now = r.Seq, max(m.now, r.At)
	for i := range r.Entries {
		e := r.Entries[i]
		if err := m.adopt(&e); err != nil {
			return err
		}
		if look != nil {
			var input value.Value
			if e.Op >= 0 && m.prog.Ops[e.Op].Kind == Node && (e.Kind == StepCalled || e.Kind == StepDone) {
				if bound, fail := m.input(e.Frame, &m.prog.Ops[e.Op], nil); fail == nil {
					input = bound.Value()
				}
			}
			look(&e, input)
		}
		m.apply(&e, m.now)
	}
	return nil
}

// adopt points an entry to this machine's frame and refuses what this machine cannot take.
func (m *Machine) adopt(e *Entry) error {
	if e.Kind == RunStarted {
		if m.status != Created {
			return ErrState
		}
		e.Frame = newFrame(m.prog, 0, nil)
		return nil
	}
	if m.status != Running {
		return ErrState
	}
	e.Frame = m.root
	return nil
}
