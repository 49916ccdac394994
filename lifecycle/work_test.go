package lifecycle_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/store"
)

// Workers delete the runs whose time is over, side by side, so many at a time; what goes on, waits or is kept for good stays.
func TestWorkersRetain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		st := store.NewMemory(nil)
		first, second := on(t, st, selling(t, buy(nil))), on(t, st, selling(t, buy(nil)))
		hour := int64(3600)
		deploy(t, first, buying, "hour", func(p *lifecycle.SaveDeployment) { p.RetentionSeconds = &hour })
		deploy(t, first, buying, "good", nil)
		add := func(deployment, id string, status wf.RunStatus) {
			t.Helper()
			run := wf.NewRun{RunID: id, Deployment: deployment, Kernel: 1, Status: status, Events: [][]byte{[]byte("{}")}}
			if status == wf.StatusRunning {
				run.WakeAt = time.Now().Add(100 * time.Hour)
			}
			if _, err := st.Create(ctx, run); err != nil {
				t.Fatal(err)
			}
		}
		const many = 2500
		for i := range many {
			add("hour", fmt.Sprintf("old_%d", i), []wf.RunStatus{wf.StatusCompleted, wf.StatusFailed, wf.StatusCancelled}[i%3])
		}
		add("hour", "waits", wf.StatusInterrupted)
		add("hour", "goes_on", wf.StatusRunning)
		add("good", "kept", wf.StatusCompleted)
		add("", "alone", wf.StatusCompleted)
		left := func() string {
			t.Helper()
			var ids []string
			for _, prefix := range []string{"old", "young", "waits", "goes_on", "kept", "alone"} {
				page, err := first.ListRuns(ctx, &lifecycle.ListRuns{Limit: 1000})
				if err != nil {
					t.Fatal(err)
				}
				if slices.ContainsFunc(page.Runs, func(r lifecycle.ListedRun) bool { return strings.HasPrefix(r.RunID, prefix) }) {
					ids = append(ids, prefix)
				}
			}
			return strings.Join(ids, " ")
		}
		events := func() (deleted int) {
			t.Helper()
			list, err := first.ListEvents(ctx, &lifecycle.ListEvents{Method: "deployments.retain"})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range list.Events {
				var n int
				if _, err := fmt.Sscanf(e.Note, "%d", &n); err != nil || n < 1 || n > 1000 {
					t.Errorf("an event tells %q, %v", e.Note, err)
				}
				deleted += n
			}
			return deleted
		}
		ended := make(chan error, 2)
		for _, s := range []*lifecycle.Service{first, second} {
			go func() { ended <- s.Work(ctx, nil) }()
		}
		time.Sleep(59 * time.Minute)
		add("hour", "young", wf.StatusCompleted)
		if n := events(); n != 0 {
			t.Errorf("%d runs were deleted before their time", n)
		}
		time.Sleep(12 * time.Minute)
		if got := left(); got != "young waits goes_on kept alone" || events() != many {
			t.Errorf("left are %s, and events tell of %d", got, events())
		}
		time.Sleep(time.Hour)
		if got := left(); got != "waits goes_on kept alone" || events() != many+1 {
			t.Errorf("at last, left are %s, and events tell of %d", got, events())
		}
		stop()
		for range 2 {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	})
}

// A worker deletes at its start what is due, and what cannot be read does not end it.
func TestWorkersRetainAtTheStart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		st := store.NewMemory(nil)
		s := on(t, st, selling(t, buy(nil)))
		second := int64(1)
		deploy(t, s, buying, "second", func(p *lifecycle.SaveDeployment) { p.RetentionSeconds = &second })
		if _, err := st.Create(ctx, wf.NewRun{RunID: "old", Deployment: "second", Kernel: 1, Status: wf.StatusFailed, Events: [][]byte{[]byte("{}")}}); err != nil {
			t.Fatal(err)
		}
		if _, err := st.PutRecord(ctx, "deployment", "damaged", 0, []byte("{")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		ended := make(chan error)
		go func() { ended <- s.Work(ctx, nil) }()
		synctest.Wait()
		if list, err := s.ListRuns(ctx, &lifecycle.ListRuns{}); err != nil || len(list.Runs) != 0 {
			t.Errorf("%+v, %v", list, err)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		for _, p := range []lifecycle.RetainRuns{{}, {Limit: -1}} {
			if _, err := s.RetainRuns(t.Context(), &p); err == nil {
				t.Errorf("%+v: what cannot be read, and what cannot be, is told", p)
			}
		}
	})
}
