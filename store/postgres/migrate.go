package postgres

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"

	"lda.chat/wf"
)

// A migration is never changed once it was released: a database that has it must be the same as one that gets it.
//
//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings the schema to the version of this program, in one transaction. Only one process at a time does so.
func (s *Store) migrate(ctx context.Context, conn *pgx.Conn) error {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('wf ' || $1, 0))`, s.schema); err != nil {
			return err
		}
		exists, ours, version, err := s.version(ctx, tx, len(names))
		if err != nil || version == len(names) {
			return err
		}
		text := ""
		if !exists {
			text += "CREATE SCHEMA " + s.schema + ";\n"
		}
		if !ours {
			text += "CREATE TABLE wf_version (version integer NOT NULL);\nINSERT INTO wf_version VALUES (0);\n"
		}
		for _, name := range names[version:] {
			migration, err := migrations.ReadFile(name)
			if err != nil {
				return err
			}
			text += string(migration) + ";\n"
		}
		_, err = conn.PgConn().Exec(ctx, text+fmt.Sprintf("UPDATE wf_version SET version = %d", len(names))).ReadAll()
		return err
	})
}

// version finds out what is there: whether the schema exists, whether it is ours, and of which version it is. One of a newer version than
// is known, or of another program, is an error.
func (s *Store) version(ctx context.Context, tx pgx.Tx, known int) (exists, ours bool, version int, err error) {
	var tables int
	err = tx.QueryRow(ctx, `SELECT to_regnamespace($1) IS NOT NULL, to_regclass($1 || '.wf_version') IS NOT NULL,
		(SELECT count(*) FROM pg_tables WHERE schemaname = $1)`, s.schema).Scan(&exists, &ours, &tables)
	switch {
	case err != nil:
	case ours:
		err = tx.QueryRow(ctx, `SELECT version FROM wf_version`).Scan(&version)
	case tables > 0:
		err = fmt.Errorf("%s has tables of another program; choose another schema", s.place)
	}
	if err == nil && version > known {
		err = &wf.VersionError{Place: s.place, Found: version, Known: known}
	}
	return exists, ours, version, err
}
