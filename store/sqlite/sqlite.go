// Package sqlite is a store in one SQLite file, for all processes of one machine. It is the usual store of a durable wf.
//
// The file is in WAL mode and synced before a change is answered (synchronous=FULL). Changes of one process are committed in groups: those
// that come during a commit are the next one. Processes take turns; who waits longer than Options.Busy for another is
// refused, and nothing has happened. Leases are judged by the machine's clock.
//
// Its driver is pure Go (modernc.org/sqlite); it needs no C compiler. The file must lie on a local disk.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store"
	"lda.chat/wf/store/internal/contract"
	"lda.chat/wf/store/internal/group"
)

// Options configure a [Store].
type Options struct {
	Now  func() time.Time // the store's clock; nil: the machine's
	Busy time.Duration    // how long to wait for another process; 0: 10 seconds
	Poll time.Duration    // how often a watched store looks for changes by other processes; 0: a second
}

// Store is a store in a SQLite file.
type Store struct {
	path    string
	now     func() time.Time
	poll    time.Duration
	engine  engine
	write   *sql.DB // of one connection
	writer  *writer
	read    *sql.DB
	reading sync.Map // the statements of readers by their text
	group   group.Group[*request]
	closed  atomic.Bool
	broken  error // after a commit that may have failed or not; written by commits only
	lookout contract.Lookout
	commits atomic.Int64 // of this process
	others  atomic.Int64 // how often the writer found that somebody else had written
}

var _ interface {
	store.Store
	wf.JournalWatcher
} = (*Store)(nil)

// Open opens the store in a file, and makes it where there is none; opts may be nil. It fails with [*wf.VersionError] or
// [*wf.CorruptError].
func Open(path string, opts *Options) (*Store, error) { return openOn(machine, path, opts) }

func openOn(on engine, path string, opts *Options) (*Store, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	s := &Store{path: path, engine: on, now: o.Now, poll: o.Poll}
	if s.now == nil {
		s.now = time.Now
	}
	if s.poll <= 0 {
		s.poll = time.Second
	}
	if o.Busy <= 0 {
		o.Busy = 10 * time.Second
	}
	if err := s.open(o.Busy); err != nil {
		return nil, errors.Join(s.explain(err), s.shut())
	}
	s.group.Commit, s.lookout.Look = s.commit, s.look
	return s, nil
}

func (s *Store) open(busy time.Duration) error {
	if err := s.engine.prepare(s.path); err != nil {
		return err
	}
	var err error
	wait := fmt.Sprintf("busy_timeout(%d)", busy.Milliseconds())
	if s.write, err = s.engine.open(s.path, wait, "journal_mode(WAL)", "synchronous(FULL)", "wal_autocheckpoint(4000)"); err != nil {
		return err
	}
	s.write.SetMaxOpenConns(1)
	conn, err := s.write.Conn(context.Background())
	if err != nil {
		return err
	}
	if err := migrate(conn, s.path); err != nil {
		return errors.Join(err, conn.Close())
	}
	s.writer = &writer{conn: conn, statements: map[string]*sql.Stmt{}, rows: map[string]row{},
		events: bulk{into: insertEvents, row: "(?, ?, ?, ?, ?, ?, ?)"}, progress: bulk{into: putProgress, row: "(?, ?, ?, ?)"}}
	if s.read, err = s.engine.open(s.path, wait, "query_only(1)"); err != nil {
		return err
	}
	s.read.SetMaxOpenConns(mostReaders)
	s.read.SetMaxIdleConns(mostReaders)
	return nil
}

// Caps tells that changes survive the loss of power, and that the processes of a machine may share the file.
func (s *Store) Caps() store.Caps {
	return store.Caps{MultiProcess: true, Durability: store.Power, InlineLimit: store.InlineLimit}
}

// Close waits for the commit that goes on and closes the file. Nothing can be read any more.
func (s *Store) Close() error {
	var err error
	s.group.Do(&request{close: &err})
	return err
}

// shut closes what is open.
func (s *Store) shut() error {
	if s.closed.Swap(true) {
		return nil
	}
	s.lookout.Stop()
	var errs []error
	if s.read != nil {
		errs = append(errs, s.read.Close())
	}
	if s.writer != nil {
		for _, stmt := range s.writer.statements { // SQLite tidies its files up when nothing is left open
			errs = append(errs, stmt.Close())
		}
		errs = append(errs, s.writer.conn.Close())
	}
	if s.write != nil {
		errs = append(errs, s.write.Close())
	}
	return errors.Join(errs...)
}

// Now returns the machine's clock.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	return contract.Moment(s.now()), ctx.Err()
}
