package golden

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestArchive(t *testing.T) {
	t.Parallel()
	text := "comment\n-- a.json --\n{}\n-- dir/b --\n-- no header\n\n"
	got := Parse(text)
	want := &Archive{Comment: "comment\n", Files: []File{{"a.json", "{}\n"}, {"dir/b", "-- no header\n\n"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.String() != text {
		t.Errorf("it is written as %q", got.String())
	}
}

func FuzzArchive(f *testing.F) {
	f.Add("c\n-- a --\nb")
	f.Add("-- a --")
	f.Fuzz(func(t *testing.T, text string) {
		a := Parse(text)
		if diff := cmp.Diff(Parse(a.String()), Parse(Parse(a.String()).String())); diff != "" {
			t.Errorf("an archive that was written reads differently:\n%s", diff)
		}
	})
}

// spy is a test that notes its failures.
type spy struct {
	testing.TB
	failed bool
}

func (s *spy) Helper()               {}
func (s *spy) Errorf(string, ...any) { s.failed = true }

func TestCompareFails(t *testing.T) {
	if Updating() {
		t.Skip("nothing is compared while golden files are rewritten")
	}
	path := filepath.Join(t.TempDir(), "golden")
	if err := os.WriteFile(path, []byte("a\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := &spy{TB: t}
	if Compare(s, path, "a\n"); s.failed {
		t.Error("the same content failed")
	}
	if Compare(s, path, "b\n"); !s.failed {
		t.Error("other content passed")
	}
}
