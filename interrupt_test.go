package wf_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/wftest"
)

// approvals is a plan that asks for items 1 and 3 of a parallel foreach at once, and writes what is approved.
const approvals = `{"name": "approvals",
	"state_schema": {"type": "object", "properties": {"count": {"type": "integer", "x-reducer": "add", "default": 0}}},
	"nodes": [
		{"id": "each", "type": "foreach", "over": [0, 1, 2, 3, 4], "as": "n", "mode": "parallel", "result": "steps.note.n",
		 "output": {"results": "state.results"}, "on": {"item": "ask?", "done": "later"}},
		{"id": "ask?", "type": "condition", "check": {"in": ["item.n", [1, 3]]}, "on": {"true": "ask", "false": "note"}},
		{"id": "ask", "type": "interrupt", "kind": "approval", "request": {"n": "item.n"}, "outcomes": ["approved", "rejected"],
		 "resume_schema": {"type": "object", "properties": {"by": {"type": "integer"}}, "required": ["by"]}, "resume": {"by": "state.count"},
		 "timeout_seconds": 60, "timeout_outcome": "late",
		 "on": {"approved": "note", "rejected": "__discard__", "late": "__continue__"}},
		{"id": "note", "node": "t.note", "input": {"n": "item.n"}, "next": "__continue__"},
		{"id": "later", "type": "wait", "seconds": 100, "next": "__end__"}]}`

func startApprovals(t *testing.T) (*wftest.Host, *wftest.Run) {
	h := wftest.New(t, nil)
	h.Stub("t.note", wftest.Func(func(_ context.Context, in map[string]int) (map[string]int, error) { return in, nil }))
	run := h.Start(wftest.ParsePlan(t, strings.ReplaceAll(approvals, "ask?", "if")), nil)
	run.WantStatus(wf.StatusInterrupted)
	return h, run
}

// Each refused answer has its code, names its interrupt and changes nothing.
func TestRefusedAnswers(t *testing.T) {
	t.Parallel()
	h, run := startApprovals(t)
	before, records := len(run.Handle().Interrupts()), run.Handle().Info().Records
	ask := "/each[3]/ask"
	run.WantRefused(wf.CodePayloadInvalid, ask, "approved", `{"by": "one"}`)
	run.WantRefused(wf.CodePayloadInvalid, ask, "approved", `[]`)
	run.WantRefused(wf.CodeUndeclaredOutcome, ask, "maybe", `{"by": 1}`)
	run.WantRefused(wf.CodeUndeclaredOutcome, ask, "", `{"by": 1}`)
	run.WantRefused(wf.CodeUndeclaredOutcome, ask, "late", `{"by": 1}`)
	run.WantRefused(wf.CodeInterruptUnknown, "/each[2]/ask", "approved", `{"by": 1}`)
	run.WantRefused(wf.CodeInterruptUnknown, "nonsense", "approved", `{"by": 1}`)
	run.WantRefused(wf.CodeInterruptAmbiguous, "", "approved", `{"by": 1}`)
	var e *wf.Error
	err := run.Handle().Resume(t.Context(), wf.Answer{Interrupt: ask, Outcome: "approved", Payload: func() {}})
	if !errors.As(err, &e) || e.Code != wf.CodePayloadInvalid {
		t.Errorf("a payload that is no data: %v", err)
	}
	err = run.Handle().Resume(t.Context(), wf.Answer{Interrupt: ask, Outcome: "approved", Payload: "yes"})
	if !errors.As(err, &e) || e.Code != wf.CodePayloadInvalid || strings.Contains(e.Message, "run's input") {
		t.Errorf("a payload that is text: %v", err)
	}
	if after := len(run.Handle().Interrupts()); after != before || run.Handle().Info().Records != records {
		t.Errorf("refused answers changed the run: %d open interrupts, expected %d", after, before)
	}

	run.Answer(ask, "approved", `{"by": 2}`)
	run.WantRefused(wf.CodeAlreadyResumed, ask, "approved", `{"by": 2}`)
	h.Advance(time.Minute)
	run.WantRefused(wf.CodeInterruptClosed, "/each[1]/ask", "approved", `{"by": 2}`)
	run.WantRefused(wf.CodeInterruptUnknown, "", "approved", `{"by": 2}`)
	run.Wait()
	run.WantState(`{"count": 2, "results": [0, 2, 3, 4]}`)
	run.WantRefused(wf.CodeAlreadyResumed, ask, "approved", `{"by": 2}`)
	run.WantRefused(wf.CodeRunEnded, "/each[1]/ask", "approved", `{"by": 2}`)
	run.WantRefused(wf.CodeRunEnded, "", "approved", `{"by": 2}`)
}

// Of several answers each is judged alone; the error tells of all that were refused, and which interrupt each was for.
func TestAnswersAreJudgedAlone(t *testing.T) {
	t.Parallel()
	for _, first := range []int{0, 1} {
		h, run := startApprovals(t)
		answers := []wf.Answer{
			{Interrupt: "/each[1]/ask", Outcome: "rejected", Payload: json.RawMessage(`{"by": 5}`)},
			{Interrupt: "/each[3]/ask", Outcome: "approved", Payload: map[string]int{"by": 1}},
		}
		bad := wf.Answer{Interrupt: "/each[1]/ask", Outcome: "approved"}
		err := run.Handle().Resume(t.Context(), bad, answers[first], answers[1-first], answers[first])
		joined, ok := err.(interface{ Unwrap() []error })
		if !ok || len(joined.Unwrap()) != 2 {
			t.Fatalf("the error is %v", err)
		}
		for i, code := range []wf.Code{wf.CodePayloadInvalid, wf.CodeAlreadyResumed} {
			var e *wf.Error
			if !errors.As(joined.Unwrap()[i], &e) || e.Code != code || !strings.Contains(string(e.Details), `"interrupt":`) {
				t.Errorf("error %d is %v with %s", i, joined.Unwrap()[i], e.Details)
			}
		}
		h.Advance(time.Hour)
		run.WantState(`{"count": 1, "results": [0, 2, 3, 4]}`)
		if n := len(h.Calls()); n != 4 {
			t.Errorf("%d calls: something ran twice", n)
		}
	}
}

// A run that is cancelled while it asks takes no answer any more.
func TestCancelWhileAsking(t *testing.T) {
	t.Parallel()
	_, run := startApprovals(t)
	run.Cancel("enough")
	run.WantStatus(wf.StatusCancelled)
	run.WantRefused(wf.CodeRunEnded, "/each[1]/ask", "approved", `{"by": 2}`)
	if open := run.Handle().Interrupts(); len(open) != 0 {
		t.Errorf("open interrupts of a run that has ended: %v", open)
	}
}

// Who runs a workflow for its output alone cannot answer: the run does not stay behind.
func TestRunForOutputIsNotLeftWaiting(t *testing.T) {
	t.Parallel()
	w, err := wf.Define[struct{}, struct{}, struct{}]("asks").Step("ask", wf.Ask[struct{}, struct{}]("approval")).Build()
	if err != nil {
		t.Fatal(wf.DiagnosticsOf(err))
	}
	_, err = wf.Run[struct{}](t.Context(), newRuntime(t, nil), w, nil)
	var e *wf.Error
	if !errors.As(err, &e) || e.Code != wf.CodeCancelled || !strings.Contains(e.Message, "/ask") {
		t.Errorf("the error is %v", err)
	}
}
