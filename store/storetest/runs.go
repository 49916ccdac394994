package storetest

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lda.chat/wf"
)

// A create that is repeated finds the run as it stands; other content is refused.
func (s *suite) create(t *testing.T) {
	c := newClock()
	st := s.fresh(t, c)
	wake := c.now().Add(1500 * time.Nanosecond)
	run := wf.NewRun{RunID: "run_1", Deployment: "d@1", Kernel: 7, Labels: map[string]string{"a": "ä\u0301 \t"}, WakeAt: wake, Events: lines("one", "two")}
	got, err := st.Create(ctx, run)
	check(t, "create", err)
	want := wf.RunHead{RunID: "run_1", Revision: 2, Status: wf.StatusRunning, WakeAt: c.now().Add(2 * time.Microsecond), Deployment: "d@1", Kernel: 7,
		Labels: run.Labels, Created: c.now(), Updated: c.now()}
	same(t, "created", got, want)
	if got.WakeAt.Before(wake) {
		t.Error("a run must not be woken before its time")
	}
	c.move(time.Second)
	got, err = st.Create(ctx, run)
	check(t, "create again", err)
	same(t, "created again", got, want)
	same(t, "events", read(t, st, "run_1", 0), []string{"one", "two"})

	for name, other := range map[string]wf.NewRun{
		"events":     {RunID: "run_1", Deployment: "d@1", Kernel: 7, Labels: run.Labels, Events: lines("onet", "wo")},
		"deployment": {RunID: "run_1", Deployment: "d@2", Kernel: 7, Labels: run.Labels, Events: run.Events},
		"kernel":     {RunID: "run_1", Deployment: "d@1", Kernel: 8, Labels: run.Labels, Events: run.Events},
		"labels":     {RunID: "run_1", Deployment: "d@1", Kernel: 7, Events: run.Events},
		"content":    {RunID: "run_1", Content: "x", Deployment: "d@1", Kernel: 7, Labels: run.Labels, Events: run.Events},
	} {
		_, err := st.Create(ctx, other)
		refused[*wf.ExistsError](t, "create with other "+name, err)
	}

	var made atomic.Int32
	together(8, func(i int) {
		_, err := st.Create(ctx, wf.NewRun{RunID: "raced", Events: lines(fmt.Sprint(i))})
		if err == nil {
			made.Add(1)
		} else if word(err) != "exists" {
			t.Errorf("racing create: %v", err)
		}
	})
	if made.Load() != 1 {
		t.Errorf("%d of the racing creates succeeded, want 1", made.Load())
	}
}

// An append changes all that it says and nothing else; a refused one changes nothing.
func (s *suite) append(t *testing.T) {
	c := newClock()
	st := s.fresh(t, c)
	before := owned(t, st, "r", "one")
	_, err := st.Post(ctx, "r", wf.Message{ID: "m1"})
	check(t, "post", err)
	c.move(time.Second)
	good := wf.Append{RunID: "r", Expect: 1, Fence: 1, Events: lines("two", "", "three"), Consume: []string{"m1"}, Status: wf.StatusInterrupted,
		WakeAt: c.now().Add(time.Hour), Labels: map[string]string{"k": "v"}, Snapshot: []byte("state")}
	for what, spoil := range map[string]func(*wf.Append){
		"not found": func(a *wf.Append) { a.Consume = []string{"m1", "m2"} },
		"conflict":  func(a *wf.Append) { a.Expect = 0 },
		"fenced":    func(a *wf.Append) { a.Fence = 2 },
	} {
		a := good
		spoil(&a)
		_, err := st.Append(ctx, a)
		if word(err) != what {
			t.Errorf("a spoilt append: %v, want %s", err, what)
		}
	}
	twice := good
	twice.Consume = []string{"m1", "m1"}
	if _, err := st.Append(ctx, twice); word(err) != "not found" {
		t.Errorf("a message taken twice: %v", err)
	}
	before.Pending = 1
	same(t, "after refused appends", head(t, st, "r"), before)
	same(t, "events after refused appends", read(t, st, "r", 0), []string{"one"})

	got, err := st.Append(ctx, good)
	check(t, "append", err)
	want := before
	want.Revision, want.Pending, want.Status, want.WakeAt, want.Labels, want.Updated = 4, 0, wf.StatusInterrupted, good.WakeAt, good.Labels, c.now()
	same(t, "appended", got, want)
	same(t, "head", head(t, st, "r"), want)
	same(t, "events", read(t, st, "r", 0), []string{"one", "two", "", "three"})

	got, err = st.Append(ctx, wf.Append{RunID: "r", Expect: 4, Fence: 1, Status: wf.StatusCompleted})
	check(t, "an append without events that ends the run", err)
	if got.Owner != "" || !got.LeaseUntil.IsZero() {
		t.Errorf("a run that has ended is held: %+v", got)
	}
	same(t, "labels stay", got.Labels, good.Labels)
	_, err = st.Append(ctx, wf.Append{RunID: "r", Expect: 4, Fence: 1, Events: lines("more"), Status: wf.StatusRunning})
	refused[*wf.StatusError](t, "append to a run that has ended", err)
	_, err = st.Append(ctx, wf.Append{RunID: "none", Fence: 1})
	refused[*wf.NotFoundError](t, "append to no run", err)
}

