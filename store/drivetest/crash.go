package drivetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"lda.chat/wf"
)

// A runtime dies at a call of the store, before or after it: at each call of the whole journey once. Another one goes on. The run
// ends as it does undisturbed, each result is recorded once, and only a call that was out at the death is made again, once.
func (s *suite) crashPoints(t *testing.T) {
	want := s.undisturbed(t)
	calls := s.crashAt(t, 0, want)
	t.Logf("%d calls of the store", calls)
	for point := 2; point <= 2*calls+1; point += s.Points {
		s.crashAt(t, point, want)
	}
	if calls < 15 {
		t.Errorf("the journey makes only %d calls of the store", calls)
	}
}

// crashAt plays the journey with a death at a point, 0 for none, and gives how many calls of the store the first runtime made.
func (s *suite) crashAt(t *testing.T, point int, want string) (calls int) {
	t.Helper()
	w := s.world(t)
	w.do("t.flaky", flaky)
	p := w.tap()
	p.at = point
	first := w.runtimeOn(p, nil)
	r := first
	const id = "journey"
	start := func(r *runtime) {
		if _, err := r.Start(ctx, r.plan(journey), json.RawMessage(journeyInput), &wf.StartOptions{RunID: id}); err != nil && !r.isDead() {
			t.Errorf("point %d: start: %v", point, err)
		}
	}
	var out map[string]bool // calls that were out at the death
	if !r.alive(func() { start(first) }) || !r.tend(id) {
		out = w.unrecorded(id)
		w.clock.jump(lease)
		r = w.runtime(nil)
		start(r) // as the caller has no answer: it is the same run
		r.work(nil)
		if !r.tend(id) {
			t.Fatalf("point %d: the second runtime died", point)
		}
	}
	name := fmt.Sprintf("death at point %d (%d)", point/2, point%2)
	if got := ending(t, w.runtime(nil).load(id)); got != want { // the first may have died when all was over
		t.Errorf("%s: it ended so:\n%s\nundisturbed so:\n%s\n%s", name, got, want, w.logged())
	}
	w.once(id)
	times := map[string]int{}
	for _, ref := range []string{"t.work", "t.flaky"} {
		for _, c := range w.made(ref) {
			times[fmt.Sprint(c.key, " ", c.attempt)]++
		}
	}
	for key, n := range times {
		if n > 2 || n == 2 && !out[strings.Fields(key)[0]] {
			t.Errorf("%s: the call with the key %s was made %d times; out at the death: %v", name, key, n, out)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls
}

// unrecorded lists the keys of those calls that have begun and whose results are not in the journal.
func (w *world) unrecorded(id string) map[string]bool {
	done := map[string]int{}
	if _, err := w.st.Head(ctx, id); err != nil {
		return nil
	}
	for e, err := range w.st.Events(ctx, id, 0) {
		check(w.t, "events", err)
		for _, step := range settled(w.t, e.Data) {
			done[step]++
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	out := map[string]bool{}
	for _, c := range w.calls {
		if c.attempt > done[c.step] {
			out[c.key] = true
		}
	}
	return out
}

// Branches that had finished when their runtime died are not called again; the join and what follows come once.
func (s *suite) finishedBranch(t *testing.T) {
	w := s.world(t)
	letGo := w.hold("t.c")
	first := w.runtime(nil)
	run := first.start(`{"name": "two", "nodes": [
	  {"id": "split", "type": "fork", "branches": ["b", "c"], "join": "meet", "on": {"b": "b", "c": "c"}},
	  {"id": "b", "node": "t.b", "next": "meet"}, {"id": "c", "node": "t.c", "next": "meet"},
	  {"id": "meet", "type": "join", "next": "tail"}, {"id": "tail", "node": "t.tail", "next": "__end__"}]}`, `{}`, nil)
	w.await("b is recorded and c is out", func() bool { return len(first.appends()) == 1 && len(w.made("t.c")) == 1 })
	first.kill()
	w.clock.jump(lease)
	second := w.runtime(nil)
	second.work(nil)
	w.await("c is called again", func() bool { return len(w.made("t.c")) == 2 })
	letGo()
	w.wait(second.load(run.ID()), wf.StatusCompleted)
	same(t, "calls of b", len(w.made("t.b")), 1)
	same(t, "calls of c", len(w.made("t.c")), 2)
	same(t, "calls of tail", len(w.made("t.tail")), 1)
	w.once(run.ID())
}

// A run whose owner is alive is adopted by nobody; when the owner is dead and its lease has run out, somebody does, and what the dead
// one still writes is refused.
func (s *suite) liveOwner(t *testing.T) {
	w := s.world(t)
	letGo := w.hold("t.a")
	first, second := w.runtime(nil), w.runtime(nil)
	run := first.start(one, `{}`, nil)
	w.await("it is called", func() bool { return len(w.made("t.a")) == 1 })
	second.work(&wf.WorkOptions{Poll: time.Millisecond})
	for range 5 { // the lease is renewed all the time
		renewed, looked := first.counted("renew"), second.counted("claim")
		w.clock.jump(lease / 3)
		w.await("it is renewed, and looked for", func() bool { return first.counted("renew") > renewed && second.counted("claim") > looked+1 })
	}
	same(t, "calls", len(w.made("t.a")), 1)
	first.kill()
	old := w.head(run.ID())
	w.clock.jump(lease)
	w.await("it is called by the second", func() bool { return len(w.made("t.a")) == 2 })
	_, err := w.st.Append(ctx, wf.Append{RunID: run.ID(), Expect: old.Revision, Fence: old.Fence, Events: [][]byte{[]byte(`{}`)}})
	if e, ok := err.(*wf.FencedError); !ok || e.Current <= old.Fence {
		t.Errorf("a late write was answered with %v", err)
	}
	letGo()
	w.wait(second.load(run.ID()), wf.StatusCompleted)
	w.once(run.ID())
}

// A run that ended between the look of somebody who wants to take it over and the taking stays ended.
func (s *suite) staleSweeper(t *testing.T) {
	w := s.world(t)
	letGo := w.hold("t.a")
	first := w.runtime(nil)
	run := first.start(one, `{}`, nil)
	w.await("it is called", func() bool { return len(w.made("t.a")) == 1 })
	sweeper := w.tap()
	letClaim := make(chan struct{})
	reached := make(chan struct{}, 1)
	sweeper.fail = func(op string, call func() error) error {
		if op == "claim" {
			select {
			case reached <- struct{}{}:
			default:
			}
			<-letClaim
		}
		return call()
	}
	second := w.runtimeOn(sweeper, nil)
	there := second.load(run.ID()) // it sees the run at work
	same(t, "status", there.Status(), wf.StatusRunning)
	cancelled := make(chan error, 1)
	go func() { cancelled <- there.Cancel(ctx, "too long") }() // and is about to take it over
	<-reached
	letGo()
	w.wait(run, wf.StatusCompleted)
	revision := w.head(run.ID()).Revision
	close(letClaim)
	check(t, "cancel", <-cancelled)
	same(t, "status", w.head(run.ID()).Status, wf.StatusCompleted)
	same(t, "revision", w.head(run.ID()).Revision, revision)
	w.wait(there, wf.StatusCompleted)
}

// A call of ten minutes is made once under a lease of seconds; if the lease is lost all the same, its result is refused.
func (s *suite) longCall(t *testing.T) {
	w := s.world(t)
	letGo := w.hold("t.a")
	first, second := w.runtime(nil), w.runtime(nil)
	second.work(&wf.WorkOptions{Poll: time.Millisecond})
	run := first.start(one, `{}`, nil)
	w.await("it is called", func() bool { return len(w.made("t.a")) == 1 })
	for end := w.clock.Now().Add(10 * time.Minute); w.clock.Now().Before(end); {
		renewed := first.counted("renew")
		w.clock.jump(lease / 3)
		w.await("it is renewed", func() bool { return first.counted("renew") > renewed })
	}
	same(t, "calls", len(w.made("t.a")), 1)

	first.mu.Lock()
	first.fail = func(op string, call func() error) error { // its way to the store is cut
		if op == "renew" {
			return errAway
		}
		return call()
	}
	first.mu.Unlock()
	w.clock.jump(lease)
	w.await("it is called by the second", func() bool { return len(w.made("t.a")) == 2 })
	letGo()
	w.wait(second.load(run.ID()), wf.StatusCompleted)
	w.wait(run, wf.StatusCompleted) // the first sees what the second made of it
	w.once(run.ID())
	w.await("the first is told", func() bool { return containsAll(w.logged(), "a run is not driven here any more") })
}

// Two runtimes that drive one run from the same revision: one goes on, the other's result is refused and changes nothing.
func (s *suite) twoDrivers(t *testing.T) {
	w := s.world(t)
	letGo := w.hold("t.a")
	first, second := w.runtime(nil), w.runtime(nil)
	run := first.start(one, `{}`, nil)
	w.await("it is called", func() bool { return len(w.made("t.a")) == 1 })
	first.mu.Lock()
	first.fail = func(op string, call func() error) error {
		if op == "renew" {
			return errAway
		}
		return call()
	}
	first.mu.Unlock()
	w.clock.jump(lease)
	second.work(nil)
	w.await("both call", func() bool { return len(w.made("t.a")) == 2 })
	letGo()
	w.wait(second.load(run.ID()), wf.StatusCompleted)
	w.await("the first has tried", func() bool { return first.counted("append") == 1 })
	same(t, "kept of the first", len(first.appends()), 0)
	w.wait(run, wf.StatusCompleted)
	w.once(run.ID())
}
