package wf_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"testing"
	"testing/synctest"

	"lda.chat/wf"
)

// A fork of which it is not known whether it was kept is asked for again; a runtime that is closed makes none.
func TestForkInTrouble(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		st := hook()
		calls := 0
		rt := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: acting(func(context.Context) error { calls++; return nil })})
		run, err := rt.Run(t.Context(), parsePlan(t, askAndCall), nil)
		if err != nil {
			t.Fatal(err)
		}
		forks := 0
		st.fork = func(from string, at wf.Revision, n wf.NewRun) (wf.RunHead, error) {
			head, err := st.Memory.Fork(context.Background(), from, at, n)
			if forks++; forks == 1 {
				return wf.RunHead{}, &wf.AmbiguousError{Err: errAway}
			}
			return head, err
		}
		fork, err := rt.Fork(t.Context(), run.ID(), &wf.ForkOptions{RunID: "fork"})
		if err != nil {
			t.Fatal(err)
		}
		wantStatus(t, fork, wf.StatusInterrupted)
		if err := rt.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := rt.Fork(t.Context(), run.ID(), &wf.ForkOptions{RunID: "late"}); err == nil {
			t.Error("a closed runtime forks")
		}
		if _, err := st.Head(t.Context(), "late"); err == nil {
			t.Error("and the fork is there")
		}
	})
}

// Of a run with secrets no text is shown when the journal cannot be read; its trace is an error.
func TestSecretsOfAJournalThatCannotBeRead(t *testing.T) {
	t.Parallel()
	st := hook()
	nodes := acting(func(context.Context) error { return nil })
	nodes["t.tell"] = wf.RawNode(open("tell"), func(context.Context, json.RawMessage) (*wf.Result, error) {
		return &wf.Result{Output: []byte(`{"key":"hunter22","copy":"it is hunter22"}`)}, nil
	}).OfSource("t")
	rt := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: nodes})
	w := parsePlan(t, `{"name": "secretive", "state_schema": {"type": "object", "properties": {"key": {"type": "string", "x-secret": true}, "copy": {"type": "string"}}},
		"nodes": [{"id": "tell", "node": "t.tell", "output": {"key": "state.key", "copy": "state.copy"}, "next": "__end__"}]}`)
	run, err := rt.Run(t.Context(), w, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(run.Info().State); got != `{"copy":"it is [secret]","key":"[secret]"}` {
		t.Errorf("state %s", got)
	}
	st.events = func(string, wf.Revision) iter.Seq2[wf.Event, error] {
		return func(yield func(wf.Event, error) bool) { yield(wf.Event{}, errAway) }
	}
	if got, _ := json.Marshal(run.Info()); strings.Contains(string(got), "hunter22") {
		t.Errorf("it is told: %s", got)
	}
	if trace, err := run.Trace(); !errors.Is(err, errAway) {
		t.Errorf("trace: %v %v", trace, err)
	}
}