// Of several that append to one revision exactly one succeeds, and nothing of the others is seen.
func (s *suite) racingAppends(t *testing.T) {
	st := s.fresh(t, newClock())
	owned(t, st, "r")
	for revision := range wf.Revision(10) {
		var winner atomic.Int32
		winner.Store(-1)
		together(16, func(i int) {
			h, err := st.Append(ctx, wf.Append{RunID: "r", Expect: revision, Fence: 1, Events: lines(fmt.Sprint(i)),
				Labels: map[string]string{"by": fmt.Sprint(i)}, Snapshot: fmt.Append(nil, i)})
			switch {
			case err == nil && !winner.CompareAndSwap(-1, int32(i)):
				t.Errorf("a second append to revision %d succeeded", revision)
			case err == nil && h.Revision != revision+1:
				t.Errorf("the run is at %d after an append to %d", h.Revision, revision)
			case err != nil:
				if e := refused[*wf.ConflictError](t, "racing append", err); e.Current != revision+1 || e.Expected != revision {
					t.Errorf("a loser is told %v", e)
				}
			}
		})
		by := fmt.Sprint(winner.Load())
		same(t, "the winner's event", read(t, st, "r", revision+1), []string{by})
		same(t, "the winner's labels", head(t, st, "r").Labels["by"], by)
		snap, err := st.LoadSnapshot(ctx, "r", 0)
		check(t, "snapshot", err)
		same(t, "the winner's snapshot", snap, wf.Snapshot{Revision: revision + 1, Data: []byte(by)})
	}
}

// Requests that are committed together fail alone.
func (s *suite) isolation(t *testing.T) {
	st := s.fresh(t, newClock())
	const n = 60
	for i := range n {
		owned(t, st, idOf(i))
	}
	for round := range wf.Revision(4) {
		together(n, func(i int) {
			a := wf.Append{RunID: idOf(i), Expect: round, Fence: 1, Events: lines("e")}
			want := ""
			switch i % 6 {
			case 1:
				a.Expect, want = a.Expect+1, "conflict"
			case 2:
				a.Fence, want = 9, "fenced"
			case 3:
				a.RunID, want = "none", "not found"
			case 4:
				a.Consume, want = []string{"no such message"}, "not found"
			}
			if _, err := st.Append(ctx, a); word(err) != want {
				t.Errorf("append %d of round %d: %v, want %q", i, round, err, want)
			}
			if want != "" {
				a.RunID, a.Expect, a.Fence, a.Consume = idOf(i), round, 1, nil
				if _, err := st.Append(ctx, a); err != nil {
					t.Errorf("append %d of round %d put right: %v", i, round, err)
				}
			}
		})
	}
	for i := range n {
		if got := strings.Join(read(t, st, idOf(i), 0), ""); got != "eeee" {
			t.Errorf("%s has events %q", idOf(i), got)
		}
	}
}
