package wf_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

// counted is a source of scripted capabilities that counts its calls.
type counted map[string]*wf.Func

func (c counted) Node(ref string) (*wf.Func, bool) { f, ok := c[ref]; return f, ok }
func (c counted) Refs() []string                   { return nil }

func counting(n *atomic.Int64, name string, f func(in string) (string, error), outcomes ...wf.Outcome) *wf.Func {
	return wf.RawNode(open(name, outcomes...), func(_ context.Context, in json.RawMessage) (*wf.Result, error) {
		n.Add(1)
		out, err := f(string(in))
		return &wf.Result{Output: json.RawMessage(out)}, err
	}).OfSource("t")
}

const addPlan = `{"name": "adding", "input_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
	"state_schema": {"type": "object", "properties": {"n": {"type": "integer"}, "sum": {"type": "integer", "default": 0}}},
	"nodes": [
		{"id": "one", "node": "t.add", "input": {"a": "state.sum", "b": "state.n"}, "output": {"sum": "state.sum"}, "next": "two"},
		{"id": "two", "node": "t.add", "input": {"a": "state.sum", "b": "state.n"}, "output": {"sum": "state.sum"}, "next": "three"},
		{"id": "three", "node": "t.add", "input": {"a": "state.sum", "b": "state.n"}, "output": {"sum": "state.sum"}, "next": "__end__"}
	]}`

func adder(calls *atomic.Int64) counted {
	return counted{"t.add": counting(calls, "add", func(in string) (string, error) {
		var x struct{ A, B int }
		err := json.Unmarshal([]byte(in), &x)
		return fmt.Sprintf(`{"sum": %d}`, x.A+x.B), err
	})}
}

func sum(t *testing.T, r *wf.RunHandle) int {
	t.Helper()
	if err := r.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantStatus(t, r, wf.StatusCompleted)
	var state struct{ Sum int }
	if err := json.Unmarshal(r.Info().State, &state); err != nil {
		t.Fatal(err)
	}
	return state.Sum
}

