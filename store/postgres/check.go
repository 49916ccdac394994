package postgres

import (
	"context"
	"errors"
	"io/fs"

	"github.com/jackc/pgx/v5"
)

// Check finds out whether the store in a database can be opened, and makes and changes nothing; opts may be nil. Where there is none yet,
// there is nothing to find but whether the server answers. Errors are as those of [Open].
func Check(ctx context.Context, url string, opts *Options) error {
	s := newStore(opts)
	config, err := s.configure(url)
	if err != nil {
		return err
	}
	ctx, cancel, err := s.within(ctx)
	if err != nil {
		return err
	}
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return s.explain(err)
	}
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err == nil {
		err = pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
			_, _, _, err := s.version(ctx, tx, len(names))
			return err
		})
	}
	return s.explain(errors.Join(err, conn.Close(ctx)))
}