// The secrets of a fork that goes on with another plan are those that the run had by the plan it had then.
func TestSecretsOfAForkWithAnotherPlan(t *testing.T) {
	t.Parallel()
	nodes := acting(func(context.Context) error { return nil })
	nodes["t.tell"] = wf.RawNode(open("tell"), func(context.Context, json.RawMessage) (*wf.Result, error) {
		return &wf.Result{Output: []byte(`{"key":"hunter22","copy":"it is hunter22"}`)}, nil
	}).OfSource("t")
	rt := durableRuntime(t, &wf.RuntimeOptions{Journal: hook(), Nodes: nodes})
	plan := func(more, own, given string) *wf.Workflow {
		return parsePlan(t, `{"name": "secretive", "workflows": {"child": {"name": "child", "input_schema": {"type": "object", "properties": {"word": {"type": "string"`+given+`}}},
			"nodes": [{"id": "in", "node": "t.a", "input": {"x": "input.word"}, "next": "__end__"}]}},
			"state_schema": {"type": "object", "properties": {"key": {"type": "string"`+own+`}, "copy": {"type": "string"}}},
			"nodes": [`+more+`{"id": "tell", "node": "t.tell", "output": {"key": "state.key", "copy": "state.copy"}, "next": "sub"},
				{"id": "sub", "type": "subgraph", "workflow": "child", "input": {"word": "state.key"}, "next": "ask"},
				{"id": "ask", "type": "interrupt", "kind": "k", "outcomes": ["yes"], "next": "__end__"}]}`)
	}
	const hidden = `, "x-secret": true`
	for i, c := range [][4]string{{hidden, hidden, hidden, hidden}, {hidden, "", "", ""}, {"", hidden, "", hidden}, {"", hidden, "", ""}} {
		run, err := rt.Run(t.Context(), plan(`{"id": "zero", "node": "t.a", "next": "first"}, {"id": "first", "node": "t.a", "next": "tell"},`, c[0], c[1]), nil)
		if err != nil {
			t.Fatal(err)
		}
		fork, err := rt.Fork(t.Context(), run.ID(), &wf.ForkOptions{Workflow: plan("", c[2], c[3])})
		if err != nil {
			t.Fatal(err)
		}
		info, _ := json.Marshal(fork.Info())
		trace, err := fork.Trace()
		if err != nil {
			t.Error(err)
		}
		text, _ := json.Marshal(trace)
		if strings.Contains(string(info), "hunter22") || strings.Contains(string(text), "hunter22") {
			t.Errorf("%d: it is told: %s\n%s", i, info, text)
		}
	}
}

// Runs that fail are the same only if they fail for the same reason; a plan that does not take an input of the past is told of as one
// that ends otherwise.
func TestBacktestOfFailures(t *testing.T) {
	t.Parallel()
	rt := durableRuntime(t, &wf.RuntimeOptions{Journal: hook()})
	plan := func(schema, code string) *wf.Workflow {
		return parsePlan(t, `{"name": "failing", "input_schema": `+schema+`, "nodes": [{"id": "no", "type": "fail", "code": "`+code+`"}]}`)
	}
	anything := `{"type": "object", "properties": {"n": {"type": "integer"}}}`
	run, err := rt.Run(t.Context(), plan(anything, "too_bad"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		plan *wf.Workflow
		same bool
		code wf.Code
	}{
		{plan(anything, "too_bad"), true, "too_bad"},
		{plan(anything, "worse"), false, "worse"},
		{plan(`{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}`, "too_bad"), false, wf.CodeInputInvalid},
	} {
		b, err := rt.Backtest(t.Context(), c.plan, run.ID())
		if err != nil {
			t.Errorf("%s: %v", c.code, err)
			continue
		}
		if b.Same() != c.same || b.After.Error == nil || b.After.Error.Code != c.code || b.After.Status != wf.StatusFailed || len(b.New) > 0 {
			t.Errorf("%s: same %v, after %+v %v, new %v", c.code, b.Same(), b.After, b.After.Error, b.New)
		}
	}
}

// Two workflows that are built alike have one digest; each run calls the functions of the one that it was started with.
func TestPlansThatAreBuiltTwice(t *testing.T) {
	t.Parallel()
	rt := durableRuntime(t, &wf.RuntimeOptions{Journal: hook()})
	for want := range 3 {
		called := -1
		w := mustBuild(t, wf.Define[question, question, verdictOf]("asking").
			Step("loud", wf.Node("loud", func(_ context.Context, in question) (question, error) { called = want; return in, nil })).
			Step("ask", wf.Ask[question, verdictOf]("judge")).Build)
		run, err := rt.Run(t.Context(), w, question{"hello"})
		if err != nil {
			t.Fatal(err)
		}
		if called != want || len(run.Interrupts()) != 1 {
			t.Errorf("the functions of run %d were called, expected %d: %v", called, want, run.Err())
		}
		if err := run.Resume(t.Context(), wf.Answer{Interrupt: "/ask", Payload: verdictOf{true}}); err != nil {
			t.Errorf("run %d: %v", want, err)
		}
	}
}
