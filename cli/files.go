package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"lda.chat/wf/internal/value"
)

// stdinName is the file name that stands for standard input.
const stdinName = "-"

// displayName is how a file is called in messages.
func displayName(name string) string {
	if name == stdinName {
		return "<stdin>"
	}
	return name
}

// stdinOnce refuses to read standard input for two files.
func stdinOnce(names ...string) error {
	n := 0
	for _, name := range names {
		if name == stdinName {
			n++
		}
	}
	if n > 1 {
		return usagef(`standard input can be read only once, but "-" names it %d times`, n)
	}
	return nil
}

// read reads a file, or standard input, up to one byte more than a JSON document may have, without the mark of the byte order that some
// editors put before a text. what says what it is for.
func (a *app) read(ctx context.Context, name, what string) ([]byte, error) {
	if name == "" {
		return nil, usagef("the name of the file of %s is empty", what)
	}
	if name == stdinName {
		data, err := readAll(ctx, func() (io.ReadCloser, error) { return io.NopCloser(a.Stdin), nil })
		if err != nil && ctx.Err() == nil {
			return nil, failed(ExitInternal, codeFileUnreadable, "standard input cannot be read: "+err.Error(), "")
		}
		return data, err
	}
	path := a.path(name)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, failed(ExitUsage, codeFileUnreadable, "it is a directory", "name a file in it").about(name)
	}
	data, err := readAll(ctx, func() (io.ReadCloser, error) { return os.Open(path) })
	if err != nil && ctx.Err() == nil {
		return nil, fileFailure(name, err)
	}
	return data, err
}

// readAll opens and reads until ctx ends: what waits, as a terminal or a pipe does, in opening it too, cannot be interrupted otherwise.
func readAll(ctx context.Context, open func() (io.ReadCloser, error)) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	read := make(chan result, 1)
	go func() {
		r, err := open()
		if err != nil {
			read <- result{nil, err}
			return
		}
		defer r.Close()
		data, err := io.ReadAll(io.LimitReader(r, int64(value.DefaultLimits.Bytes)+1))
		read <- result{bytes.TrimPrefix(data, []byte("\ufeff")), err}
	}()
	select {
	case got := <-read:
		return got.data, got.err
	case <-ctx.Done():
		return nil, interrupted()
	}
}

func interrupted() *failure {
	return failed(ExitInterrupted, "cancelled", "interrupted", "")
}

// fileFailure says why a file cannot be read.
func fileFailure(name string, err error) *failure {
	var path *fs.PathError
	reason := err.Error()
	if errors.As(err, &path) {
		reason = path.Err.Error()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return failed(ExitNotFound, codeFileMissing, "there is no such file", "").about(name)
	case errors.Is(err, syscall.EINVAL), errors.Is(err, syscall.ENAMETOOLONG):
		return failed(ExitUsage, codeFileUnreadable, "no file can have this name", "").about(shortened(name, 100))
	case errors.Is(err, fs.ErrPermission):
		return failed(ExitNotAllowed, codeFileUnreadable, "the file cannot be read: "+reason, "").about(name)
	}
	return failed(ExitInternal, codeFileUnreadable, "the file cannot be read: "+reason, "").about(name)
}

// replace puts new content in the place of a file at once: whoever reads it sees the old or the new. The file keeps its
// permissions; a link stays a link.
func (a *app) replace(name string, data []byte) error {
	if err := replaceFile(a.path(name), data); err != nil {
		exit := ExitInternal
		if errors.Is(err, fs.ErrPermission) {
			exit = ExitNotAllowed
		}
		return failed(exit, codeFileUnwritable, fmt.Sprintf("the file cannot be written: %v", err), "").about(name)
	}
	return nil
}

func replaceFile(path string, data []byte) (err error) {
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is no regular file")
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(data); err != nil {
		return err
	}
	if err = f.Chmod(info.Mode().Perm()); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
