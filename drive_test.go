package wf_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lda.chat/wf"
)

// Runs of one workflow go on side by side, are looked at, cancelled and ended from outside, all at once; every one ends,
// every function's context is cancelled, and no goroutine is left (synctest sees to that).
func TestManyRunsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := wf.RawNode(open("work"), func(ctx context.Context, _ json.RawMessage) (*wf.Result, error) {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(time.Minute):
				return &wf.Result{Output: []byte(`{"n":1}`)}, nil
			}
		}).OfSource("t")
		rt := newRuntime(t, nodes{"t.work": slow})
		w := parsePlan(t, fmt.Sprintf(onePlan, `"timeout_seconds": 3600, "retry": {"max_attempts": 2},`, ""))
		var all sync.WaitGroup
		for i := range 60 {
			all.Go(func() {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				r, err := rt.Start(ctx, w, nil, nil)
				if err != nil {
					t.Error(err)
					return
				}
				want := wf.StatusCompleted
				switch i % 3 {
				case 1:
					want = wf.StatusCancelled
					all.Go(func() { r.Cancel(context.Background(), "enough") })
					all.Go(func() { r.Cancel(context.Background(), "twice") })
				case 2:
					want = wf.StatusCancelled
					time.AfterFunc(time.Second, cancel)
				}
				for range 3 {
					r.Info()
					if _, err := r.Trace(); err != nil {
						t.Error(err)
					}
				}
				if err := r.Wait(context.Background()); err != nil || r.Status() != want {
					t.Errorf("run %d: %s, %v; want %s", i, r.Status(), err, want)
				}
			})
		}
		all.Wait()
	})
}

// A workflow is compiled when it is run first, and not again. The count is also what a small run may allocate.
func TestProgramsAreCompiledOnce(t *testing.T) {
	ref, f := local("work", &script{answers: []string{`{"n":1}`}})
	rt := newRuntime(t, nodes{ref: f})
	w := parsePlan(t, fmt.Sprintf(onePlan, "", ""))
	run := func() {
		r, err := rt.Run(context.Background(), w, nil)
		if err != nil {
			t.Fatal(err)
		}
		wantStatus(t, r, wf.StatusCompleted)
	}
	first := testing.AllocsPerRun(1, run)
	if again := testing.AllocsPerRun(20, run); again > 60 || first > 200 {
		t.Fatalf("%v allocations, then %v", first, again)
	}
}
