package sqlite

import (
	"context"
	"time"
)

// Watch is [wf.JournalWatcher.Watch]. Changes by other processes are seen by looking, which costs a few microseconds each time.
func (s *Store) Watch(f func(runID string)) (stop func()) { return s.lookout.Watch(f) }

// look compares the counter of other connections' commits. It counts those of this process too, so it says something only of a time in
// which this process made none; what others do meanwhile the writer notices when it has its turn. While the counter cannot be
// read, any run may have changed.
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
	last, own, others := version(), s.commits.Load(), s.others.Load()
	tick := time.NewTicker(s.poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		news := others != s.others.Load()
		others = s.others.Load()
		busy := own != s.commits.Load()
		own = s.commits.Load()
		if now := version(); now < 0 || now != last && !busy {
			last, news = now, true
		}
		if news {
			s.lookout.Tell("")
		}
	}
}
