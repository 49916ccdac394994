package report

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadNotes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tests := []struct {
		name, path string
		text       string // expected
		err        string // part of the expected error
	}{
		{name: "text", path: write("a.md", "\ufeff# Ü\r\n"), text: "\ufeff# Ü\r\n"},
		{name: "empty", path: write("b.md", ""), text: ""},
		{name: "as large as may be", path: write("c.md", strings.Repeat("x", MaxNotes)), text: strings.Repeat("x", MaxNotes)},
		{name: "too large", path: write("d.md", strings.Repeat("x", MaxNotes+1)), err: "larger than 4194304 bytes"},
		{name: "no path", path: "", err: "the path is empty"},
		{name: "no file", path: filepath.Join(dir, "none.md"), err: "file does not exist (a relative path begins at the working directory)"},
		{name: "directory", path: dir, err: "it is a directory"},
		{name: "device", path: os.DevNull, err: "not a regular file"},
		{name: "not UTF-8", path: write("e.md", "# W\nok �\n\xe9t\xe9\n"), err: "not UTF-8 text: byte 0xe9 in line 3"},
		{name: "UTF-16", path: write("f.md", "\xff\xfe#\x00"), err: "UTF-16"},
		{name: "a name that cannot be", path: "a\x00b", err: "invalid argument"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := ReadNotes(t.Context(), ReadInput{Path: tt.path})
			if tt.err == "" {
				if err != nil || got.Text != tt.text {
					t.Errorf("got %d bytes, error %v; want %d bytes", len(got.Text), err, len(tt.text))
				}
				return
			}
			if err == nil || !strings.HasPrefix(err.Error(), "read notes") || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error %v, want one that says %q", err, tt.err)
			}
		})
	}
}

func TestReadNotesErrorsCanBeTold(t *testing.T) {
	t.Parallel()
	if _, err := ReadNotes(t.Context(), ReadInput{Path: filepath.Join(t.TempDir(), "none")}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: error %v is not fs.ErrNotExist", err)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err1 := ReadNotes(ctx, ReadInput{Path: "a"})
	_, err2 := ExtractReport(ctx, Notes{})
	_, err3 := RenderMarkdownReport(ctx, RenderInput{})
	for _, err := range []error{err1, err2, err3} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want context.Canceled", err)
		}
	}
}
