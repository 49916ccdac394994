package drivetest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lda.chat/wf"
)

// journey is a plan with something of all: steps, items, branches, a child that asks, back-off and a long wait.
const journey = `{"name": "journey",
 "state_schema": {"type": "object", "properties": {"log": {"type": "array", "default": [], "x-reducer": "append"}}},
 "node_defs": [{"name": "t.flaky", "retry": {"max_attempts": 3, "initial_interval_seconds": 0.01}}],
 "workflows": {"child": {"name": "child", "output": {"got": "steps.out.at"}, "nodes": [
   {"id": "in", "node": "t.work", "next": "ask"},
   {"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["yes"], "next": "out"},
   {"id": "out", "node": "t.work", "next": "__end__"}]}},
 "nodes": [
  {"id": "one", "node": "t.work", "output": {"at": "state.log"}, "next": "each"},
  {"id": "each", "type": "foreach", "over": "input.items", "as": "x", "mode": "parallel", "result": "steps.item.at", "output": {"results": "state.items"},
   "on": {"item": "item", "done": "split"}},
  {"id": "item", "node": "t.work", "input": {"x": "item.x"}, "next": "__continue__"},
  {"id": "split", "type": "fork", "branches": ["b", "c"], "join": "meet", "on": {"b": "b", "c": "pause"}},
  {"id": "b", "node": "t.work", "output": {"at": "state.log"}, "next": "meet"},
  {"id": "pause", "type": "wait", "seconds": 0.01, "next": "flaky"},
  {"id": "flaky", "node": "t.flaky", "output": {"at": "state.log"}, "next": "meet"},
  {"id": "meet", "type": "join", "next": "sub"},
  {"id": "sub", "type": "subgraph", "workflow": "child", "output": {"got": "state.log"}, "next": "rest"},
  {"id": "rest", "type": "wait", "seconds": 600, "next": "last"},
  {"id": "last", "node": "t.work", "output": {"at": "state.log"}, "next": "__end__"}]}`

const journeyInput = `{"items": [1, 2]}`

// flaky fails the first attempt of every step.
func flaky(_ context.Context, c wf.CallInfo, _ json.RawMessage) (*wf.Result, error) {
	if c.Attempt == 1 {
		return nil, &wf.Error{Code: wf.CodeTransport, Message: "no line", Unsent: true}
	}
	return placed(c), nil
}

// A run with something of all comes to the same on a journal as in memory.
func (s *suite) journey(t *testing.T) {
	w := s.world(t)
	w.do("t.flaky", flaky)
	r := w.runtime(nil)
	run := r.start(journey, journeyInput, nil)
	r.tend(run.ID())
	if got := ending(w.t, r.load(run.ID())); got != s.undisturbed(t) {
		t.Errorf("on the journal:\n%s\nin memory:\n%s", got, s.undisturbed(t))
	}
	w.once(run.ID())
}

// undisturbed is how the journey ends in memory.
func (s *suite) undisturbed(t *testing.T) string {
	t.Helper()
	w := &world{t: t, clock: newClock(), over: make(chan struct{}), news: make(chan struct{}), does: map[string]behaviour{"t.flaky": flaky}}
	rt, err := wf.NewRuntime(&wf.RuntimeOptions{Nodes: &nodes{w: w}, Clock: w.clock})
	check(t, "runtime", err)
	plan, diags := rt.CheckText([]byte(journey))
	check(t, "plan", diags.Err())
	run, err := rt.Run(ctx, plan, json.RawMessage(journeyInput))
	check(t, "run", err)
	check(t, "resume", run.Resume(ctx, wf.Answer{}))
	w.await("it rests", func() bool { return run.Info().PriorStep == "sub" })
	w.clock.jump(10 * time.Minute)
	w.wait(run, wf.StatusCompleted)
	return ending(t, run)
}

