package file

import (
	"io"
	"io/fs"
	"os"

	"lda.chat/wf/store/internal/folder"
)

// system is what a store needs of a file system. Tests put one in its place that fails, or loses what was not synced.
type system interface {
	folder.System
	CreateTemp(dir, pattern string) (disk, error)
	Open(name string) (disk, error)
	OpenRW(name string) (disk, error)
	ReadDir(name string) ([]string, error)
	Rename(from, to string) error
	Lock(name string) (unlock func() error, err error) // fails with errInUse
}

// disk is what a store needs of a file.
type disk interface {
	io.ReadWriteCloser
	io.ReaderAt
	io.WriterAt
	Name() string
	Stat() (fs.FileInfo, error)
	Truncate(size int64) error
	Sync() error
}

// machine is the file system of the machine.
type machine struct{ folder.OS }

func (machine) CreateTemp(dir, pattern string) (disk, error) {
	return opened(os.CreateTemp(dir, pattern))
}
func (machine) Open(name string) (disk, error)   { return opened(os.Open(name)) }
func (machine) OpenRW(name string) (disk, error) { return opened(os.OpenFile(name, os.O_RDWR, 0)) }
func (machine) Rename(from, to string) error     { return os.Rename(from, to) }
func (machine) Remove(name string) error         { return os.Remove(name) }

func (machine) ReadDir(name string) (names []string, err error) {
	files, err := os.ReadDir(name)
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names, err
}

func (machine) Lock(name string) (unlock func() error, err error) {
	f, err := acquire(name)
	if err != nil {
		return nil, err
	}
	return func() error { return release(f) }, nil
}

// opened makes no file of no file.
func opened(f *os.File, err error) (disk, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}
