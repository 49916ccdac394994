package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"lda.chat/wf"
)

// Runs that the first version kept, each in a place of its own, are as they were, and go on.
func TestMigrateEvents(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "wf.db")
	db, err := machine.open(path)
	if err != nil {
		t.Fatal(err)
	}
	first, err := migrations.ReadFile("migrations/0001.sql")
	if err != nil {
		t.Fatal(err)
	}
	must := func(_ sql.Result, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(db.Exec(string(first)))
	must(db.Exec(fmt.Sprintf(`PRAGMA application_id=%d; PRAGMA user_version=1`, applicationID)))
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"c", "a", "none", "b"} {
		n := walked
		if id == "none" {
			n = 0
		}
		must(tx.Exec(`INSERT INTO runs (id, content, revision, pruned, status, wake_at, deployment, kernel, labels, fence, owner, lease_until, created, updated, pending, first_message)
			VALUES (?, '', ?, 0, 'running', 0, '', 1, '{}', 0, '', 0, 1, 2, 0, 0)`, id, n))
		for i := range n {
			must(tx.Exec(`INSERT INTO events (run, revision, fence, at, data) SELECT n, ?, 1, 3, ? FROM runs WHERE id = ?`, i+1, []byte(text(id, wf.Revision(i+1))), id))
		}
	}
	if err := errors.Join(tx.Commit(), db.Close()); err != nil {
		t.Fatal(err)
	}

	s := opened(t, path)
	h, err := s.Head(ctx, "none")
	if err != nil || h.Revision != 0 || h.Updated.UnixMicro() != 2 {
		t.Fatalf("a run without events: %+v, %v", h, err)
	}
	for range s.Events(ctx, "none", 0) {
		t.Error("a run without events has one")
	}
	s.ended(t, "none")
	if err := s.DeleteRun(ctx, "none"); err != nil {
		t.Fatal(err)
	}
	walks(t, s)
}
