package wf_test

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

type question struct {
	Text string `json:"text"`
}
type verdictOf struct {
	Good bool `json:"good"`
}

// A run on a journal is asked in one runtime, answered in another, and ends there.
func TestDurableRunMovesBetweenRuntimes(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	st := store.NewMemory(nil)
	calls := 0
	w := mustBuild(t, wf.Define[question, struct {
		Text string `json:"text"`
		Good bool   `json:"good"`
	}, verdictOf]("asking").
		Step("loud", wf.Node("loud", func(_ context.Context, in question) (question, error) { calls++; return question{in.Text + "!"}, nil })).
		Step("ask", wf.Ask[question, verdictOf]("judge")).
		Output("good", "state.good").Build)
	first := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Workflows: []*wf.Workflow{w}})
	run, err := first.Run(ctx, w, question{"hello"})
	if err != nil {
		t.Fatal(err)
	}
	if run.Status() != wf.StatusInterrupted {
		t.Fatalf("status %s: %v", run.Status(), run.Err())
	}
	second := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Workflows: []*wf.Workflow{w}})
	again, err := second.Load(ctx, run.ID())
	if err != nil {
		t.Fatal(err)
	}
	open := again.Interrupts()
	if len(open) != 1 || string(open[0].Request) != `{"text":"hello!"}` {
		t.Fatalf("open: %+v", open)
	}
	if err := again.Resume(ctx, wf.Answer{Payload: verdictOf{true}}); err != nil {
		t.Fatal(err)
	}
	if err := again.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	if err := run.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	for _, r := range []*wf.RunHandle{run, again} {
		info, _ := json.Marshal(r.Info())
		if r.Status() != wf.StatusCompleted {
			t.Fatalf("status %s: %s", r.Status(), info)
		}
	}
	if calls != 1 {
		t.Errorf("%d calls", calls)
	}
	trace, err := run.Trace()
	if err != nil || len(trace) != 2 {
		t.Errorf("trace: %v %v", trace, err)
	}
}

func mustBuild(t *testing.T, build func() (*wf.Workflow, error)) *wf.Workflow {
	t.Helper()
	w, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func durableRuntime(t *testing.T, opts *wf.RuntimeOptions) *wf.Runtime {
	t.Helper()
	rt, err := wf.NewRuntime(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		_ = rt.Close(ctx)
	})
	return rt
}

// The policy for calls in doubt is the run's own, also where a runtime with another one takes it up.
func TestDoubtPolicyOfARun(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	st := store.NewMemory(nil)
	pay := wf.Node("pay", func(context.Context, struct{}) (struct{}, error) {
		return struct{}{}, &wf.Error{Code: wf.CodeTransport, Message: "the line broke"}
	}).Effect(wf.EffectOnce).OfSource("t")
	w, found := wf.ParseWorkflow([]byte(`{"name": "paying", "nodes": [{"id": "pay", "node": "t.pay", "next": "__end__"}]}`))
	if w == nil {
		t.Fatal(found)
	}
	first := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: oneNode{pay}})
	if _, err := first.Start(ctx, w, nil, &wf.StartOptions{InDoubt: "maybe"}); err == nil {
		t.Error("a policy that there is not was taken")
	}
	run, err := first.Start(ctx, w, nil, &wf.StartOptions{InDoubt: wf.DoubtFail, Queued: true})
	if err != nil {
		t.Fatal(err)
	}
	second := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: oneNode{pay}, InDoubt: wf.DoubtAsk})
	working, stop := context.WithCancel(ctx)
	ended := make(chan error)
	go func() { ended <- second.Work(working, nil) }()
	if err := run.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	wantCode(t, run.Err(), wf.CodeInDoubt)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// An outcome that a capability has and the plan's contract of it lacks is warned of: only a run that gets it fails.
func TestOutcomeThatAContractLacks(t *testing.T) {
	t.Parallel()
	outcome := wf.OK
	f := wf.RawNode(&wf.NodeDef{Name: "look", Outcomes: []wf.Outcome{wf.OK, "none"}}, func(context.Context, json.RawMessage) (*wf.Result, error) {
		return &wf.Result{Outcome: outcome, Output: json.RawMessage(`{}`)}, nil
	}).OfSource("t")
	w, _ := wf.ParseWorkflow([]byte(`{"name": "p", "node_defs": [{"name": "t.look"}], "nodes": [{"id": "look", "node": "t.look", "next": "__end__"}]}`))
	rt := durableRuntime(t, &wf.RuntimeOptions{Journal: store.NewMemory(nil), Nodes: oneNode{f}})
	if found := rt.Check(w); len(found) != 1 || found[0].Code != wf.CodeOutcomeUndeclared || found.HasErrors() {
		t.Error(found)
	}
	if run, err := rt.Run(t.Context(), w, nil); err != nil || run.Err() != nil {
		t.Error(err, run.Err())
	}
	outcome = "none"
	run, err := rt.Run(t.Context(), w, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantCode(t, run.Err(), wf.CodeUndeclaredOutcome)
}

// A run whose functions are not at hand can be cancelled all the same.
func TestCancelNeedsNoCapabilities(t *testing.T) {
	t.Parallel()
	st := store.NewMemory(nil)
	var calls atomic.Int64
	first := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: adder(&calls)})
	run, err := first.Start(t.Context(), parsePlan(t, addPlan), json.RawMessage(`{"n": 1}`), &wf.StartOptions{Queued: true})
	if err != nil {
		t.Fatal(err)
	}
	second := durableRuntime(t, &wf.RuntimeOptions{Journal: st})
	there, err := second.Load(t.Context(), run.ID())
	if err != nil {
		t.Fatal(err)
	}
	if err := there.Cancel(t.Context(), "enough"); err != nil {
		t.Fatal(err)
	}
	wantStatus(t, there, wf.StatusCancelled)
	if calls.Load() != 0 {
		t.Errorf("%d calls", calls.Load())
	}
}
