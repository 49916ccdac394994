package wf

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// simWorld carries out the effects of a machine in time that it moves itself, and judges every step of it. A second machine
// is fed the encoded records: it must stay the same.
type simWorld struct {
	t    simT
	prog *kernel.Program
	live *kernel.Machine
	fold *kernel.Machine
	refs map[string]kernel.Ref // the fold's attempts, by their names
	at   int64
	out  kernel.Out

	calls   []kernel.Effect
	asks    []kernel.Ref
	timers  []kernel.Effect
	old     []kernel.Ref // calls that are over, whatever became of them
	lines   [][]byte
	writes  kernel.Repeats // of the same records, each large value once
	reads   kernel.Repeats
	ended   int
	more    bool
	reloads int

	trace  map[string][]string
	script []string
}

// simT is what a world fails with: a test, or rapid's.
type simT interface {
	Helper()
	Fatalf(format string, args ...any)
}

const simStart = 1_767_225_600_000_000_000 // 2026-01-01

func newSimWorld(t simT, p *kernel.Program) *simWorld {
	return &simWorld{t: t, prog: p, live: kernel.New(p), fold: kernel.New(p), refs: map[string]kernel.Ref{}, at: simStart, trace: map[string][]string{},
		writes: kernel.Repeats{Least: 16}, reads: kernel.Repeats{Least: 16}}
}

func attemptName(r kernel.Ref) string { return r.ID() + "~" + strconv.Itoa(int(r.Attempt)) }

func simTimerName(t kernel.Timer) string {
	if t.Kind == kernel.RunTimer {
		return "run"
	}
	return fmt.Sprintf("%d %s", t.Kind, attemptName(t.Ref))
}

// post gives the machine an event. A refused one must have changed nothing.
func (w *simWorld) post(what string, ev kernel.Event) error {
	w.script = append(w.script, what)
	ev.At = w.at
	w.out.Record.Entries, w.out.Effects = nil, nil
	before := w.live.Seq()
	if err := w.live.Step(&ev, &w.out); err != nil {
		if w.live.Seq() != before || string(w.live.Dump()) != string(w.fold.Dump()) {
			w.t.Fatalf("a refused event changed the machine: %s: %v", what, err)
		}
		return err
	}
	w.more = w.out.More
	w.keep()
	w.carryOut()
	w.check()
	return nil
}

// keep encodes the record, lets the fold follow, and compares the two machines.
func (w *simWorld) keep() {
	line := w.live.Encode(nil, &w.out.Record)
	w.lines = append(w.lines, line)
	w.once(line)
	inputs := w.follow(w.fold, line)
	snapshot := w.live.Snapshot(nil) // before a dump, which makes lists that are not made yet
	if live, fold := w.live.Dump(), w.fold.Dump(); string(live) != string(fold) {
		w.t.Fatalf("the folded machine differs (-live +folded):\n%s\nrecord: %s", cmp.Diff(string(live), string(fold)), line)
	}
	if fold, restored := w.fold.Dump(), w.restore(snapshot).Dump(); string(restored) != string(fold) {
		w.t.Fatalf("the restored machine differs (-folded +restored):\n%s\nsnapshot: %s", cmp.Diff(string(fold), string(restored)), snapshot)
	}
	for _, e := range w.out.Effects {
		if e.Kind != kernel.Call || e.Ref.Attempt > 1 {
			continue
		}
		if got, want := inputs[e.Ref.ID()], e.Input.Value(); !value.Equal(got, want) {
			w.t.Fatalf("the input of %s is %s, read from its record it is %s", e.Ref.ID(), want, got)
		}
	}
	for i := range w.out.Record.Entries {
		w.note(&w.out.Record.Entries[i])
	}
}

// once encodes the record so that large values are held once, and reads it.
func (w *simWorld) once(line []byte) {
	if len(w.lines)%7 == 0 {
		w.writes.Forget()
	}
	short := w.live.EncodeOnce(nil, &w.out.Record, &w.writes)
	r, err := w.fold.DecodeOnce(short, &w.reads)
	if err != nil {
		w.t.Fatalf("a record that holds large values once cannot be read: %v\n%s", err, short)
	}
	if got := w.fold.Encode(nil, r); string(got) != string(line) {
		w.t.Fatalf("read from where it holds large values once, the record is another (-written +read):\n%s\n%s", cmp.Diff(string(line), string(got)), short)
	}
}

func (w *simWorld) restore(snapshot []byte) *kernel.Machine {
	m, err := kernel.Restore(w.prog, snapshot)
	if err != nil {
		w.t.Fatalf("a snapshot cannot be restored: %v\n%s", err, snapshot)
	}
	return m
}

