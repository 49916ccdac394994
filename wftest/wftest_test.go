package wftest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf"
	"lda.chat/wf/internal/golden"
	"lda.chat/wf/wftest"
)

// spy is a test that notes what it is failed with.
type spy struct {
	testing.TB
	said     []string
	cleanups []func()
}

type stopped struct{}

func (s *spy) Helper()                   {}
func (s *spy) Cleanup(f func())          { s.cleanups = append(s.cleanups, f) }
func (s *spy) Errorf(f string, a ...any) { s.said = append(s.said, fmt.Sprintf(f, a...)) }
func (s *spy) Fatalf(f string, a ...any) { s.Errorf(f, a...); panic(stopped{}) }

// failed runs a test that must fail and gives what it said.
func failed(t *testing.T, test func(t testing.TB)) string {
	t.Helper()
	s := &spy{TB: t}
	func() {
		defer func() {
			if p := recover(); p != nil && p != (stopped{}) {
				panic(p)
			}
		}()
		test(s)
	}()
	for _, f := range s.cleanups {
		f()
	}
	if len(s.said) == 0 {
		t.Error("the test did not fail")
	}
	return strings.Join(s.said, "\n")
}

const five = `{"name": "five", "nodes": [
	{"id": "each", "type": "foreach", "over": "input.names", "as": "name", "mode": "parallel", "result": "steps.second.n",
	 "output": {"results": "state.all"}, "on": {"item": "first", "done": "__end__"}},
	{"id": "first", "node": "t.first", "input": {"name": "item.name"}, "next": "second"},
	{"id": "second", "node": "t.second", "input": {"name": "item.name"}, "next": "__continue__"}]}`

// Calls of parallel items are made one after another, in the order of their times and items, every time.
func TestParallelIsDeterministic(t *testing.T) {
	t.Parallel()
	first := ""
	for range 20 {
		h := wftest.New(t, nil)
		h.Stub("t.first", wftest.Output(nil).After(3*time.Second), wftest.Output(nil))
		n := 0 // without a lock: only one function is at work at a time
		h.Stub("t.second", wftest.Func(func(context.Context, struct{}) (map[string]int, error) { n++; return map[string]int{"n": n}, nil }))
		run := h.Run(wftest.ParsePlan(t, five), `{"names": ["a", "b", "c", "d", "e"]}`)
		run.WantState(`{"all": [5, 1, 2, 3, 4]}`)
		var order []string
		for _, c := range h.Calls("t.second") {
			order = append(order, c.Frame+string(c.Input))
		}
		if diff := cmp.Diff([]string{`/each[1]{"name":"b"}`, `/each[2]{"name":"c"}`, `/each[3]{"name":"d"}`, `/each[4]{"name":"e"}`, `/each[0]{"name":"a"}`}, order); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		if first == "" {
			first = run.TraceText()
		}
		if diff := cmp.Diff(first, run.TraceText()); diff != "" {
			t.Fatalf("the trace is another each time (-first +now):\n%s", diff)
		}
	}
}

// Frames with numbers are ordered as people order them.
func TestManyItemsInOrder(t *testing.T) {
	t.Parallel()
	h := wftest.New(t, nil)
	h.Stub("t.first")
	h.Stub("t.second")
	names := make([]string, 12)
	run := h.Run(wftest.ParsePlan(t, five), map[string]any{"names": names})
	run.WantOutcome("ok")
	for i, c := range h.Calls("t.first") {
		if want := fmt.Sprintf("/each[%d]", i); c.Frame != want {
			t.Errorf("call %d is of %s, expected %s", i, c.Frame, want)
		}
	}
}

