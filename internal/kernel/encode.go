package kernel

import (
	"strconv"

	"lda.chat/wf/internal/value"
)

// Encode appends a record as one line of JSON, without the line's end. It names steps by id and frames by path.
func (m *Machine) Encode(dst []byte, r *Record) []byte { return m.EncodeOnce(dst, r, nil) }

// EncodeOnce is Encode, but for values that the records before hold already; once may be nil.
func (m *Machine) EncodeOnce(dst []byte, r *Record, once *Repeats) []byte {
	once.begin()
	dst = append(dst, `{"seq":`...)
	dst = strconv.AppendInt(dst, r.Seq, 10)
	dst = append(dst, `,"at":`...)
	dst = strconv.AppendInt(dst, r.At, 10)
	dst = append(dst, `,"event":"`...)
	dst = append(dst, r.Event.String()...)
	dst = append(dst, '"')
	if r.Message != "" {
		dst = appendText(dst, "message", r.Message)
	}
	dst = append(dst, `,"entries":[`...)
	for i := range r.Entries {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = m.encodeEntry(dst, &r.Entries[i], once)
	}
	return append(once.end(append(dst, ']')), '}')
}

func (m *Machine) encodeEntry(dst []byte, e *Entry, once *Repeats) []byte {
	dst = append(dst, `{"kind":"`...)
	dst = append(dst, e.Kind.String()...)
	dst = append(dst, '"')
	if e.Kind != RunStarted {
		dst = appendText(dst, "frame", e.Frame.Path())
	}
	prog := e.Frame.flow.prog
	if e.Op >= 0 {
		dst = appendText(dst, "step", prog.Ops[e.Op].ID)
		dst = appendInt(dst, "visit", int64(e.Visit))
		dst = appendInt(dst, "attempt", int64(e.Attempt))
	}
	if e.Entered {
		dst = append(dst, `,"entered":true`...)
	}
	switch e.Kind {
	case RunStarted:
		dst = appendText(dst, "run_id", e.Name())
		dst = appendInt(dst, "scheduled", e.Until())
		dst = appendPlan(dst, e.Rare)
		if e.Rare.Doubts != DoubtAsks {
			dst = appendText(dst, "in_doubt", doubtNames[e.Rare.Doubts])
		}
		dst = once.member(dst, "input", e.Output)
	case StepCalled:
		key := e.Name()
		if key == "" {
			key = m.key(StepRef{frame: e.Frame, Op: e.Op, Visit: e.Visit})
		}
		dst = appendText(dst, "key", key)
		dst = appendInt(dst, "deadline", e.Until())
	case StepOpened:
		dst = appendInt(dst, "deadline", e.Until())
		if fan := prog.Ops[e.Op].Fan; fan != nil && fan.Branches != nil {
			dst = appendNames(dst, "branches", fan.Branches, e.Rare.Chosen)
		}
	case StepAsked:
		dst = appendInt(dst, "deadline", e.Until())
	case StepRetrying, StepWaiting:
		dst = appendInt(dst, "until", e.Until())
	case ChildClosed:
		dst = appendText(dst, "outcome", childNames[e.Outcome])
		dst = once.member(dst, "output", e.Output)
	case StepDone:
		dst = appendText(dst, "outcome", prog.Ops[e.Op].Outcomes[e.Outcome])
		if next := prog.Target(e.Next); next != "" {
			dst = appendText(dst, "next", next)
		}
		if e.Counted {
			dst = append(dst, `,"counted":true`...)
		}
		if prog.Ops[e.Op].Fan == nil { // what children come to is worked out again
			dst = once.member(dst, "output", e.Output)
		}
		dst = once.member(dst, "extra", e.Extra())
		dst = m.encodeWrites(dst, e, once)
		if results := e.results(); len(results) > 0 {
			dst = once.member(dst, "results", list(results))
		}
	case RunCompleted:
		dst = appendText(dst, "outcome", e.Name())
		dst = once.member(dst, "output", e.Output)
	case RunCancelled:
		dst = appendText(dst, "reason", e.Name())
	case RunEdited:
		dst = appendText(dst, "run_id", e.Name())
		dst = appendPlan(dst, e.Rare)
		dst = appendInt(dst, "shift", e.Until())
		dst = once.member(dst, "state", e.Output)
		if len(e.Rare.Unset) > 0 {
			dst = appendValue(dst, "unset", texts(e.Rare.Unset))
		}
	}
	if f := e.Failure(); f != nil {
		dst = append(dst, `,"failure":`...)
		dst = encodeFailure(dst, f, once)
	}
	return append(dst, '}')
}