// follow applies a record to a machine, remembers its names for attempts, and gives the inputs of calls.
func (w *simWorld) follow(m *kernel.Machine, line []byte) map[string]value.Value {
	r, err := m.Decode(line)
	if err != nil {
		w.t.Fatalf("a record cannot be read: %v\n%s", err, line)
	}
	inputs := map[string]value.Value{}
	if err := m.Apply(r, func(e *kernel.Entry, input value.Value) {
		if e.Op < 0 {
			return
		}
		ref := kernel.Ref{StepRef: e.Ref(), Attempt: e.Attempt}
		w.refs[attemptName(ref)] = ref
		if e.Kind == kernel.StepCalled {
			inputs[ref.ID()] = input
		}
	}); err != nil {
		w.t.Fatalf("a record cannot be folded: %v\n%s", err, line)
	}
	return inputs
}

// note adds an entry to the trace of its frame.
func (w *simWorld) note(e *kernel.Entry) {
	if e.Op < 0 {
		return
	}
	frame, step := e.Frame.Path(), e.Ref().ID()
	if frame != "/" {
		step = step[len(frame):]
	} else {
		frame = ""
	}
	step = step[1:]
	switch e.Kind {
	case kernel.StepCalled:
		step += fmt.Sprintf("~%d call", e.Attempt)
	case kernel.StepOpened:
		step += fmt.Sprintf("~%d open", e.Attempt)
	case kernel.StepAsked:
		step += " ask"
	case kernel.StepDone:
		step += ":" + e.Ref().At().Outcomes[e.Outcome]
	default:
		return
	}
	w.trace[frame] = append(w.trace[frame], step)
}

// carryOut takes over the effects: each call, question and timer begins once and ends once.
func (w *simWorld) carryOut() {
	for _, e := range w.out.Effects {
		switch e.Kind {
		case kernel.Call:
			w.calls = append(w.calls, kernel.Effect{Ref: e.Ref, Input: kernel.Bound{Values: []value.Value{e.Input.Value()}}})
		case kernel.CancelCall:
			w.calls = w.remove(w.calls, "call "+attemptName(e.Ref), func(c kernel.Effect) bool { return c.Ref == e.Ref })
			w.old = append(w.old, e.Ref)
		case kernel.SetTimer:
			w.timers = append(w.timers, e)
		case kernel.CancelTimer:
			w.timers = w.remove(w.timers, "timer "+simTimerName(e.Timer), func(t kernel.Effect) bool { return t.Timer == e.Timer })
		case kernel.OpenInterrupt:
			w.asks = append(w.asks, e.Ref)
		case kernel.CloseInterrupt:
			n := len(w.asks)
			w.asks = slices.DeleteFunc(w.asks, func(r kernel.Ref) bool { return r == e.Ref })
			if len(w.asks) != n-1 {
				w.t.Fatalf("a question was closed that is not open: %s", attemptName(e.Ref))
			}
		case kernel.Finish:
			w.ended++
		}
	}
}

func (w *simWorld) remove(list []kernel.Effect, what string, is func(kernel.Effect) bool) []kernel.Effect {
	n := len(list)
	list = slices.DeleteFunc(list, is)
	if len(list) != n-1 {
		w.t.Fatalf("ended what is not out: %s", what)
	}
	return list
}

// reload goes on from the fold, as after a crash, and begins another one with all records; every other time, from a snapshot.
func (w *simWorld) reload() {
	w.script = append(w.script, "reload")
	budget, single, doubts := w.live.Budget, w.live.Single, w.live.Doubts
	refs := w.refs
	w.refs = map[string]kernel.Ref{}
	if w.reloads++; w.reloads%2 == 0 {
		w.live = w.restore(w.live.Snapshot(nil))
		refs = simRefs(w.live)
	} else {
		w.live = w.fold
	}
	w.live.Budget, w.live.Single, w.live.Doubts = budget, single, doubts
	mine := func(r kernel.Ref) kernel.Ref {
		if r == (kernel.Ref{}) {
			return r
		}
		return refs[attemptName(r)]
	}
	for i := range w.calls {
		w.calls[i].Ref = mine(w.calls[i].Ref)
	}
	for i := range w.asks {
		w.asks[i] = mine(w.asks[i])
	}
	for i := range w.old {
		w.old[i] = mine(w.old[i])
	}
	for i := range w.timers {
		w.timers[i].Timer.Ref = mine(w.timers[i].Timer.Ref)
	}
	w.fold = kernel.New(w.prog)
	for _, line := range w.lines {
		w.follow(w.fold, line)
	}
}

// simRefs gives what a machine has out, by names. What it has out no more, it knows nothing of.
func simRefs(m *kernel.Machine) map[string]kernel.Ref {
	refs := map[string]kernel.Ref{}
	for _, e := range m.Outstanding() {
		for _, r := range []kernel.Ref{e.Ref, e.Timer.Ref} {
			if r != (kernel.Ref{}) {
				refs[attemptName(r)] = r
			}
		}
	}
	return refs
}
