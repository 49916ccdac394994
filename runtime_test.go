package wf_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf"
)

const pagingPlan = `{"name": "paging",
  "state_schema": {"type": "object", "properties": {
    "items": {"type": "array", "x-reducer": "wf.std.extend", "default": []}, "token": {"type": "string"}}},
  "output_schema": {"type": "object", "properties": {"items": {"type": "array"}}},
  "nodes": [
    {"id": "list", "node": "t.list", "input": {"token": "state.token"},
     "output": {"items": "state.items", "token": "state.token"}, "next": "more"},
    {"id": "more", "type": "condition", "check": {"exists": "state.token"}, "on": {"true": "list", "false": "__end__"}}]}`

// A paging loop ends when the reply has no token any more (case RT-09).
func TestCaseRT09PagingLoopEndsWhenTheTokenStopsComing(t *testing.T) {
	t.Parallel()
	list := &script{answers: []string{`{"items":[1],"token":"t1"}`, `{"items":[2],"token":"t2"}`, `{"items":[3]}`}}
	ref, f := local("list", list)
	r := runPlan(t, nodes{ref: f}, pagingPlan, `{}`)
	wantStatus(t, r, wf.StatusCompleted)
	if diff := cmp.Diff([]string{`{}`, `{"token":"t1"}`, `{"token":"t2"}`}, list.inputs); diff != "" {
		t.Fatalf("inputs (-want +got):\n%s", diff)
	}
	wantJSON(t, "state", r.Info().State, `{"items":[1,2,3]}`)
	wantJSON(t, "output", r.Info().Output, `{"items":[1,2,3]}`)
}

// A condition on a missing value fails and never takes the default branch (case RT-03).
func TestCaseRT03MissingOperandIsNeverFalse(t *testing.T) {
	t.Parallel()
	r := runPlan(t, nil, `{"name": "rt03", "state_schema": {"type": "object", "properties": {"foo": {"type": "number"}}}, "nodes": [
		{"id": "c", "type": "condition", "check": {"and": [{"exists": "state.foo"}, {"gt": ["state.foo", 1]}]}, "on": {"true": "__end__", "false": "c2"}},
		{"id": "c2", "type": "condition", "check": {"gt": ["state.foo", 1]}, "on": {"true": "__end__", "false": "__end__"}}]}`, `{}`)
	if e := wantFailure(t, r, wf.CodeConditionMissing, "c2"); !strings.Contains(e.Message, "state.foo") {
		t.Fatalf("the message does not name state.foo: %s", e.Message)
	}
}

// A loop without an exit stops at its budget, and what it did can be read (case RT-05).
func TestCaseRT05StepBudget(t *testing.T) {
	t.Parallel()
	ref, f := local("one", &script{answers: []string{`{"n":1}`}})
	r := runPlan(t, nodes{ref: f}, `{"name": "rt05", "limits": {"max_steps": 100},
		"state_schema": {"type": "object", "properties": {"n": {"type": "integer", "x-reducer": "wf.std.add", "default": 0}}},
		"nodes": [{"id": "a", "node": "t.one", "output": {"n": "state.n"}, "next": "b"}, {"id": "b", "node": "t.one", "next": "a"}]}`, `{}`)
	e := wantFailure(t, r, wf.CodeLimitExceeded, "a")
	wantJSON(t, "details", e.Details, `{"limit":100}`)
	wantJSON(t, "state", r.Info().State, `{"n":50}`)
	if n := len(trace(t, r)); n != 100 {
		t.Fatalf("%d steps in the trace", n)
	}
}

