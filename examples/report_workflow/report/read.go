package report

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"
)

// MaxNotes is the size in bytes of the largest notes that are read.
const MaxNotes = 4 << 20

// ReadNotes reads a file of UTF-8 text. The path may be any that the process may read: the function is trusted code,
// and whoever must keep it inside a folder checks the path before. It is an error if there is no such file, if it
// is no regular file, if it holds more than [MaxNotes] bytes or is not UTF-8.
func ReadNotes(ctx context.Context, in ReadInput) (Notes, error) {
	if err := ctx.Err(); err != nil {
		return Notes{}, err
	}
	if in.Path == "" {
		return Notes{}, errors.New("read notes: the path is empty")
	}
	data, err := readFile(in.Path)
	if err != nil {
		return Notes{}, fmt.Errorf("read notes %q: %w", in.Path, err)
	}
	if err := checkText(data); err != nil {
		return Notes{}, fmt.Errorf("read notes %q: %w", in.Path, err)
	}
	return Notes{Text: string(data)}, nil
}

func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path) // before opening: opening a pipe would wait for its writer
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w (a relative path begins at the working directory)", fs.ErrNotExist)
	}
	if err != nil {
		return nil, reason(err)
	}
	if info.IsDir() {
		return nil, errors.New("it is a directory; name a file in it")
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxNotes+1))
	if err != nil {
		return nil, reason(err)
	}
	if len(data) > MaxNotes {
		return nil, fmt.Errorf("it is larger than %d bytes", MaxNotes)
	}
	return data, nil
}

// reason is the error without the path, which our own message names.
func reason(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

func checkText(data []byte) error {
	if utf8.Valid(data) {
		return nil
	}
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return errors.New("it is UTF-16 text; save it as UTF-8")
	}
	at := 0
	for {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			line := 1 + bytes.Count(data[:at], []byte("\n"))
			return fmt.Errorf("it is not UTF-8 text: byte 0x%02x in line %d", data[at], line)
		}
		at += size
	}
}
