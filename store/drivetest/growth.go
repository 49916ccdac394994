package drivetest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"lda.chat/wf"
)

const writing = `{"name": "writing", "limits": {"max_steps": 1000000},
 "state_schema": {"type": "object", "properties": {"big": {"type": "string"}, "n": {"type": "integer", "default": 0, "x-reducer": "add"}, "log": {"type": "array", "default": [], "x-reducer": "append"}}},
 "output": {"n": "state.n"},
 "nodes": [{"id": "line", "node": "t.line", "output": {"line": "state.log", "one": "state.n"}, "next": "more"},
  {"id": "more", "type": "condition", "check": {"lt": ["state.n", "input.times"]}, "on": {"true": "line", "false": "__end__"}}]}`

// A journal grows by what changes, never by what is there: each of many steps in a state of a megabyte adds its kilobyte, or its few bytes.
func (s *suite) growth(t *testing.T) {
	const megabyte = 1 << 20
	for _, c := range []struct {
		name string
		line int // bytes that each step adds
		most int // bytes that a step may take in the journal
	}{{"a kilobyte", 1 << 10, 1<<10 + 600}, {"a counter", 0, 600}} {
		write := func(steps int) (events, snapshots int) {
			w := s.world(t)
			w.do("t.line", func(context.Context, wf.CallInfo, json.RawMessage) (*wf.Result, error) {
				return &wf.Result{Output: fmt.Appendf(nil, `{"line":%q,"one":1}`, strings.Repeat("x", c.line))}, nil
			})
			r := w.runtime(nil)
			begun := time.Now()
			run := r.start(writing, fmt.Sprintf(`{"times":%d,"big":%q}`, steps, strings.Repeat("y", megabyte)), nil)
			w.wait(run, wf.StatusCompleted)
			took := time.Since(begun)
			for _, a := range r.appends() {
				for _, e := range a.Events {
					events += len(e)
				}
				snapshots += len(a.Snapshot)
			}
			begun = time.Now()
			there := w.runtime(nil).load(run.ID())
			t.Logf("%s, %d steps: %d bytes of events, %d of snapshots; %s a step; loaded in %s", c.name, steps, events, snapshots, took/time.Duration(steps), time.Since(begun))
			same(t, "state", fmt.Sprint(len(there.Info().State)), fmt.Sprint(len(run.Info().State)))
			return events, snapshots
		}
		events, snapshots := write(s.Steps)
		if each := events / s.Steps; each > c.most {
			t.Errorf("%s: a step takes %d bytes of the journal", c.name, each)
		}
		if all := events + snapshots + megabyte; all > 10*megabyte*max(s.Steps, 1000)/1000 {
			t.Errorf("%s: %d bytes were kept", c.name, all)
		}
		half, _ := write(s.Steps / 2)
		if events > half*26/10 {
			t.Errorf("%s: half as many steps take %d bytes, all take %d", c.name, half, events)
		}
	}
}

const passing = `{"name": "passing", "limits": {"max_steps": 1000000},
 "state_schema": {"type": "object", "properties": {"doc": {}, "n": {"type": "integer", "default": 0, "x-reducer": "add"}}}, "output": {"n": "state.n", "doc": "state.doc"},
 "nodes": [{"id": "pass", "node": "t.pass", "input": {"doc": "state.doc", "n": "state.n"}, "output": {"doc": "state.doc", "one": "state.n"}, "next": "more"},
  {"id": "more", "type": "condition", "check": {"lt": ["state.n", "input.times"]}, "on": {"true": "pass", "false": "__end__"}}]}`