// Time stands still until it is let pass, and then goes from one thing to the next.
func TestTime(t *testing.T) {
	t.Parallel()
	h := wftest.New(t, nil)
	h.Stub("t.a", wftest.Failure("transport", "no route"), wftest.Output(nil).After(time.Hour))
	run := h.Start(wftest.ParsePlan(t, `{"name": "slow", "nodes": [
		{"id": "a", "node": "t.a", "retry": {"max_attempts": 2, "initial_interval_seconds": 10}, "next": "wait"},
		{"id": "wait", "type": "wait", "seconds": 2592000, "next": "__end__"}]}`), nil)
	start := h.Now()
	if n := len(h.Calls()); n != 1 {
		t.Errorf("%d calls before time passed, expected 1", n)
	}
	h.Advance(10 * time.Second)
	if n := len(h.Calls()); n != 2 {
		t.Errorf("%d calls after the pause, expected 2", n)
	}
	h.Advance(31 * 24 * time.Hour)
	run.WantOutcome("ok")
	if got := h.Now().Sub(start); got != 10*time.Second+31*24*time.Hour {
		t.Errorf("the time has moved by %v", got)
	}
	info := run.Handle().Info()
	if took := info.UpdatedAt.Sub(info.StartedAt); took <= 30*24*time.Hour+time.Hour || took > 30*24*time.Hour+time.Hour+10*time.Second {
		t.Errorf("the run took %v", took)
	}
}

// A call that never answers ends by its timeout, and one that answers at that very time is in time.
func TestNeverAndTimeouts(t *testing.T) {
	t.Parallel()
	w := wftest.ParsePlan(t, `{"name": "timeout", "nodes": [{"id": "a", "node": "t.a", "timeout_seconds": 5, "next": "__end__"}]}`)
	h := wftest.New(t, nil)
	h.Stub("t.a", wftest.Never(), wftest.Output(nil).After(5*time.Second))
	run := h.Run(w, nil)
	run.WantFailure(wf.CodeTimeout)
	h.Run(w, nil).WantOutcome("ok")
}

// Go functions of a built workflow run, unless they are stubbed; what a stub gives is checked like what they give.
func TestFunctionsOfAWorkflow(t *testing.T) {
	t.Parallel()
	type text struct {
		Text string `json:"text"`
	}
	shout := wf.Node("shout", func(_ context.Context, in text) (text, error) { return text{in.Text + "!"}, nil })
	inner, err := wf.Define[text, struct{}, text]("inner").Step("again", shout).Build()
	if err != nil {
		t.Fatal(wf.DiagnosticsOf(err))
	}
	w, err := wf.Define[text, struct{}, text]("outer").Step("shout", shout).Step("inner", inner).Output("text", "steps.inner.text").Build()
	if err != nil {
		t.Fatal(wf.DiagnosticsOf(err))
	}
	h := wftest.New(t, nil)
	h.Run(w, text{"a"}).WantOutput(text{"a!!"})
	if n := len(h.Calls("local.shout")); n != 2 {
		t.Errorf("%d calls are known, expected 2", n)
	}
	h.Stub("local.shout", wftest.Output(text{"stub"}), wftest.Real().After(time.Second))
	h.Run(w, text{"a"}).WantOutput(text{"stub!"})
	h.Stub("local.shout", wftest.Output(`{"text": 5}`))
	h.Run(w, text{"a"}).WantFailure(wf.CodeOutputInvalid)
	h.Stub("local.shout", wftest.Func(func(context.Context, text) (text, error) { return text{}, errors.New("busy") }))
	h.Run(w, text{"a"}).WantFailure(wf.CodeHandlerError)
}

const asking = `{"name": "asking", "nodes": [
	{"id": "each", "type": "foreach", "over": "input.names", "as": "name", "mode": "parallel", "result": "steps.ask.text",
	 "output": {"results": "state.all"}, "on": {"item": "ask", "done": "__end__"}},
	{"id": "ask", "type": "interrupt", "kind": "text", "request": {"name": "item.name"}, "outcomes": ["ok"], "timeout_seconds": 60, "timeout_outcome": "late",
	 "resume_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}, "on": {"ok": "__continue__", "late": "__discard__"}}]}`

func TestAnswers(t *testing.T) {
	t.Parallel()
	h := wftest.New(t, nil)
	run := h.Start(wftest.ParsePlan(t, asking), `{"names": ["a", "b"]}`)
	run.WantStatus(wf.StatusInterrupted)
	run.WantRefused(wf.CodePayloadInvalid, "/each[1]/ask", "ok", `{"text": 5}`)
	run.WantRefused(wf.CodeUndeclaredOutcome, "/each[1]/ask", "late", nil)
	run.WantRefused(wf.CodeInterruptUnknown, "/each[7]/ask", "ok", nil)
	run.Answer("/each[1]/ask", "ok", `{"text": "B"}`)
	run.WantRefused(wf.CodeAlreadyResumed, "/each[1]/ask", "ok", `{"text": "C"}`)
	if i := run.WaitFor("ask"); string(i.Request) != `{"name":"a"}` {
		t.Errorf("the request is %s", i.Request)
	}
	h.Advance(time.Minute)
	run.WantOutcome("ok")
	run.WantState(`{"all": ["B"]}`)
	run.WantRefused(wf.CodeRunEnded, "/each[0]/ask", "ok", `{"text": "A"}`)
}