// What comes after a node's commit can fail without the node being repeated or success reported (case RT-01).
func TestCaseRT01FailureAfterACommit(t *testing.T) {
	t.Parallel()
	emit, sink := &script{answers: []string{`{"value":1}`}}, &script{answers: []string{`{}`}}
	refA, a := local("emit", emit)
	refS, s := local("sink", sink)
	r := runPlan(t, nodes{refA: a, refS: s}, `{"name": "rt01",
		"state_schema": {"type": "object", "properties": {"value": {"type": "integer"}, "kind": {"default": "abc"}}},
		"nodes": [
			{"id": "A", "node": "t.emit", "output": {"value": "state.value"}, "next": "C"},
			{"id": "C", "type": "condition", "check": {"gt": ["state.kind", 3]}, "on": {"true": "S", "false": "__end__"}},
			{"id": "S", "node": "t.sink", "next": "__end__"}]}`, `{}`)
	wantFailure(t, r, wf.CodeConditionType, "C")
	wantJSON(t, "state", r.Info().State, `{"kind":"abc","value":1}`)
	if len(emit.inputs) != 1 || len(sink.inputs) != 0 {
		t.Fatalf("A ran %d times, S %d times", len(emit.inputs), len(sink.inputs))
	}
}

const echoPlan = `{"name": "echo",
  "state_schema": {"type": "object", "properties": {"v": {}}}, "output_schema": {"type": "object", "properties": {"v": {}}},
  "nodes": [{"id": "echo", "node": "t.echo", "input": {"v": "input.v"}, "output": {"v": "state.v"}, "next": "__end__"}]}`

func echo() nodes {
	f := wf.RawNode(open("echo"), func(_ context.Context, in json.RawMessage) (*wf.Result, error) { return &wf.Result{Output: in}, nil })
	return nodes{"t.echo": f.OfSource("t")}
}

// Values go through input, state, node and output unchanged (cases NE-01, NE-03, NE-05, NE-11).
func TestCaseNEValuesKeepTheirDigits(t *testing.T) {
	t.Parallel()
	for _, v := range []string{
		`9007199254740993`, `3544790567247868102`, `-9223372036854775808`, `18446744073709551615`, `0.1`, `1.10`, `-0`, `1E+2`,
		`123456789012345678901234567890.123456789`, `"\u0000"`, `"😀"`, `"<b>&\u2028"`, `[[],{},null,true]`,
		`"` + strings.Repeat("long ", 200_000) + `"`,
	} {
		r := runPlan(t, echo(), echoPlan, `{"v":`+v+`}`)
		wantStatus(t, r, wf.StatusCompleted)
		info := r.Info()
		want := strings.ReplaceAll(v, `\u2028`, "\u2028")
		for what, got := range map[string]json.RawMessage{"output": info.Output, "state": info.State, "input": info.Input,
			"trace input": trace(t, r)[0].Input, "trace output": trace(t, r)[0].Output} {
			wantJSON(t, what, got, `{"v":`+want+`}`)
		}
	}
}