// A document of a megabyte that each step takes and gives back, as it was or with one field changed, is kept once for each snapshot, not once
// for each step.
func (s *suite) passedOn(t *testing.T) {
	const megabyte = 1 << 20
	for name, change := range map[string]string{"unchanged": `1`, "one field changed": `%d`} {
		w := s.world(t)
		w.do("t.pass", func(_ context.Context, _ wf.CallInfo, input json.RawMessage) (*wf.Result, error) {
			var in struct {
				Doc struct{ Text, Page string }
				N   int
			}
			if err := json.Unmarshal(input, &in); err != nil {
				return nil, err
			}
			turn := strings.Replace(change, "%d", fmt.Sprint(in.N), 1)
			return &wf.Result{Output: fmt.Appendf(nil, `{"doc":{"text":%q,"page":%q,"turn":%s},"one":1}`, in.Doc.Text, in.Doc.Page, turn)}, nil
		})
		r := w.runtime(nil)
		steps := max(s.Steps/30, 20)
		input := fmt.Sprintf(`{"times":%d,"doc":{"text":%q,"page":%q,"turn":0}}`, steps, strings.Repeat("y", megabyte), strings.Repeat("z", megabyte/8))
		run := r.start(passing, input, nil)
		w.wait(run, wf.StatusCompleted)
		events, snapshots := len(input), 0
		for _, a := range r.appends() {
			for _, e := range a.Events {
				events += len(e)
			}
			snapshots += len(a.Snapshot)
		}
		t.Logf("%s, %d steps: %d bytes of events, %d of snapshots; whole it would be %d", name, steps, events, snapshots, steps*(megabyte+megabyte/8))
		if all := events + snapshots; all > 10*megabyte+steps*600 {
			t.Errorf("%s: %d bytes were kept", name, all)
		}
		there := w.runtime(nil).load(run.ID())
		same(t, "what is read", string(there.Info().State) == string(run.Info().State) && ending(t, there) == ending(t, run), true)
		fork, err := r.Fork(ctx, run.ID(), nil)
		check(t, "fork", err)
		w.wait(fork, wf.StatusCompleted)
		same(t, "the end of the fork", string(fork.Info().Output) == string(run.Info().Output), true)
		newest, err := w.st.LoadSnapshot(ctx, run.ID(), 0)
		check(t, "snapshot", err)
		check(t, "prune", w.st.Prune(ctx, run.ID(), newest.Revision))
		there = w.runtime(nil).load(run.ID())
		same(t, "what is read behind the snapshot", string(there.Info().State) == string(run.Info().State), true)
	}
}

// A loop with a pause costs the same each time round, also when each time another runtime goes on.
func (s *suite) pauses(t *testing.T) {
	w := s.world(t)
	r := w.runtime(nil)
	times := max(s.Steps/5, 20)
	run := r.start(`{"name": "pausing", "limits": {"max_steps": 1000000}, "state_schema": {"type": "object", "properties": {"log": {"type": "array", "default": [], "x-reducer": "append"}}},
	 "nodes": [{"id": "ask", "type": "interrupt", "kind": "k", "outcomes": ["yes", "enough"], "resume": {"text": "state.log"}, "on": {"yes": "ask", "enough": "__end__"}}]}`, `{}`, nil)
	w.wait(run, wf.StatusInterrupted)
	payload := json.RawMessage(fmt.Sprintf(`{"text":%q}`, strings.Repeat("z", 10<<10)))
	id := run.ID()
	var sizes []int
	var took []time.Duration
	for i := range times {
		if i%20 == 19 {
			r = w.runtime(nil)
		}
		begun, before := time.Now(), len(r.appends())
		outcome := wf.Outcome("yes")
		if i == times-1 {
			outcome = "enough"
		}
		here := r.load(id)
		check(t, "resume", here.Resume(ctx, wf.Answer{Outcome: outcome, Payload: payload}))
		check(t, "wait", here.Wait(ctx))
		took = append(took, time.Since(begun))
		size := 0
		kept := r.appends()[before:]
		for _, a := range kept {
			for _, e := range a.Events {
				size += len(e)
			}
		}
		sizes = append(sizes, size)
		same(t, "commits of an answer", len(kept), 1)
	}
	w.wait(r.load(id), wf.StatusCompleted)
	t.Logf("the answer 5 took %d bytes and %s, the answer %d %d bytes and %s", sizes[5], took[5], times-1, sizes[times-2], took[times-2])
	if sizes[times-2] > sizes[5]+100 {
		t.Errorf("the answer 5 took %d bytes, the answer %d %d bytes", sizes[5], times-1, sizes[times-2])
	}
}

// A step is one commit, a pause none of its own, an answer two: one to take the run up and one that it has gone on.
func (s *suite) commits(t *testing.T) {
	w := s.world(t)
	r := w.runtime(nil)
	counts := func() []int {
		return []int{r.counted("create"), r.counted("append"), r.counted("claim"), r.counted("post")}
	}
	run := r.start(`{"name": "counted", "nodes": [{"id": "a", "node": "t.a", "next": "b"}, {"id": "b", "node": "t.b", "next": "ask"},
	  {"id": "ask", "type": "interrupt", "kind": "k", "outcomes": ["yes"], "next": "ask2"}, {"id": "ask2", "type": "interrupt", "kind": "k", "outcomes": ["yes"], "next": "c"},
	  {"id": "c", "node": "t.c", "next": "__end__"}]}`, `{}`, nil)
	w.wait(run, wf.StatusInterrupted)
	same(t, "two steps and a pause", counts(), []int{1, 2, 0, 0})
	check(t, "resume", run.Resume(ctx, wf.Answer{}))
	w.wait(run, wf.StatusInterrupted)
	same(t, "an answer", counts(), []int{1, 3, 1, 0})
	check(t, "resume", run.Resume(ctx, wf.Answer{}))
	w.wait(run, wf.StatusCompleted)
	same(t, "an answer and a step", counts(), []int{1, 5, 2, 0})
	kept := r.appends()
	same(t, "the pause gives the run back", kept[1].Release, true)
}