// What goes wrong is told, with what to do.
func TestFailuresAreTold(t *testing.T) {
	t.Parallel()
	one := `{"name": "one", "output": "steps.a", "node_defs": [{"name": "t.a"}], "nodes": [{"id": "a", "node": "t.a", "input": {"n": 1}, "next": "__end__"}]}`
	for name, c := range map[string]struct {
		test func(t testing.TB, h *wftest.Host)
		says []string
	}{
		"unstubbed": {func(t testing.TB, h *wftest.Host) { h.Run(wftest.ParsePlan(t, one), nil) },
			[]string{`step "a" calls t.a, which is not stubbed, with the input {"n":1}`, `h.Stub("t.a", wftest.Output(…))`}},
		"no contract": {func(t testing.TB, h *wftest.Host) {
			h.Stub("t.b")
			h.Run(wftest.ParsePlan(t, `{"name": "one", "nodes": [{"id": "a", "node": "t.a", "next": "__end__"}]}`), nil)
		}, []string{"the run cannot start:", `there is no capability "t.a"`}},
		"no plan":      {func(t testing.TB, _ *wftest.Host) { wftest.ParsePlan(t, `{"name": "one"}`) }, []string{"cannot be read", "nodes"}},
		"no file":      {func(t testing.TB, _ *wftest.Host) { wftest.ReadPlan(t, "testdata/none.json") }, []string{"none.json"}},
		"nil":          {func(t testing.TB, h *wftest.Host) { h.Run(nil, nil) }, []string{"no workflow"}},
		"input":        {func(t testing.TB, h *wftest.Host) { h.Run(wftest.ParsePlan(t, one), `{`) }, []string{"the input is no JSON"}},
		"back in time": {func(t testing.TB, h *wftest.Host) { h.Advance(-1) }, []string{"time does not go back"}},
		"output": {func(t testing.TB, h *wftest.Host) {
			h.Stub("t.a", wftest.Output(`{"n": 1, "m": [1, 2]}`))
			run := h.Run(wftest.ParsePlan(t, one), nil)
			run.WantOutput(`{"m": [1, 2], "n": 1.0}`)
			run.WantOutput(`{"m": [1, 3], "n": 1}`)
		}, []string{"the output is another", "\n-     3\n", "\n+     2\n"}},
		"status": {func(t testing.TB, h *wftest.Host) {
			h.Stub("t.a", wftest.Failure("no_paper", "the tray is empty"))
			run := h.Run(wftest.ParsePlan(t, one), nil)
			run.WantOutcome("ok")
			run.WantFailure("no_ink")
			run.WantOutput(nil)
		}, []string{"failed (no_paper at step \"a\": the tray is empty), expected completed", "expected no_ink", "no output"}},
		"outcome": {func(t testing.TB, h *wftest.Host) {
			h.Stub("t.a")
			run := h.Run(wftest.ParsePlan(t, one), nil)
			run.WantOutcome("bad")
			run.WantFailure("x")
		}, []string{`"ok", expected "bad"`, "expected failed"}},
		"no trace": {func(t testing.TB, h *wftest.Host) {
			h.Stub("t.a")
			run := h.Run(wftest.ParsePlan(t, one), nil)
			if golden.Updating() {
				t.Fatalf("WF_UPDATE=1 writes the file instead")
			}
			run.WantTrace("testdata/none.trace")
		}, []string{"WF_UPDATE=1"}},
		"stuck": {func(t testing.TB, h *wftest.Host) {
			h.Stub("t.a", wftest.Never())
			h.Run(wftest.ParsePlan(t, one), nil)
		}, []string{"waits for what never comes", "/ a: calling"}},
		"interrupts": {func(t testing.TB, h *wftest.Host) {
			h.Start(wftest.ParsePlan(t, asking), `{"names": ["a", "b"]}`).Answer("ask", "ok", nil)
		}, []string{`2 open interrupts are called "ask"`, "/each[0]/ask, /each[1]/ask"}},
		"no interrupt": {func(t testing.TB, h *wftest.Host) {
			h.Start(wftest.ParsePlan(t, asking), `{"names": []}`).WaitFor("ask")
		}, []string{"0 open interrupts", "the run is completed"}},
		"refused": {func(t testing.TB, h *wftest.Host) {
			h.Start(wftest.ParsePlan(t, asking), `{"names": ["a"]}`).Answer("ask", "ok", nil)
		}, []string{"payload_invalid"}},
		"not refused": {func(t testing.TB, h *wftest.Host) {
			h.Start(wftest.ParsePlan(t, asking), `{"names": ["a"]}`).WantRefused("payload_invalid", "ask", "ok", `{"text": "A"}`)
		}, []string{"expected payload_invalid, got <nil>"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said := failed(t, func(t testing.TB) { c.test(t, wftest.New(t, nil)) })
			for _, want := range c.says {
				if !strings.Contains(said, want) {
					t.Errorf("it says\n%s\nexpected in it: %s", said, want)
				}
			}
		})
	}
}

