package wf_test

import (
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/wftest"
)

// Questions two levels deep, in a child workflow in a branch in an item: an item that only waits for its answer gives its
// place to others, and each answer finds its frame.
func TestAnswersFarInside(t *testing.T) {
	t.Parallel()
	h := wftest.New(t, nil)
	h.Stub("t.work", wftest.Output(nil).After(time.Second))
	w := wftest.ParsePlan(t, `{"name": "deep", "workflows": {"ask": {"name": "ask", "outcomes": ["ok", "no"], "output": {"by": "steps.q.by"}, "nodes": [
		{"id": "q", "type": "interrupt", "kind": "k", "request": {"n": "input.n"}, "outcomes": ["yes", "no"], "on": {"yes": "__end__", "no": "no"}},
		{"id": "no", "type": "end", "outcome": "no"}]}},
		"state_schema": {"type": "object", "properties": {"by": {"type": "array", "x-reducer": "append"}}},
		"nodes": [
		{"id": "each", "type": "foreach", "over": "input.list", "as": "n", "mode": "parallel", "max_concurrency": 1, "result": "item.n", "on_item_error": "collect",
		 "output": {"results": "state.all", "errors": "state.errors"}, "on": {"item": "odd", "done": "__end__"}},
		{"id": "odd", "type": "condition", "check": {"in": ["item.n", [1, 3]]}, "on": {"true": "split", "false": "work"}},
		{"id": "split", "type": "fork", "branches": ["a", "b"], "join": "both", "on": {"a": "child", "b": "work_b"}},
		{"id": "child", "type": "subgraph", "workflow": "ask", "input": {"n": "item.n"}, "output": {"by": "state.by"}, "on": {"ok": "both", "no": "refuse"}},
		{"id": "refuse", "type": "fail", "code": "acme.no"},
		{"id": "work_b", "node": "t.work", "next": "both"},
		{"id": "both", "type": "join", "next": "__continue__"},
		{"id": "work", "node": "t.work", "next": "__continue__"}]}`)
	run := h.Start(w, `{"list": [0, 1, 2, 3, 4]}`)
	run.Wait()
	run.WantStatus(wf.StatusInterrupted)
	if got := h.Now().Sub(run.Handle().Info().StartedAt); got != 5*time.Second {
		t.Errorf("all that can be done one at a time took %v, expected 5s", got)
	}
	open := run.Handle().Interrupts()
	if len(open) != 2 || open[0].ID != "/each[1]/split:a/child/q" || open[1].ID != "/each[3]/split:a/child/q" {
		t.Fatalf("open: %v", open)
	}
	run.Answer(open[1].ID, "yes", `{"by": "Bob"}`)
	run.WantRefused(wf.CodeAlreadyResumed, open[1].ID, "yes", nil)
	run.Answer(open[0].ID, "no", nil)
	run.WantOutcome("ok")
	run.WantState(`{"all": [0, 2, 3, 4], "by": ["Bob"], "errors": [{"index": 1, "item": 1, "code": "acme.no", "message": "the plan failed with code acme.no"}]}`)
	if n := len(h.Calls()); n != 5 {
		t.Errorf("%d calls, expected 5: nothing runs twice", n)
	}
}

// Cancelling reaches calls, back-offs, waits and questions, in children too.
func TestCancelReachesEverything(t *testing.T) {
	t.Parallel()
	h := wftest.New(t, nil)
	h.Stub("t.hang", wftest.Never())
	h.Stub("t.fail", wftest.Failure("transport", "no route"))
	run := h.Start(wftest.ParsePlan(t, `{"name": "all", "workflows": {"c": {"name": "c", "nodes": [{"id": "hang", "node": "t.hang", "next": "__end__"}]}}, "nodes": [
		{"id": "f", "type": "fork", "branches": ["a", "b", "c", "d", "e"], "join": "j", "on": {"a": "hang", "b": "fail", "c": "wait", "d": "ask", "e": "sub"}},
		{"id": "hang", "node": "t.hang", "next": "j"},
		{"id": "fail", "node": "t.fail", "retry": {}, "next": "j"},
		{"id": "wait", "type": "wait", "seconds": 1000, "next": "j"},
		{"id": "ask", "type": "interrupt", "kind": "k", "outcomes": ["ok"], "timeout_seconds": 50, "timeout_outcome": "late", "on": {"ok": "j", "late": "j"}},
		{"id": "sub", "type": "subgraph", "workflow": "c", "next": "j"},
		{"id": "j", "type": "join", "next": "__end__"}]}`), nil)
	run.WantStatus(wf.StatusRunning)
	run.Cancel("enough")
	run.WantStatus(wf.StatusCancelled)
	h.Advance(2000 * time.Second)
	if n := len(h.Calls()); n != 3 {
		t.Errorf("%d calls, expected 3", n)
	}
	trace, err := run.Handle().Trace()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range trace {
		if x.Unfinished || x.Error == nil || x.Error.Code != wf.CodeCancelled {
			t.Errorf("%s %s ended with %v", x.Frame, x.Step, x.Error)
		}
	}
}
