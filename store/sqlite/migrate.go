package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

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
