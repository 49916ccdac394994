package postgres

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	silence     = time.Minute // after which the listener looks whether the server is still there
	mostBetween = 5 * time.Second
)

// Watch is [wf.JournalWatcher.Watch]. Changes by other processes are told by the server. When the connection for it was lost
// and is there again, any run may have changed.
func (s *Store) Watch(f func(runID string)) (stop func()) { return s.lookout.Watch(f) }

// listen hears what other stores notify, on a connection of its own.
func (s *Store) listen(ctx context.Context) {
	for between := 50 * time.Millisecond; ctx.Err() == nil; between = min(2*between, mostBetween) {
		conn, err := pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig)
		if err == nil {
			if _, err = conn.Exec(ctx, "LISTEN "+s.schema); err == nil {
				between = 50 * time.Millisecond
				s.lookout.Tell("") // whatever happened before it was heard
				s.hear(ctx, conn)
			}
			_ = conn.Close(ctx)
		}
		select {
		case <-ctx.Done():
		case <-time.After(between):
		}
	}
}

// hear ends when the connection does.
func (s *Store) hear(ctx context.Context, conn *pgx.Conn) {
	for {
		wait, cancel := context.WithTimeout(ctx, silence)
		n, err := conn.WaitForNotification(wait)
		cancel()
		switch {
		case err == nil:
			if id, own := strings.CutPrefix(n.Payload, s.name); !own {
				s.lookout.Tell(id[min(len(s.name), len(id)):])
			}
		case ctx.Err() != nil:
			return
		case pgconn.Timeout(err):
			ping, cancel := context.WithTimeout(ctx, s.timeout)
			err := conn.Ping(ping)
			cancel()
			if err != nil {
				return
			}
		default:
			return
		}
	}
}
