package wf_test

import (
	"context"
	"encoding/json"
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
