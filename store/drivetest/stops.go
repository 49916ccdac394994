package drivetest

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"time"

	"lda.chat/wf"
)

const slowThenMore = `{"name": "slow", "nodes": [{"id": "a", "node": "t.a", "next": "b"}, {"id": "b", "node": "t.b", "next": "__end__"}]}`

// A worker that is to stop lets calls end, which are recorded, begins nothing more, and leaves the rest to others at once.
func (s *suite) graceful(t *testing.T) {
	w := s.world(t)
	letGo := w.hold("t.a")
	first := w.runtime(nil)
	stop := first.work(nil)
	var ids []string
	for range 3 {
		ids = append(ids, first.start(slowThenMore, `{}`, &wf.StartOptions{Queued: true}).ID())
	}
	w.await("all are called", func() bool { return len(w.made("t.a")) == 3 })
	other := first.plan(`{"name": "other", "nodes": [{"id": "c", "node": "t.c", "next": "__end__"}]}`)
	stopped := make(chan struct{})
	go func() { stop(); close(stopped) }()
	w.await("nothing new begins", func() bool {
		_, err := first.Start(ctx, other, nil, nil)
		return err != nil
	})
	queued := w.runtime(nil).start(slowThenMore, `{}`, &wf.StartOptions{Queued: true})
	select {
	case <-stopped:
		t.Fatal("it did not wait for the calls that are out")
	default:
	}
	letGo()
	<-stopped
	same(t, "calls that begin", len(w.made("t.b")), 0)
	for _, id := range append(ids, queued.ID()) {
		if h := w.head(id); h.Owner != "" || h.Status.Ended() || h.WakeAt.After(w.clock.Now()) {
			t.Errorf("it was not left to others: %+v", h)
		}
	}
	second := w.runtime(nil)
	second.work(nil)
	for _, id := range ids {
		w.wait(second.load(id), wf.StatusCompleted)
		w.once(id)
	}
	w.wait(second.load(queued.ID()), wf.StatusCompleted)
	same(t, "calls", []int{len(w.made("t.a")), len(w.made("t.b"))}, []int{4, 4})
}

// Calls that do not end within the grace are lost: what must not happen twice is in doubt elsewhere, at once.
func (s *suite) graceOver(t *testing.T) {
	w := s.world(t)
	w.hold("t.pay")
	first := w.runtime(nil)
	stop := first.work(&wf.WorkOptions{Grace: time.Millisecond})
	run := first.start(payingCaughtNot, `{}`, &wf.StartOptions{Queued: true})
	w.await("it is called", func() bool { return len(w.made("t.pay")) == 1 })
	stop()
	second := w.runtime(nil)
	second.work(nil)
	there := second.load(run.ID())
	w.wait(there, wf.StatusInterrupted)
	same(t, "in doubt", len(there.Doubts()), 1)
	w.wait(run, wf.StatusInterrupted)
	check(t, "decide", there.Decide(ctx, wf.Ruling{Verdict: wf.VerdictResult}))
	w.wait(there, wf.StatusCompleted)
	same(t, "calls", []int{len(w.made("t.pay")), len(w.made("t.tail"))}, []int{1, 1})
}

// However many runs are queued, or wait for the same moment, a worker drives no more at a time than it was told to; all get through.
func (s *suite) backPressure(t *testing.T) {
	w := s.world(t)
	var now, most, made atomic.Int64
	w.do("t.a", func(_ context.Context, c wf.CallInfo, _ json.RawMessage) (*wf.Result, error) {
		n := now.Add(1)
		defer func() { now.Add(-1); made.Add(1) }()
		<-time.After(100 * time.Microsecond)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		return placed(c), nil
	})
	r := w.runtime(nil)
	runs := s.Runs / 4
	plan := r.plan(one)
	waiting := r.plan(`{"name": "later", "nodes": [{"id": "rest", "type": "wait", "seconds": 3600, "next": "a"}, {"id": "a", "node": "t.a", "next": "__end__"}]}`)
	fill := func(plan *wf.Workflow, queued bool) {
		inParallel(runs, func(int) {
			if _, err := r.Start(ctx, plan, nil, &wf.StartOptions{Queued: queued}); err != nil {
				t.Errorf("start: %v", err)
			}
		})
	}
	fill(plan, true)
	fill(waiting, false)
	same(t, "calls before anybody works", now.Load()+most.Load(), 0)
	const limit = 8
	stop := r.work(&wf.WorkOptions{Runs: limit})
	w.await("the queue is empty", func() bool { return made.Load() >= int64(runs) && w.completed() == runs })
	w.clock.jump(time.Hour)
	w.await("those that waited are through", func() bool { return made.Load() >= int64(2*runs) && w.completed() == 2*runs })
	stop()
	if most.Load() > limit {
		t.Errorf("%d runs were driven at a time, %d are allowed", most.Load(), limit)
	}
}
