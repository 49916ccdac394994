package drivetest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"lda.chat/wf"
)

const besides = `{"name": "besides", "state_schema": {"type": "object", "properties": {"list": {"type": "array", "default": [0, 1, 2, 3, 4, 5]}, "sum": {}}}, "output": {"sum": "state.sum"},
 "nodes": [{"id": "each", "type": "foreach", "over": "state.list", "as": "n", "mode": "parallel", "on_item_error": "collect", "output": {"errors": "state.sum"}, "on": {"item": "deadly", "done": "__end__"}},
  {"id": "deadly", "node": "t.deadly", "input": {"n": "item.n"}, "next": "__continue__"}]}`

// deadly is a call that ends its process if it is the one that does; all take a moment.
func deadly(ctx context.Context, c wf.CallInfo, input json.RawMessage) (*wf.Result, error) {
	if strings.Contains(string(input), "3") {
		<-time.After(100 * time.Millisecond)
		os.Exit(0)
	}
	return slow(300*time.Millisecond)(ctx, c, input)
}

// dies works on runs until all have ended, if it lives to see that.
func dies(w *world, o *order) {
	w.do("t.deadly", deadly)
	r := w.runtime(nil)
	r.work(&wf.WorkOptions{Poll: 20 * time.Millisecond})
	for i, id := range o.IDs {
		plan := one
		if i == 0 {
			plan = besides
		}
		run := r.start(plan, `{}`, &wf.StartOptions{RunID: id, Queued: true})
		defer func() { check(w.t, "wait", run.Wait(ctx)) }()
	}
	fmt.Println("working")
}

// A call kills its process again and again. Those beside it, of its own run and of others, are not taken for it: it alone is given up.
func (s *suite) neighbours(t *testing.T) {
	dir := t.TempDir()
	o := order{Role: "dies", Dir: dir, IDs: []string{"deadly", "other1", "other2", "other3"}, Slow: 300 * time.Millisecond}
	w := (*world)(nil)
	for n := 0; ; n++ {
		if n > 12 {
			t.Fatal("it does not end")
		}
		o.Name = fmt.Sprint(n)
		p := s.start(t, o)
		p.end()
		if calls := entered(t, dir); calls["deadly:/each[3]/deadly 1"] != min(n+1, 5) {
			t.Fatalf("after %d processes the deadly call was made %d times: %v", n+1, calls["deadly:/each[3]/deadly 1"], calls)
		}
		if n < 5 {
			continue
		}
		w = s.lookAt(t, dir)
		break
	}
	r := w.runtime(nil)
	for _, id := range o.IDs {
		same(t, "status of "+id, w.head(id).Status, wf.StatusCompleted)
	}
	var text json.RawMessage
	var out struct {
		Sum []struct {
			Code  wf.Code
			Index int
		}
	}
	check(t, "output", r.load("deadly").Output(&text))
	check(t, "output", json.Unmarshal(text, &out))
	if len(out.Sum) != 1 || out.Sum[0].Code != wf.CodeCrashLoop || out.Sum[0].Index != 3 {
		t.Errorf("given up are %+v; it ended so: %s", out.Sum, ending(t, r.load("deadly")))
	}
	for call, n := range entered(t, dir) {
		if n > 5 {
			t.Errorf("%s was called %d times", call, n)
		}
	}
}

// Of calls that were lost twice, one is made at a time; the next comes when that is over or has gone on for long, since it may wait for it.
func (s *suite) oneByOne(t *testing.T) {
	w := s.world(t)
	letGo := w.hold("t.a")
	w.hold("t.b")
	made := func(n int) func() bool {
		return func() bool { return len(w.made("t.a")) == n && len(w.made("t.b")) == n }
	}
	r := w.runtime(nil)
	run := r.start(`{"name": "two", "nodes": [
	  {"id": "split", "type": "fork", "branches": ["a", "b"], "join": "meet", "on": {"a": "a", "b": "b"}},
	  {"id": "a", "node": "t.a", "next": "meet"}, {"id": "b", "node": "t.b", "next": "meet"},
	  {"id": "meet", "type": "join", "next": "__end__"}]}`, `{}`, nil)
	for n := 1; n <= 2; n++ {
		w.await("both are called", made(n))
		r.kill()
		w.clock.jump(lease)
		r = w.runtime(nil)
		if n == 2 { // from now on a waits for b
			w.do("t.b", func(_ context.Context, c wf.CallInfo, _ json.RawMessage) (*wf.Result, error) {
				letGo()
				return placed(c), nil
			})
		}
		r.work(nil)
	}
	w.await("a is called again", func() bool { return len(w.made("t.a")) == 3 })
	for range 5 {
		renewed := r.counted("renew")
		w.clock.jump(lease / 3)
		w.await("the lease is renewed", func() bool { return r.counted("renew") > renewed })
	}
	same(t, "calls of b", len(w.made("t.b")), 2)
	w.clock.jump(lease / 3)
	w.wait(r.load(run.ID()), wf.StatusCompleted)
	if !made(3)() {
		t.Errorf("calls: %d and %d", len(w.made("t.a")), len(w.made("t.b")))
	}
	w.once(run.ID())
}
