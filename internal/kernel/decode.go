package kernel

import (
	"fmt"
	"slices"

	"lda.chat/wf/internal/value"
)

// recordLimits are wider than those of the values in a record, which stand deeper and many together there.
var recordLimits = value.Limits{Bytes: 1 << 30, Depth: 2000, NumberLen: value.DefaultLimits.NumberLen, Exponent: value.DefaultLimits.Exponent}

// Decode reads a record that Encode wrote for a run of this program. It checks whatever apply relies on, so that a
// damaged record is an error and never a panic.
func (m *Machine) Decode(line []byte) (*Record, error) {
	v, err := value.ParseLimits(line, &recordLimits)
	if err != nil {
		return nil, err
	}
	event := slices.Index(eventNames[:], text(v, "event"))
	if event < 0 {
		return nil, fmt.Errorf("unknown event %q", text(v, "event"))
	}
	r := &Record{Seq: number(v, "seq"), At: number(v, "at"), Event: EventKind(event)}
	for i, item := range v.Get("entries").Items() {
		e, err := m.decodeEntry(item)
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", i, err)
		}
		r.Entries = append(r.Entries, e)
	}
	return r, nil
}

func (m *Machine) decodeEntry(v value.Value) (e Entry, err error) {
	kind := slices.Index(entryNames[:], text(v, "kind"))
	if kind < 0 {
		return e, fmt.Errorf("unknown kind %q", text(v, "kind"))
	}
	e = Entry{Kind: EntryKind(kind), Op: ToNowhere, Next: ToNowhere, Entered: flag(v, "entered"),
		Visit: int32(number(v, "visit")), Attempt: int32(number(v, "attempt"))}
	if id := text(v, "step"); id != "" {
		op, ok := m.prog.Op(id)
		if !ok {
			return e, fmt.Errorf("the plan has no step %q", id)
		}
		e.Op = op
	}
	if f := v.Get("failure"); !f.IsAbsent() {
		e.rare().Failure = &Failure{Code: text(f, "code"), Message: text(f, "message"), Details: f.Get("details"), Stack: text(f, "stack"),
			Final: flag(f, "final"), Unknown: flag(f, "unknown")}
	}
	switch e.Kind {
	case RunStarted:
		e.Rare, e.Output = &Rare{Name: text(v, "run_id"), Until: number(v, "scheduled")}, v.Get("input")
	case StepCalled:
		e.rare().Name, e.rare().Until = text(v, "key"), number(v, "deadline")
	case StepRetrying:
		e.rare().Until = number(v, "until")
	case StepDone:
		err = m.decodeDone(&e, v)
	case RunCompleted:
		e.rare().Name, e.Output = text(v, "outcome"), v.Get("output")
	case RunCancelled:
		e.rare().Name = text(v, "reason")
	}
	if err == nil && e.Op < 0 && (e.Kind == StepCalled || e.Kind == StepRetrying || e.Kind == StepDone || e.Entered) {
		err = fmt.Errorf("%s names no step", e.Kind)
	}
	return e, err
}

func (m *Machine) decodeDone(e *Entry, v value.Value) error {
	if e.Op < 0 {
		return fmt.Errorf("%s names no step", e.Kind)
	}
	op := &m.prog.Ops[e.Op]
	outcome := slices.Index(op.Outcomes, text(v, "outcome"))
	if outcome < 0 {
		return fmt.Errorf("step %q has no outcome %q", op.ID, text(v, "outcome"))
	}
	e.Outcome, e.Output = int32(outcome), v.Get("output")
	if extra := v.Get("extra"); !extra.IsAbsent() {
		e.rare().Extra = extra
	}
	e.Counted = flag(v, "counted")
	if e.Counted && op.Next[outcome].Max == 0 {
		return fmt.Errorf("the edge for outcome %q of step %q counts no visits", op.Outcomes[outcome], op.ID)
	}
	switch next := text(v, "next"); next {
	case "":
		if op.Kind != End {
			return fmt.Errorf("step %q says nothing about where to go next", op.ID)
		}
	case "__end__":
		e.Next = ToEnd
	default:
		to, ok := m.prog.Op(next)
		if !ok {
			return fmt.Errorf("the plan has no step %q", next)
		}
		e.Next = to
	}
	last := &e.Writes
	for _, item := range v.Get("writes").Items() {
		w, err := m.decodeWrite(item)
		if err != nil {
			return err
		}
		*last, last = w, &w.Next
	}
	return nil
}

func (m *Machine) decodeWrite(v value.Value) (w *Write, err error) {
	op := slices.Index(opNames[:], text(v, "op"))
	slot := slices.IndexFunc(m.prog.Fields, func(f Field) bool { return f.Name == text(v, "field") })
	if op < 0 || slot < 0 {
		return w, fmt.Errorf("unknown operation %q or field %q", text(v, "op"), text(v, "field"))
	}
	b := &WriteBind{Slot: int32(slot), Recorded: true}
	w = &Write{Bind: b, Op: Operation(op), Value: v.Get("value"), Result: v.Get("result")}
	if w.Op == OpHost && w.Result.IsAbsent() {
		return w, fmt.Errorf("the write of field %q lacks its result", text(v, "field"))
	}
	if b.Path, err = decodePath(v.Get("path")); err != nil {
		return w, err
	}
	if from := v.Get("from"); !from.IsAbsent() {
		if b.Source, err = decodePath(from); err != nil {
			return w, err
		}
		b.Recorded, w.Value = false, value.Value{}
	}
	return w, nil
}

func (e *Entry) rare() *Rare {
	if e.Rare == nil {
		e.Rare = &Rare{}
	}
	return e.Rare
}

func decodePath(v value.Value) (value.Path, error) {
	var p value.Path
	for _, part := range v.Items() {
		if key, ok := part.AsString(); ok {
			p = append(p, value.Part{Key: key})
		} else if i, ok := part.AsInt(); ok && i >= 0 {
			p = append(p, value.Part{Index: int(i), IsIndex: true})
		} else {
			return nil, fmt.Errorf("a path is made of names and positions, found %s", part)
		}
	}
	return p, nil
}

func text(v value.Value, key string) string {
	s, _ := v.Get(key).AsString()
	return s
}

func number(v value.Value, key string) int64 {
	n, _ := v.Get(key).AsInt()
	return n
}

func flag(v value.Value, key string) bool {
	b, _ := v.Get(key).AsBool()
	return b
}
