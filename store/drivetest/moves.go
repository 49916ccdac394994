package drivetest

import (
	"slices"
	"testing"
	"time"

	"lda.chat/wf"
)

const asking = `{"name": "asking", "workflows": {"child": {"name": "child", "nodes": [
   {"id": "b", "node": "t.b", "next": "ask"},
   {"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["yes", "no"], "on": {"yes": "c", "no": "__end__"}},
   {"id": "c", "node": "t.c", "next": "__end__"}]}},
 "nodes": [{"id": "a", "node": "t.a", "next": "sub"}, {"id": "sub", "type": "subgraph", "workflow": "child", "next": "d"}, {"id": "d", "node": "t.d", "next": "__end__"}]}`

// What was done before a pause is not done again by a runtime that has never heard of the run.
func (s *suite) answeredElsewhere(t *testing.T) {
	w := s.world(t)
	first := w.runtime(nil)
	run := first.start(asking, `{}`, nil)
	w.wait(run, wf.StatusInterrupted)
	second := w.runtime(nil)
	there := second.load(run.ID())
	if open := there.Interrupts(); len(open) != 1 || open[0].ID != "/sub/ask" {
		t.Fatalf("open: %+v", open)
	}
	same(t, "a wrong answer", code(there.Resume(ctx, wf.Answer{Outcome: "perhaps"})), wf.CodeUndeclaredOutcome)
	same(t, "an unknown question", code(there.Resume(ctx, wf.Answer{Interrupt: "/none", Outcome: "yes"})), wf.CodeInterruptUnknown)
	check(t, "resume", there.Resume(ctx, wf.Answer{Outcome: "yes"}))
	w.wait(there, wf.StatusCompleted)
	w.wait(run, wf.StatusCompleted) // the first sees it too
	<-run.Done()
	same(t, "answered again", code(run.Resume(ctx, wf.Answer{Interrupt: "/sub/ask", Outcome: "yes"})), wf.CodeAlreadyResumed)
	for _, ref := range []string{"t.a", "t.b", "t.c", "t.d"} {
		same(t, "calls of "+ref, len(w.made(ref)), 1)
	}
	same(t, "the same end", ending(t, run), ending(t, there))
	w.once(run.ID())
}

// A run goes step by step, in one runtime and in the next.
func (s *suite) stepByStep(t *testing.T) {
	w := s.world(t)
	first, second := w.runtime(nil), w.runtime(nil)
	defer second.work(nil)() // leaves it alone
	plan := `{"name": "three", "nodes": [{"id": "a", "node": "t.a", "next": "b"}, {"id": "b", "node": "t.b", "next": "c"}, {"id": "c", "node": "t.c", "next": "__end__"}]}`
	run := first.start(plan, `{}`, &wf.StartOptions{StepByStep: true})
	made := func() []int { return []int{len(w.made("t.a")), len(w.made("t.b")), len(w.made("t.c"))} }
	step := func(r *runtime, want bool) {
		t.Helper()
		more, err := r.load(run.ID()).Step(ctx)
		check(t, "step", err)
		same(t, "more", more, want)
	}
	same(t, "before", made(), []int{0, 0, 0})
	step(first, true)
	same(t, "one", made(), []int{1, 0, 0})
	step(second, true)
	same(t, "two", made(), []int{1, 1, 0})
	step(first, false)
	same(t, "three", made(), []int{1, 1, 1})
	step(second, false)
	w.wait(run, wf.StatusCompleted)
}

// The same start twice is one run, here and elsewhere, also while it is at work; another start under its id is refused.
func (s *suite) startedTwice(t *testing.T) {
	w := s.world(t)
	letGo := w.hold("t.a")
	first, second := w.runtime(nil), w.runtime(nil)
	plan := `{"name": "one", "nodes": [{"id": "a", "node": "t.a", "output": {"at": "state.at"}, "next": "__end__"}]}`
	opts := &wf.StartOptions{RunID: "same"}
	var runs []*wf.RunHandle
	for _, r := range []*runtime{first, first, second} {
		runs = append(runs, r.start(plan, `{"n": 1}`, opts))
		w.await("it is called", func() bool { return len(w.made("t.a")) > 0 })
	}
	_, err := first.Start(ctx, first.plan(plan), map[string]int{"n": 2}, opts)
	if e, ok := err.(*wf.ExistsError); !ok || e.RunID != "same" {
		t.Errorf("another input under the same id: %v", err)
	}
	letGo()
	for _, run := range runs {
		w.wait(run, wf.StatusCompleted)
		same(t, "state", string(run.Info().State), `{"at":"/a"}`)
	}
	w.wait(second.start(plan, `{"n": 1}`, opts), wf.StatusCompleted)
	same(t, "calls", len(w.made("t.a")), 1)
	w.once("same")
}