// What cannot be kept exactly is refused with its place (cases NE-03, NE-05, NE-07, NE-09).
func TestCaseNEInputsThatCannotBeKeptAreRefused(t *testing.T) {
	t.Parallel()
	rt := newRuntime(t, echo())
	w := parsePlan(t, echoPlan)
	for name, in := range map[string]string{
		"number too large": `{"v":1e400}`, "half an emoji": `{"v":"x\ud800y"}`, "duplicate key": `{"v":1,"v":2}`,
		"trailing data": `{"v":1} }`, "two documents": `{"v":1}{"v":2}`, "comment": `{"v":1} // note`,
	} {
		_, err := rt.Run(context.Background(), w, json.RawMessage(in))
		if !errors.Is(err, &wf.Error{Code: wf.CodeInputInvalid}) || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// and so is what a node returns
	bad := wf.RawNode(open("echo"), func(context.Context, json.RawMessage) (*wf.Result, error) {
		return &wf.Result{Output: json.RawMessage(`{"v":"x\ud800y"}`)}, nil
	})
	wantFailure(t, runPlan(t, nodes{"t.echo": bad.OfSource("t")}, echoPlan, `{"v":1}`), wf.CodeOutputInvalid, "echo")
}

// Arithmetic of reducers is exact (cases RD-07, NE-03).
func TestCaseRD07ReducersAreExact(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reducer, first, second, want string }{
		{"add", `9007199254740992`, `1`, `9007199254740993`},
		{"add", `0.1`, `0.2`, `0.3`},
		{"max", `9007199254740992`, `9007199254740993`, `9007199254740993`},
		{"min", `9007199254740993`, `9007199254740992`, `9007199254740992`},
		{"set_union", `[9007199254740992]`, `[9007199254740993, 9007199254740992.0]`, `[9007199254740992,9007199254740993]`},
		{"append", `[1]`, `2`, `[[1],2]`},
		{"extend", `[1]`, `[2,3]`, `[1,2,3]`},
		{"merge_object", `{"a":{"x":1},"b":1}`, `{"a":{"y":2}}`, `{"a":{"y":2},"b":1}`},
		{"deep_merge", `{"a":{"x":1},"b":1}`, `{"a":{"y":2}}`, `{"a":{"x":1,"y":2},"b":1}`},
		{"replace", `1`, `2`, `2`},
	} {
		r := runPlan(t, nil, fmt.Sprintf(`{"name": "rd07", "state_schema": {"type": "object", "properties": {"f": {"x-reducer": "wf.std.%s"}}},
			"nodes": [{"id": "a", "type": "set", "output": [{"value": %s, "target": "state.f"}], "next": "b"},
			          {"id": "b", "type": "set", "output": [{"value": %s, "target": "state.f"}], "next": "__end__"}]}`, c.reducer, c.first, c.second), `{}`)
		wantStatus(t, r, wf.StatusCompleted)
		wantJSON(t, c.reducer, r.Info().State, `{"f":`+c.want+`}`)
	}
}

const onePlan = `{"name": "one", "state_schema": {"type": "object", "properties": {"n": {"type": "integer"}, "problem": {}}},
  "nodes": [{"id": "work", "node": "t.work", "output": {"n": "state.n"}, %s "on": {"ok": "__end__"%s}}]}`

func contract() *wf.NodeDef {
	return &wf.NodeDef{Name: "work", OutputSchema: wf.Schema(`{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}`)}
}

// A function that panics, ends its goroutine, or returns what it may not, fails its step and writes nothing.
func TestFailuresOfFunctions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		f    func(context.Context, json.RawMessage) (*wf.Result, error)
		code wf.Code
		says string
	}{
		"panics":             {func(context.Context, json.RawMessage) (*wf.Result, error) { panic("boom") }, wf.CodeHandlerPanic, "boom"},
		"ends its goroutine": {func(context.Context, json.RawMessage) (*wf.Result, error) { runtime.Goexit(); return nil, nil }, wf.CodeHandlerPanic, "goroutine"},
		"undeclared outcome": {func(context.Context, json.RawMessage) (*wf.Result, error) { return &wf.Result{Outcome: "maybe"}, nil }, wf.CodeUndeclaredOutcome, `"maybe"`},
		"wrong output": {func(context.Context, json.RawMessage) (*wf.Result, error) {
			return &wf.Result{Output: []byte(`{"n":"x"}`)}, nil
		}, wf.CodeOutputInvalid, "/n"},
		"lacks output": {func(context.Context, json.RawMessage) (*wf.Result, error) { return nil, nil }, wf.CodeOutputInvalid, "n"},
		"plain error":  {func(context.Context, json.RawMessage) (*wf.Result, error) { return nil, errors.New("no such file") }, wf.CodeHandlerError, "no such file"},
		"claims to be cancelled": {func(context.Context, json.RawMessage) (*wf.Result, error) {
			return nil, &wf.Error{Code: wf.CodeCancelled, Message: "not by anybody"}
		}, wf.CodeHandlerError, "not by anybody"},
		"a code that no plan can name": {func(context.Context, json.RawMessage) (*wf.Result, error) {
			return nil, &wf.Error{Code: "Bad Code!", Message: "oh"}
		}, wf.CodeHandlerError, "oh"},
		"an error that panics": {func(context.Context, json.RawMessage) (*wf.Result, error) { return nil, (*nilError)(nil) }, wf.CodeHandlerError, "cannot be told"},
		"named error": {func(context.Context, json.RawMessage) (*wf.Result, error) {
			return nil, fmt.Errorf("reading: %w", &wf.Error{Code: "no_file", Message: "gone"})
		}, "no_file", "gone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rt := newRuntime(t, nodes{"t.work": wf.RawNode(contract(), c.f).OfSource("t")})
			r, err := rt.Start(context.Background(), parsePlan(t, fmt.Sprintf(onePlan, "", "")), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			if e := wantFailure(t, r, c.code, "work"); !strings.Contains(e.Message, c.says) {
				t.Fatalf("the message does not say %q: %s", c.says, e.Message)
			}
			wantJSON(t, "state", r.Info().State, `{}`)
			entries := trace(t, r)
			if len(entries) != 1 || entries[0].Error == nil || entries[0].Error.Code != c.code {
				t.Fatalf("trace %+v", entries)
			}
		})
	}
}

