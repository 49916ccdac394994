package drivetest

import (
	"context"
	"testing"
	"time"

	"lda.chat/wf"
)

// A runtime that lacks what a plan calls leaves its runs to others, at once and without asking for them again and again. It can look at
// them, and answer them by mail.
func (s *suite) missing(t *testing.T) {
	w := s.world(t)
	able := w.runtime(nil)
	p := w.tap()
	unable := w.runtimeOn(p, &wf.RuntimeOptions{Nodes: &nodes{w: w, p: p, lack: []string{"t.a", "t.c"}}})
	queued := able.start(one, `{}`, &wf.StartOptions{Queued: true})
	stop := unable.work(&wf.WorkOptions{Poll: time.Millisecond})
	w.await("it was claimed and given back", func() bool { h := w.head(queued.ID()); return h.Fence > 0 && h.Owner == "" })
	looked := unable.counted("claim")
	w.await("it looks on", func() bool { return unable.counted("claim") > looked+10 })
	if h := w.head(queued.ID()); h.Fence != 1 || h.Revision != 1 || h.WakeAt.After(w.clock.Now()) {
		t.Errorf("it was claimed again, or put off: %+v", h)
	}
	seen := unable.load(queued.ID())
	same(t, "status", seen.Status(), wf.StatusRunning)
	info := seen.Info()
	same(t, "workflow", info.Workflow, "one")
	same(t, "digest", info.Digest, queued.Info().Digest)
	if trace, err := seen.Trace(); err != nil {
		t.Errorf("trace: %v %v", trace, err)
	}
	stopWork := able.work(nil)
	w.wait(queued, wf.StatusCompleted)
	stopWork()

	parked := able.start(asking, `{}`, nil)
	w.wait(parked, wf.StatusInterrupted)
	there := unable.load(parked.ID())
	same(t, "open", there.Interrupts()[0].ID, "/sub/ask")
	same(t, "a wrong answer", code(there.Resume(ctx, wf.Answer{Outcome: "perhaps"})), wf.CodeUndeclaredOutcome)
	before := w.head(parked.ID()).Fence
	limited, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	if err := there.Resume(limited, wf.Answer{Outcome: "yes"}); err == nil || !containsAll(err.Error(), "inbox") {
		t.Errorf("resume without anybody who can: %v", err)
	}
	if n := w.head(parked.ID()).Fence - before; n > 3 {
		t.Errorf("the run with a message was claimed %d times in vain", n)
	}
	able.work(nil)
	w.wait(parked, wf.StatusCompleted)
	w.wait(there, wf.StatusCompleted)
	stop()
	same(t, "calls", []int{len(w.made("t.a")), len(w.made("t.c"))}, []int{2, 1})

	again := able.start(asking, `{}`, nil)
	w.wait(again, wf.StatusInterrupted)
	check(t, "answered by mail", unable.load(again.ID()).Resume(ctx, wf.Answer{Outcome: "yes"}))
	w.wait(again, wf.StatusCompleted)
}

// A run goes on with the plan that it was started with, whatever is started under that plan's name meanwhile.
func (s *suite) pinned(t *testing.T) {
	w := s.world(t)
	first := w.runtime(nil)
	version := func(ref string) string {
		return `{"name": "w", "nodes": [{"id": "ask", "type": "interrupt", "kind": "k", "outcomes": ["yes"], "next": "act"}, {"id": "act", "node": "` + ref + `", "next": "__end__"}]}`
	}
	old := first.start(version("t.v1"), `{}`, nil)
	w.wait(old, wf.StatusInterrupted)
	first.kill()
	second := w.runtime(nil)
	fresh := second.start(version("t.v2"), `{}`, nil)
	w.wait(fresh, wf.StatusInterrupted)
	run := second.load(old.ID())
	check(t, "resume", run.Resume(ctx, wf.Answer{}))
	w.wait(run, wf.StatusCompleted)
	same(t, "calls", []int{len(w.made("t.v1")), len(w.made("t.v2"))}, []int{1, 0})
	same(t, "digest", run.Info().Digest, first.plan(version("t.v1")).Digest())
	if run.Info().Digest == fresh.Info().Digest {
		t.Error("two plans have one digest")
	}
}
