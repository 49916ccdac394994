package housetest

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// tree loads a small made-up tree of the module example.org/m, given as path, text, path, text …
func tree(t *testing.T, pairs ...string) *Tree {
	t.Helper()
	fsys := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		fsys[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	loaded, err := Load(fsys, "example.org/m")
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// places renders findings without their reasons.
func places(fs []Finding) string {
	var b strings.Builder
	for _, f := range fs {
		fmt.Fprintf(&b, "%s:%d: %s\n", f.File, f.Line, f.What)
	}
	return b.String()
}

func expect(t *testing.T, got []Finding, want ...string) {
	t.Helper()
	for _, f := range got {
		if f.Why == "" {
			t.Errorf("%v has no reason", f)
		}
	}
	if diff := cmp.Diff(strings.Join(append(want, ""), "\n"), places(got)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	loaded := tree(t,
		"a.go", "package m\n",
		"testdata/b.go", "not Go",
		".hidden/c.go", "not Go",
		".git", "gitdir: /ho"+"me/ann/m\n",
		"_old/d.go", "not Go",
		"web/node_modules/e.go", "not Go",
		"image.png", "\x00\x01",
	)
	if len(loaded.files) != 1 || len(loaded.texts) != 1 {
		t.Errorf("loaded %d Go files and %d texts, want 1 and 1", len(loaded.files), len(loaded.texts))
	}
	_, err := Load(fstest.MapFS{"a.go": {Data: []byte("package")}}, "example.org/m")
	if err == nil || !strings.Contains(err.Error(), "a.go:1") {
		t.Errorf("a file that is not Go: error %v, want one that names the place", err)
	}
}

func TestFindingSaysWhereWhatAndWhy(t *testing.T) {
	t.Parallel()
	f := Finding{File: "a/b.go", Line: 3, What: "x", Why: "y"}
	if got, want := f.String(), "a/b.go:3: x: y"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
