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
func (m *Machine) Decode(line []byte) (*Record, error) { return m.DecodeOnce(line, &Repeats{}) }

// DecodeOnce is Decode for a record that was written by EncodeOnce, once having met those before it.
func (m *Machine) DecodeOnce(line []byte, once *Repeats) (*Record, error) {
	v, err := value.ParseLimits(line, &recordLimits)
	if err == nil {
		v, err = once.read(line, v)
	}
	if err != nil {
		return nil, err
	}
	event := slices.Index(eventNames[:], text(v, "event"))
	if event < 0 {
		return nil, fmt.Errorf("unknown event %q", text(v, "event"))
	}
	r := &Record{Seq: number(v, "seq"), At: number(v, "at"), Event: EventKind(event), Message: text(v, "message")}
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
	frame, err := m.place(text(v, "frame"))
	if err != nil {
		return e, err
	}
	prog := frame.flow.prog
	e = Entry{Kind: EntryKind(kind), Frame: frame, Op: ToNowhere, Next: ToNowhere, Entered: flag(v, "entered"),
		Visit: int32(number(v, "visit")), Attempt: int32(number(v, "attempt"))}
	if id := text(v, "step"); id != "" {
		op, ok := prog.Op(id)
		if !ok {
			return e, fmt.Errorf("the workflow of frame %s has no step %q", frame.Path(), id)
		}
		e.Op = op
	}
	if f := v.Get("failure"); !f.IsAbsent() {
		e.rare().Failure = decodeFailure(f)
	}
	switch e.Kind {
	case RunStarted:
		err = decodeStarted(&e, v)
	case StepCalled:
		e.rare().Name, e.rare().Until = text(v, "key"), number(v, "deadline")
	case StepOpened:
		err = decodeOpened(&e, v)
	case StepAsked:
		e.rare().Until = number(v, "deadline")
	case StepRetrying, StepWaiting:
		e.rare().Until = number(v, "until")
	case ChildClosed:
		outcome := slices.Index(childNames[:], text(v, "outcome"))
		if outcome < 0 {
			return e, fmt.Errorf("a child is not over by %q", text(v, "outcome"))
		}
		e.Outcome, e.Output = int32(outcome), v.Get("output")
	case StepDone:
		err = decodeDone(&e, v)
	case RunCompleted:
		e.rare().Name, e.Output = text(v, "outcome"), v.Get("output")
	case RunCancelled:
		e.rare().Name = text(v, "reason")
	case RunEdited:
		err = decodeEdited(&e, v)
	}
	if failed := e.Kind == StepRetrying || e.Kind == RunFailed || e.Kind == RunCancelled || e.Kind == ChildClosed && e.Outcome == childFailed; err == nil && failed && e.Failure() == nil {
		err = fmt.Errorf("%s does not say what the failure was", e.Kind)
	}
	if err == nil && e.Op < 0 && (e.Kind >= StepCalled && e.Kind <= StepDone || e.Kind == StepRecalled || e.Entered) {
		err = fmt.Errorf("%s names no step", e.Kind)
	}
	return e, err
}

func decodeFailure(v value.Value) *Failure {
	f := &Failure{Code: text(v, "code"), Message: text(v, "message"), Details: v.Get("details"), Stack: text(v, "stack"),
		Final: flag(v, "final"), Unknown: flag(v, "unknown")}
	if o := v.Get("origin"); !o.IsAbsent() {
		f.Origin = &Origin{Step: text(o, "step"), Frame: text(o, "frame"), Attempts: int32(number(o, "attempts"))}
	}
	return f
}

func decodeStarted(e *Entry, v value.Value) error {
	policy := DoubtAsks
	if name := text(v, "in_doubt"); name != "" {
		at := slices.Index(doubtNames[:], name)
		if at < 0 {
			return fmt.Errorf("unknown policy %q for calls in doubt", name)
		}
		policy = DoubtPolicy(at)
	}
	e.Rare = &Rare{Name: text(v, "run_id"), Until: number(v, "scheduled"), Digest: text(v, "digest"), Doubts: policy}
	e.Output = v.Get("input")
	return nil
}

func decodeEdited(e *Entry, v value.Value) error {
	e.Rare = &Rare{Name: text(v, "run_id"), Until: number(v, "shift"), Digest: text(v, "digest")}
	e.Output = v.Get("state")
	for _, item := range v.Get("unset").Items() {
		name, _ := item.AsString()
		e.Rare.Unset = append(e.Rare.Unset, name)
	}
	return e.Frame.Program().edits(e.Output, e.Rare.Unset)
}

func decodeOpened(e *Entry, v value.Value) error {
	e.rare().Until = number(v, "deadline")
	if e.Op < 0 {
		return nil
	}
	fan := e.Frame.flow.prog.Ops[e.Op].Fan
	if fan == nil || fan.Branches == nil {
		return nil
	}
	e.Rare.Chosen = []int32{}
	for _, item := range v.Get("branches").Items() {
		name, _ := item.AsString()
		n := slices.IndexFunc(fan.Branches, func(b Branch) bool { return b.Name == name })
		if n < 0 || len(e.Rare.Chosen) > 0 && int32(n) <= e.Rare.Chosen[len(e.Rare.Chosen)-1] {
			return fmt.Errorf("the fork has no branch %q here", name)
		}
		e.Rare.Chosen = append(e.Rare.Chosen, int32(n))
	}
	return nil
}

func decodeDone(e *Entry, v value.Value) error {
	if e.Op < 0 {
		return fmt.Errorf("%s names no step", e.Kind)
	}
	prog := e.Frame.flow.prog
	op := &prog.Ops[e.Op]
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
	next, ok := prog.target(text(v, "next"))
	if !ok || op.Kind != End && next == ToNowhere {
		return fmt.Errorf("step %q goes on to %q, which leads nowhere", op.ID, text(v, "next"))
	}
	e.Next = next
	if results := v.Get("results"); !results.IsAbsent() {
		for _, x := range results.Items() {
			e.rare().Results = append(e.rare().Results, x.Index(0))
		}
	}
	last := &e.Writes
	for _, item := range v.Get("writes").Items() {
		w, err := decodeWrite(prog, item)
		if err != nil {
			return err
		}
		*last, last = w, &w.Next
	}
	return nil
}

func decodeWrite(prog *Program, v value.Value) (w *Write, err error) {
	op := slices.Index(opNames[:], text(v, "op"))
	slot := slices.IndexFunc(prog.Fields, func(f Field) bool { return f.Name == text(v, "field") })
	if op < 0 || slot < 0 {
		return w, fmt.Errorf("unknown operation %q or field %q", text(v, "op"), text(v, "field"))
	}
	b := &WriteBind{Slot: int32(slot), Recorded: true}
	w = &Write{Bind: b, Op: Operation(op), Value: v.Get("value"), Result: v.Get("result")}
	if w.Op == OpHost && prog.Fields[slot].Op != OpHost {
		return w, fmt.Errorf("the field %q has no reducer of the host", text(v, "field"))
	}
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
