package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/ncruces/go-sqlite3"
	_ "github.com/ncruces/go-sqlite3/driver"
	"github.com/ncruces/go-sqlite3/vfs"

	"lda.chat/wf/store/internal/powertest"
)

// simulated is the file system of a disk in memory as SQLite sees it. What the processes of a machine share of a database beside its
// files, locks and the index of the log, is gone with the power.
type simulated struct {
	disk   *powertest.Disk
	shared string // a file for the index
	locks  locks
}

var simulations atomic.Int64

// on is SQLite, compiled from the same source by others, on a disk in memory.
func on(t *testing.T, d *powertest.Disk) engine {
	name := fmt.Sprint("disk", simulations.Add(1))
	vfs.Register(name, &simulated{disk: d, shared: filepath.Join(t.TempDir(), name)})
	t.Cleanup(func() { vfs.Unregister(name) })
	return engine{
		prepare: func(string) error { return nil },
		open: func(path string, pragmas ...string) (*sql.DB, error) {
			return sql.Open("sqlite3", (&url.URL{Scheme: "file", Path: path, RawQuery: url.Values{"vfs": {name}, "_pragma": pragmas}.Encode()}).String())
		},
		code: func(err error) int {
			code, _ := errors.AsType[sqlite3.ErrorCode](err)
			return int(code)
		},
	}
}

func (s *simulated) FullPathname(name string) (string, error) { return name, nil }

func (s *simulated) Access(name string, _ vfs.AccessFlag) (bool, error) {
	_, err := s.disk.Open(name)
	return err == nil, nil
}

func (s *simulated) Delete(name string, syncDir bool) error {
	err := s.disk.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return sqlite3.IOERR_DELETE_NOENT
	}
	if err == nil && syncDir {
		err = s.disk.SyncDir(path.Dir(name))
	}
	return err
}

func (s *simulated) Open(name string, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	f := &simulatedFile{vfs: s, shared: vfs.NewSharedMemory(s.shared, flags)}
	var err error
	f.File, err = s.disk.Open(name)
	if flags&vfs.OPEN_CREATE != 0 {
		if errors.Is(err, fs.ErrNotExist) {
			f.File, err = s.disk.Create(name)
		}
		// SQLite leaves it to its file system that a log does not lose its name; that of the database lies in the same folder.
		f.name = flags&(vfs.OPEN_MAIN_JOURNAL|vfs.OPEN_SUPER_JOURNAL|vfs.OPEN_WAL) != 0
	}
	if err != nil {
		return nil, flags, err
	}
	return f, flags, nil
}

type simulatedFile struct {
	*powertest.File
	vfs    *simulated
	shared vfs.SharedMemory
	lock   vfs.LockLevel
	name   bool // the folder is to be synced too
}

var _ vfs.FileSharedMemory = (*simulatedFile)(nil)

func (f *simulatedFile) SharedMemory() vfs.SharedMemory { return f.shared }

func (f *simulatedFile) WriteAt(p []byte, off int64) (int, error) {
	n, err := f.File.WriteAt(p, off)
	if errors.Is(err, syscall.ENOSPC) {
		err = vfs.SystemError(err, sqlite3.FULL)
	}
	return n, err
}

func (f *simulatedFile) Sync(vfs.SyncFlag) error {
	err := f.File.Sync()
	if err == nil && f.name {
		if err = f.vfs.disk.SyncDir(path.Dir(f.Name())); err == nil {
			f.name = false
		}
	}
	return err
}

func (f *simulatedFile) Size() (int64, error) {
	info, err := f.Stat()
	return info.Size(), err
}

func (f *simulatedFile) Close() error { return errors.Join(f.Unlock(vfs.LOCK_NONE), f.File.Close()) }

// A file of the machine says the same.
func (*simulatedFile) SectorSize() int { return 4096 }
func (*simulatedFile) DeviceCharacteristics() vfs.DeviceCharacteristic {
	return vfs.IOCAP_POWERSAFE_OVERWRITE
}

// locks are those of the connections to the one database of a disk.
type locks struct {
	mu     sync.Mutex
	shared int
	writer *simulatedFile // has more than a shared one
}

func (f *simulatedFile) Lock(level vfs.LockLevel) error {
	l := &f.vfs.locks
	l.mu.Lock()
	defer l.mu.Unlock()
	if level <= f.lock {
		return nil
	}
	if l.writer != nil && l.writer != f && (level > vfs.LOCK_SHARED || l.writer.lock > vfs.LOCK_RESERVED) {
		return sqlite3.BUSY
	}
	if f.lock == vfs.LOCK_NONE {
		l.shared++
		f.lock = vfs.LOCK_SHARED
	}
	if level == vfs.LOCK_SHARED {
		return nil
	}
	l.writer = f
	if level == vfs.LOCK_EXCLUSIVE && l.shared > 1 {
		f.lock = vfs.LOCK_PENDING
		return sqlite3.BUSY
	}
	f.lock = level
	return nil
}

func (f *simulatedFile) Unlock(level vfs.LockLevel) error {
	l := &f.vfs.locks
	l.mu.Lock()
	defer l.mu.Unlock()
	if level >= f.lock {
		return nil
	}
	if l.writer == f {
		l.writer = nil
	}
	if level == vfs.LOCK_NONE {
		l.shared--
	}
	f.lock = level
	return nil
}

func (f *simulatedFile) CheckReservedLock() (bool, error) {
	l := &f.vfs.locks
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.writer != nil, nil
}
