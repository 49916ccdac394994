package wf_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"lda.chat/wf"
)

// looked counts how often heads are read, of a store that tells of nothing or, with told, of all.
type looked struct {
	wf.Journal
	heads atomic.Int64
}

type told struct {
	*looked
	wf.JournalWatcher
}

func (l *looked) Head(ctx context.Context, id string) (wf.RunHead, error) {
	l.heads.Add(1)
	return l.Journal.Head(ctx, id)
}

// Done is closed when a run ends that is driven elsewhere, without anybody asking; while nothing happens, it is hardly looked at.
func TestDoneElsewhere(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tells bool
		most  int64         // looks in an hour
		late  time.Duration // after the end
	}{"the store tells": {true, 122, 0}, "the store does not tell": {false, 3602, time.Second}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				st := hook()
				goOn := make(chan struct{})
				owner := durableRuntime(t, &wf.RuntimeOptions{Journal: st, Nodes: acting(func(context.Context) error { <-goOn; return nil })})
				run, err := owner.Start(t.Context(), parsePlan(t, oneCall), nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				seen := &looked{Journal: st}
				opts := &wf.RuntimeOptions{Journal: seen}
				if c.tells {
					opts.Journal = told{seen, st}
				}
				other := durableRuntime(t, opts)
				there, err := other.Load(t.Context(), run.ID())
				if err != nil {
					t.Fatal(err)
				}
				done := there.Done()
				seen.heads.Store(0)
				time.Sleep(time.Hour)
				if n := seen.heads.Load(); n > c.most {
					t.Errorf("in an hour it was looked at %d times", n)
				}
				select {
				case <-done:
					t.Error("it has not ended")
				default:
				}
				close(goOn)
				time.Sleep(c.late)
				synctest.Wait()
				select {
				case <-done:
					wantStatus(t, there, wf.StatusCompleted)
				default:
					t.Errorf("it has ended %s ago", c.late)
				}
				seen.heads.Store(0)
				time.Sleep(time.Hour)
				if n := seen.heads.Load(); n != 0 {
					t.Errorf("when it has ended, it is looked at %d times", n)
				}
				if err := st.DeleteRun(t.Context(), run.ID()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
