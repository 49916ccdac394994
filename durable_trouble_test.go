package wf_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

var errAway = errors.New("the store is away")

const oneCall = `{"name": "one", "nodes": [{"id": "a", "node": "t.a", "next": "__end__"}]}`

const askAndCall = `{"name": "asking", "nodes": [{"id": "ask", "type": "interrupt", "kind": "k", "outcomes": ["yes"], "next": "a"}, {"id": "a", "node": "t.a", "next": "__end__"}]}`

// acting offers t.a.
func acting(f func(ctx context.Context) error) counted {
	return counted{"t.a": wf.RawNode(open("a"), func(ctx context.Context, _ json.RawMessage) (*wf.Result, error) {
		return &wf.Result{Output: []byte(`{}`)}, f(ctx)
	}).OfSource("t")}
}

var untilCancelled = acting(func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })

var cancelMessage = wf.Message{ID: "m", Kind: "cancel", Data: []byte(`{"reason":"enough"}`)}

// A message that comes between the creation of a run and its first call is not overlooked, however long the call takes.
func TestMessageAtTheStart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		st := hook()
		st.create = func(run wf.NewRun) (wf.RunHead, error) {
			head, err := st.Memory.Create(context.Background(), run)
			if err == nil {
				_, err = st.Post(context.Background(), run.RunID, cancelMessage)
			}
			return head, err
		}
		rt := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: untilCancelled})
		run, err := rt.Start(t.Context(), parsePlan(t, oneCall), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		waitFor(t, run, time.Minute, wf.StatusCancelled)
	})
}

// waitFor waits for a run by the clock of the bubble.
func waitFor(t *testing.T, run *wf.RunHandle, most time.Duration, want wf.RunStatus) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	if err := run.Wait(ctx); err != nil {
		t.Fatalf("it is %s: %v", run.Status(), err)
	}
	wantStatus(t, run, want)
}

// An inbox that could not be read once is read again.
func TestInboxThatCannotBeRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		st := hook()
		failed := 0
		st.pending = func(id string) ([]wf.Message, error) {
			if failed++; failed <= 2 {
				return nil, errAway
			}
			return st.Memory.Pending(context.Background(), id)
		}
		rt := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: untilCancelled})
		run, err := rt.Start(t.Context(), parsePlan(t, oneCall), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if _, err := st.Post(t.Context(), run.ID(), cancelMessage); err != nil {
			t.Fatal(err)
		}
		waitFor(t, run, time.Minute, wf.StatusCancelled)
	})
}

// An answer that was taken is not called refused because the journal could not be read for a moment.
func TestVerdictThatCannotBeRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		able := hook()
		st := &hooked{Memory: able.Memory}
		owner := durableRuntime(t, &wf.RuntimeOptions{Journal: able, Nodes: acting(func(context.Context) error { return nil })})
		working, stop := context.WithCancel(t.Context())
		defer stop()
		go func() { _ = owner.Work(working, nil) }()
		run, err := owner.Start(t.Context(), parsePlan(t, askAndCall), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		lacking := durableRuntime(t, &wf.RuntimeOptions{Journal: st})
		there, err := lacking.Load(t.Context(), run.ID())
		if err != nil {
			t.Fatal(err)
		}
		failed := false
		st.events = func(id string, from wf.Revision) iter.Seq2[wf.Event, error] {
			if from > 1 && !failed {
				failed = true
				return func(yield func(wf.Event, error) bool) { yield(wf.Event{}, errAway) }
			}
			return st.Memory.Events(context.Background(), id, from)
		}
		if err := there.Resume(t.Context(), wf.Answer{Interrupt: "/ask", Outcome: "yes"}); err != nil {
			t.Errorf("it was taken, and said is: %v", err)
		}
		if !failed {
			t.Error("nothing failed")
		}
	})
}

