package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store"
	"lda.chat/wf/store/drivetest"
	"lda.chat/wf/store/sqlite"
	"lda.chat/wf/store/storetest"
)

var ctx = context.Background()

func open(dir string, now func() time.Time) (store.Store, error) {
	return sqlite.Open(filepath.Join(dir, "wf.db"), &sqlite.Options{Now: now})
}

func TestSQLite(t *testing.T) {
	t.Parallel()
	storetest.Run(t, open, nil)
}

func TestSQLiteRuns(t *testing.T) {
	t.Parallel()
	drivetest.Run(t, open, &drivetest.Options{Steps: 300})
}

func TestVersion1(t *testing.T) {
	t.Parallel()
	storetest.Golden(t, open, "testdata/version1")
}

func TestVersion2(t *testing.T) {
	t.Parallel()
	storetest.Golden(t, open, "testdata/version2")
}

func BenchmarkSQLite(b *testing.B) {
	storetest.Bench(b, func(dir string, _ func() time.Time) (store.Store, error) {
		return sqlite.Open(filepath.Join(dir, "wf.db"), nil)
	})
}

func opened(t *testing.T, path string, opts *sqlite.Options) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func raw(t *testing.T, path string, statements ...string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path}).String())
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	for _, text := range statements {
		if _, err := db.Exec(text); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// Files that are not ours, or not any more, are refused and left as they are.
func TestRefusedFiles(t *testing.T) {
	t.Parallel()
	path := func() string { return filepath.Join(t.TempDir(), "a b%3f?#.db") }

	newer := path()
	if err := opened(t, newer, nil).Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(newer), "*")); err != nil || len(left) != 1 {
		t.Errorf("a store that was closed is one file, not %q: %v", left, err)
	}
	db := raw(t, newer, `PRAGMA user_version = 99`)
	_ = db.Close()
	_, err := sqlite.Open(newer, nil)
	for _, err := range []error{err, sqlite.Check(newer)} {
		if e, ok := errors.AsType[*wf.VersionError](err); !ok || e.Found != 99 || e.Place != newer {
			t.Errorf("a newer version: %v", err)
		}
	}

	other := path()
	_ = raw(t, other, `CREATE TABLE notes (a)`).Close()
	if _, err := sqlite.Open(other, nil); err == nil || !strings.Contains(err.Error(), "another program") {
		t.Errorf("a database of another program: %v", err)
	}
	if err := sqlite.Check(other); err == nil || !strings.Contains(err.Error(), "another program") {
		t.Errorf("a database of another program is checked: %v", err)
	}

	text := path()
	if err := os.WriteFile(text, []byte(strings.Repeat("no database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = sqlite.Open(text, nil)
	for _, err := range []error{err, sqlite.Check(text)} {
		if e, ok := errors.AsType[*wf.CorruptError](err); !ok || e.Place != text {
			t.Errorf("a file that is no database: %v", err)
		}
	}

	if _, err := sqlite.Open(t.TempDir(), nil); err == nil {
		t.Error("a folder was opened")
	}
}

// Whoever checks a file finds nothing in one that can be opened, and leaves nothing behind, whoever works on it.
func TestCheck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "wf.db")
	check := func(what string) {
		t.Helper()
		files := func() (all []string) {
			if err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
				if err == nil && !e.IsDir() {
					text, _ := os.ReadFile(path)
					all = append(all, path+"\x00"+string(text))
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
			return all
		}
		before := files()
		if err := sqlite.Check(path); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if !slices.Equal(before, files()) {
			t.Errorf("%s: the files are others", what)
		}
	}
	check("where there is none")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	check("an empty file")
	s := opened(t, path, nil)
	check("one that is in use")
	if _, err := s.Create(ctx, wf.NewRun{RunID: "r", Events: [][]byte{[]byte("{}")}}); err != nil {
		t.Fatal(err)
	}
	check("one that is written to")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	check("one that is closed")
}

// Only its owner may read the file.
func TestMode(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "wf.db")
	opened(t, path, nil)
	for _, name := range []string{path, path + "-wal"} {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

// While another process holds the file too long, a change is refused and nothing happened; after that it goes on.
func TestLocked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "wf.db")
	s := opened(t, path, &sqlite.Options{Busy: time.Millisecond})
	other := raw(t, path, `BEGIN IMMEDIATE`)
	_, err := s.Create(ctx, wf.NewRun{RunID: "r"})
	if err == nil || wf.IsAmbiguous(err) || !strings.Contains(err.Error(), "locked by another process") {
		t.Errorf("create in a locked file: %v", err)
	}
	if _, err := s.List(ctx, wf.RunQuery{}); err != nil {
		t.Errorf("readers wait for nobody: %v", err)
	}
	if second, err := sqlite.Open(path, &sqlite.Options{Busy: time.Millisecond}); err == nil || !strings.Contains(err.Error(), path+" is locked by another process") {
		t.Errorf("open of a locked file: %v, %v", second, err)
	}
	if _, err := other.Exec(`ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	if h, err := s.Create(ctx, wf.NewRun{RunID: "r"}); err != nil || h.RunID != "r" {
		t.Errorf("create after it: %v", err)
	}
}

// A full disk refuses what does not fit; the rest of its group is kept, and the store goes on when there is room.
func TestFull(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "wf.db")
	s := opened(t, path, nil)
	if err := s.Limit(200); err != nil {
		t.Fatal(err)
	}
	large := make([]byte, 4<<20)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			run := wf.NewRun{RunID: fmt.Sprint("r", i)}
			if i == 4 {
				run.Events = [][]byte{large}
			}
			_, err := s.Create(ctx, run)
			if i == 4 && (err == nil || wf.IsAmbiguous(err) || !strings.Contains(err.Error(), "full")) {
				t.Errorf("a run that does not fit: %v", err)
			}
			if i != 4 && err != nil {
				t.Errorf("a run beside it: %v", err)
			}
		})
	}
	all.Wait()
	if err := s.Limit(1 << 30); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Create(ctx, wf.NewRun{RunID: "r4", Events: [][]byte{large}}); err != nil {
		t.Errorf("when there is room: %v", err)
	}
}

// A folder that cannot be written is refused with its name.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if os.Geteuid() == 0 { // nothing is read-only for the superuser
		dir = filepath.Join(dir, "file")
		if err := os.WriteFile(dir, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	} else if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(filepath.Join(dir, "wf.db"), nil); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("open: %v", err)
	}
}

// A database of which a part is missing or is something else is not read as if it were whole.
func TestDamaged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := opened(t, filepath.Join(dir, "whole.db"), nil)
	for i := range 20 {
		run := wf.NewRun{RunID: fmt.Sprint("r", i)}
		for range 40 {
			run.Events = append(run.Events, []byte(strings.Repeat("event ", 20)))
		}
		if _, err := s.Create(ctx, run); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "whole.db"))
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	middle := len(whole) / 2 / page * page
	for name, data := range map[string][]byte{
		"cut in the middle":   whole[:middle],
		"cut inside a page":   whole[:middle+100],
		"a page is zeros":     slices.Concat(whole[:middle], make([]byte, page), whole[middle+page:]),
		"a page is missing":   slices.Concat(whole[:middle], whole[middle+page:]),
		"a page is another's": slices.Concat(whole[:middle], whole[:page], whole[middle+page:]),
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		err := readAll(path)
		if e, ok := errors.AsType[*wf.CorruptError](err); !ok || e.Place != path {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func readAll(path string) error {
	s, err := sqlite.Open(path, nil)
	if err != nil {
		return err
	}
	defer s.Close()
	for i := range 20 {
		for _, err := range s.Events(ctx, fmt.Sprint("r", i), 0) {
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Two processes share a file: none gets what the other has, and late writers are refused.
func TestTwoOnOneFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "wf.db")
	stores := []*sqlite.Store{opened(t, path, nil), opened(t, path, nil)}
	const n = 60
	for i := range n {
		if _, err := stores[i%2].Create(ctx, wf.NewRun{RunID: fmt.Sprint("r", i), WakeAt: time.Unix(1, 0)}); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	owner := map[string]int{}
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			s := stores[i%2]
			for {
				heads, err := s.Claim(ctx, wf.ClaimRequest{Owner: fmt.Sprint(i), TTL: time.Hour, Max: 3})
				if err != nil {
					t.Errorf("claim: %v", err)
				}
				if len(heads) == 0 {
					return
				}
				for _, h := range heads {
					mu.Lock()
					if other, taken := owner[h.RunID]; taken {
						t.Errorf("%s was claimed by %d and %d", h.RunID, other, i)
					}
					owner[h.RunID] = i
					mu.Unlock()
					if _, err := s.Append(ctx, wf.Append{RunID: h.RunID, Fence: 1, Events: [][]byte{[]byte("e")}}); err != nil {
						t.Errorf("append: %v", err)
					}
				}
			}
		})
	}
	all.Wait()
	if len(owner) != n {
		t.Errorf("%d runs were claimed, want %d", len(owner), n)
	}
	if err := stores[0].Release(ctx, wf.Lease{RunID: "r0", Fence: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := stores[1].Claim(ctx, wf.ClaimRequest{Owner: "b", TTL: time.Hour, Only: "r0"}); err != nil {
		t.Fatal(err)
	}
	_, err := stores[0].Append(ctx, wf.Append{RunID: "r0", Expect: 1, Fence: 1})
	if e, ok := errors.AsType[*wf.FencedError](err); !ok || e.Current != 2 {
		t.Errorf("a late writer: %v", err)
	}
}

// A watcher hears of what another process does.
func TestWatchAcross(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "wf.db")
	s, other := opened(t, path, &sqlite.Options{Poll: time.Millisecond}), opened(t, path, nil)
	heard := make(chan string, 1)
	for range 2 { // and again after it was stopped
		stop := s.Watch(func(id string) {
			select {
			case heard <- id:
			default:
			}
		})
		for i := 0; ; i++ { // the first may be before the watcher looked for the first time
			if _, err := other.PutRecord(ctx, "k", fmt.Sprint(i, time.Now().UnixNano()), 0, nil); err != nil {
				t.Fatal(err)
			}
			if len(heard) > 0 {
				break
			}
		}
		if id := <-heard; id != "" {
			t.Errorf("heard of %q", id)
		}
		stop()
	}
}
