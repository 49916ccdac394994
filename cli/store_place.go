package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"lda.chat/wf"
)

// codeNoStore is the code of a store that cannot be opened.
const codeNoStore wf.Code = "store_unavailable"

// storeMakers are the commands that make a store where there is none: those that put the first thing into it. With a flag, they
// do so if it is given. All others work on what is there, so that a name that is mistyped is told, and leaves nothing behind.
var storeMakers = []struct{ command, flag string }{
	{"draft create", ""}, {"artifact create-from-plan", ""}, {"artifact import", ""}, {"run start", "plan"}, {"try", "store"},
}

// makesStore reports whether a command makes the store that it names.
func makesStore(cmd *cobra.Command) bool {
	for _, m := range storeMakers {
		if m.command == words(cmd) {
			return m.flag == "" || cmd.Flags().Changed(m.flag)
		}
	}
	return false
}

// howToMake says which commands make a store.
func howToMake() string {
	names := make([]string, len(storeMakers))
	for i, m := range storeMakers {
		if names[i] = "wf " + m.command; m.flag != "" {
			names[i] += " --" + m.flag
		}
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last] + " make one"
}

// noStore is the failure of a command that works on what is there, where there is no store.
type noStore struct{ *failure }

// Unwrap gives the failure.
func (n noStore) Unwrap() error { return n.failure }

// lookAt fails if there is no store at a place of the file system, and this command does not make one, or if what is there cannot be one.
// Kinds of stores that are none of files are left to those who open them.
func (a *app) lookAt(name string) error {
	path := ""
	full := a.stores().Placed(name, func(p string) string { path = a.path(p); return p })
	kind, shown, _ := strings.Cut(full, ":")
	expected, known := map[string]string{"file": "folder", "sqlite": "file"}[kind]
	if path == "" || !known {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if a.makesStore {
			return nil
		}
		return noStore{failed(ExitNotFound, codeNoStore, fmt.Sprintf("there is no store %s: there is no such %s", full, expected), a.otherStore(kind, shown))}
	case errors.Is(err, syscall.ENOTDIR):
		return failed(ExitUsage, codeNoStore, fmt.Sprintf("there can be no store %s: what stands above it is a file, not a folder", full), "name a "+expected+" in a folder")
	case err != nil: // it is told by who opens it
		return nil
	case kind == "file" && !info.IsDir():
		hint := "name a folder"
		if isSQLite(path) {
			hint = "it is a database of SQLite: name it sqlite:" + shown
		}
		return failed(ExitUsage, codeNoStore, fmt.Sprintf("there is no store %s: it is a file, and a store of the kind file is a folder", full), hint)
	case kind == "sqlite" && info.IsDir():
		hint := "name a file in it"
		if hasJournal(path) {
			hint = "it is a store of plain files: name it file:" + shown
		}
		return failed(ExitUsage, codeNoStore, fmt.Sprintf("there is no store %s: it is a folder, and a store of the kind sqlite is a file", full), hint)
	case kind == "sqlite" && info.Size() > 0 && !isSQLite(path):
		return failed(ExitUsage, codeNoStore, fmt.Sprintf("there is no store %s: it is another file, no database of SQLite", full), "name another file")
	case a.makesStore || kind == "file" && hasJournal(path) || kind == "sqlite" && info.Size() > 0:
		return nil
	}
	return noStore{failed(ExitNotFound, codeNoStore, fmt.Sprintf("there is no store %s: the %s is empty", full, expected), howToMake())}
}

// otherStore hints at a store with a name that is near, or else at how one is made.
func (a *app) otherStore(kind, shown string) string {
	entries, err := os.ReadDir(filepath.Dir(a.path(shown)))
	if err != nil {
		return howToMake()
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() == (kind == "file") {
			names = append(names, kind+":"+filepath.Join(filepath.Dir(shown), e.Name()))
		}
	}
	if near := nearest(kind+":"+shown, names); near != "" {
		return near
	}
	return howToMake()
}

// hasJournal reports whether a folder is a store of plain files, of whatever generation.
func hasJournal(dir string) bool {
	names, err := filepath.Glob(filepath.Join(dir, "journal-*.log"))
	return err != nil || len(names) > 0
}

// isSQLite reports whether a file begins as SQLite's do: https://www.sqlite.org/fileformat.html#the_database_header. One that cannot be
// read may be one.
func isSQLite(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	magic := []byte("SQLite format 3\x00")
	begin := make([]byte, len(magic))
	_, err = io.ReadFull(f, begin)
	return err == nil && bytes.Equal(begin, magic)
}
