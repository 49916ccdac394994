package wf

import (
	"encoding/json"
	"maps"
	"time"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// TraceEntry tells what one plan step did: one visit of it, all attempts together. Of state fields with "x-trace": false
// it holds no values, of those with "x-secret": true "[secret]" instead, also where an input was bound to one.
type TraceEntry struct {
	Seq        int64           `json:"seq,omitempty"` // of the record that ended the visit; no key: one record may end several
	Step       string          `json:"step"`          // the plan's step
	Frame      string          `json:"frame"`         // its frame's path, "/" for the root
	Visit      int             `json:"visit"`
	Type       StepType        `json:"type"`
	StartedAt  time.Time       `json:"started_at"`
	EndedAt    time.Time       `json:"ended_at,omitzero"`
	Input      json.RawMessage `json:"input,omitempty"`
	Attempts   int             `json:"attempts,omitempty"` // of a step that makes calls
	Retries    []TraceRetry    `json:"retries,omitempty"`  // the attempts that failed and were repeated
	Doubt      *Error          `json:"doubt,omitempty"`    // why it was not known whether the call happened: somebody had to decide
	Outcome    Outcome         `json:"outcome,omitempty"`
	Output     json.RawMessage `json:"output,omitempty"` // whole
	Extra      json.RawMessage `json:"extra,omitempty"`  // members of the output that the contract does not declare
	Writes     []TraceWrite    `json:"writes,omitempty"`
	Next       string          `json:"next,omitempty"`  // where the plan went on
	Error      *Error          `json:"error,omitempty"` // what was caught, or failed the run here
	Stack      string          `json:"stack,omitempty"` // of the panic behind Error
	Unfinished bool            `json:"unfinished,omitempty"`
}

// TraceRetry is an attempt that failed and was repeated.
type TraceRetry struct {
	Error *Error    `json:"error"`
	At    time.Time `json:"at"`
	Until time.Time `json:"until"` // when the next attempt was due
}

// TraceWrite is one change of the state.
type TraceWrite struct {
	Path   string          `json:"path"`             // state.items
	Op     string          `json:"op"`               // set, unset, append, extend, add, max, min, union, merge, deep_merge, host
	Value  json.RawMessage `json:"value,omitempty"`  // what was written, before the reducer
	Hidden bool            `json:"hidden,omitempty"` // the field is not to be shown ("x-trace": false) or a secret
}

// Trace tells step by step what the run did so far, in order. It is made from the run's records when it is asked for:
// the inputs are resolved again on the state as it was.
func (r *RunHandle) Trace() ([]TraceEntry, error) {
	r.mu.Lock()
	records := r.records()
	r.mu.Unlock()
	t := tracer{open: map[*kernel.Frame]int{}, left: map[*kernel.Frame]int{}, mask: r.mask(records)}
	for prog, record := range records.each {
		if err := t.turn(prog); err != nil {
			return nil, err
		}
		if err := t.machine.Apply(record, func(e *kernel.Entry, input value.Value) { t.entry(record, e, input) }); err != nil {
			return nil, err
		}
	}
	if records.err != nil {
		return nil, records.err
	}
	return t.entries, nil
}

// Journal appends the run's records so far, one line of JSON each: what a store would keep, secrets too.
func (r *RunHandle) Journal(dst []byte) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, record := range r.records().each {
		dst = append(r.machine.Encode(dst, record), '\n')
	}
	return dst
}

// tracer makes trace entries of kernel entries.
type tracer struct {
	prog    *program
	machine *kernel.Machine // as it stands before the entry
	mask    *mask
	entries []TraceEntry
	open    map[*kernel.Frame]int // the entry of the visit that a frame is in
	left    map[*kernel.Frame]int // the entry of the one that it has left last
}

// turn goes on with another program, as the fork of a run may.
func (t *tracer) turn(prog *program) error {
	if t.prog == prog {
		return nil
	}
	begun := t.machine != nil
	next, err := turned(t.machine, prog)
	if err != nil {
		return err
	}
	t.prog, t.machine = prog, next
	if !begun {
		return nil
	}
	now := map[string]*kernel.Frame{"/": t.machine.Root()}
	t.machine.Below(t.machine.Root(), func(f *kernel.Frame) { now[f.Path()] = f })
	for _, list := range []map[*kernel.Frame]int{t.open, t.left} {
		moved := map[*kernel.Frame]int{}
		for f, i := range list {
			if same := now[f.Path()]; same != nil {
				moved[same] = i
			}
		}
		clear(list)
		maps.Copy(list, moved)
	}
	return nil
}