// A function that waits for something outside of the test's world does not hang the test for ever.
func TestFunctionThatWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		said := failed(t, func(t testing.TB) {
			h := wftest.New(t, nil)
			h.Stub("t.a", wftest.Func(func(context.Context, struct{}) (struct{}, error) { <-release; return struct{}{}, nil }))
			h.Run(wftest.ParsePlan(t, `{"name": "w", "nodes": [{"id": "a", "node": "t.a", "next": "__end__"}]}`), nil)
		})
		if !strings.Contains(said, "t.a (step a, frame /) has not returned after 1m0s") {
			t.Error(said)
		}
		close(release)
	})
}

// Hosts of one process do not touch one another, and one host can have several runs.
func TestRunsSideBySide(t *testing.T) {
	t.Parallel()
	h := wftest.New(t, nil)
	h.Stub("t.a", wftest.Output(nil).After(time.Second))
	w := wftest.ParsePlan(t, `{"name": "w", "nodes": [{"id": "a", "node": "t.a", "next": "__end__"}]}`)
	one := h.Start(w, nil)
	h.Advance(time.Second / 2)
	two := h.Start(w, nil)
	one.Wait()
	one.WantOutcome("ok")
	two.WantStatus(wf.StatusRunning)
	two.Wait()
	two.WantOutcome("ok")
	if one.Handle().ID() == two.Handle().ID() {
		t.Error("two runs have one id")
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	h := wftest.New(t, nil)
	h.Stub("t.a", wftest.Never())
	run := h.Start(wftest.ParsePlan(t, `{"name": "w", "nodes": [{"id": "a", "node": "t.a", "next": "__end__"}]}`), nil)
	run.Cancel("enough")
	run.WantStatus(wf.StatusCancelled)
}

// A golden trace is compared, and written when it is asked for.
func TestGoldenTrace(t *testing.T) {
	h := wftest.New(t, nil)
	h.Stub("t.first", wftest.Failure("transport", "no route"), wftest.Output(nil).After(time.Second))
	h.Stub("t.second", wftest.Output(`{"n": 1}`))
	w := wftest.ParsePlan(t, strings.Replace(five, `"t.first",`, `"t.first", "retry": {},`, 1))
	run := h.Run(w, `{"names": ["a", "b"]}`)
	run.WantTrace("testdata/five.trace")
	t.Setenv("WF_UPDATE", "1")
	file := t.TempDir() + "/new.trace"
	run.WantTrace(file)
	t.Setenv("WF_UPDATE", "")
	run.WantTrace(file)
	said := failed(t, func(t testing.TB) {
		h := wftest.New(t, nil)
		h.Stub("t.first")
		h.Stub("t.second")
		h.Run(w, `{"names": ["a", "b"]}`).WantTrace(file)
	})
	if !strings.Contains(said, "went otherwise") || !strings.Contains(said, "\n-   retried transport: no route\n") {
		t.Error(said)
	}
}
