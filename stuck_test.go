package wf_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lda.chat/wf"
)

// work lets a runtime work until the test is over.
func work(t *testing.T, rt *wf.Runtime) {
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); _ = rt.Work(ctx, nil) }()
	t.Cleanup(func() { stop(); <-done })
}

func stuck(t *testing.T, st *hooked, id string) *wf.Stuck {
	t.Helper()
	head, err := st.Head(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return head.Stuck()
}

// A run that cannot be read says so and why, is left alone for longer and longer, also with a message in its inbox, and goes on when it can be
// read again.
func TestUnreadableRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		st := hook()
		rt := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: acting(func(context.Context) error { return nil })})
		run, err := rt.Start(t.Context(), parsePlan(t, oneCall), nil, &wf.StartOptions{Queued: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := st.Post(t.Context(), run.ID(), wf.Message{ID: "m", Kind: "answer", Data: []byte(`{"interrupt":"/none"}`)}); err != nil {
			t.Fatal(err)
		}
		reads, damaged := 0, true
		st.events = func(id string, from wf.Revision) iter.Seq2[wf.Event, error] {
			reads++
			if damaged {
				return func(yield func(wf.Event, error) bool) {
					yield(wf.Event{Revision: 1, Data: []byte(`{"seq":1,"event":"started","entries":[{"kind":"unheard"}]}`)}, nil)
				}
			}
			return st.Memory.Events(context.Background(), id, from)
		}
		other := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: acting(func(context.Context) error { return nil })})
		work(t, other)
		begun := time.Now()
		time.Sleep(2 * time.Hour)
		mark := stuck(t, st, run.ID())
		if mark == nil || !strings.Contains(mark.Reason, "event 1") || mark.Since.Sub(begun) > time.Second {
			t.Errorf("it is %+v", mark)
		}
		if reads < 3 || reads > 300 {
			t.Errorf("it was read %d times in two hours", reads)
		}
		damaged = false
		time.Sleep(10 * time.Minute)
		there, err := other.Load(t.Context(), run.ID())
		if err != nil {
			t.Fatal(err)
		}
		wantStatus(t, there, wf.StatusCompleted)
		if mark := stuck(t, st, run.ID()); mark != nil {
			t.Errorf("it is still %+v", mark)
		}
	})
}

// What the host does not admit stays as it is, whatever is due; it can be cancelled, and goes on when the host admits it.
func TestRunThatIsNotAdmitted(t *testing.T) {
	t.Parallel()
	const waits = `{"name": "waits", "nodes": [{"id": "rest", "type": "wait", "seconds": 60, "next": "a"}, {"id": "a", "node": "t.a", "next": "__end__"}]}`
	synctest.Test(t, func(t *testing.T) {
		st := hook()
		calls, asked, why := 0, 0, errors.New("not on a Sunday")
		opts := &wf.RuntimeOptions{Journal: st, Nodes: acting(func(context.Context) error { calls++; return nil }), Admit: func(_ context.Context, run wf.RunHead) error {
			if asked++; run.RunID == "panics" {
				panic("no idea")
			}
			return why
		}}
		rt := durableRuntime(t, opts)
		var runs []*wf.RunHandle
		for _, id := range []string{"goes on", "is cancelled", "panics"} {
			run, err := rt.Start(t.Context(), parsePlan(t, waits), nil, &wf.StartOptions{RunID: strings.ReplaceAll(id, " ", "-")})
			if err != nil {
				t.Fatal(err)
			}
			runs = append(runs, run)
		}
		time.Sleep(10 * time.Minute) // nobody works: the runtime itself takes them up
		if asked < 3 || asked > 70 || calls > 0 {
			t.Errorf("asked %d times, %d calls", asked, calls)
		}
		work(t, rt)
		time.Sleep(10 * time.Minute)
		for i, want := range []string{"the run may not go on: not on a Sunday", "the run may not go on: not on a Sunday", "the run may not go on: asking whether it may panicked: no idea"} {
			if mark := stuck(t, st, runs[i].ID()); mark == nil || mark.Reason != want {
				t.Errorf("%s is %+v", runs[i].ID(), mark)
			}
			wantStatus(t, runs[i], wf.StatusRunning)
		}
		if asked > 200 {
			t.Errorf("asked %d times", asked)
		}
		if err := runs[1].Cancel(t.Context(), "enough"); err != nil {
			t.Error(err)
		}
		wantStatus(t, runs[1], wf.StatusCancelled)
		if mark := stuck(t, st, runs[1].ID()); mark != nil {
			t.Errorf("what is over is %+v", mark)
		}
		why = nil
		time.Sleep(time.Minute)
		waitFor(t, runs[0], time.Second, wf.StatusCompleted)
		if mark := stuck(t, st, runs[0].ID()); mark != nil || calls != 1 {
			t.Errorf("what went on is %+v, with %d calls", mark, calls)
		}
	})
}

// An answer that the host does not admit is refused with its reason, and the question stays open.
func TestAnswerThatIsNotAdmitted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		st := hook()
		why := errors.New("not yet")
		rt := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: acting(func(context.Context) error { return nil }), Admit: func(context.Context, wf.RunHead) error { return why }})
		run, err := rt.Run(t.Context(), parsePlan(t, askAndCall), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Resume(t.Context(), wf.Answer{Outcome: "yes"}); !errors.Is(err, why) {
			t.Errorf("the answer: %v", err)
		}
		why = nil
		if err := run.Resume(t.Context(), wf.Answer{Outcome: "yes"}); err != nil {
			t.Errorf("the answer: %v", err)
		}
		waitFor(t, run, time.Minute, wf.StatusCompleted)
	})
}

// A store that takes less than others does not make a run go round: it is stuck, and after five attempts the call is given up.
func TestRecordThatNoStoreTakes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		st := hook()
		calls := 0
		st.append = func(a wf.Append) (wf.RunHead, error) {
			for _, e := range a.Events {
				if strings.Contains(string(e), `"event":"call_completed"`) {
					return wf.RunHead{}, &wf.TooLargeError{What: "an event", Size: int64(len(e)), Limit: 10}
				}
			}
			return st.Memory.Append(context.Background(), a)
		}
		rt := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: acting(func(context.Context) error { calls++; return nil })})
		work(t, rt)
		run, err := rt.Start(t.Context(), parsePlan(t, oneCall), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(15 * time.Second)
		if mark := stuck(t, st, run.ID()); mark == nil || !strings.Contains(mark.Reason, "the most is 10") {
			t.Errorf("it is %+v", mark)
		}
		time.Sleep(2 * time.Hour)
		there, err := rt.Load(t.Context(), run.ID())
		if err != nil {
			t.Fatal(err)
		}
		wantFailure(t, there, wf.CodeCrashLoop, "a")
		if mark := stuck(t, st, run.ID()); mark != nil || calls != 5 {
			t.Errorf("it is %+v, after %d calls", mark, calls)
		}
	})
}