// nilError panics when a nil one is asked for its text, as many do.
type nilError struct{ text string }

func (e *nilError) Error() string { return e.text }

// In the process where it failed, a run's error leads to what the function returned; a panic's stack is there for
// programs and in the trace, and not in what everybody is told.
func TestCausesAndStacks(t *testing.T) {
	t.Parallel()
	sentinel := errors.New("no such file")
	fail := wf.RawNode(open("work"), func(context.Context, json.RawMessage) (*wf.Result, error) {
		return nil, fmt.Errorf("reading: %w", sentinel)
	})
	r := runPlan(t, nodes{"t.work": fail.OfSource("t")}, fmt.Sprintf(onePlan, "", ""), `{}`)
	if !errors.Is(r.Err(), sentinel) {
		t.Fatalf("%v does not lead to its cause", r.Err())
	}
	burst := wf.RawNode(open("work"), func(context.Context, json.RawMessage) (*wf.Result, error) { panic("boom") })
	r = runPlan(t, nodes{"t.work": burst.OfSource("t")}, fmt.Sprintf(onePlan, "", ""), `{}`)
	e := wantFailure(t, r, wf.CodeHandlerPanic, "work")
	if !strings.Contains(e.Stack, "runtime_test.go") || strings.Contains(string(e.Details), "runtime_test.go") {
		t.Fatalf("stack %q, details %s", e.Stack, e.Details)
	}
	if !strings.Contains(trace(t, r)[0].Stack, "runtime_test.go") {
		t.Fatal("the trace lacks the stack")
	}
}

func TestRetryThenCatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		work := &script{answers: []string{"!transport|lost", "!transport|lost again", "!no_file|gone"}}
		ref, f := local("work", work)
		started := time.Now()
		r := runPlan(t, nodes{ref: f}, fmt.Sprintf(onePlan,
			`"retry": {"max_attempts": 5, "initial_interval_seconds": 10, "backoff": 3}, "catch": [{"codes": ["no_file"], "outcome": "missing", "error": "state.problem"}],`,
			`, "missing": "__end__"`), `{}`)
		wantStatus(t, r, wf.StatusCompleted)
		wantJSON(t, "state", r.Info().State, `{"problem":{"attempts":3,"code":"no_file","frame":"/","message":"gone","step":"work"}}`)
		if waited := time.Since(started); waited > 40*time.Second || waited < 32*time.Second {
			t.Fatalf("waited %v", waited)
		}
		e := trace(t, r)[0]
		if e.Outcome != "missing" || e.Attempts != 3 || len(e.Retries) != 2 || e.Error.Code != "no_file" {
			t.Fatalf("trace %+v", e)
		}
	})
}