// tend answers what a run asks and lets the time pass that it waits for, until it has ended or this runtime is dead, which it
// reports.
func (r *runtime) tend(id string) (ended bool) {
	w := r.w
	w.t.Helper()
	for {
		var h wf.RunHead
		w.await("the run "+id+" stops, rests or loses its runtime", func() bool {
			h = w.head(id)
			return h.Status.Ended() || r.isDead() || h.Owner == "" && (h.Status == wf.StatusInterrupted && h.Pending == 0 || h.WakeAt.After(w.clock.Now().Add(time.Second)))
		})
		switch {
		case h.Status.Ended():
			return true
		case r.isDead():
			return false
		case h.Status == wf.StatusInterrupted:
			if !r.alive(func() {
				run, err := r.Load(ctx, id)
				if err == nil {
					err = run.Resume(ctx, wf.Answer{Interrupt: "/sub/ask"})
				}
				if err != nil && code(err) != wf.CodeAlreadyResumed && !r.isDead() {
					w.t.Errorf("resume: %v", err)
				}
			}) {
				return false
			}
		default: // as soon as the runtime is through with it and has set its alarm
			if !r.alive(func() { _, _ = r.Load(ctx, id) }) {
				return false
			}
			w.clock.jump(h.WakeAt.Sub(w.clock.Now()))
		}
	}
}

// alive does something that ends early if the runtime dies, which it reports.
func (r *runtime) alive(do func()) bool {
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	select {
	case <-done:
		return true
	case <-r.die:
		return false
	}
}

// ending is what a run came to, and by which steps, in an order that does not depend on who was first.
func ending(t *testing.T, run *wf.RunHandle) string {
	t.Helper()
	info := run.Info()
	trace, err := run.Trace()
	check(t, "trace", err)
	var steps []string
	for _, e := range trace {
		steps = append(steps, fmt.Sprintf("%s%s#%d %s -> %s", strings.TrimSuffix(e.Frame, "/")+"/", e.Step, e.Visit, cmp.Or(string(e.Outcome), "-"), e.Next))
	}
	slices.Sort(steps)
	var failed wf.Code
	if info.Error != nil {
		failed = info.Error.Code
	}
	return fmt.Sprintf("%s %s %s\noutput %s\nstate %s\n%s", info.Status, info.Outcome, failed, info.Output, info.State, strings.Join(steps, "\n"))
}

// once wants each result to be in the journal once, and the fences never to go back.
func (w *world) once(id string) {
	w.t.Helper()
	var fence wf.Fence
	seen := map[string]bool{}
	for e, err := range w.st.Events(ctx, id, 0) {
		check(w.t, "events", err)
		if e.Fence < fence {
			w.t.Errorf("event %d was written under fence %d, after one of %d", e.Revision, e.Fence, fence)
		}
		fence = e.Fence
		for _, visit := range finished(w.t, e.Data) {
			if seen[visit] {
				w.t.Errorf("the result of %s is recorded twice", visit)
			}
			seen[visit] = true
		}
	}
}

// finished lists the visits of steps whose results a record holds.
func finished(t *testing.T, line []byte) (visits []string) {
	t.Helper()
	for _, e := range entries(t, line) {
		if e.Kind == "step_done" {
			visits = append(visits, fmt.Sprintf("%s/%s#%d", strings.TrimSuffix(e.Frame, "/"), e.Step, max(e.Visit, 1)))
		}
	}
	return visits
}

// settled lists the steps of which a record holds what a call came to.
func settled(t *testing.T, line []byte) (steps []string) {
	t.Helper()
	if list := entries(t, line); len(list) > 0 { // the first entry is about the call
		steps = append(steps, strings.TrimSuffix(list[0].Frame, "/")+"/"+list[0].Step)
	}
	return steps
}

type entry struct {
	Kind  string `json:"kind"`
	Frame string `json:"frame"`
	Step  string `json:"step"`
	Visit int    `json:"visit"`
}

// entries gives those of a record that a call has brought.
func entries(t *testing.T, line []byte) []entry {
	t.Helper()
	var record struct {
		Event   string  `json:"event"`
		Entries []entry `json:"entries"`
	}
	check(t, "record", json.Unmarshal(line, &record))
	if record.Event != "call_completed" && record.Event != "call_failed" {
		return nil
	}
	return record.Entries
}
