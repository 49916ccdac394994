package file

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"lda.chat/wf"
)

// faulty is a disk on which the next writes fail in the ways that were set.
type faulty struct {
	disk
	write, sync, truncate error
}

func (f *faulty) WriteAt(p []byte, off int64) (int, error) {
	if f.write != nil {
		n, _ := f.disk.WriteAt(p[:len(p)/2], off) // a part of it gets there
		return n, f.write
	}
	return f.disk.WriteAt(p, off)
}

func (f *faulty) Sync() error {
	if f.sync != nil {
		return f.sync
	}
	return f.disk.Sync()
}

func (f *faulty) Truncate(size int64) error {
	if f.truncate != nil {
		return f.truncate
	}
	return f.disk.Truncate(size)
}

func failing(t *testing.T) (*Store, *faulty, string) {
	t.Helper()
	dir := t.TempDir()
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if _, err := s.Create(context.Background(), wf.NewRun{RunID: "r", Owner: "p", TTL: time.Minute}); err != nil {
		t.Fatal(err)
	}
	f := &faulty{disk: s.log.disk}
	s.log.disk = f
	return s, f, dir
}

func try(s *Store, revision wf.Revision) error {
	_, err := s.Append(context.Background(), wf.Append{RunID: "r", Expect: revision, Fence: 1, Events: [][]byte{bytes.Repeat([]byte("e"), 1000)}})
	return err
}

// A full disk refuses what does not fit, keeps what is there, and the store goes on when there is room.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	s, f, dir := failing(t)
	f.write = syscall.ENOSPC
	if err := try(s, 0); !errors.Is(err, syscall.ENOSPC) || wf.IsAmbiguous(err) {
		t.Errorf("append on a full disk: %v", err)
	}
	if h, err := s.Head(context.Background(), "r"); err != nil || h.Revision != 0 {
		t.Errorf("after it: %+v, %v", h, err)
	}
	f.write = nil
	if _, err := s.Post(context.Background(), "r", wf.Message{ID: "m"}); err != nil { // shorter than what was not written
		t.Errorf("a message when there is room: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if h, err := s.Head(context.Background(), "r"); err != nil || h.Revision != 0 || h.Pending != 1 {
		t.Errorf("opened again: %+v, %v", h, err)
	}
	if err := try(s, 0); err != nil {
		t.Errorf("append when there is room: %v", err)
	}
}

// After a failed sync nobody knows what the disk holds: the answer says so, readers do not see the change, and nothing more is written.
func TestFailedSync(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(*faulty){
		"sync":                        func(f *faulty) { f.sync = syscall.EIO },
		"write that cannot be undone": func(f *faulty) { f.write, f.truncate = syscall.ENOSPC, syscall.EIO },
	} {
		s, f, _ := failing(t)
		set(f)
		if err := try(s, 0); !wf.IsAmbiguous(err) || !errors.Is(err, syscall.EIO) {
			t.Errorf("%s: %v", name, err)
		}
		f.sync, f.write, f.truncate = nil, nil, nil
		if err := try(s, 0); !errors.Is(err, wf.ErrJournalClosed) || wf.IsAmbiguous(err) {
			t.Errorf("after a failed %s: %v", name, err)
		}
		if h, err := s.Head(context.Background(), "r"); err != nil || h.Revision != 0 {
			t.Errorf("after a failed %s: %+v, %v", name, h, err)
		}
	}
}

// A claim and a release are written at once and not synced; what is written under the claim is.
func TestSyncs(t *testing.T) {
	t.Parallel()
	s, f, _ := failing(t)
	ctx := context.Background()
	if err := s.Release(ctx, wf.Lease{RunID: "r", Fence: 1}); err != nil {
		t.Fatal(err)
	}
	count := &counting{disk: f}
	s.log.disk = count
	if heads, err := s.Claim(ctx, wf.ClaimRequest{Owner: "p", TTL: time.Minute, Only: "r"}); err != nil || len(heads) != 1 || count.syncs != 0 {
		t.Errorf("a claim: %v, %v, %d syncs", heads, err, count.syncs)
	}
	if _, err := s.Append(ctx, wf.Append{RunID: "r", Fence: 2, Events: [][]byte{[]byte("e")}}); err != nil || count.syncs != 1 {
		t.Errorf("an append: %v, %d syncs", err, count.syncs)
	}
}

type counting struct {
	disk
	syncs int
}

func (c *counting) Sync() error {
	c.syncs++
	return c.disk.Sync()
}

// A folder that cannot be written is refused with its name.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		dir := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(dir, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir, nil); !errors.Is(err, syscall.ENOTDIR) {
			t.Errorf("a file in the place of the folder: %v", err)
		}
		return // nothing is read-only for the superuser
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, nil); !errors.Is(err, os.ErrPermission) {
		t.Errorf("a folder that is read-only: %v", err)
	}
}
