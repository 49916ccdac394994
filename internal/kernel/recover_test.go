package kernel

import (
	"errors"
	"testing"

	"lda.chat/wf/internal/value"
)

// lose says that whoever made the calls is gone; what is out is out no more.
func lose(w *world) {
	w.t.Helper()
	w.calls = nil
	if err := w.post(Event{Kind: Recovered}); err != nil {
		w.t.Fatal(err)
	}
}

func TestRecovered(t *testing.T) {
	t.Parallel()
	t.Run("a call that does no harm twice is made again, four times", func(t *testing.T) {
		w := newWorld(t, loop(1, to(0)))
		w.start(value.Object())
		for n := range 4 {
			lose(w)
			if len(w.calls) != 1 || w.m.key(w.calls[0].Ref.StepRef) != "run1:/work" || w.calls[0].Ref.Attempt != 1 || w.calls[0].Input.Value().String() != `{"n":0}` {
				t.Fatalf("after loss %d: %+v", n+1, w.calls)
			}
		}
		lose(w)
		w.wantFailure(CodeCrashLoop, "work")
	})
	t.Run("a result ends the count", func(t *testing.T) {
		w := newWorld(t, loop(2, to(0)))
		w.start(value.Object())
		for range 2 {
			for range 4 {
				lose(w)
			}
			w.answer("work", "ok", parse(t, `{"one":1,"line":"x"}`))
		}
		w.wantStatus(Completed)
	})
	t.Run("one that must not happen twice is in doubt", func(t *testing.T) {
		p := loop(1, to(0))
		p.Ops[0].Once = true
		for policy, check := range map[DoubtPolicy]func(w *world){
			DoubtAsks: func(w *world) {
				w.wantStatus(Interrupted)
				if d := w.m.OpenDoubts(); len(d) != 1 || d[0].Key != "run1:/work" || d[0].Failure.Details.Get("cause").String() != `"call_lost"` {
					t.Errorf("%+v", d)
				}
			},
			DoubtFails: func(w *world) { w.wantFailure(CodeInDoubt, "work") },
			DoubtRetries: func(w *world) {
				if len(w.calls) != 1 || w.calls[0].Ref.Attempt != 2 {
					t.Errorf("%+v", w.calls)
				}
			},
		} {
			w := newWorld(t, p)
			w.m.Doubts = policy
			w.start(value.Object())
			lose(w)
			check(w)
		}
	})
	t.Run("one of several", func(t *testing.T) {
		w := newWorld(t, loop(1, to(0)))
		w.start(value.Object())
		ref := w.calls[0].Ref
		w.calls = nil
		if err := w.post(Event{Kind: Recovered, Ref: ref}); err != nil || len(w.calls) != 1 {
			t.Fatalf("%v: %+v", err, w.calls)
		}
		w.answer("work", "ok", parse(t, `{"one":1,"line":"x"}`))
		w.refused(Event{Kind: Recovered, Ref: ref}, ErrStale)
	})
}

func TestEdited(t *testing.T) {
	t.Parallel()
	p := loop(2, to(0))
	p.Ops[0].Timeout, p.Timeout = 10*second, 100*second
	w := newWorld(t, p)
	w.start(value.Object())
	before := w.m.Wakes()
	var refused *RefusedError
	if err := w.post(Event{Kind: Edited, RunID: "fork", State: parse(t, `{"nowhere":1}`)}); !errors.As(err, &refused) {
		t.Fatalf("a field that is not there: %v", err)
	}
	if err := w.post(Event{Kind: Edited, RunID: "fork", State: parse(t, `3`)}); !errors.As(err, &refused) {
		t.Fatalf("no object: %v", err)
	}
	w.refused(Event{Kind: Edited}, ErrInvalid)
	if err := w.post(Event{Kind: Edited, RunID: "fork", Shift: 1000 * second, State: parse(t, `{"log":["edited"]}`)}); err != nil {
		t.Fatal(err)
	}
	if got := w.m.Wakes(); got != before+1000*second {
		t.Errorf("it wakes at %d, want %d", got, before+1000*second)
	}
	// The call that is out has the key under which it was announced; later ones have the fork's.
	if key := w.m.key(w.calls[0].Ref.StepRef); key != "run1:/work" {
		t.Errorf("key %s", key)
	}
	w.answer("work", "ok", parse(t, `{"one":1,"line":"x"}`))
	if key := w.m.key(w.calls[0].Ref.StepRef); key != "fork:/work#2" {
		t.Errorf("key %s", key)
	}
	w.answer("work", "ok", parse(t, `{"one":1,"line":"y"}`))
	w.wantState(`{"log":["edited","x","y"],"n":2}`)
}
