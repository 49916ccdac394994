package powertest

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"time"
)

// File is an open file of a disk. One goroutine at a time reads and writes without a place.
type File struct {
	disk *Disk
	name string
	file int
	next int64
}

var _ interface {
	io.ReadWriteCloser
	io.ReaderAt
	io.WriterAt
} = (*File)(nil)

// Name is that under which the file was opened.
func (f *File) Name() string { return f.name }

// ReadAt is [io.ReaderAt].
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	data := f.disk.files[f.file].data
	n := copy(p, data[min(off, int64(len(data))):])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt is [io.WriterAt].
func (f *File) WriteAt(p []byte, off int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if err := f.disk.do(Op{Kind: Write, Path: f.name, file: f.file, at: off, data: slices.Concat([]byte{}, p)}); err != nil {
		return len(p) / 2, err
	}
	return len(p), nil
}

// Read is [io.Reader].
func (f *File) Read(p []byte) (int, error) {
	n, err := f.ReadAt(p, f.next)
	f.next += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

// Write is [io.Writer].
func (f *File) Write(p []byte) (int, error) {
	n, err := f.WriteAt(p, f.next)
	f.next += int64(n)
	return n, err
}

// Truncate changes the size.
func (f *File) Truncate(size int64) error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	return f.disk.do(Op{Kind: Truncate, Path: f.name, file: f.file, at: size})
}

// Sync makes the content durable.
func (f *File) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	return f.disk.do(Op{Kind: Sync, Path: f.name, file: f.file})
}

// Close changes nothing.
func (f *File) Close() error { return nil }

// Stat tells name and size.
func (f *File) Stat() (fs.FileInfo, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	return info{path.Base(f.name), int64(len(f.disk.files[f.file].data))}, nil
}

type info struct {
	name string
	size int64
}

func (i info) Name() string     { return i.name }
func (i info) Size() int64      { return i.size }
func (info) Mode() fs.FileMode  { return 0o600 }
func (info) ModTime() time.Time { return time.Time{} }
func (info) IsDir() bool        { return false }
func (info) Sys() any           { return nil }
