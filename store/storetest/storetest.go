// Package storetest is the contract of stores as a suite. A store passes it in one line:
//
//	func TestStore(t *testing.T) { storetest.Run(t, open, nil) }
package storetest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"lda.chat/wf/store"
)

// Open opens the store that lies in a folder, which exists, or makes one there. now is the store's clock.
type Open func(dir string, now func() time.Time) (store.Store, error)

// Options configure the suite.
type Options struct {
	Seeds int // how many random histories are played; 0: 20
	Runs  int // how many runs are listed in pages; 0: 10000
}

// Run runs the suite. What [store.Caps] promises decides what is tested: stores that outlast their process are opened again,
// copied after every operation, and written by a process that is killed.
func Run(t *testing.T, open Open, opts *Options) {
	if dir := os.Getenv(writerEnv); dir != "" {
		write(t, open, dir)
		return
	}
	if testing.Short() {
		t.Skip("-short: the suite is left out")
	}
	var o Options
	if opts != nil {
		o = *opts
	}
	if o.Seeds == 0 {
		o.Seeds = 20
	}
	if o.Runs == 0 {
		o.Runs = 10000
	}
	s := &suite{open: open, Options: o, name: t.Name()}
	for _, test := range []struct {
		name    string
		durable bool
		run     func(*suite, *testing.T)
	}{
		{"random histories", false, (*suite).random},
		{"create", false, (*suite).create},
		{"append", false, (*suite).append},
		{"racing appends", false, (*suite).racingAppends},
		{"one of a group fails alone", false, (*suite).isolation},
		{"racing claims", false, (*suite).racingClaims},
		{"claims", false, (*suite).claims},
		{"leases", false, (*suite).leases},
		{"late writers", false, (*suite).lateWriters},
		{"inbox", false, (*suite).inbox},
		{"plans", false, (*suite).plans},
		{"racing posts", false, (*suite).racingPosts},
		{"post racing park", false, (*suite).postRacingPark},
		{"watch", false, (*suite).watch},
		{"events", false, (*suite).events},
		{"snapshots", false, (*suite).snapshots},
		{"fork", false, (*suite).fork},
		{"prune", false, (*suite).prune},
		{"delete and retain", false, (*suite).deletion},
		{"list", false, (*suite).list},
		{"list while written", false, (*suite).listWhileWritten},
		{"many runs", false, (*suite).manyRuns},
		{"records", false, (*suite).records},
		{"racing records", false, (*suite).racingRecords},
		{"scan", false, (*suite).scan},
		{"blobs", false, (*suite).blobs},
		{"text", false, (*suite).text},
		{"limits", false, (*suite).limits},
		{"context and close", false, (*suite).closing},
		{"open again", true, (*suite).reopen},
		{"copies after every operation", true, (*suite).copies},
		{"killed writer", true, (*suite).killed},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if test.durable && s.fresh(t, newClock()).Caps().Durability == store.Nothing {
				t.Skip("the store does not outlast its process, and says so")
			}
			test.run(s, t)
		})
	}
}

type suite struct {
	Options
	open Open
	name string
}

// fresh opens a new store, which is closed after the test.
func (s *suite) fresh(t *testing.T, c *clock) store.Store {
	t.Helper()
	return s.at(t, t.TempDir(), c)
}

func (s *suite) at(t *testing.T, dir string, c *clock) store.Store {
	t.Helper()
	st, err := s.open(dir, c.now)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return st
}

// clock is moved by the test only.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2026, 1, 2, 3, 4, 5, 678900000, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// copyDir copies a folder as it lies there.
func copyDir(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

var ctx = context.Background()
