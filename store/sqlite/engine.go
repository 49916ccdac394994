package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/folder"
)

// engine is a driver of SQLite. Tests put one in its place whose file system is theirs.
type engine struct {
	prepare func(path string) error // makes an empty file where there is none
	open    func(path string, pragmas ...string) (*sql.DB, error)
	code    func(error) int // the primary result code of an error of SQLite, 0 for others
}

// machine works on the files of the machine.
var machine = engine{
	prepare: func(path string) error {
		if err := folder.Make(folder.OS{}, filepath.Dir(path)); err != nil {
			return err
		}
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) // SQLite would let everybody read it
		if err != nil {
			return err
		}
		return f.Close()
	},
	open: func(path string, pragmas ...string) (*sql.DB, error) {
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		if path = filepath.ToSlash(path); path[0] != '/' {
			path = "/" + path
		}
		return sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: url.Values{"_pragma": pragmas}.Encode()}).String())
	},
	code: func(err error) int {
		if e, ok := errors.AsType[*sqlite.Error](err); ok {
			return e.Code() & 0xff
		}
		return 0
	},
}

// The result codes of SQLite that are told apart: https://www.sqlite.org/rescode.html
const (
	codeBusy    = 5
	codeCorrupt = 11
	codeFull    = 13
	codeNotADB  = 26
)

// explain makes of an error of SQLite what callers can tell apart.
func (s *Store) explain(err error) error {
	switch s.engine.code(err) {
	case 0:
		return err
	case codeCorrupt, codeNotADB:
		return &wf.CorruptError{Place: s.path, Problem: err.Error()}
	case codeBusy:
		return fmt.Errorf("%s is locked by another process for too long: %w", s.path, err)
	case codeFull:
		return fmt.Errorf("%s cannot grow, nothing was changed; make room and repeat it: %w", s.path, err)
	}
	return fmt.Errorf("%s: %w", s.path, err)
}
