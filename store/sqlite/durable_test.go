package sqlite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"lda.chat/wf"
)

// Killing a process cannot tell whether commits were synced, so this looks at what was set.
func TestSyncedBeforeAnswered(t *testing.T) {
	t.Parallel()
	s, err := Open(filepath.Join(t.TempDir(), "wf.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for pragma, want := range map[string]string{"synchronous": "2", "journal_mode": "wal"} {
		var got string
		if err := s.writer.row("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %s, want %s: %v", pragma, got, want, err)
		}
	}
}

// A request that fails after it has written takes back what it wrote, and nothing of the others in its group.
func TestFailsAlone(t *testing.T) {
	t.Parallel()
	s, err := Open(filepath.Join(t.TempDir(), "wf.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	broken := errors.New("a file could not be read")
	var group []*request
	for i := range 5 {
		run := wf.NewRun{RunID: fmt.Sprint("r", i), Status: wf.StatusRunning}
		group = append(group, &request{do: func(w *writer) error {
			if _, err := w.create(&run, nil, 0); err != nil {
				return err
			}
			switch i {
			case 1:
				return broken
			case 3:
				_, err := w.exec(`INSERT INTO events (run, revision, fence, at, data) VALUES (1, 1, 1, 1, NULL)`)
				return err
			}
			return nil
		}})
	}
	s.commit(group)
	for i, r := range group {
		_, err := s.Head(context.Background(), fmt.Sprint("r", i))
		if failed := i == 1 || i == 3; (r.err != nil) != failed || (err != nil) != failed {
			t.Errorf("request %d: %v; read back: %v", i, r.err, err)
		}
	}
	if !errors.Is(group[1].err, broken) || machine.code(group[3].err) == 0 {
		t.Errorf("the failures are %v and %v", group[1].err, group[3].err)
	}
}

// Of a run that was deleted no row is left.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s, err := Open(filepath.Join(t.TempDir(), "wf.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Create(ctx, wf.NewRun{RunID: "r", Owner: "p", TTL: time.Minute}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Post(ctx, "r", wf.Message{ID: "m"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(ctx, wf.Append{RunID: "r", Fence: 1, Events: [][]byte{nil}, Snapshot: []byte("s"), Status: wf.StatusFailed}); err != nil {
		t.Fatal(err)
	}
	count := func() (n int) {
		for _, table := range []string{"runs", "events", "snapshots", "messages"} {
			var rows int
			if err := s.read.QueryRow("SELECT count(*) FROM " + table).Scan(&rows); err != nil {
				t.Fatal(err)
			}
			n += rows
		}
		return n
	}
	if n := count(); n != 4 {
		t.Errorf("%d rows before, want one in each table", n)
	}
	if err := s.DeleteRun(ctx, "r"); err != nil {
		t.Fatal(err)
	}
	if n := count(); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}