// Closing does not wait for runs that were about to be taken up, and are not.
func TestCloseWhileARunIsTakenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		st := hook()
		w := parsePlan(t, oneCall)
		other := durableRuntime(t, &wf.RuntimeOptions{Journal: st.Memory, Nodes: untilCancelled})
		if _, err := other.Start(t.Context(), w, nil, &wf.StartOptions{Queued: true}); err != nil {
			t.Fatal(err)
		}
		reading, goOn := make(chan struct{}), make(chan struct{})
		st.events = func(id string, from wf.Revision) iter.Seq2[wf.Event, error] {
			close(reading)
			<-goOn
			return st.Memory.Events(context.Background(), id, from)
		}
		rt := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: untilCancelled})
		worked := make(chan error, 1)
		go func() { worked <- rt.Work(context.Background(), nil) }()
		<-reading
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		begun := time.Now()
		closed := make(chan struct{})
		go func() { _ = rt.Close(ctx); close(closed) }()
		synctest.Wait()
		close(goOn)
		<-closed
		if took := time.Since(begun); took > time.Second {
			t.Errorf("closing took %s", took)
		}
		if err := <-worked; err == nil {
			t.Error("it works on in a closed runtime")
		}
	})
}

// A worker claims nothing while its runtime is closing.
func TestNothingIsClaimedWhileClosing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		st := hook()
		var claims atomic.Int64
		st.claim = func(c wf.ClaimRequest) ([]wf.RunHead, error) {
			if claims.Add(1) > 100 {
				return nil, wf.ErrJournalClosed
			}
			return st.Memory.Claim(context.Background(), c)
		}
		slow := acting(func(ctx context.Context) error { time.Sleep(time.Minute); return nil })
		rt := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: slow})
		worked := make(chan error, 1)
		go func() { worked <- rt.Work(context.Background(), nil) }()
		if _, err := rt.Start(t.Context(), parsePlan(t, oneCall), nil, nil); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		closed := make(chan error, 1)
		go func() { closed <- rt.Close(context.Background()) }()
		synctest.Wait()
		other := durableRuntime(t, &wf.RuntimeOptions{Journal: st.Memory, Nodes: slow})
		if _, err := other.Start(t.Context(), parsePlan(t, oneCall), nil, &wf.StartOptions{Queued: true}); err != nil {
			t.Fatal(err)
		}
		if err := <-closed; err != nil {
			t.Error(err)
		}
		if err := <-worked; err == nil || errors.Is(err, wf.ErrJournalClosed) {
			t.Errorf("%v, after %d claims", err, claims.Load())
		}
		if n := claims.Load(); n > 5 {
			t.Errorf("%d claims", n)
		}
	})
}

// A call whose run was given up here still knows what it is a call of, and its key.
func TestCallOfALostRunKeepsItsKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		st := hook()
		infos := make(chan wf.CallInfo, 2)
		began := make(chan struct{}, 2)
		nodes := acting(func(ctx context.Context) error {
			began <- struct{}{}
			<-ctx.Done()
			info, _ := wf.CallFrom(ctx)
			infos <- info
			return nil
		})
		rt := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: nodes})
		run, err := rt.Start(t.Context(), parsePlan(t, oneCall), nil, &wf.StartOptions{RunID: "r"})
		if err != nil {
			t.Fatal(err)
		}
		<-began
		st.append = func(wf.Append) (wf.RunHead, error) { return wf.RunHead{}, &wf.FencedError{RunID: "r"} }
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_ = run.Cancel(ctx, "enough")
		if info := <-infos; info.RunID != "r" || info.IdempotencyKey != "r:/a" {
			t.Errorf("%+v", info)
		}
	})
}

// A letter that is refused because the run was lost at that moment goes to whoever has it then.
func TestLetterToARunThatIsBeingLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		st := hook()
		rt := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: untilCancelled})
		run, err := rt.Start(t.Context(), parsePlan(t, oneCall), nil, &wf.StartOptions{RunID: "r"})
		if err != nil {
			t.Fatal(err)
		}
		lost := false
		st.append = func(a wf.Append) (wf.RunHead, error) {
			if !lost {
				lost = true
				return wf.RunHead{}, &wf.FencedError{RunID: "r"}
			}
			return st.Memory.Append(context.Background(), a)
		}
		if err := run.Cancel(t.Context(), "enough"); err != nil || !lost {
			t.Errorf("lost %t: %v", lost, err)
		}
		waitFor(t, run, time.Minute, wf.StatusCancelled)
	})
}

