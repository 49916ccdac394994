package sqlite

import (
	"context"
	"time"
)

// Watch is [wf.JournalWatcher.Watch]. Changes by other processes are seen by looking, which costs a few microseconds each time.
func (s *Store) Watch(f func(runID string)) (stop func()) { return s.lookout.Watch(f) }

// look compares the counter of other connections' commits. While it cannot be read, any run may have changed.
func (s *Store) look(ctx context.Context) {
	conn, err := s.read.Conn(ctx)
	if err != nil {
		return
	}
	defer conn.Close()
	version := func() (v int64) {
		if err := conn.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&v); err != nil {
			return -1
		}
		return v
	}
	last := version()
	tick := time.NewTicker(s.poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if now := version(); now != last || now < 0 {
			last = now
			s.lookout.Tell("")
		}
	}
}
