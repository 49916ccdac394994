package storetest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

// Golden opens a copy of a folder that an earlier version of the store wrote, finds in it what that version put there, and goes on. The
// folder of each version is kept for good; with WF_UPDATE=1 one that is not there yet is made.
func Golden(t *testing.T, open Open, dir string) {
	c := newClock()
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && os.Getenv("WF_UPDATE") != "" {
		made := t.TempDir()
		st, err := open(made, c.now)
		check(t, "open", err)
		fill(t, st, c)
		check(t, "close", st.Close())
		_ = os.Remove(filepath.Join(made, "lock")) // a file without content, made anew
		check(t, "keep", os.CopyFS(dir, os.DirFS(made)))
	}
	s := &suite{open: open}
	c.move(time.Hour)
	st := s.at(t, copyDir(t, dir), c)

	h := head(t, st, "run_1")
	want := wf.RunHead{RunID: "run_1", Revision: 4, Pruned: 2, Status: wf.StatusInterrupted, WakeAt: newClock().now().Add(time.Hour), Pending: 1,
		Deployment: "report@1", Kernel: 1, Labels: map[string]string{"pool": "a"}, Fence: 1, Created: h.Created, Updated: h.Updated}
	same(t, "head", h, want)
	same(t, "events", read(t, st, "run_1", 0), []string{"three\n", "four"})
	snap, err := st.LoadSnapshot(ctx, "run_1", 0)
	check(t, "snapshot", err)
	same(t, "snapshot", snap, wf.Snapshot{Revision: 2, Data: []byte("state")})
	same(t, "pending", pendingIDs(t, st, "run_1"), []string{"left"})
	if post(t, st, "run_1", "taken") {
		t.Error("a message that was consumed is fresh again")
	}
	same(t, "a fork", read(t, st, "run_2", 0), []string{"three\n", "edited"})
	r, err := st.GetRecord(ctx, "draft", "report")
	check(t, "record", err)
	same(t, "record", string(r.Value), `{"name":"report"}`)
	n, err := st.PutRecord(ctx, "draft", "gone", 0, nil)
	check(t, "record", err)
	same(t, "the revision after a deleted one", n, 2)
	ref, err := st.PutBlob(ctx, strings.NewReader("blob"))
	check(t, "blob", err)
	b, err := st.OpenBlob(ctx, ref)
	check(t, "blob", err)
	check(t, "close", b.Close())
	same(t, "claimed", len(claim(t, st, wf.ClaimRequest{Max: 9, Owner: "next"})), 2)
	_, err = st.Append(ctx, wf.Append{RunID: "run_1", Expect: 4, Fence: 2, Events: lines("five"), Status: wf.StatusCompleted})
	check(t, "append", err)
}

func fill(t *testing.T, st store.Store, c *clock) {
	_, err := st.Create(ctx, wf.NewRun{RunID: "run_1", Deployment: "report@1", Kernel: 1, Owner: "p", TTL: time.Minute, Events: lines("one")})
	check(t, "create", err)
	post(t, st, "run_1", "taken")
	post(t, st, "run_1", "left")
	_, err = st.Append(ctx, wf.Append{RunID: "run_1", Expect: 1, Fence: 1, Events: lines("two"), Snapshot: []byte("state"), Consume: []string{"taken"}})
	check(t, "append", err)
	check(t, "prune", st.Prune(ctx, "run_1", 2))
	_, err = st.Append(ctx, wf.Append{RunID: "run_1", Expect: 2, Fence: 1, Events: lines("three\n", "four"), Status: wf.StatusInterrupted,
		WakeAt: c.now().Add(time.Hour), Labels: map[string]string{"pool": "a"}, Release: true})
	check(t, "append", err)
	_, err = st.Fork(ctx, "run_1", 3, wf.NewRun{RunID: "run_2", WakeAt: c.now(), Events: lines("edited")})
	check(t, "fork", err)
	for _, key := range []string{"report", "gone"} {
		_, err = st.PutRecord(ctx, "draft", key, 0, []byte(`{"name":"report"}`))
		check(t, "put", err)
	}
	check(t, "delete", st.DeleteRecord(ctx, "draft", "gone", 1))
	_, err = st.PutBlob(ctx, strings.NewReader("blob"))
	check(t, "blob", err)
}
