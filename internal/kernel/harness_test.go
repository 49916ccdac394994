package kernel

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf/internal/value"
)

// world drives a machine by hand in tests. After every event it folds the encoded records and compares the whole
// machine, so every test of a run is a test of its recovery.
type world struct {
	t      testing.TB
	prog   *Program
	m      *Machine
	folded *Machine // fed with the encoded records alone
	lines  [][]byte
	writes Repeats // of the same records, each large value once
	reads  Repeats
	at     int64
	out    Out
	calls  []Effect // out, oldest first
	timers map[Timer]int64
	ended  int
}

func newWorld(t testing.TB, p *Program) *world {
	t.Helper()
	p.Link()
	return &world{t: t, prog: p, m: New(p), folded: New(p), timers: map[Timer]int64{}, at: 1_000_000_000_000, writes: Repeats{Least: 12}, reads: Repeats{Least: 12}}
}

// post gives the machine an event; while it asks for more, it gets Proceed events.
func (w *world) post(ev Event) error {
	w.t.Helper()
	for {
		snapshot := w.m.Snapshot(nil)
		before := w.m.Dump()
		ev.At = w.at
		w.out = Out{}
		if err := w.m.Step(&ev, &w.out); err != nil {
			if diff := cmp.Diff(string(before), string(w.m.Dump())); diff != "" {
				w.t.Fatalf("a refused event changed the machine (-before +after):\n%s", diff)
			}
			return err
		}
		if ev.Kind == TimerFired {
			delete(w.timers, ev.Timer)
		}
		w.restored(snapshot, ev)
		w.keep()
		if !w.out.More || w.m.Single {
			return nil
		}
		ev = Event{Kind: Proceed}
	}
}

// restored gives the event to a machine that was restored from what the machine was before it: the record and the effects are
// the same, and so is what it is afterwards.
func (w *world) restored(snapshot []byte, ev Event) {
	w.t.Helper()
	m, err := Restore(w.prog, snapshot)
	if err != nil {
		w.t.Fatalf("restore: %v\n%s", err, snapshot)
	}
	if again := m.Snapshot(nil); string(again) != string(snapshot) {
		w.t.Fatalf("the restored machine has another snapshot (-machine +restored):\n%s", cmp.Diff(string(snapshot), string(again)))
	}
	m.Budget, m.Single = w.m.Budget, w.m.Single
	if m.Status() == Created {
		m.Doubts = w.m.Doubts // the run's start records it
	}
	for _, ref := range []*Ref{&ev.Ref, &ev.Timer.Ref} {
		if ref.frame != nil {
			ref.frame = m.counterpart(ref.frame)
		}
	}
	var out Out
	if err := m.Step(&ev, &out); err != nil {
		w.t.Fatalf("the restored machine refuses an event of kind %s: %v\n%s", ev.Kind, err, snapshot)
	}
	if got, want := string(m.Encode(nil, &out.Record)), string(w.m.Encode(nil, &w.out.Record)); got != want {
		w.t.Fatalf("the restored machine decides otherwise (-machine +restored):\n%s\nsnapshot: %s", cmp.Diff(want, got), snapshot)
	}
	if diff := cmp.Diff(told(w.out.Effects), told(out.Effects)); diff != "" {
		w.t.Fatalf("the restored machine has other effects (-machine +restored):\n%s", diff)
	}
	if want, got := string(w.m.Dump()), string(m.Dump()); want != got {
		w.t.Fatalf("the restored machine differs after the event (-machine +restored):\n%s", cmp.Diff(want, got))
	}
}

func (w *world) keep() {
	w.t.Helper()
	w.lines = append(w.lines, w.m.Encode(nil, &w.out.Record))
	line := w.lines[len(w.lines)-1]
	r, err := w.folded.DecodeOnce(w.m.EncodeOnce(nil, &w.out.Record, &w.writes), &w.reads)
	if err == nil && string(w.m.Encode(nil, r)) != string(line) {
		w.t.Fatalf("a record that holds large values once is read as\n%s\nexpected\n%s", w.m.Encode(nil, r), line)
	}
	if err == nil {
		r, err = w.folded.Decode(line)
	}
	if err == nil {
		err = w.folded.Apply(r, nil)
	}
	if err != nil {
		w.t.Fatalf("fold: %v\n%s", err, line)
	}
	if live, folded := string(w.m.Dump()), string(w.folded.Dump()); live != folded {
		w.t.Fatalf("the folded machine differs (-live +folded):\n%s\nrecord: %s", cmp.Diff(live, folded), line)
	}
	for _, e := range w.out.Effects {
		switch e.Kind {
		case Call:
			w.calls = append(w.calls, e)
		case CancelCall:
			w.drop(e.Ref)
		case SetTimer:
			w.timers[e.Timer] = e.At
		case CancelTimer:
			if _, ok := w.timers[e.Timer]; !ok {
				w.t.Fatalf("cancelled a timer that is not set: %+v", e.Timer)
			}
			delete(w.timers, e.Timer)
		case Finish:
			w.ended++
		}
	}
	if w.out.Record.Event == Edited { // a fork has no calls out that anybody makes; those that its past had are later now
		for i := range w.calls {
			w.calls[i].At = w.m.live(w.calls[i].Ref).until
		}
	}
	if diff := cmp.Diff(w.outside(), outstanding(w.folded)); diff != "" {
		w.t.Fatalf("the folded machine has something else out (-effects +folded):\n%s\nrecord: %s", diff, w.lines[len(w.lines)-1])
	}
	if w.m.Status().Ended() && (w.ended != 1 || len(w.timers) > 0 || len(w.calls) > 0) {
		w.t.Fatalf("ended %d times with %d timers and %d calls left", w.ended, len(w.timers), len(w.calls))
	}
}

