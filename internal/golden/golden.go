// Package golden reads and compares the text files that tests keep what they expect in. With the environment variable
// WF_UPDATE=1 they are rewritten instead of compared.
package golden

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Archive is a text file that holds files: a comment, then each file after a line "-- name --". It is the format txtar of
// golang.org/x/tools.
type Archive struct {
	Comment string
	Files   []File
}

// File is a file of an archive.
type File struct {
	Name string
	Data string // ends with a line break, or is empty
}

// Parse reads an archive. Any text is one.
func Parse(text string) *Archive {
	a := &Archive{}
	data := &a.Comment
	for line := range strings.Lines(text) {
		if name, ok := header(line); ok {
			a.Files = append(a.Files, File{Name: name})
			data = &a.Files[len(a.Files)-1].Data
			continue
		}
		*data += line
	}
	return a
}

func header(line string) (name string, ok bool) {
	line, ok = strings.CutPrefix(strings.TrimRight(line, "\r\n"), "-- ")
	if !ok {
		return "", false
	}
	name, ok = strings.CutSuffix(line, " --")
	name = strings.TrimSpace(name)
	return name, ok && name != ""
}

// String writes the archive as [Parse] reads it.
func (a *Archive) String() string {
	var b strings.Builder
	b.WriteString(ended(a.Comment))
	for _, f := range a.Files {
		b.WriteString("-- " + f.Name + " --\n" + ended(f.Data))
	}
	return b.String()
}

func ended(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// Updating reports whether golden files are rewritten.
func Updating() bool { return os.Getenv("WF_UPDATE") == "1" }

// Compare fails the test if a file's content is not got; it rewrites the file when [Updating].
func Compare(t testing.TB, path, got string) {
	t.Helper()
	want, err := os.ReadFile(path)
	if Updating() {
		if !bytes.Equal(want, []byte(got)) || err != nil {
			if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	if err != nil {
		t.Fatalf("%v (WF_UPDATE=1 writes it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is not up to date; WF_UPDATE=1 rewrites it (-file +now):\n%s", path, diff)
	}
}