func (t *tracer) entry(record *kernel.Record, e *kernel.Entry, input value.Value) {
	switch e.Kind {
	case kernel.RunCancelled:
		t.cut(record, e.Frame, t.failure(e))
	case kernel.StepRetrying, kernel.StepDone, kernel.ChildClosed, kernel.RunFailed:
		from := e.Frame
		if e.Kind == kernel.RunFailed {
			from = t.machine.Root()
		}
		t.machine.Below(from, func(f *kernel.Frame) {
			if f != e.Frame {
				t.endAt(f, record, regionOver)
			}
		})
		if from != e.Frame {
			t.endAt(from, record, regionOver)
		}
	}
	if e.Op >= 0 {
		t.step(record, e, input)
	}
	if e.Kind == kernel.ChildClosed {
		delete(t.left, e.Frame)
	}
}

// regionOver is why a step did not come to its end whose foreach, fork or run went no further.
var regionOver = &Error{Code: CodeCancelled, Message: "what it was part of went no further"}

// cut ends all that a frame and those below it are in.
func (t *tracer) cut(record *kernel.Record, from *kernel.Frame, err *Error) {
	t.machine.Below(from, func(f *kernel.Frame) { t.endAt(f, record, err) })
	t.endAt(from, record, err)
}

func (t *tracer) endAt(f *kernel.Frame, record *kernel.Record, err *Error) {
	if i, ok := t.open[f]; ok {
		t.end(&t.entries[i], record, err)
		delete(t.open, f)
	}
}

// step tells what an entry means for the step that it names.
func (t *tracer) step(record *kernel.Record, e *kernel.Entry, input value.Value) {
	at := moment(record.At)
	in := t.prog.of(e.Frame)
	op := &in.kernel.Ops[e.Op]
	if e.Enters() {
		t.open[e.Frame] = len(t.entries)
		t.entries = append(t.entries, TraceEntry{Step: op.ID, Frame: e.Frame.Path(), Visit: int(e.Visit), Type: StepType(op.Kind.String()),
			StartedAt: at, Input: t.raw(in.showStepInput(op, input)), Unfinished: true})
	}
	i, ok := t.open[e.Frame]
	if !ok && e.Failure() != nil { // it failed behind that visit: in making a result or an output
		i, ok = t.left[e.Frame]
		ok = ok && t.entries[i].Step == op.ID && t.entries[i].Visit == int(e.Visit)
	}
	if !ok {
		return
	}
	x := &t.entries[i]
	x.Attempts = max(x.Attempts, int(e.Attempt))
	switch e.Kind {
	case kernel.StepRetrying:
		x.Retries = append(x.Retries, TraceRetry{Error: t.failure(e), At: at, Until: moment(e.Until())})
		return
	case kernel.StepDoubted:
		x.Doubt = t.failure(e)
		return
	case kernel.StepDone:
		x.Outcome, x.Next = Outcome(op.Outcomes[e.Outcome]), e.Target()
		x.Output, x.Extra, x.Writes = t.raw(in.showOutput(op, e.Output)), t.raw(e.Extra()), t.writes(in, e)
		t.left[e.Frame] = i
	case kernel.RunFailed, kernel.ChildClosed:
	default:
		return
	}
	t.end(x, record, t.failure(e))
	delete(t.open, e.Frame)
}

func (t *tracer) end(x *TraceEntry, record *kernel.Record, err *Error) {
	x.Seq, x.EndedAt, x.Unfinished, x.Error = record.Seq, moment(record.At), false, err
	if err != nil {
		x.Stack = err.Stack
	}
}

func (t *tracer) failure(e *kernel.Entry) *Error { return t.mask.failure(e.Failure()) }

func (t *tracer) raw(v value.Value) json.RawMessage { return rawValue(t.mask.value(v)) }

func (t *tracer) writes(in *flow, e *kernel.Entry) []TraceWrite {
	var out []TraceWrite
	for w := e.Writes; w != nil; w = w.Next {
		path := Path{Root: RootState, Parts: append([]Part{namePart(in.kernel.Fields[w.Bind.Slot].Name)}, planParts(w.Bind.Path)...)}
		hide := in.hiddenField(w.Bind.Slot)
		out = append(out, TraceWrite{Path: path.String(), Op: w.Op.String(), Value: t.raw(hide.veil(e.In(w))), Hidden: hide != shown})
	}
	return out
}

func planParts(p value.Path) []Part {
	parts := make([]Part, len(p))
	for i, part := range p {
		parts[i] = Part{Name: part.Key, Index: part.Index, IsIndex: part.IsIndex}
	}
	return parts
}

func rawValue(v value.Value) json.RawMessage {
	if v.IsAbsent() {
		return nil
	}
	return v.JSON()
}
