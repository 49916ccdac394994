package storetest

import (
	"fmt"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

// Events are read from every revision, ordered and without gaps.
func (s *suite) events(t *testing.T) {
	st := s.fresh(t, newClock())
	owned(t, st, "r", "1", "2")
	want := []string{"1", "2"}
	for n := range 20 {
		var events [][]byte
		for range n % 4 {
			want = append(want, fmt.Sprint(len(want)+1))
			events = append(events, []byte(want[len(want)-1]))
		}
		_, err := st.Append(ctx, wf.Append{RunID: "r", Expect: wf.Revision(len(want) - len(events)), Fence: 1, Events: events})
		check(t, "append", err)
	}
	for from := range len(want) {
		same(t, fmt.Sprint("events from ", from+1), read(t, st, "r", wf.Revision(from+1)), want[from:])
	}
	same(t, "events from 0", read(t, st, "r", 0), want)
	same(t, "events past the end", read(t, st, "r", wf.Revision(len(want)+1)), []string{})
	for _, err := range st.Events(ctx, "none", 0) {
		refused[*wf.NotFoundError](t, "events of no run", err)
	}
	for range st.Events(ctx, "r", 0) {
		break // the store must not be held by a reader who stopped
	}
	for e, err := range st.Events(ctx, "r", 3) {
		check(t, "events", err)
		if e.Revision == 3 { // nor by one who writes while it reads
			_, err := st.Append(ctx, wf.Append{RunID: "r", Expect: wf.Revision(len(want)), Fence: 1, Events: lines("more")})
			check(t, "append while reading", err)
		}
	}
}

// A snapshot is found from its revision on, and from the next one the next.
func (s *suite) snapshots(t *testing.T) {
	st := s.fresh(t, newClock())
	owned(t, st, "r")
	_, err := st.LoadSnapshot(ctx, "r", 0)
	refused[*wf.NotFoundError](t, "a snapshot of a run that has none", err)
	_, err = st.LoadSnapshot(ctx, "none", 0)
	refused[*wf.NotFoundError](t, "a snapshot of no run", err)
	for i := range wf.Revision(10) {
		a := wf.Append{RunID: "r", Expect: i, Fence: 1, Events: lines("e")}
		if i%3 == 2 {
			a.Snapshot = fmt.Append(nil, "state at ", i+1)
		}
		_, err := st.Append(ctx, a)
		check(t, "append", err)
	}
	for upTo := range wf.Revision(12) {
		at := upTo / 3 * 3
		if upTo == 0 || upTo > 9 {
			at = 9
		}
		got, err := st.LoadSnapshot(ctx, "r", upTo)
		if at == 0 {
			refused[*wf.NotFoundError](t, "a snapshot before the first", err)
			continue
		}
		check(t, "snapshot", err)
		same(t, fmt.Sprint("snapshot up to ", upTo), got, wf.Snapshot{Revision: at, Data: fmt.Append(nil, "state at ", at)})
	}
}

// history makes a run of ten events with a snapshot after the fifth.
func history(t *testing.T, st store.Store, id string) {
	owned(t, st, id)
	for i := range wf.Revision(10) {
		a := wf.Append{RunID: id, Expect: i, Fence: 1, Events: lines(fmt.Sprint(i + 1))}
		if i == 4 {
			a.Snapshot = []byte("state")
		}
		_, err := st.Append(ctx, a)
		check(t, "append", err)
	}
}

// A fork at every revision has the events up to there and goes on by itself; its source stays as it is.
func (s *suite) fork(t *testing.T) {
	c := newClock()
	st := s.fresh(t, c)
	history(t, st, "r")
	history(t, st, "other")
	before, events := head(t, st, "r"), read(t, st, "r", 0)
	c.move(time.Hour)
	for at := wf.Revision(1); at <= 10; at++ {
		id := fmt.Sprint("fork ", at)
		run := wf.NewRun{RunID: id, Kernel: 2, Labels: map[string]string{"of": "r"}, Owner: "p", TTL: time.Minute, Events: lines("edited")}
		got, err := st.Fork(ctx, "r", at, run)
		check(t, id, err)
		same(t, id, got, wf.RunHead{RunID: id, Revision: at + 1, Status: wf.StatusRunning, Kernel: 2, Labels: run.Labels, Fence: 1, Owner: "p",
			LeaseUntil: c.now().Add(time.Minute), Created: c.now(), Updated: c.now()})
		want := append(append([]string{}, events[:at]...), "edited")
		same(t, "events of "+id, read(t, st, id, 0), want)
		snap, err := st.LoadSnapshot(ctx, id, 0)
		if at >= 5 {
			check(t, "snapshot of "+id, err)
			same(t, "snapshot of "+id, snap, wf.Snapshot{Revision: 5, Data: []byte("state")})
		} else {
			refused[*wf.NotFoundError](t, "snapshot of "+id, err)
		}
		again, err := st.Fork(ctx, "r", at, run)
		check(t, "repeated "+id, err)
		same(t, "repeated "+id, again, got)
		_, err = st.Fork(ctx, "r", at%10+1, run)
		refused[*wf.ExistsError](t, id+" at another revision", err)
		_, err = st.Fork(ctx, "other", at, run)
		refused[*wf.ExistsError](t, id+" of another run", err)
		_, err = st.Append(ctx, wf.Append{RunID: id, Expect: at + 1, Fence: 1, Events: lines("on")})
		check(t, "append to "+id, err)
		same(t, "events of "+id, read(t, st, id, at+1), []string{"edited", "on"})
	}
	same(t, "the source", head(t, st, "r"), before)
	same(t, "the source's events", read(t, st, "r", 0), events)
	for _, at := range []wf.Revision{0, 11} {
		_, err := st.Fork(ctx, "r", at, wf.NewRun{RunID: "new"})
		refused[*wf.NotFoundError](t, fmt.Sprint("fork at ", at), err)
	}
	_, err := st.Fork(ctx, "none", 1, wf.NewRun{RunID: "new"})
	refused[*wf.NotFoundError](t, "fork of no run", err)

	_, err = st.Append(ctx, wf.Append{RunID: "r", Expect: 10, Fence: 1, Status: wf.StatusCompleted})
	check(t, "append", err)
	check(t, "delete", st.DeleteRun(ctx, "r"))
	same(t, "a fork outlives its source", read(t, st, "fork 10", 9), []string{"9", "10", "edited", "on"})
}

// Events before a snapshot can be dropped, and only those.
func (s *suite) prune(t *testing.T) {
	st := s.fresh(t, newClock())
	history(t, st, "r")
	for _, at := range []wf.Revision{0, 4, 6, 11} {
		refused[*wf.NotFoundError](t, fmt.Sprint("prune at ", at), st.Prune(ctx, "r", at))
	}
	refused[*wf.NotFoundError](t, "prune no run", st.Prune(ctx, "none", 5))
	same(t, "events", len(read(t, st, "r", 1)), 10)
	for range 2 {
		check(t, "prune", st.Prune(ctx, "r", 5))
		same(t, "pruned", head(t, st, "r").Pruned, 5)
		same(t, "events that are left", read(t, st, "r", 0), []string{"6", "7", "8", "9", "10"})
	}
	for _, err := range st.Events(ctx, "r", 5) {
		refused[*wf.NotFoundError](t, "an event that was pruned", err)
	}
	snap, err := st.LoadSnapshot(ctx, "r", 7)
	check(t, "snapshot", err)
	same(t, "snapshot", snap.Revision, 5)
	_, err = st.LoadSnapshot(ctx, "r", 4)
	refused[*wf.NotFoundError](t, "a snapshot before it", err)
	_, err = st.Fork(ctx, "r", 4, wf.NewRun{RunID: "f4"})
	refused[*wf.NotFoundError](t, "fork at a revision that was pruned", err)
	_, err = st.Fork(ctx, "r", 5, wf.NewRun{RunID: "f5", Events: lines("edited")})
	check(t, "fork at the snapshot", err)
	same(t, "its events", read(t, st, "f5", 0), []string{"edited"})
	same(t, "its head", head(t, st, "f5").Pruned, 5)
	_, err = st.Append(ctx, wf.Append{RunID: "r", Expect: 10, Fence: 1, Events: lines("11"), Snapshot: []byte("later")})
	check(t, "append", err)
	check(t, "prune", st.Prune(ctx, "r", 11))
	same(t, "nothing is left", read(t, st, "r", 0), []string{})
	_, err = st.Append(ctx, wf.Append{RunID: "r", Expect: 11, Fence: 1, Events: lines("12")})
	check(t, "append", err)
	same(t, "and it goes on", read(t, st, "r", 12), []string{"12"})
}

// Runs that have ended can be deleted, and nothing of them comes back.
func (s *suite) deletion(t *testing.T) {
	c := newClock()
	st := s.fresh(t, c)
	end := func(id string, status wf.RunStatus) {
		h := head(t, st, id)
		_, err := st.Append(ctx, wf.Append{RunID: id, Expect: h.Revision, Fence: 1, Events: lines("end"), Status: status})
		check(t, "end", err)
	}
	for i := range 6 {
		owned(t, st, idOf(i), "e")
		post(t, st, idOf(i), "m")
	}
	refused[*wf.StatusError](t, "delete a run that goes on", st.DeleteRun(ctx, idOf(0)))
	end(idOf(5), wf.StatusInterrupted)
	refused[*wf.StatusError](t, "delete a run that waits", st.DeleteRun(ctx, idOf(5)))
	end(idOf(0), wf.StatusCompleted)
	check(t, "delete", st.DeleteRun(ctx, idOf(0)))
	refused[*wf.NotFoundError](t, "delete it again", st.DeleteRun(ctx, idOf(0)))
	if h := owned(t, st, idOf(0), "another"); h.Revision != 1 || h.Pending != 0 {
		t.Errorf("a new run of the same id: %+v", h)
	}
	same(t, "its events", read(t, st, idOf(0), 0), []string{"another"})
	if !post(t, st, idOf(0), "m") {
		t.Error("the new run knows messages of the old one")
	}
	end(idOf(1), wf.StatusFailed)
	end(idOf(2), wf.StatusCancelled)
	c.move(time.Hour)
	end(idOf(3), wf.StatusCompleted)
	n, err := store.Retain(ctx, st, c.now(), nil)
	check(t, "retain", err)
	same(t, "deleted", n, 2)
	var ids []string
	for _, h := range all(t, st, wf.RunQuery{}) {
		ids = append(ids, h.RunID)
	}
	same(t, "what is left", ids, []string{idOf(5), idOf(4), idOf(3), idOf(0)})
}
