package kernel

import (
	"errors"
	"testing"

	"lda.chat/wf/internal/value"
)

// once is the loop whose call must not be made twice, and whose first attempt times out.
func once(t *testing.T, policy DoubtPolicy) *world {
	t.Helper()
	p := loop(1, to(0))
	p.Ops[0].Once, p.Ops[0].Timeout = true, second
	w := newWorld(t, p)
	w.m.Doubts = policy
	w.start(value.Object())
	w.fire()
	return w
}

func TestDoubt(t *testing.T) {
	t.Parallel()
	decide := func(w *world, v Verdict, outcome, output string) error {
		ref, ok := w.m.FindDoubt("/work")
		if !ok {
			t.Fatal("nothing is in doubt")
		}
		return w.post(Event{Kind: Decided, Ref: ref, Verdict: v, Outcome: outcome, Output: parse(t, output)})
	}
	t.Run("it asks", func(t *testing.T) {
		w := once(t, DoubtAsks)
		w.wantStatus(Interrupted)
		d := w.m.OpenDoubts()
		if len(d) != 1 || d[0].ID != "/work" || d[0].Key != "run1:/work" || d[0].Input.String() != `{"n":0}` || d[0].Failure.Code != CodeInDoubt {
			t.Fatalf("%+v", d)
		}
	})
	t.Run("it happened", func(t *testing.T) {
		w := once(t, DoubtAsks)
		var refused *RefusedError
		if err := decide(w, VerdictResult, "no", `{}`); !errors.As(err, &refused) {
			t.Fatalf("an outcome that does not exist: %v", err)
		}
		if err := decide(w, VerdictResult, "ok", `{"one":"x"}`); !errors.As(err, &refused) {
			t.Fatalf("an output that cannot be written: %v", err)
		}
		if err := decide(w, VerdictResult, "ok", `{"one":1,"line":"x"}`); err != nil {
			t.Fatal(err)
		}
		w.wantStatus(Completed)
		w.wantState(`{"log":["x"],"n":1}`)
	})
	t.Run("again", func(t *testing.T) {
		w := once(t, DoubtAsks)
		if err := decide(w, VerdictAgain, "", `{}`); err != nil {
			t.Fatal(err)
		}
		c := w.answer("work", "ok", parse(t, `{"one":1,"line":"x"}`))
		if c.Ref.Attempt != 2 || w.m.OpenDoubts() != nil {
			t.Fatalf("attempt %d", c.Ref.Attempt)
		}
		w.wantStatus(Completed)
	})
	t.Run("fail", func(t *testing.T) {
		w := once(t, DoubtAsks)
		if err := decide(w, VerdictFail, "", `{}`); err != nil {
			t.Fatal(err)
		}
		w.wantFailure(CodeInDoubt, "work")
	})
	t.Run("cancel", func(t *testing.T) {
		w := once(t, DoubtAsks)
		if err := w.post(Event{Kind: CancelRequested}); err != nil {
			t.Fatal(err)
		}
		w.wantStatus(Cancelled)
	})
	t.Run("retries, a few times", func(t *testing.T) {
		w := once(t, DoubtRetries)
		for range 3 {
			w.fire()
			w.wantStatus(Running)
		}
		w.fire()
		w.wantFailure(CodeCrashLoop, "work")
	})
	t.Run("a late result is refused", func(t *testing.T) {
		w := newWorld(t, func() *Program { p := loop(1, to(0)); p.Ops[0].Once, p.Ops[0].Timeout = true, second; return p }())
		w.m.Doubts = DoubtAsks
		w.start(value.Object())
		ref := w.calls[0].Ref
		w.fire()
		w.refused(Event{Kind: CallCompleted, Ref: ref, Outcome: "ok", Output: value.Object()}, ErrStale)
	})
}
