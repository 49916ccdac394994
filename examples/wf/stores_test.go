package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lda.chat/wf/cli"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/lifecycle/apitest"
	"lda.chat/wf/source"
)

// The operations are the same on the usual store.
func TestServiceOnSQLite(t *testing.T) {
	t.Parallel()
	apitest.Run(t, func(t *testing.T, set *source.Set) lifecycle.API {
		return open(t, filepath.Join(t.TempDir(), "wf.db"), set)
	})
}

// Two processes, as it were: each has opened the database for itself.
func TestTwoServicesOnSQLite(t *testing.T) {
	t.Parallel()
	apitest.Race(t, func(t *testing.T, set *source.Set) (one, other lifecycle.API) {
		place := filepath.Join(t.TempDir(), "wf.db")
		return open(t, place, set), open(t, place, set)
	})
}

// open makes a service on a database.
func open(t *testing.T, place string, set *source.Set) lifecycle.API {
	t.Helper()
	st, err := stores().Open(t.Context(), place, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := lifecycle.NewService(st, set, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// A store that is not there, or cannot be one, is told with what was found and what was expected. Nothing is left behind.
func TestStoresThatAreNone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(args ...string) (exit int, stdout, stderr string) {
		var out, messages bytes.Buffer
		exit = cli.Main(t.Context(), &cli.Options{Args: args, Dir: dir, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &messages,
			Env: func(string) string { return "" }, Stores: stores()})
		return exit, out.String(), messages.String()
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("empty", "")
	write("notes.txt", "What was said in the meeting of Monday.")
	for _, args := range [][]string{{"--store", "sqlite:made.db"}, {"--store", "file:folder"}} {
		if exit, _, stderr := run(append([]string{"draft", "create", "d"}, args...)...); exit != cli.ExitDone {
			t.Fatal(stderr)
		}
	}
	list := func() (names []string) {
		if err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
			names = append(names, path)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return names
	}
	before := strings.Join(list(), "\n")
	for _, test := range []struct {
		store string
		exit  int
		says  []string
	}{
		{"sqlite:typo/dir/x.db", cli.ExitNotFound, []string{"there is no store sqlite:typo/dir/x.db", "wf draft create", "wf artifact import"}},
		{"sqlite:mad.db", cli.ExitNotFound, []string{"there is no store sqlite:mad.db", `did you mean "sqlite:made.db"?`}},
		{"mad.db", cli.ExitNotFound, []string{"there is no store sqlite:mad.db"}},
		{"file:foldr", cli.ExitNotFound, []string{"there is no store file:foldr", `did you mean "file:folder"?`}},
		{"sqlite:empty", cli.ExitNotFound, []string{"the file is empty"}},
		{"sqlite:folder", cli.ExitUsage, []string{"it is a folder", "a store of the kind sqlite is a file", "file:folder"}},
		{"folder", cli.ExitUsage, []string{"it is a folder", "file:folder"}},
		{"file:made.db", cli.ExitUsage, []string{"it is a file", "a store of the kind file is a folder", "sqlite:made.db"}},
		{"file:notes.txt", cli.ExitUsage, []string{"it is a file", "name a folder"}},
		{"sqlite:notes.txt", cli.ExitUsage, []string{"no database of SQLite"}},
		{"sqlite:notes.txt/x.db", cli.ExitUsage, []string{"what stands above it is a file"}},
		{"sqlit:made.db", cli.ExitUsage, []string{`did you mean "sqlite"?`}},
		{"https://example.com", cli.ExitUsage, []string{"there is no kind of store", "file, memory, postgres, sqlite"}},
		{"sqlite:", cli.ExitUsage, []string{"sqlite:PLACE"}},
	} {
		for _, command := range []string{"draft list", "run inspect r", "draft delete d --yes", "worker"} {
			exit, stdout, stderr := run(append(strings.Fields(command), "--store", test.store)...)
			if exit != test.exit || stdout != "" {
				t.Errorf("wf %s --store %s: exit %d, expected %d\n%s%s", command, test.store, exit, test.exit, stdout, stderr)
			}
			for _, part := range test.says {
				if !strings.Contains(stderr, part) {
					t.Errorf("wf %s --store %s does not say %q:\n%s", command, test.store, part, stderr)
				}
			}
		}
	}
	if exit, _, stderr := run("status", "--store", "sqlite:typo/x.db"); exit != cli.ExitDone || !strings.Contains(stderr, "warning: there is no store sqlite:typo/x.db") {
		t.Errorf("wf status: exit %d\n%s", exit, stderr)
	}
	if after := strings.Join(list(), "\n"); after != before {
		t.Errorf("files before:\n%s\nafter:\n%s", before, after)
	}
}

// A configuration is checked with its store, of which nothing is made or changed.
func TestConfigsWithStores(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(args ...string) (exit int, stderr string) {
		var out, messages bytes.Buffer
		exit = cli.Main(t.Context(), &cli.Options{Args: args, Dir: dir, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &messages,
			Env: func(string) string { return "" }, Stores: stores()})
		return exit, messages.String()
	}
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if exit, stderr := run("draft", "create", "d", "--store", "sqlite:made.db"); exit != cli.ExitDone {
		t.Fatal(stderr)
	}
	made, err := os.ReadFile(filepath.Join(dir, "made.db"))
	if err != nil {
		t.Fatal(err)
	}
	const versionAt, applicationAt = 63, 68 // https://www.sqlite.org/fileformat.html#the_database_header
	newer, other := bytes.Clone(made), bytes.Clone(made)
	newer[versionAt], other[applicationAt] = 99, 1
	write("newer.db", newer)
	write("other.db", other)
	if err := os.Mkdir(filepath.Join(dir, "kept"), 0o500); err != nil {
		t.Fatal(err)
	}
	for store, says := range map[string]string{
		`{"kind": "sqlite", "path": "made.db"}`:     "",
		`{"kind": "sqlite", "path": "a/b/new.db"}`:  "",
		`{"kind": "sqlite", "path": "newer.db"}`:    "newer.db has version 99",
		`{"kind": "sqlite", "path": "other.db"}`:    "a database of another program",
		`{"kind": "sqlite", "path": "kept/new.db"}`: "is read-only",
		`{"kind": "sqlite", "path": "kept"}`:        "it is a folder",
		`{"kind": "sqlite", "path": "config.json"}`: "no database of SQLite",
		`{"kind": "sqlite", "path": "sqlite:x.db"}`: `write "x.db"`,
		`"sqlite:x.db"`: `write {"kind":"sqlite","path":"x.db"}`,
		`"x.db"`:        `write {"kind":"sqlite","path":"x.db"}`,
		`{"kind": "postgres", "path": "postgres://wf:s3cret@127.0.0.1:1/none"}`: "cannot be reached",
	} {
		write("config.json", []byte(`{"store": `+store+`}`))
		before, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		exit, stderr := run("config", "validate", "--config", "config.json")
		if (exit == cli.ExitDone) != (says == "") || !strings.Contains(stderr, says) || strings.Contains(stderr, "s3cret") {
			t.Errorf("%s: exit %d, expected something that says %q\n%s", store, exit, says, stderr)
		}
		if after, err := os.ReadDir(dir); err != nil || len(after) != len(before) {
			t.Errorf("%s: %v, before %v", store, after, before)
		}
	}
	for name, want := range map[string][]byte{"made.db": made, "newer.db": newer} {
		if is, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(is, want) {
			t.Errorf("%s was changed: %v", name, err)
		}
	}
}
