package wf_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"lda.chat/wf"
)

type payment struct {
	Receipt string `json:"receipt"`
}

// paying starts a run of which a payment, whose connection breaks at first, must not be made twice.
func paying(t *testing.T, policy wf.DoubtPolicy) (run *wf.RunHandle, made *int) {
	t.Helper()
	made = new(int)
	pay := wf.Node("pay", func(ctx context.Context, in struct {
		Amount int `json:"amount"`
	}) (payment, error) {
		*made++
		if *made == 1 {
			return payment{}, &wf.Error{Code: wf.CodeTransport, Message: "the line broke"}
		}
		return payment{"r-2"}, nil
	}).Effect(wf.EffectOnce)
	w, err := wf.Define[struct {
		Amount int `json:"amount"`
	}, struct{}, payment]("paying").Step("pay", pay).Build()
	if err != nil {
		t.Fatal(err)
	}
	rt, err := wf.NewRuntime(&wf.RuntimeOptions{InDoubt: policy, NewRunID: func() string { return "run1" }})
	if err != nil {
		t.Fatal(err)
	}
	run, err = rt.Run(context.Background(), w, map[string]any{"amount": 5})
	if err != nil {
		t.Fatal(err)
	}
	return run, made
}

func wantCode(t *testing.T, err error, code wf.Code) {
	t.Helper()
	if e, ok := errors.AsType[*wf.Error](err); !ok || e.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
}

func TestDecide(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	t.Run("it happened", func(t *testing.T) {
		t.Parallel()
		run, made := paying(t, "")
		if run.Status() != wf.StatusInterrupted {
			t.Fatalf("status %s: %v", run.Status(), run.Err())
		}
		open := run.Doubts()
		if len(open) != 1 || open[0].ID != "/pay" || open[0].IdempotencyKey != "run1:/pay" || string(open[0].Input) != `{"amount":5}` || open[0].Error.Code != wf.CodeInDoubt {
			t.Fatalf("%+v", open)
		}
		if info := run.Info(); len(info.Doubts) != 1 || info.Frames[0].Status != "in_doubt" {
			t.Fatalf("%+v", info)
		}
		wantCode(t, run.Decide(ctx, wf.Ruling{}), wf.CodeDecisionInvalid)
		wantCode(t, run.Decide(ctx, wf.Ruling{Step: "/other", Verdict: wf.VerdictAgain}), wf.CodeDoubtUnknown)
		wantCode(t, run.Decide(ctx, wf.Ruling{Verdict: wf.VerdictResult, Outcome: "no"}), wf.CodeUndeclaredOutcome)
		wantCode(t, run.Decide(ctx, wf.Ruling{Verdict: wf.VerdictResult, Output: json.RawMessage(`{"receipt":7}`)}), wf.CodeOutputInvalid)
		if err := run.Decide(ctx, wf.Ruling{Verdict: wf.VerdictResult, Output: payment{"r-1"}}); err != nil {
			t.Fatal(err)
		}
		var out payment
		if err := errors.Join(run.Wait(ctx), run.Output(&out)); err != nil || out.Receipt != "r-1" || *made != 1 {
			t.Fatalf("%+v after %d calls: %v", out, *made, err)
		}
		wantCode(t, run.Decide(ctx, wf.Ruling{Verdict: wf.VerdictAgain}), wf.CodeRunEnded)
		trace, err := run.Trace()
		if err != nil || trace[0].Doubt == nil || trace[0].Error != nil || trace[0].Outcome != wf.OK {
			t.Fatalf("%+v %v", trace, err)
		}
	})
	t.Run("again", func(t *testing.T) {
		t.Parallel()
		run, made := paying(t, wf.DoubtAsk)
		if err := run.Decide(ctx, wf.Ruling{Step: "/pay", Verdict: wf.VerdictAgain}); err != nil {
			t.Fatal(err)
		}
		if err := run.Wait(ctx); err != nil || run.Status() != wf.StatusCompleted || *made != 2 {
			t.Fatalf("status %s after %d calls: %v", run.Status(), *made, err)
		}
	})
	t.Run("fail", func(t *testing.T) {
		t.Parallel()
		run, _ := paying(t, wf.DoubtAsk)
		if err := run.Decide(ctx, wf.Ruling{Verdict: wf.VerdictFail}); err != nil {
			t.Fatal(err)
		}
		if err := run.Wait(ctx); err != nil {
			t.Fatal(err)
		}
		wantCode(t, run.Err(), wf.CodeInDoubt)
	})
	t.Run("by policy", func(t *testing.T) {
		t.Parallel()
		run, _ := paying(t, wf.DoubtFail)
		wantCode(t, run.Err(), wf.CodeInDoubt)
		run, made := paying(t, wf.DoubtRetry)
		if run.Status() != wf.StatusCompleted || *made != 2 {
			t.Fatalf("status %s after %d calls", run.Status(), *made)
		}
		if _, err := wf.NewRuntime(&wf.RuntimeOptions{InDoubt: "maybe"}); err == nil {
			t.Fatal("a policy that does not exist was taken")
		}
	})
	t.Run("nobody can decide", func(t *testing.T) {
		t.Parallel()
		pay := wf.Node("pay", func(context.Context, struct{}) (payment, error) {
			return payment{}, &wf.Error{Code: wf.CodeTransport, Message: "the line broke"}
		}).Effect(wf.EffectOnce)
		w, err := wf.Define[struct{}, struct{}, payment]("paying").Step("pay", pay).Build()
		if err != nil {
			t.Fatal(err)
		}
		rt, err := wf.NewRuntime(nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = wf.Run[payment](ctx, rt, w, struct{}{})
		wantCode(t, err, wf.CodeInDoubt)
	})
	t.Run("which one", func(t *testing.T) {
		t.Parallel()
		w, diags := wf.ParseWorkflow([]byte(`{"name": "two", "node_defs": [{"name": "t.pay", "effect": "once"}], "nodes": [
			{"id": "split", "type": "fork", "branches": ["a", "b"], "join": "meet", "on": {"a": "x", "b": "y"}},
			{"id": "x", "node": "t.pay", "next": "meet"}, {"id": "y", "node": "t.pay", "next": "meet"},
			{"id": "meet", "type": "join", "next": "__end__"}]}`))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		pay := wf.Node("pay", func(context.Context, struct{}) (struct{}, error) {
			return struct{}{}, &wf.Error{Code: wf.CodeTransport, Message: "the line broke"}
		}).OfSource("t")
		rt, err := wf.NewRuntime(&wf.RuntimeOptions{Nodes: oneNode{pay}})
		if err != nil {
			t.Fatal(err)
		}
		run, err := rt.Run(ctx, w, nil)
		if err != nil || len(run.Doubts()) != 2 {
			t.Fatalf("%v %+v", err, run.Doubts())
		}
		wantCode(t, run.Decide(ctx, wf.Ruling{Verdict: wf.VerdictAgain}), wf.CodeDoubtAmbiguous)
	})
}

type oneNode struct{ f *wf.Func }

func (n oneNode) Node(string) (*wf.Func, bool) { return n.f, true }
func (n oneNode) Refs() []string               { return nil }