// outside tells what is out, as the effects told it.
func (w *world) outside() []string {
	var effects []Effect
	effects = append(effects, w.calls...)
	for timer, at := range w.timers {
		effects = append(effects, Effect{Kind: SetTimer, Timer: timer, At: at})
	}
	for _, q := range w.m.Questions() {
		effects = append(effects, Effect{Kind: OpenInterrupt, Ref: q.Ref, At: q.Deadline})
	}
	return told(effects)
}

func outstanding(m *Machine) []string { return told(m.Outstanding()) }

// told tells effects in a way that is the same for every fold.
func told(effects []Effect) []string {
	list := []string{}
	for _, e := range effects {
		id, input := "", ""
		switch {
		case e.Kind == Call:
			id, input = e.Ref.ID(), e.Input.Value().String()
		case e.Ref.frame != nil:
			id = e.Ref.ID()
		case e.Timer.Ref.frame != nil:
			id = e.Timer.Ref.ID()
		}
		list = append(list, fmt.Sprintf("%d %d %s try %d at %d %s", e.Kind, e.Timer.Kind, id, max(e.Ref.Attempt, e.Timer.Ref.Attempt), e.At, input))
	}
	slices.Sort(list)
	return list
}

func (w *world) drop(r Ref) {
	for i := range w.calls {
		if w.calls[i].Ref == r {
			w.calls = append(w.calls[:i], w.calls[i+1:]...)
			return
		}
	}
	w.t.Fatalf("cancelled a call that is not out: %+v", r)
}

func (w *world) start(input value.Value) {
	w.t.Helper()
	if err := w.post(Event{Kind: Started, RunID: "run1", Input: input}); err != nil {
		w.t.Fatal(err)
	}
}

// take gives the oldest call that is out, which then is not.
func (w *world) take(step string) Effect {
	w.t.Helper()
	if len(w.calls) == 0 {
		w.t.Fatalf("no call is out; expected one of %s", step)
	}
	c := w.calls[0]
	if id := w.prog.Ops[c.Ref.Op].ID; id != step {
		w.t.Fatalf("the call is of %s, expected %s", id, step)
	}
	w.calls = w.calls[1:]
	return c
}

func (w *world) answer(step, outcome string, output value.Value) Effect {
	w.t.Helper()
	c := w.take(step)
	if err := w.post(Event{Kind: CallCompleted, Ref: c.Ref, Outcome: outcome, Output: output}); err != nil {
		w.t.Fatal(err)
	}
	return c
}

func (w *world) failCall(step, code string) Effect {
	w.t.Helper()
	c := w.take(step)
	if err := w.post(Event{Kind: CallFailed, Ref: c.Ref, Failure: &Failure{Code: code, Message: "no luck", Unknown: code == CodeTimeout}}); err != nil {
		w.t.Fatal(err)
	}
	return c
}

// fire lets the earliest timer fire, at its time.
func (w *world) fire() Timer {
	w.t.Helper()
	first, found := Timer{}, false
	for id, at := range w.timers {
		if !found || at < w.timers[first] || at == w.timers[first] && id.Kind < first.Kind {
			first, found = id, true
		}
	}
	if !found {
		w.t.Fatal("no timer is set")
	}
	w.at = max(w.at, w.timers[first])
	if err := w.post(Event{Kind: TimerFired, Timer: first}); err != nil {
		w.t.Fatal(err)
	}
	return first
}

func (w *world) wantStatus(want Status) {
	w.t.Helper()
	if got := w.m.Status(); got != want {
		fail, at := w.m.Failure()
		w.t.Fatalf("status %s, want %s (failure %+v at %+v)", got, want, fail, at)
	}
}

func (w *world) wantFailure(code, step string) {
	w.t.Helper()
	w.wantStatus(Failed)
	fail, at := w.m.Failure()
	if fail.Code != code || at.Step != step {
		w.t.Fatalf("failed with %s at %q (%s), want %s at %q", fail.Code, at.Step, fail.Message, code, step)
	}
}

func (w *world) wantState(want string) {
	w.t.Helper()
	if got := w.m.State().String(); got != want {
		w.t.Fatalf("state %s, want %s", got, want)
	}
}

func (w *world) refused(ev Event, want error) {
	w.t.Helper()
	if err := w.post(ev); !errors.Is(err, want) {
		w.t.Fatalf("got %v, want %v", err, want)
	}
}
