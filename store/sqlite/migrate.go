package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"modernc.org/sqlite"

	"lda.chat/wf"
)

// A migration is never changed once it was released: a database that has it must be the same as one that gets it.
//
//go:embed migrations/*.sql
var migrations embed.FS

// applicationID marks the files of this store: "wfdb".
const applicationID = 0x77666462

// migrate brings a database to the version of this program, in one transaction.
func migrate(conn *sql.Conn, path string) (err error) {
	ctx := context.Background()
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_, _ = conn.ExecContext(ctx, "ROLLBACK")
		}
	}()
	var version, application, tables int
	err = errors.Join(conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version),
		conn.QueryRowContext(ctx, "PRAGMA application_id").Scan(&application),
		conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables))
	switch {
	case err != nil:
		return err
	case application != applicationID && (application != 0 || version != 0 || tables != 0):
		return fmt.Errorf("%s is a database of another program", path)
	case version > len(names):
		return &wf.VersionError{Place: path, Found: version, Known: len(names)}
	}
	for _, name := range names[version:] {
		text, err := migrations.ReadFile(name)
		if err != nil {
			return err
		}
		if _, err := conn.ExecContext(ctx, string(text)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if version < len(names) {
		if _, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id=%d; PRAGMA user_version=%d", applicationID, len(names))); err != nil {
			return err
		}
	}
	_, err = conn.ExecContext(ctx, "COMMIT")
	return err
}

// The result codes of SQLite that are told apart: https://www.sqlite.org/rescode.html
const (
	codeBusy    = 5
	codeCorrupt = 11
	codeFull    = 13
	codeNotADB  = 26
)

// codeOf returns the primary result code of an error of SQLite, 0 for others.
func codeOf(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

// explain makes of an error of SQLite what callers can tell apart.
func (s *Store) explain(err error) error {
	switch codeOf(err) {
	case codeCorrupt, codeNotADB:
		return &wf.CorruptError{Place: s.path, Problem: err.Error()}
	case codeBusy:
		return fmt.Errorf("%s is locked by another process for too long: %w", s.path, err)
	}
	return err
}