// Whoever starts a run again that was left by a process that is gone, and waits for it, takes it up; who only looks at it does not.
func TestStartedAgainWhenItsProcessIsGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		st := store.NewMemory(nil)
		gone := &hooked{Memory: st, renewNot: true}
		hang := durableRuntime(t, &wf.RuntimeOptions{Journal: gone, Nodes: untilCancelled})
		w := parsePlan(t, oneCall)
		if _, err := hang.Start(t.Context(), w, nil, &wf.StartOptions{RunID: "r"}); err != nil {
			t.Fatal(err)
		}
		gone.append = func(wf.Append) (wf.RunHead, error) { return wf.RunHead{}, &wf.FencedError{RunID: "r"} }
		rt := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: acting(func(context.Context) error { return nil })})
		seen, err := rt.Load(t.Context(), "r")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if err := seen.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("who looks at it: %v", err)
		}
		again, err := rt.Start(t.Context(), w, nil, &wf.StartOptions{RunID: "r"})
		if err != nil {
			t.Fatal(err)
		}
		waitFor(t, again, time.Minute, wf.StatusCompleted)
	})
}

// The id of a run that was deleted may be used again; a handle on the old one shows, and drives, the new one.
func TestRunOfADeletedId(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		st := hook()
		w := parsePlan(t, `{"name": "echo", "input_schema": {"type": "object", "properties": {"n": {"type": "integer"}}}, "state_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
			"nodes": [{"id": "ask", "type": "interrupt", "kind": "k", "outcomes": ["yes"], "next": "__end__"}], "output": {"n": "state.n"}}`)
		rt := durableRuntime(t, &wf.RuntimeOptions{Journal: st})
		other := durableRuntime(t, &wf.RuntimeOptions{Journal: st})
		old, err := rt.Start(t.Context(), w, map[string]int{"n": 1}, &wf.StartOptions{RunID: "r"})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(old.Cancel(t.Context(), "enough"), st.DeleteRun(t.Context(), "r")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		for _, n := range []int{2, 3} { // with as many events as the handle knows of, and then with fewer
			fresh, err := other.Start(t.Context(), w, map[string]int{"n": n}, &wf.StartOptions{RunID: "r"})
			if err != nil {
				t.Fatal(err)
			}
			if n == 2 {
				if err := fresh.Cancel(t.Context(), "enough"); err != nil {
					t.Fatal(err)
				}
			}
			r, err := rt.Load(t.Context(), "r")
			if err != nil {
				t.Fatal(err)
			}
			if got := string(r.Info().Input); r != old || !strings.Contains(got, string(rune('0'+n))) {
				t.Errorf("run %d: the handle shows the input %s", n, got)
			}
			if n == 2 {
				if err := st.DeleteRun(t.Context(), "r"); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Second)
			}
		}
	})
}

// Where the store's clock is ahead, a run that waits is not claimed and given back over and over.
func TestStoreWithAnotherClock(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{time.Hour, -time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			st := &hooked{Memory: store.NewMemory(&store.MemoryOptions{Now: func() time.Time { return time.Now().Add(ahead) }})}
			claims := 0
			st.claim = func(c wf.ClaimRequest) ([]wf.RunHead, error) {
				heads, err := st.Memory.Claim(context.Background(), c)
				if claims += len(heads); claims > 100 {
					return nil, wf.ErrJournalClosed
				}
				return heads, err
			}
			first := durableRuntime(t, &wf.RuntimeOptions{Journal: st.Memory})
			w := parsePlan(t, `{"name": "later", "nodes": [{"id": "rest", "type": "wait", "seconds": 1800, "next": "__end__"}]}`)
			run, err := first.Start(t.Context(), w, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := first.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			rt := durableRuntime(t, &wf.RuntimeOptions{Journal: st})
			ctx, stop := context.WithCancel(t.Context())
			worked := make(chan error, 1)
			go func() { worked <- rt.Work(ctx, nil) }()
			there, err := rt.Load(t.Context(), run.ID())
			if err != nil {
				t.Fatal(err)
			}
			waitFor(t, there, 2*time.Hour, wf.StatusCompleted)
			stop()
			if err := <-worked; err != nil || claims > 3 {
				t.Errorf("%v, after %d claims", err, claims)
			}
			t.Log(there.Info().UpdatedAt.Sub(there.Info().StartedAt))
		})
	}
}