func TestForkRepeatsNothingBeforeThePoint(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	rt := durableRuntime(t, &wf.RuntimeOptions{Journal: store.NewMemory(nil), Nodes: adder(&calls)})
	run, err := rt.Run(t.Context(), parsePlan(t, addPlan), json.RawMessage(`{"n": 5}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := sum(t, run); got != 15 || calls.Load() != 3 {
		t.Fatalf("sum %d after %d calls", got, calls.Load())
	}
	events := int(run.Info().Records)
	for at := 1; at < events; at++ {
		before := calls.Load()
		fork, err := rt.Fork(t.Context(), run.ID(), &wf.ForkOptions{At: wf.Revision(at)})
		if err != nil {
			t.Fatal(err)
		}
		if got := sum(t, fork); got != 15 {
			t.Errorf("the fork at %d comes to %d", at, got)
		}
		// The call that was out at the point has the result that it had.
		if made, want := calls.Load()-before, int64(events-1-at); made != want {
			t.Errorf("the fork at %d made %d calls, want %d", at, made, want)
		}
		diff, err := rt.Diff(t.Context(), wf.RunPoint{RunID: run.ID()}, wf.RunPoint{RunID: fork.ID()})
		if err != nil || !diff.Same() {
			t.Errorf("fork at %d: %+v %v", at, diff, err)
		}
	}
	fork, err := rt.Fork(t.Context(), run.ID(), &wf.ForkOptions{At: 2, State: json.RawMessage(`{"n": 100}`)})
	if err != nil {
		t.Fatal(err)
	}
	// "one" is over at event 2, and "two" was called with 5: with 100 it is another call.
	if got := sum(t, fork); got != 5+100+100 {
		t.Errorf("with other state it comes to %d", got)
	}
	for _, bad := range []*wf.ForkOptions{{At: 99}, {At: wf.Revision(events)}, {State: json.RawMessage(`{"nowhere": 1}`)}, {State: json.RawMessage(`{"n": "x"}`)}, {Unset: []string{"nowhere"}}} {
		if _, err := rt.Fork(t.Context(), run.ID(), bad); err == nil {
			t.Errorf("%+v was taken", bad)
		} else if _, ok := errors.AsType[*wf.Error](err); !ok {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestForkGoesOnWithAnotherPlan(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	rt := durableRuntime(t, &wf.RuntimeOptions{Journal: store.NewMemory(nil), Nodes: adder(&calls)})
	w := parsePlan(t, `{"name": "limited", "state_schema": {"type": "object", "properties": {"sum": {"type": "integer", "default": 0}}}, "limits": {"max_steps": 3},
		"nodes": [{"id": "one", "node": "t.add", "input": {"a": "state.sum", "b": {"value": 1}}, "output": {"sum": "state.sum"}, "next": "more"},
			{"id": "more", "type": "condition", "check": {"lt": ["state.sum", 4]}, "on": {"true": {"to": "one", "max_visits": 9}, "false": "__end__"}}]}`)
	run, err := rt.Run(t.Context(), w, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantFailure(t, run, wf.CodeLimitExceeded, "more")
	raised := parsePlan(t, string(w.Canonical()))
	raised.Limits.MaxSteps = 100
	fork, err := rt.Fork(t.Context(), run.ID(), &wf.ForkOptions{Workflow: raised})
	if err != nil {
		t.Fatal(err)
	}
	if got := sum(t, fork); got != 4 || calls.Load() != 4 {
		t.Errorf("sum %d after %d calls", got, calls.Load())
	}
	trace, err := fork.Trace()
	if err != nil || len(trace) != 8 {
		t.Errorf("%d steps in its trace: %v", len(trace), err)
	}
	again := durableRuntime(t, &wf.RuntimeOptions{Journal: rt.Journal(), Nodes: adder(&calls)})
	if r, err := again.Load(t.Context(), fork.ID()); err != nil || sum(t, r) != 4 {
		t.Errorf("read again: %v", err)
	}
	if _, err := rt.Fork(t.Context(), run.ID(), &wf.ForkOptions{At: 2, Workflow: parsePlan(t, strings.ReplaceAll(addPlan, `"one"`, `"uno"`))}); err == nil {
		t.Error("a plan without the step that the run is in was taken")
	}
}

func TestForkMovesDeadlines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rt := durableRuntime(t, &wf.RuntimeOptions{Journal: store.NewMemory(nil)})
		w := parsePlan(t, `{"name": "slow", "limits": {"timeout_seconds": 7200}, "nodes": [
			{"id": "ask", "type": "interrupt", "kind": "approval", "timeout_seconds": 3600, "timeout_outcome": "timeout", "outcomes": ["ok"], "on": {"timeout": "late", "ok": "__end__"}},
			{"id": "late", "type": "fail", "code": "too_late"}]}`)
		run, err := rt.Run(t.Context(), w, nil)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(24 * time.Hour)
		if err := run.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantFailure(t, run, "too_late", "late")
		fork, err := rt.Fork(t.Context(), run.ID(), &wf.ForkOptions{At: 1})
		if err != nil {
			t.Fatal(err)
		}
		wantStatus(t, fork, wf.StatusInterrupted)
		if got, want := *fork.Interrupts()[0].Deadline, time.Now().Add(time.Hour).UTC(); !got.Equal(want) {
			t.Errorf("it has until %s, want %s", got, want)
		}
		time.Sleep(59 * time.Minute)
		if err := fork.Resume(t.Context(), wf.Answer{Outcome: "ok"}); err != nil {
			t.Fatal(err)
		}
		if err := fork.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantStatus(t, fork, wf.StatusCompleted)
	})
}

func TestPictureOfARun(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	rt := durableRuntime(t, &wf.RuntimeOptions{Journal: store.NewMemory(nil), Nodes: adder(&calls)})
	run, err := rt.Run(t.Context(), parsePlan(t, addPlan), json.RawMessage(`{"n": 5}`))
	if err != nil {
		t.Fatal(err)
	}
	var sums []string
	for at := range run.Info().Records {
		then, err := rt.At(t.Context(), run.ID(), wf.Revision(at+1))
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, string(then.Info().State))
		if err := then.Cancel(t.Context(), "never"); err == nil {
			t.Error("a picture was cancelled")
		}
		if trace, err := then.Trace(); err != nil || len(trace) != min(int(at)+1, 3) {
			t.Errorf("at %d: %d steps, %v", at+1, len(trace), err)
		}
	}
	want := []string{`{"n":5,"sum":0}`, `{"n":5,"sum":5}`, `{"n":5,"sum":10}`, `{"n":5,"sum":15}`}
	if diff := cmp.Diff(want, sums); diff != "" {
		t.Error(diff)
	}
	diff, err := rt.Diff(t.Context(), wf.RunPoint{RunID: run.ID(), Event: 2}, wf.RunPoint{RunID: run.ID(), Event: 3})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]wf.ValueDiff{{Path: "/sum", A: json.RawMessage("5"), B: json.RawMessage("10")}}, diff.State); diff != "" {
		t.Error(diff)
	}
}

// Another edition of a plan is played on the runs of the first.
func TestBacktest(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	nodes := counted{
		"t.read":  counting(&calls, "read", func(in string) (string, error) { return `{"text": ` + in[len(`{"path":`):len(in)-1] + `}`, nil }),
		"t.judge": counting(&calls, "judge", func(in string) (string, error) { return fmt.Sprintf(`{"score": %d}`, len(in)%10), nil }),
		"t.send":  counting(&calls, "send", func(string) (string, error) { return `{"sent": true}`, nil }),
	}
	plan := func(limit int, extra string) *wf.Workflow {
		return parsePlan(t, fmt.Sprintf(`{"name": "report", "outcomes": ["ok", "poor"],
			"input_schema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
			"node_defs": [{"name": "t.read"}, {"name": "t.judge"}, {"name": "t.send", "effect": "once"}, {"name": "t.new"}],
			"nodes": [
				{"id": "read", "node": "t.read", "input": {"path": "input.path"}, "output": {"text": "state.text"}, "next": "judge"},
				{"id": "judge", "node": "t.judge", "input": {"text": "state.text"}, "output": {"score": "state.score"}, "next": "good"},
				{"id": "good", "type": "condition", "check": {"ge": ["state.score", %d]}, "on": {"true": "send", "false": "poor"}},
				{"id": "send", "node": "t.send", "input": {"text": "state.text"}, "next": %s},
				{"id": "poor", "type": "end", "outcome": "poor"}]}`, limit, extra))
	}
	first := plan(5, `"__end__"`)
	rt := durableRuntime(t, &wf.RuntimeOptions{Journal: store.NewMemory(nil), Nodes: nodes})
	var runs []string
	outcomes := map[wf.Outcome]int{}
	for i := range 100 {
		run, err := rt.Run(t.Context(), first, json.RawMessage(fmt.Sprintf(`{"path": %q}`, strings.Repeat("x", i))))
		if err != nil {
			t.Fatal(err)
		}
		wantStatus(t, run, wf.StatusCompleted)
		outcomes[run.Outcome()]++
		runs = append(runs, run.ID())
	}
	made := calls.Load()
	tally := func(w *wf.Workflow) (same, poorer, better, news int) {
		for _, id := range runs {
			b, err := rt.Backtest(t.Context(), w, id)
			if err != nil {
				t.Fatal(err)
			}
			if b.Same() {
				same++
			}
			if b.Before.Outcome == "ok" && b.After.Outcome == "poor" {
				poorer++
				if len(b.Unused) != 1 || b.Unused[0] != "/send" || len(b.Routes) == 0 {
					t.Errorf("%s: %+v", id, b)
				}
			}
			if b.Before.Outcome == "poor" && b.After.Status == wf.StatusRunning {
				better++ // it would be sent: nobody knows what came of that
			}
			news += len(b.New)
		}
		return same, poorer, better, news
	}
	for _, c := range []struct {
		name                       string
		w                          *wf.Workflow
		same, poorer, better, news int
	}{
		{"the same plan", first, 100, 0, 0, 0},
		{"stricter", plan(7, `"__end__"`), 80, 20, 0, 0},
		{"milder", plan(3, `"__end__"`), 80, 0, 20, 20},
		{"a step more", plan(5, `"more"}, {"id": "more", "node": "t.new", "input": {"a": {"value": 1}}, "next": "__end__"`), 50, 0, 0, 50},
	} {
		same, poorer, better, news := tally(c.w)
		if diff := cmp.Diff([]int{c.same, c.poorer, c.better, c.news}, []int{same, poorer, better, news}); diff != "" {
			t.Errorf("%s (same, poorer, better, new calls): %s", c.name, diff)
		}
	}
	if calls.Load() != made {
		t.Errorf("%d calls were made", calls.Load()-made)
	}
	b, err := rt.Backtest(t.Context(), plan(3, `"__end__"`), runs[0])
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(b)
	if diff := cmp.Diff(outcomes, map[wf.Outcome]int{"ok": 50, "poor": 50}); diff != "" {
		t.Errorf("%s\n%s", diff, text)
	}
}
