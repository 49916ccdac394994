package wftest_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/wftest"
)

// printer stands for the *testing.T of a test: it prints what it is failed with.
type printer struct{ testing.TB }

func (printer) Helper()                   {}
func (printer) Cleanup(func())            {}
func (printer) Errorf(f string, a ...any) { fmt.Printf(f+"\n", a...) }
func (printer) Fatalf(f string, a ...any) { fmt.Printf(f+"\n", a...) }

// A test of a plan: capabilities are stubbed by their refs, and the test answers what the plan asks.
func Example() {
	var t testing.TB = printer{} // in a test, the test's own

	h := wftest.New(t, nil)
	h.Stub("llm.draft", wftest.Output(`{"text": "Dear Sir"}`), wftest.Output(`{"text": "Dear Ada"}`))
	h.Stub("mail.send")

	run := h.Start(wftest.ReadPlan(t, "testdata/reply.plan.json"), `{"mail": "Hello, this is Ada"}`)
	run.Answer("approve", "rejected", `{"comment": "her name is Ada"}`)
	run.Answer("approve", "approved", nil)
	run.WantOutcome("ok")
	run.WantOutput(`{"text": "Dear Ada"}`)

	for _, c := range h.Calls() {
		fmt.Println(c.Ref, string(c.Input))
	}
	// Output:
	// llm.draft {"feedback":"","mail":"Hello, this is Ada"}
	// llm.draft {"feedback":"her name is Ada","mail":"Hello, this is Ada"}
	// mail.send {"text":"Dear Ada"}
}

// Time moves when the test says so: here past a pause between two attempts, and the day that an answer may take.
func ExampleHost_Advance() {
	var t testing.TB = printer{}
	h := wftest.New(t, nil)
	h.Stub("llm.draft", wftest.Failure("transport", "no route"), wftest.Output(`{"text": "Dear Ada"}`).After(3*time.Second))

	run := h.Start(wftest.ReadPlan(t, "testdata/reply.plan.json"), `{"mail": "Hello"}`)
	fmt.Println(run.Handle().Status(), len(h.Calls("llm.draft")), "call")
	open := run.WaitFor("approve")
	fmt.Println(run.Handle().Status(), len(h.Calls("llm.draft")), "calls", string(open.Request))
	h.Advance(24 * time.Hour)
	run.WantOutcome("gave_up")
	fmt.Println(run.Handle().Outcome())
	// Output:
	// running 1 call
	// interrupted 2 calls {"draft":"Dear Ada"}
	// gave_up
}

// A stub may compute its answers, and choose outcomes. Each call takes the next answer; the last one stays.
func ExampleHost_Stub() {
	type number struct {
		N int `json:"n"`
	}
	var t testing.TB = printer{}
	h := wftest.New(t, nil)
	h.Stub("math.half",
		wftest.Failure("provider_error", "too busy"),
		wftest.Decision(func(_ context.Context, in number) (wf.Outcome, number, error) {
			if in.N%2 != 0 {
				return "odd", in, nil
			}
			return wf.OK, number{in.N / 2}, nil
		}, wf.OK, "odd"))

	w := wftest.ParsePlan(t, `{"name": "halves", "outcomes": ["ok", "odd"], "output": "steps.half", "nodes": [
		{"id": "half", "node": "math.half", "input": {"n": "input.n"}, "on": {"ok": "__end__", "odd": "odd"}},
		{"id": "odd", "type": "end", "outcome": "odd"}]}`)
	h.Run(w, number{8}).WantFailure("provider_error")
	h.Run(w, number{8}).WantOutput(number{4})
	h.Run(w, number{7}).WantOutcome("odd")
	h.Run(w, number{6}).WantOutput(number{4}) // and this is what a mistake looks like
	// Output:
	// wftest: the output is another (-expected +got):
	//   {
	// -   "n": 4
	// +   "n": 3
	//   }
}

// A capability that is called and not stubbed fails the test.
func ExampleNew() {
	var t testing.TB = printer{}
	h := wftest.New(t, nil)
	run := h.Run(wftest.ReadPlan(t, "testdata/reply.plan.json"), `{"mail": "Hello"}`)
	fmt.Println(run.Handle().Err())
	// Output:
	// wftest: step "draft" calls llm.draft, which is not stubbed, with the input {"feedback":"","mail":"Hello"}; say what it answers: h.Stub("llm.draft", wftest.Output(…))
	// wftest.unstubbed at step "draft": llm.draft is not stubbed
}

// The trace as text is what golden files of WantTrace hold.
func ExampleRun_TraceText() {
	var t testing.TB = printer{}
	h := wftest.New(t, nil)
	h.Stub("t.greet", wftest.Output(`{"text": "Hello"}`).After(2*time.Second), wftest.Output(`{"text": "Hi"}`).After(time.Second))
	run := h.Run(wftest.ParsePlan(t, `{"name": "greetings",
		"state_schema": {"type": "object", "properties": {"texts": {"type": "array", "x-reducer": "append"}}},
		"nodes": [
			{"id": "each", "type": "foreach", "over": "input.names", "as": "name", "mode": "parallel", "on": {"item": "greet", "done": "__end__"}},
			{"id": "greet", "node": "t.greet", "input": {"name": "item.name"}, "output": {"text": "state.texts"}, "next": "__continue__"}]}`),
		`{"names": ["Ada", "Bob"]}`)
	fmt.Print(run.TraceText())
	// Output:
	// +0s each (foreach) done → __end__ after 2s
	//   input ["Ada","Bob"]
	//   output {"count":2,"errors":[],"failed":0,"succeeded":2}
	// +0s /each[0] greet (node) ok → __continue__ after 2s
	//   input {"name":"Ada"}
	//   output {"text":"Hello"}
	//   append state.texts "Hello"
	// +0s /each[1] greet (node) ok → __continue__ after 1s
	//   input {"name":"Bob"}
	//   output {"text":"Hi"}
	//   append state.texts "Hi"
	// +2s run completed, ok
	//   output {}
}
