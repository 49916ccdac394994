package drivetest

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"lda.chat/wf"
)

// Attempts come when they are due, whoever makes them: each by another runtime.
func (s *suite) backOff(t *testing.T) {
	w := s.world(t)
	start := w.clock.Now()
	var times []time.Duration
	w.do("t.a", func(_ context.Context, _ wf.CallInfo, _ json.RawMessage) (*wf.Result, error) {
		w.mu.Lock()
		times = append(times, w.clock.Now().Sub(start))
		w.mu.Unlock()
		return nil, &wf.Error{Code: wf.CodeTransport, Message: "no line", Unsent: true}
	})
	plan := `{"name": "backing_off", "node_defs": [{"name": "t.a", "retry": {"max_attempts": 4, "initial_interval_seconds": 20, "backoff": 2, "max_interval_seconds": 60}}],
	 "nodes": [{"id": "a", "node": "t.a", "next": "__end__"}]}`
	r := w.runtime(nil)
	run := r.start(plan, `{}`, nil)
	for n := range 4 {
		w.await("an attempt is made", func() bool { return len(w.made("t.a")) == n+1 })
		w.await("it rests or ends", func() bool { h := w.head(run.ID()); return h.Owner == "" })
		h := w.head(run.ID())
		if h.Status.Ended() {
			break
		}
		r.kill()
		w.clock.jump(h.WakeAt.Sub(w.clock.Now()) - time.Second)
		r = w.runtime(nil)
		r.work(nil)
		same(t, "attempts before the time", len(w.made("t.a")), n+1)
		w.clock.jump(time.Second)
	}
	w.wait(r.load(run.ID()), wf.StatusFailed)
	same(t, "code", r.load(run.ID()).Err().(*wf.Error).Code, wf.CodeTransport)
	same(t, "attempts", len(times), 4)
	for i, least := range []time.Duration{0, 10 * time.Second, 20 * time.Second, 30 * time.Second} { // half of it is jitter
		if i > 0 && times[i]-times[i-1] < least {
			t.Errorf("attempt %d came %s after the one before, at least %s were expected", i+1, times[i]-times[i-1], least)
		}
	}
	keys := map[string]bool{}
	for _, c := range w.made("t.a") {
		keys[c.key] = true
	}
	same(t, "keys", len(keys), 1)
}

// A wait of any length is a row: nobody holds it, and it goes on when its time has come, once.
func (s *suite) longWaits(t *testing.T) {
	w := s.world(t)
	r := w.runtime(nil)
	run := r.start(`{"name": "long", "nodes": [{"id": "rest", "type": "wait", "seconds": 4320000, "next": "a"}, {"id": "a", "node": "t.a", "next": "__end__"}]}`, `{}`, nil)
	h := w.head(run.ID())
	if h.Owner != "" || h.WakeAt.Sub(w.clock.Now()) < 1199*time.Hour {
		t.Fatalf("it does not rest: %+v", h)
	}
	other := w.runtime(nil)
	other.work(nil)
	w.clock.jump(50*24*time.Hour - time.Minute)
	w.await("everybody has looked", func() bool { return other.counted("claim") > 1 })
	same(t, "calls before the time", len(w.made("t.a")), 0)
	w.clock.jump(time.Minute)
	w.wait(run, wf.StatusCompleted)
	same(t, "calls", len(w.made("t.a")), 1)
}

// A deadline stays where it is when another runtime takes the run up: that of the run, of a call, and of a question.
func (s *suite) deadlines(t *testing.T) {
	for _, c := range []struct{ name, plan, code string }{
		{"run", `{"name": "limited", "limits": {"timeout_seconds": 100}, "nodes": [{"id": "a", "node": "t.a", "next": "__end__"}]}`, "timeout"},
		{"call", `{"name": "limited", "nodes": [{"id": "a", "node": "t.a", "timeout_seconds": 100, "next": "__end__"}]}`, "timeout"},
		{"question", `{"name": "limited", "nodes": [{"id": "ask", "type": "interrupt", "kind": "k", "outcomes": ["yes"], "timeout_seconds": 100, "timeout_outcome": "late", "on": {"yes": "__end__", "late": "f"}},
		   {"id": "f", "type": "fail", "code": "acme.late"}]}`, "acme.late"},
	} {
		w := s.world(t)
		w.hold("t.a")
		first := w.runtime(nil)
		begun := w.clock.Now()
		run := first.start(c.plan, `{}`, nil)
		w.await("it is at work", func() bool { return len(w.made("t.a")) == 1 || w.head(run.ID()).Status == wf.StatusInterrupted })
		first.kill()
		w.clock.jump(60 * time.Second)
		second := w.runtime(nil)
		second.work(nil)
		if c.name != "question" {
			w.await("it is called again", func() bool { return len(w.made("t.a")) == 2 })
		}
		w.clock.jump(39*time.Second - w.clock.Now().Sub(begun) + 60*time.Second)
		same(t, c.name+": ended before its time", w.head(run.ID()).Status.Ended(), false)
		w.clock.jump(time.Second)
		w.await("it has ended", func() bool { return w.head(run.ID()).Status.Ended() })
		there := second.load(run.ID())
		w.wait(there, wf.StatusFailed)
		same(t, c.name, string(there.Err().(*wf.Error).Code), c.code)
		if at := there.Info().UpdatedAt.Sub(begun); at < 100*time.Second || at > 102*time.Second {
			t.Errorf("%s: it ended after %s", c.name, at)
		}
	}
}