// A change that was kept, and behind which somebody else has gone on, has no effects here any more.
func TestKeptAndGoneOnElsewhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		st := hook()
		calls := make(chan string, 9)
		rt := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: acting(func(context.Context) error { calls <- "here"; return nil })})
		run, err := rt.Start(t.Context(), parsePlan(t, askAndCall), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		once := false
		st.append = func(a wf.Append) (wf.RunHead, error) {
			head, err := st.Memory.Append(context.Background(), a)
			if len(a.Events) == 0 || once || err != nil {
				return head, err
			}
			once = true
			time.Sleep(time.Minute) // the lease runs out
			if heads, err := st.Memory.Claim(context.Background(), wf.ClaimRequest{Owner: "other", TTL: time.Hour, Only: a.RunID}); err != nil || len(heads) != 1 {
				t.Errorf("claim: %v %v", heads, err)
			}
			return head, &wf.AmbiguousError{Err: errAway}
		}
		st.renewNot = true
		if err := run.Resume(t.Context(), wf.Answer{Interrupt: "/ask", Outcome: "yes"}); err != nil {
			t.Errorf("the answer was taken, and said is: %v", err)
		}
		synctest.Wait()
		if n := len(calls); n != 0 {
			t.Errorf("%d calls are made here", n)
		}
	})
}

// Results, answers and snapshots that no store takes, and many results at once that it does not take together.
func TestMoreThanAStoreTakes(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", 9<<20)
	type pair struct{ One, Two string }
	each := func(size int) counted {
		return counted{"t.a": wf.Node("a", func(context.Context, struct{}) (pair, error) { return pair{big[:size], big[:size]}, nil }).OfSource("t")}
	}
	rt := durableRuntime(t, &wf.RuntimeOptions{Journal: hook(), Nodes: each(len(big))})
	run, err := rt.Run(t.Context(), parsePlan(t, oneCall), nil)
	if err != nil {
		t.Fatal(err)
	}
	wantFailure(t, run, wf.CodeValueTooLarge, "a")
	if run, err = rt.Run(t.Context(), parsePlan(t, askAndCall), nil); err != nil {
		t.Fatal(err)
	}
	err = run.Resume(t.Context(), wf.Answer{Payload: map[string]string{"one": big, "two": big}})
	if e, ok := errors.AsType[*wf.Error](err); !ok || e.Code != wf.CodeValueTooLarge {
		t.Errorf("the answer: %v", err)
	}

	st := hook()
	most, snapshots := 0, 0
	st.append = func(a wf.Append) (wf.RunHead, error) {
		size := 0
		for _, e := range a.Events {
			size += len(e)
		}
		if a.Snapshot != nil {
			snapshots++
			return wf.RunHead{}, &wf.TooLargeError{What: "a snapshot", Size: int64(len(a.Snapshot)), Limit: 1}
		}
		most = max(most, size)
		time.Sleep(time.Millisecond) // results gather
		return st.Memory.Append(context.Background(), a)
	}
	rt = durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: each(1 << 19)})
	branches := parsePlan(t, `{"name": "many", "input_schema": {"type": "object", "properties": {"list": {"type": "array"}}}, "state_schema": {"type": "object", "properties": {"list": {"type": "array"}}},
		"nodes": [{"id": "each", "type": "foreach", "over": "state.list", "as": "n", "mode": "parallel", "max_concurrency": 30, "on": {"item": "a", "done": "__end__"}}, {"id": "a", "node": "t.a", "next": "__continue__"}]}`)
	if run, err = rt.Run(t.Context(), branches, json.RawMessage(`{"list": [`+strings.Repeat("0,", 29)+`0]}`)); err != nil {
		t.Fatal(err)
	}
	wantStatus(t, run, wf.StatusCompleted)
	if most > 6<<20 || snapshots == 0 || snapshots > 10 {
		t.Errorf("%d bytes in one change, %d snapshots", most, snapshots)
	}
}
