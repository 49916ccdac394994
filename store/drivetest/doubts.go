package drivetest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"lda.chat/wf"
)

const paying = `{"name": "paying", "node_defs": [{"name": "t.pay", "effect": "once", "outcomes": ["ok", "short"], "output_schema": {"type": "object", "properties": {"receipt": {"type": "string"}}, "required": ["receipt"]}}],
 "nodes": [{"id": "a", "node": "t.a", "next": "pay"},
  {"id": "pay", "node": "t.pay", "input": {"amount": "input.amount"}, "output": {"receipt": "state.receipt"}, "on": {"ok": "tail", "short": "tail"}},
  {"id": "tail", "node": "t.tail", "next": "__end__"}]}`

const payingCaught = `{"name": "caught", "node_defs": [{"name": "t.pay", "effect": "once"}],
 "nodes": [{"id": "pay", "node": "t.pay", "catch": [{"codes": ["in_doubt"], "outcome": "unsure"}], "on": {"ok": "__end__", "unsure": "look"}},
  {"id": "look", "node": "t.tail", "next": "__end__"}]}`

// lost starts a run, lets its runtime die while the ref is called, and goes on with another.
func (w *world) lost(plan, ref string, opts *wf.RuntimeOptions) (run *wf.RunHandle, next *runtime) {
	w.t.Helper()
	w.hold(ref)
	first := w.runtime(opts)
	begun := first.start(plan, `{"amount": 5}`, nil)
	w.await("it is called", func() bool { return len(w.made(ref)) == 1 })
	first.kill()
	w.does[ref] = nil
	w.clock.jump(lease)
	next = w.runtime(opts)
	next.work(nil)
	return next.load(begun.ID()), next
}

// Nobody knows whether a call happened whose maker died: what must not happen twice is asked about, everything else is made
// again by itself, under the same key.
func (s *suite) inDoubt(t *testing.T) {
	t.Run("decided that it happened", func(t *testing.T) {
		w := s.world(t)
		run, next := w.lost(paying, "t.pay", nil)
		w.wait(run, wf.StatusInterrupted)
		open := run.Doubts()
		if len(open) != 1 {
			t.Fatalf("in doubt: %+v", open)
		}
		d := open[0]
		same(t, "key", d.IdempotencyKey, w.made("t.pay")[0].key)
		same(t, "input", string(d.Input), `{"amount":5}`)
		same(t, "outcomes", d.Outcomes, []wf.Outcome{"ok", "short"})
		same(t, "code", d.Error.Code, wf.CodeInDoubt)
		same(t, "a result that it cannot have", code(run.Decide(ctx, wf.Ruling{Verdict: wf.VerdictResult, Outcome: "ok", Output: json.RawMessage(`{"receipt": 5}`)})), wf.CodeOutputInvalid)
		third := w.runtime(nil) // anybody may decide
		decide := wf.Ruling{Step: d.ID, Verdict: wf.VerdictResult, Outcome: "short", Output: json.RawMessage(`{"receipt": "r1"}`)}
		check(t, "decide", third.load(run.ID()).Decide(ctx, decide))
		w.wait(run, wf.StatusCompleted)
		same(t, "state", string(next.load(run.ID()).Info().State), `{"receipt":"r1"}`)
		same(t, "calls", []int{len(w.made("t.a")), len(w.made("t.pay")), len(w.made("t.tail"))}, []int{1, 1, 1})
		if err := run.Decide(ctx, decide); code(err) != wf.CodeDoubtUnknown && code(err) != wf.CodeRunEnded {
			t.Errorf("a second decision: %v", err)
		}
	})
	t.Run("decided that it did not", func(t *testing.T) {
		w := s.world(t)
		w.do("t.pay", nil)
		run, _ := w.lost(paying, "t.pay", nil)
		w.do("t.pay", func(context.Context, wf.CallInfo, json.RawMessage) (*wf.Result, error) {
			return &wf.Result{Output: json.RawMessage(`{"receipt":"r2"}`)}, nil
		})
		w.wait(run, wf.StatusInterrupted)
		check(t, "decide", run.Decide(ctx, wf.Ruling{Verdict: wf.VerdictAgain}))
		w.wait(run, wf.StatusCompleted)
		made := w.made("t.pay")
		same(t, "calls", len(made), 2)
		same(t, "key", made[1].key, made[0].key)
	})
	t.Run("idempotent", func(t *testing.T) {
		w := s.world(t)
		run, _ := w.lost(one, "t.a", nil)
		w.wait(run, wf.StatusCompleted)
		made := w.made("t.a")
		same(t, "calls", len(made), 2)
		same(t, "key", made[1].key, made[0].key)
		same(t, "attempt", made[1].attempt, made[0].attempt)
	})
	t.Run("caught", func(t *testing.T) {
		w := s.world(t)
		run, _ := w.lost(payingCaught, "t.pay", nil)
		w.wait(run, wf.StatusCompleted)
		same(t, "calls", []int{len(w.made("t.pay")), len(w.made("t.tail"))}, []int{1, 1})
	})
	for policy, want := range map[wf.DoubtPolicy]wf.RunStatus{wf.DoubtFail: wf.StatusFailed, wf.DoubtRetry: wf.StatusCompleted} {
		t.Run("policy "+string(policy), func(t *testing.T) {
			w := s.world(t)
			plan := `{"name": "once", "node_defs": [{"name": "t.pay", "effect": "once"}], "nodes": [{"id": "pay", "node": "t.pay", "next": "__end__"}]}`
			run, _ := w.lost(plan, "t.pay", &wf.RuntimeOptions{InDoubt: policy})
			w.wait(run, want)
			if want == wf.StatusFailed {
				same(t, "code", run.Err().(*wf.Error).Code, wf.CodeInDoubt)
				same(t, "calls", len(w.made("t.pay")), 1)
			} else {
				same(t, "calls", len(w.made("t.pay")), 2)
			}
		})
	}
}

// A call that brings down whoever makes it is made five times, counted before each, and then fails.
func (s *suite) crashLoop(t *testing.T) {
	w := s.world(t)
	w.hold("t.a")
	plan := `{"name": "deadly", "nodes": [{"id": "a", "node": "t.a", "next": "__end__"}]}`
	r := w.runtime(nil)
	run := r.start(plan, `{}`, nil)
	for n := 1; n <= 5; n++ {
		w.await(fmt.Sprintf("it is called the time %d", n), func() bool { return len(w.made("t.a")) == n })
		recalled := 0
		for e, err := range w.st.Events(ctx, run.ID(), 0) {
			check(t, "events", err)
			if containsAll(string(e.Data), "step_recalled") {
				recalled++
			}
		}
		same(t, "counted before the call", recalled, n-1)
		r.kill()
		w.clock.jump(lease)
		r = w.runtime(nil)
		r.work(nil)
	}
	there := r.load(run.ID())
	w.wait(there, wf.StatusFailed)
	same(t, "code", there.Err().(*wf.Error).Code, wf.CodeCrashLoop)
	same(t, "calls", len(w.made("t.a")), 5)
}