func (m *Machine) encodeWrites(dst []byte, e *Entry, once *Repeats) []byte {
	if e.Writes == nil {
		return dst
	}
	dst = append(dst, `,"writes":[`...)
	for w := e.Writes; w != nil; w = w.Next {
		if w != e.Writes {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"op":"`...)
		dst = append(dst, w.Op.String()...)
		dst = append(dst, '"')
		dst = appendText(dst, "field", e.Frame.flow.prog.Fields[w.Bind.Slot].Name)
		if len(w.Bind.Path) > 0 {
			dst = appendPath(dst, "path", w.Bind.Path)
		}
		switch {
		case w.Op == OpUnset:
		case w.Bind.ofOutput():
			dst = appendPath(dst, "from", w.Bind.Source)
		default:
			dst = once.member(dst, "value", w.Value)
		}
		if w.Op == OpHost {
			dst = once.member(dst, "result", w.Result)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

func encodeFailure(dst []byte, f *Failure, once *Repeats) []byte {
	dst = append(dst, `{"code":`...)
	dst = value.String(f.Code).AppendJSON(dst)
	dst = appendText(dst, "message", f.Message)
	dst = once.member(dst, "details", f.Details)
	if f.Stack != "" {
		dst = appendText(dst, "stack", f.Stack)
	}
	if o := f.Origin; o != nil {
		dst = append(dst, `,"origin":{"frame":`...)
		dst = value.String(o.Frame).AppendJSON(dst)
		if o.Step != "" {
			dst = appendText(dst, "step", o.Step)
		}
		dst = append(appendInt(dst, "attempts", int64(o.Attempts)), '}')
	}
	if f.Final {
		dst = append(dst, `,"final":true`...)
	}
	if f.Unknown {
		dst = append(dst, `,"unknown":true`...)
	}
	return append(dst, '}')
}

// appendPlan says of which plan the run is from here on.
func appendPlan(dst []byte, r *Rare) []byte {
	if r.Digest == "" {
		return dst
	}
	return appendText(dst, "digest", r.Digest)
}

func texts(names []string) value.Value {
	items := make([]value.Value, len(names))
	for i, name := range names {
		items[i] = value.String(name)
	}
	return value.Array(items...)
}

func appendNames(dst []byte, key string, branches []Branch, chosen []int32) []byte {
	names := make([]value.Value, len(chosen))
	for i, n := range chosen {
		names[i] = value.String(branches[n].Name)
	}
	return appendValue(dst, key, value.Array(names...))
}

func appendText(dst []byte, key, text string) []byte {
	return appendValue(dst, key, value.String(text))
}

// appendInt leaves zero out.
func appendInt(dst []byte, key string, n int64) []byte {
	if n == 0 {
		return dst
	}
	dst = append(dst, `,"`...)
	dst = append(dst, key...)
	dst = append(dst, `":`...)
	return strconv.AppendInt(dst, n, 10)
}

// appendValue leaves an absent value out.
func appendValue(dst []byte, key string, v value.Value) []byte {
	if v.IsAbsent() {
		return dst
	}
	dst = append(dst, `,"`...)
	dst = append(dst, key...)
	dst = append(dst, `":`...)
	return v.AppendJSON(dst)
}

func appendPath(dst []byte, key string, p value.Path) []byte {
	dst = append(dst, `,"`...)
	dst = append(dst, key...)
	dst = append(dst, `":[`...)
	for i, part := range p {
		if i > 0 {
			dst = append(dst, ',')
		}
		if part.IsIndex {
			dst = strconv.AppendInt(dst, int64(part.Index), 10)
		} else {
			dst = value.String(part.Key).AppendJSON(dst)
		}
	}
	return append(dst, ']')
}