// Runs are listed by what they were started with, newest first.
func (s *suite) listed(t *testing.T) {
	w := s.world(t)
	r := w.runtime(nil)
	for i, pool := range []string{"x", "y", "x"} {
		r.start(asking, `{}`, &wf.StartOptions{RunID: []string{"r0", "r1", "r2"}[i], Labels: map[string]string{"pool": pool}, Deployment: "d"})
		w.await("it asks", func() bool { return w.head([]string{"r0", "r1", "r2"}[i]).Status == wf.StatusInterrupted })
		w.clock.jump(time.Second)
	}
	ids := func(q wf.RunQuery) (list []string) {
		page, err := w.st.List(ctx, q)
		check(t, "list", err)
		for _, h := range page.Runs {
			list = append(list, h.RunID)
		}
		return list
	}
	same(t, "by a label", ids(wf.RunQuery{Labels: map[string]string{"pool": "x"}}), []string{"r2", "r0"})
	same(t, "by status", ids(wf.RunQuery{Status: []wf.RunStatus{wf.StatusInterrupted}, Deployment: "d"}), []string{"r2", "r1", "r0"})
	same(t, "by workflow", ids(wf.RunQuery{Labels: map[string]string{"wf.workflow": "asking", "pool": "y"}}), []string{"r1"})
	same(t, "of others", ids(wf.RunQuery{Labels: map[string]string{"wf.workflow": "other"}}), nil)
}

// A run is cancelled by a runtime that does not drive it: while it calls, waits, asks and lies in the queue.
func (s *suite) cancelledElsewhere(t *testing.T) {
	w := s.world(t)
	ended := make(chan struct{}, 1)
	w.do("t.slow", untilCancelled(w, ended))
	driver, other := w.runtime(nil), w.runtime(nil)
	calling := driver.start(`{"name": "calling", "nodes": [{"id": "a", "node": "t.slow", "next": "__end__"}]}`, `{}`, nil)
	w.await("it is called", func() bool { return len(w.made("t.slow")) == 1 })
	waiting := driver.start(`{"name": "waiting", "nodes": [{"id": "a", "type": "wait", "seconds": 3600, "next": "__end__"}]}`, `{}`, nil)
	interrupted := driver.start(asking, `{}`, nil)
	w.wait(interrupted, wf.StatusInterrupted)
	queued := driver.start(asking, `{}`, &wf.StartOptions{Queued: true})
	for _, run := range []*wf.RunHandle{calling, waiting, interrupted, queued} {
		there := other.load(run.ID())
		check(t, "cancel", there.Cancel(ctx, "enough"))
		w.wait(there, wf.StatusCancelled)
		w.wait(run, wf.StatusCancelled)
		check(t, "cancel again", there.Cancel(ctx, "once more"))
		same(t, "head", w.head(run.ID()).Status, wf.StatusCancelled)
		if text := there.Err().Error(); there.Err().(*wf.Error).Code != wf.CodeCancelled || !containsAll(text, "enough") {
			t.Errorf("it says %q", text)
		}
	}
	<-ended
	same(t, "steps behind", len(w.made("t.d")), 0)
	if slices.ContainsFunc(w.made("t.a"), func(c called) bool { return c.attempt != 1 }) {
		t.Error("a step was tried again")
	}
}

// A run that waits takes no step when it is told to: nothing is recorded. When its time has come, or it was answered, it does.
func (s *suite) stepWhileWaiting(t *testing.T) {
	w := s.world(t)
	first, second := w.runtime(nil), w.runtime(nil)
	run := first.start(`{"name": "waits", "nodes": [{"id": "ask", "type": "interrupt", "kind": "k", "outcomes": ["yes"], "next": "rest"},
		{"id": "rest", "type": "wait", "seconds": 3, "next": "a"}, {"id": "a", "node": "t.a", "next": "__end__"}]}`, `{}`, &wf.StartOptions{StepByStep: true})
	step := func(r *runtime, want bool, events wf.Revision) {
		t.Helper()
		before := w.head(run.ID()).Revision
		more, err := r.load(run.ID()).Step(ctx)
		check(t, "step", err)
		same(t, "more", more, want)
		same(t, "events", w.head(run.ID()).Revision-before, events)
	}
	step(first, false, 1)
	step(first, false, 0)
	step(second, false, 0)
	check(t, "answer", second.load(run.ID()).Resume(ctx, wf.Answer{Outcome: "yes"}))
	w.await("it is given back", func() bool { return w.head(run.ID()).Owner == "" })
	step(first, true, 1)
	step(second, true, 0)
	w.clock.jump(3 * time.Second)
	w.await("its time has come, and it takes its step", func() bool { // those who let go of it take it up then, and let go of it again
		more, err := second.load(run.ID()).Step(ctx)
		return err == nil && !more
	})
	w.wait(run, wf.StatusCompleted)
	w.once(run.ID())
}
