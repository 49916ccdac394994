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