// A handler that ignores its context does not hold the run: timeouts, cancel and the run's own limit end it, and what
// it returns later is dropped.
func TestHangingFunctions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		step, plan string
		cancel     bool
		code       wf.Code
		after      time.Duration
	}{
		"timeout":     {step: `"timeout_seconds": 5,`, code: wf.CodeTimeout, after: 5 * time.Second},
		"run's limit": {plan: `"limits": {"timeout_seconds": 7},`, code: wf.CodeTimeout, after: 7 * time.Second},
		"cancelled":   {cancel: true, code: wf.CodeCancelled, after: 3 * time.Second},
		"fifty days":  {step: `"timeout_seconds": 4320000,`, code: wf.CodeTimeout, after: 50 * 24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				ctxDone := false
				f := wf.RawNode(open("work"), func(ctx context.Context, _ json.RawMessage) (*wf.Result, error) {
					<-release
					ctxDone = ctx.Err() != nil
					return &wf.Result{Output: []byte(`{"n":1}`)}, nil
				})
				plan := strings.Replace(fmt.Sprintf(onePlan, c.step, ""), `{"name"`, `{`+c.plan+`"name"`, 1)
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				if c.cancel {
					time.AfterFunc(c.after, cancel)
				}
				started := time.Now()
				r, err := newRuntime(t, nodes{"t.work": f.OfSource("t")}).Run(ctx, parsePlan(t, plan), nil)
				if err != nil {
					t.Fatal(err)
				}
				if e := r.Err().(*wf.Error); e.Code != c.code || time.Since(started) != c.after {
					t.Fatalf("%v after %v", e, time.Since(started))
				}
				close(release)
				synctest.Wait()
				if !ctxDone {
					t.Fatal("the function's context was not cancelled")
				}
				wantJSON(t, "state", r.Info().State, `{}`)
			})
		})
	}
}

func TestStepByStep(t *testing.T) {
	t.Parallel()
	list := &script{answers: []string{`{"items":[1],"token":"t1"}`, `{"items":[2]}`}}
	ref, f := local("list", list)
	r, err := newRuntime(t, nodes{ref: f}).Start(t.Context(), parsePlan(t, pagingPlan), nil, &wf.StartOptions{StepByStep: true, RunID: "mine"})
	if err != nil {
		t.Fatal(err)
	}
	var positions []string
	for more := true; more; {
		positions = append(positions, r.Info().Frames[0].Step)
		if more, err = r.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"list", "more", "list", "more"}, positions); diff != "" {
		t.Fatal(diff)
	}
	wantStatus(t, r, wf.StatusCompleted)
	if r.ID() != "mine" {
		t.Fatalf("id %q", r.ID())
	}
}

// Undeclared members of an output go to the trace's extra and nowhere else.
func TestExtraMembers(t *testing.T) {
	t.Parallel()
	def := contract()
	f := wf.RawNode(def, func(context.Context, json.RawMessage) (*wf.Result, error) {
		return &wf.Result{Output: []byte(`{"n":1,"more":[2]}`)}, nil
	})
	r := runPlan(t, nodes{"t.work": f.OfSource("t")}, fmt.Sprintf(onePlan, "", ""), `{}`)
	wantStatus(t, r, wf.StatusCompleted)
	e := trace(t, r)[0]
	wantJSON(t, "output", e.Output, `{"n":1}`)
	wantJSON(t, "extra", e.Extra, `{"more":[2]}`)
}

func TestCallInfo(t *testing.T) {
	t.Parallel()
	var got wf.CallInfo
	f := wf.RawNode(open("work"), func(ctx context.Context, _ json.RawMessage) (*wf.Result, error) {
		got, _ = wf.CallFrom(ctx)
		child, cancel := context.WithCancel(ctx) // follows without a goroutine
		defer cancel()
		return nil, child.Err()
	})
	rt := newRuntime(t, nodes{"t.work": f.OfSource("t")})
	r, err := rt.Start(t.Context(), parsePlan(t, fmt.Sprintf(onePlan, "", "")), nil, &wf.StartOptions{RunID: "r1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := wf.CallInfo{RunID: "r1", Workflow: "one", Step: "work", Frame: "/", Visit: 1, Attempt: 1, IdempotencyKey: "r1:/work", Logger: got.Logger}
	if got != want || got.Logger == nil {
		t.Fatalf("got %+v", got)
	}
	if _, ok := wf.CallFrom(context.Background()); ok {
		t.Fatal("a context of no run has a call")
	}
}
