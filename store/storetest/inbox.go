package storetest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

func post(t *testing.T, s store.Store, run, id string) bool {
	t.Helper()
	fresh, err := s.Post(ctx, run, wf.Message{ID: id, Kind: "answer", Data: []byte(id)})
	check(t, "post", err)
	return fresh
}

func pendingIDs(t *testing.T, s store.Store, run string) []string {
	t.Helper()
	list, err := s.Pending(ctx, run)
	check(t, "pending", err)
	ids := []string{}
	for _, m := range list {
		ids = append(ids, m.ID)
	}
	return ids
}

// Messages stay, in order, until they are consumed, and are taken once.
func (s *suite) inbox(t *testing.T) {
	c := newClock()
	st := s.fresh(t, c)
	owned(t, st, "r")
	owned(t, st, "other")
	for _, id := range []string{"z", "a", "m"} {
		if !post(t, st, "r", id) {
			t.Errorf("message %s is not fresh", id)
		}
		c.move(time.Second)
	}
	if post(t, st, "r", "a") {
		t.Error("a message that was posted twice is fresh")
	}
	if !post(t, st, "other", "a") {
		t.Error("the ids of messages are those of their run")
	}
	same(t, "pending", pendingIDs(t, st, "r"), []string{"z", "a", "m"})
	_, err := st.Append(ctx, wf.Append{RunID: "r", Fence: 1, Consume: []string{"a"}})
	check(t, "append", err)
	if post(t, st, "r", "a") {
		t.Error("a message that was consumed is fresh again")
	}
	same(t, "pending", pendingIDs(t, st, "r"), []string{"z", "m"})
	_, err = st.Append(ctx, wf.Append{RunID: "r", Fence: 1, Consume: []string{"a"}})
	refused[*wf.NotFoundError](t, "a message consumed twice", err)
	same(t, "pending in the head", head(t, st, "r").Pending, 2)

	_, err = st.Append(ctx, wf.Append{RunID: "r", Fence: 1, Status: wf.StatusCompleted})
	check(t, "append", err)
	same(t, "pending after the end", pendingIDs(t, st, "r"), []string{"z", "m"})
	_, err = st.Post(ctx, "r", wf.Message{ID: "new"})
	refused[*wf.StatusError](t, "post to a run that has ended", err)
	if post(t, st, "r", "z") {
		t.Error("a message that is there is fresh after the end")
	}
	_, err = st.Post(ctx, "none", wf.Message{ID: "m"})
	refused[*wf.NotFoundError](t, "post to no run", err)
	_, err = st.Pending(ctx, "none")
	refused[*wf.NotFoundError](t, "pending of no run", err)
}

// Of several who post one message exactly one is told that it is fresh.
func (s *suite) racingPosts(t *testing.T) {
	st := s.fresh(t, newClock())
	owned(t, st, "r")
	for round := range 10 {
		var fresh atomic.Int32
		together(8, func(int) {
			ok, err := st.Post(ctx, "r", wf.Message{ID: fmt.Sprint(round)})
			if err != nil {
				t.Errorf("post: %v", err)
			}
			if ok {
				fresh.Add(1)
			}
		})
		if fresh.Load() != 1 {
			t.Fatalf("a message was fresh %d times", fresh.Load())
		}
	}
	same(t, "pending", len(pendingIDs(t, st, "r")), 10)
}

// A message that comes while its run is parked wakes it, whichever is first.
func (s *suite) postRacingPark(t *testing.T) {
	st := s.fresh(t, newClock())
	for round := range 30 {
		id := idOf(round)
		owned(t, st, id)
		together(2, func(i int) {
			var err error
			if i == 0 {
				_, err = st.Append(ctx, wf.Append{RunID: id, Fence: 1, Events: lines("parked"), Status: wf.StatusInterrupted, Release: true})
			} else {
				_, err = st.Post(ctx, id, wf.Message{ID: "m"})
			}
			if err != nil {
				t.Errorf("round %d: %v", round, err)
			}
		})
		same(t, "woken", claim(t, st, wf.ClaimRequest{}), []string{id})
	}
}

// A watcher hears of what others do in the same process.
func (s *suite) watch(t *testing.T) {
	st := s.fresh(t, newClock())
	w, ok := st.(wf.JournalWatcher)
	if !ok {
		t.Skip("the store cannot be watched")
	}
	var mu sync.Mutex
	var heard []string
	stop := w.Watch(func(id string) {
		mu.Lock()
		defer mu.Unlock()
		if id != "" {
			heard = append(heard, id)
		}
	})
	expect := func(what string, want ...string) {
		t.Helper()
		mu.Lock()
		defer mu.Unlock()
		same(t, what, heard, want)
		heard = nil
	}
	owned(t, st, "r")
	expect("created", "r")
	post(t, st, "r", "m")
	expect("posted", "r")
	post(t, st, "r", "m")
	expect("posted again")
	_, err := st.Append(ctx, wf.Append{RunID: "r", Fence: 1, Events: lines("one")})
	check(t, "append", err)
	expect("an append that nobody waits for")
	_, err = st.Append(ctx, wf.Append{RunID: "r", Expect: 1, Fence: 1, Consume: []string{"m"}})
	check(t, "append", err)
	expect("consumed", "r")
	check(t, "release", st.Release(ctx, wf.Lease{RunID: "r", Fence: 1}))
	expect("released", "r")
	stop()
	post(t, st, "r", "m2")
	expect("stopped")
}
