package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lda.chat/wf"
)

var ctx = context.Background()

func opened(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// grouped carries out changes in one commit, as those are that come together.
func (s *Store) grouped(t *testing.T, changes ...func(*writer) error) {
	t.Helper()
	var group []*request
	for _, do := range changes {
		group = append(group, &request{do: do})
	}
	s.commit(group)
	for i, r := range group {
		if r.err != nil {
			t.Fatalf("change %d: %v", i, r.err)
		}
	}
}

// text is what event n of a run says.
func text(run string, n wf.Revision) string { return fmt.Sprint(run, " ", n) }

// steps lets runs take turns for n steps each.
func steps(t *testing.T, s *Store, n int, runs ...string) {
	t.Helper()
	var begin []func(*writer) error
	for _, id := range runs {
		begin = append(begin, func(w *writer) error {
			_, err := w.create(&wf.NewRun{RunID: id, Status: wf.StatusRunning, Owner: "p", TTL: time.Hour}, nil, 0)
			return err
		})
	}
	s.grouped(t, begin...)
	for i := range n {
		var step []func(*writer) error
		for _, id := range runs {
			step = append(step, func(w *writer) error {
				_, err := w.append(&wf.Append{RunID: id, Expect: wf.Revision(i), Fence: 1, Events: [][]byte{[]byte(text(id, wf.Revision(i+1)))}})
				return err
			})
		}
		s.grouped(t, step...)
	}
}

// reads fails the test if the events of a run are not those of a run, from one revision to another.
func reads(t *testing.T, s *Store, run, of string, from, to wf.Revision) {
	t.Helper()
	next := from
	for e, err := range s.Events(ctx, run, from) {
		if err != nil {
			t.Fatalf("%s from %d: %v", run, from, err)
		}
		if e.Revision != next || string(e.Data) != text(of, next) {
			t.Fatalf("%s from %d: event %d is %q, want %d, %q", run, from, e.Revision, e.Data, next, text(of, next))
		}
		next++
	}
	if next != to+1 {
		t.Fatalf("%s from %d: events up to %d, want %d", run, from, next-1, to)
	}
}

// count is how many rows a table has.
func count(t *testing.T, s *Store, table string) (n int) {
	t.Helper()
	if err := s.row(ctx, `SELECT count(*) FROM `+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Whatever is read, copied or deleted of runs whose events lie between each other's: at marked events, beside them, and over pages.
func TestWalk(t *testing.T) {
	t.Parallel()
	s := opened(t, filepath.Join(t.TempDir(), "wf.db"))
	steps(t, s, walked, "a", "b", "c")
	walks(t, s)
}

// walked is how many events the runs a, b and c have.
const walked = 300

func walks(t *testing.T, s *Store) {
	const n = walked
	for _, from := range []wf.Revision{1, 2, 43, 44, 45, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, n - 1, n} {
		reads(t, s, "b", "b", from, n)
	}
	for _, at := range []wf.Revision{1, 63, 64, 65, 127, 128, 129, 255, 256, 257, n - 1, n} {
		id := fmt.Sprint("fork", at)
		if _, err := s.Fork(ctx, "b", at, wf.NewRun{RunID: id, Events: [][]byte{[]byte(text("b", at+1))}}); err != nil {
			t.Fatal(err)
		}
		reads(t, s, id, "b", 1, at+1)
		s.ended(t, id)
		if err := s.DeleteRun(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
	if got := count(t, s, "events"); got != 3*n {
		t.Fatalf("%d events are there when the forks were deleted, want %d", got, 3*n)
	}
	for _, at := range []wf.Revision{1, 63, 64, 65, 130, 200, n} {
		s.grouped(t, func(w *writer) error {
			r, err := w.must("b")
			if err == nil {
				_, err = w.exec(`INSERT INTO snapshots (run, revision, data) VALUES (?, ?, x'00')`, r.n, at)
			}
			return err
		})
		if err := s.Prune(ctx, "b", at); err != nil {
			t.Fatal(err)
		}
		if got := count(t, s, "events"); got != 3*n-int(at) {
			t.Fatalf("%d events are there when b was pruned up to %d, want %d", got, at, 3*n-int(at))
		}
		if at == n {
			break
		}
		reads(t, s, "b", "b", at+1, n)
		id := fmt.Sprint("pruned", at)
		if _, err := s.Fork(ctx, "b", at+1, wf.NewRun{RunID: id, Events: [][]byte{[]byte(text("b", at+2))}}); err != nil {
			t.Fatal(err)
		}
		reads(t, s, id, "b", at+1, at+2)
		s.ended(t, id)
		if err := s.DeleteRun(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
	s.ended(t, "b")
	if err := s.DeleteRun(ctx, "b"); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "c"} {
		reads(t, s, id, id, 1, n)
		s.ended(t, id)
		if err := s.DeleteRun(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
	for _, table := range []string{"runs", "progress", "events", "snapshots"} {
		if got := count(t, s, table); got != 0 {
			t.Errorf("%s has %d rows when all runs were deleted", table, got)
		}
	}
}

// ended lets a run end, whatever its events say.
func (s *Store) ended(t *testing.T, id string) {
	t.Helper()
	s.grouped(t, func(w *writer) error {
		r, err := w.must(id)
		if err == nil {
			r.Status = wf.StatusCancelled
			err = w.update(r)
		}
		return err
	})
}

// A run whose events do not hang together is not read as if they did, and no reader walks for ever.
func TestBroken(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ do, problem string }{
		{`DELETE FROM events WHERE run = 1 AND revision = 10`, "event 10 of run a is missing"},
		{`DELETE FROM events WHERE run = 1 AND revision = 100`, "event 100 of run a is missing"},
		{`UPDATE events SET prev = n + 1 WHERE run = 1 AND revision = 10`, "event 9 of run a is missing"},
		{`UPDATE events SET prev = prev + 1 WHERE run = 1 AND revision = 10`, "event 9 of run a is missing"},
		{`UPDATE events SET prev = 1 WHERE run = 1 AND revision = 10`, "event 9 of run a is missing"},
		{`UPDATE progress SET last = 0 WHERE run = 1`, "event 100 of run a is missing"},
	} {
		s := opened(t, filepath.Join(t.TempDir(), "wf.db"))
		steps(t, s, 100, "a", "b")
		s.grouped(t, func(w *writer) error { _, err := w.exec(c.do); return err })
		var err error
		for from := wf.Revision(1); from < 100 && err == nil; from += 64 {
			for _, err = range s.Events(ctx, "a", from) {
			}
		}
		if e, ok := errors.AsType[*wf.CorruptError](err); !ok || e.Problem != c.problem {
			t.Errorf("%s: %v, want %s", c.do, err, c.problem)
		}
		reads(t, s, "b", "b", 1, 100)
	}
}

// The steps of a commit cost few pages of the file, few allocations, and one commit, of however many runs they are and however many events
// these have.
func TestGroupCost(t *testing.T) { // alone, as it counts allocations
	const runs = 512
	dir := t.TempDir()
	s := opened(t, filepath.Join(dir, "wf.db"))
	events := slices.Repeat([][]byte{[]byte(strings.Repeat("x", 400))}, 60)
	var begin, changes []func(*writer) error
	revision := wf.Revision(len(events))
	for i := range runs {
		id := fmt.Sprintf("run_20260102T030405.000_%020d", i)
		begin = append(begin, func(w *writer) error {
			_, err := w.create(&wf.NewRun{RunID: id, Status: wf.StatusRunning, Owner: "p", TTL: time.Hour, Events: events}, nil, 0)
			return err
		})
		changes = append(changes, func(w *writer) error {
			_, err := w.append(&wf.Append{RunID: id, Expect: revision, Fence: 1, Events: events[:1]})
			return err
		})
	}
	s.grouped(t, begin...)
	step := func() {
		s.grouped(t, changes...)
		revision++
	}
	if _, err := s.writer.conn.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	commits := s.commits.Load()
	const times = 10
	allocations := testing.AllocsPerRun(times-1, step) / runs // which does it once more
	if got := s.commits.Load() - commits; got != times {
		t.Errorf("%d commits, want %d", got, times)
	}
	log, err := os.Stat(filepath.Join(dir, "wf.db-wal"))
	if err != nil {
		t.Fatal(err)
	}
	pages := float64(log.Size()) / (4096 + 24) / times / runs
	t.Logf("a step takes %.3f pages and %.1f allocations", pages, allocations)
	if pages > 0.2 {
		t.Errorf("a step writes %.2f pages", pages)
	}
	if allocations > 12 {
		t.Errorf("a step makes %.1f allocations", allocations)
	}
}
