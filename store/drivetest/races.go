package drivetest

import (
	"sync"
	"testing"
	"time"

	"lda.chat/wf"
)

const askOnce = `{"name": "ask_once", "nodes": [
  {"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["yes"], "timeout_seconds": 1000, "timeout_outcome": "late", "on": {"yes": "act", "late": "missed"}},
  {"id": "act", "node": "t.act", "next": "__end__"}, {"id": "missed", "node": "t.missed", "next": "__end__"}]}`

// together runs functions at once.
func together(fs ...func()) {
	var all sync.WaitGroup
	begin := make(chan struct{})
	for _, f := range fs {
		all.Go(func() { <-begin; f() })
	}
	close(begin)
	all.Wait()
}

// rounds is how often a race is run, each time anew.
const rounds = 8

// Two runtimes answer one question at once: one is taken, the other is told so, and what lies behind it is done once.
func (s *suite) racingAnswers(t *testing.T) {
	for range rounds {
		w := s.world(t)
		a, b := w.runtime(nil), w.runtime(nil)
		run := a.start(askOnce, `{}`, nil)
		w.wait(run, wf.StatusInterrupted)
		runs := []*wf.RunHandle{run, b.load(run.ID())}
		errs := make([]error, 4)
		answer := func(i int) func() {
			return func() { errs[i] = runs[i%2].Resume(ctx, wf.Answer{Interrupt: "/ask", Outcome: "yes"}) }
		}
		together(answer(0), answer(1), answer(2), answer(3))
		for _, r := range runs {
			w.wait(r, wf.StatusCompleted)
		}
		taken := 0
		for _, err := range errs {
			switch code(err) {
			case "":
				taken++
			case wf.CodeAlreadyResumed:
			default:
				t.Errorf("refused with %v\n%s", err, w.logged())
			}
		}
		same(t, "taken", taken, 1)
		same(t, "calls behind it", len(w.made("t.act")), 1)
		w.once(run.ID())
	}
}

// The same for decisions.
func (s *suite) racingDecisions(t *testing.T) {
	for range rounds {
		w := s.world(t)
		run, a := w.lost(payingCaughtNot, "t.pay", nil)
		w.wait(run, wf.StatusInterrupted)
		b := w.runtime(nil)
		runs := []*wf.RunHandle{a.load(run.ID()), b.load(run.ID())}
		errs := make([]error, 2)
		decide := func(i int) func() {
			return func() { errs[i] = runs[i].Decide(ctx, wf.Ruling{Step: "/pay", Verdict: wf.VerdictResult}) }
		}
		together(decide(0), decide(1))
		w.wait(run, wf.StatusCompleted)
		taken := 0
		for _, err := range errs {
			switch code(err) {
			case "":
				taken++
			case wf.CodeDoubtUnknown, wf.CodeRunEnded:
			default:
				t.Errorf("refused with %v", err)
			}
		}
		same(t, "taken", taken, 1)
		same(t, "calls", []int{len(w.made("t.pay")), len(w.made("t.tail"))}, []int{1, 1})
	}
}

const payingCaughtNot = `{"name": "once", "node_defs": [{"name": "t.pay", "effect": "once"}],
 "nodes": [{"id": "pay", "node": "t.pay", "next": "tail"}, {"id": "tail", "node": "t.tail", "next": "__end__"}]}`

// A run that is cancelled and answered at once ends, one way or the other, and both are told the truth.
func (s *suite) cancelRacing(t *testing.T) {
	for range rounds {
		w := s.world(t)
		a, b := w.runtime(nil), w.runtime(nil)
		run := a.start(askOnce, `{}`, nil)
		w.wait(run, wf.StatusInterrupted)
		other := b.load(run.ID())
		var answered, cancelled error
		together(
			func() { answered = run.Resume(ctx, wf.Answer{Interrupt: "/ask", Outcome: "yes"}) },
			func() { cancelled = other.Cancel(ctx, "enough") },
		)
		check(t, "cancel", cancelled)
		w.await("it ends", func() bool { return w.head(run.ID()).Status.Ended() })
		check(t, "wait", run.Wait(ctx))
		status := run.Status()
		switch {
		case answered == nil && len(w.made("t.act")) <= 1: // completed, or cancelled after the answer
		case code(answered) == wf.CodeRunEnded && status == wf.StatusCancelled && len(w.made("t.act")) == 0:
		default:
			t.Errorf("%s; the answer: %v; %d calls behind it", status, answered, len(w.made("t.act")))
		}
	}
}

// An answer and the end of its time: what came first counts, also if nobody looked meanwhile; never both.
func (s *suite) timeoutRacing(t *testing.T) {
	post := func(w *world, id string) {
		t.Helper()
		fresh, err := w.st.Post(ctx, id, wf.Message{ID: "m1", Kind: "answer", Data: []byte(`{"interrupt":"/ask","outcome":"yes","payload":{}}`)})
		if err != nil || !fresh {
			t.Fatalf("post: %v %v", fresh, err)
		}
	}
	for _, c := range []struct {
		name          string
		before, after time.Duration // the answer
		acts, misses  int
	}{
		{"answered in time, and looked at late", 999 * time.Second, 10 * time.Second, 1, 0},
		{"answered too late, and looked at later", 1001 * time.Second, 10 * time.Second, 0, 1},
	} {
		w := s.world(t)
		first := w.runtime(nil)
		run := first.start(askOnce, `{}`, nil)
		w.wait(run, wf.StatusInterrupted)
		first.kill()
		w.clock.jump(c.before)
		post(w, run.ID())
		w.clock.jump(c.after)
		second := w.runtime(nil)
		second.work(nil)
		w.wait(second.load(run.ID()), wf.StatusCompleted)
		same(t, c.name, []int{len(w.made("t.act")), len(w.made("t.missed"))}, []int{c.acts, c.misses})
	}
	for range rounds { // at the same moment
		w := s.world(t)
		a, b := w.runtime(nil), w.runtime(nil)
		run := a.start(askOnce, `{}`, nil)
		w.wait(run, wf.StatusInterrupted)
		there := b.load(run.ID())
		var err error
		together(
			func() { w.clock.jump(1000 * time.Second) },
			func() { err = there.Resume(ctx, wf.Answer{Interrupt: "/ask", Outcome: "yes"}) },
		)
		a.work(nil)
		w.await("it has ended", func() bool { return w.head(run.ID()).Status.Ended() })
		w.wait(there, wf.StatusCompleted)
		want := []int{0, 1}
		if err == nil {
			want = []int{1, 0}
		} else if code(err) != wf.CodeInterruptClosed && code(err) != wf.CodeRunEnded {
			t.Errorf("refused with %v", err)
		}
		same(t, "who won", []int{min(len(w.made("t.act")), 1), min(len(w.made("t.missed")), 1)}, want) // a lease may have run out meanwhile, too
	}
}
