// Package postgres is a store in a schema of a PostgreSQL database, for processes on one or many machines.
//
// Every change is one transaction, sent in one go, so that a process that is frozen or dies in the middle of one holds up
// nobody. Changes of one process are committed in groups: those that come during a commit are the next one. Leases are judged by
// the server's clock. Watchers are told by LISTEN and NOTIFY, and hear nothing through a pooler that lends connections
// for a transaction.
//
// While the server is away all is answered with an error; the store goes on when it is back. A change whose answer was
// lost is a [*wf.AmbiguousError].
package postgres

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"lda.chat/wf"
	"lda.chat/wf/store"
	"lda.chat/wf/store/internal/contract"
	"lda.chat/wf/store/internal/group"
)

// Options configure a [Store].
type Options struct {
	Schema  string           // where the tables are; "": wf. Lower case letters, digits and _, at most 48.
	Timeout time.Duration    // how long the server may take for one thing; 0: 30 seconds
	Now     func() time.Time // the store's clock, for tests; nil: the server's
}

// Store is a store in a PostgreSQL database.
type Store struct {
	place      string // for messages; without the password
	name       string // of this store among those that tell each other
	schema     string
	timeout    time.Duration
	clock      func() time.Time
	pool       *pgxpool.Pool
	durability store.Durability
	group      group.Group[*request]
	lookout    contract.Lookout
	closed     atomic.Bool
}

var _ interface {
	store.Store
	wf.JournalWatcher
} = (*Store)(nil)

// Open opens the store in a database, "postgres://user:password@host:port/database" or "host=… dbname=…", and makes it where there is none;
// opts may be nil. What the address leaves out comes from the environment, as for other programs (PGHOST, PGPASSWORD, …). It
// fails with [*wf.VersionError] if a newer program wrote it. The password is in no message.
func Open(ctx context.Context, url string, opts *Options) (*Store, error) {
	s := newStore(opts)
	config, err := s.configure(url)
	if err != nil {
		return nil, err
	}
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, s.explain(err)
	}
	if err := s.prepare(ctx); err != nil {
		s.pool.Close()
		return nil, s.explain(err)
	}
	s.group.Commit, s.lookout.Look = s.commit, s.listen
	return s, nil
}

func newStore(opts *Options) *Store {
	var o Options
	if opts != nil {
		o = *opts
	}
	if o.Schema == "" {
		o.Schema = "wf"
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	return &Store{schema: o.Schema, timeout: o.Timeout, clock: o.Now}
}

// Caps tells that hosts may share the store, and what the server's settings made durable when it was opened: with fsync, full_page_writes or
// synchronous_commit off changes survive the end of the process, but not surely that of the server's machine.
func (s *Store) Caps() store.Caps {
	return store.Caps{MultiProcess: true, MultiHost: true, Durability: s.durability, InlineLimit: store.InlineLimit}
}

// Close waits for what goes on and closes the connections. Nothing can be read any more.
func (s *Store) Close() error {
	s.group.Do(&request{close: true})
	return nil
}

func (s *Store) shut() {
	if !s.closed.Swap(true) {
		s.lookout.Stop()
		s.pool.Close()
	}
}

// serverClock is the server's clock in microseconds, where no other one is given.
const serverClock = `floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`

// Now returns the server's clock.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	var micros int64
	err := s.ask(ctx, &micros, `SELECT coalesce($1, `+serverClock+`)`, s.now())
	return contract.Time(micros), err
}

// now is the clock of a test, or nil for the server's.
func (s *Store) now() *int64 {
	if s.clock == nil {
		return nil
	}
	micros := contract.Moment(s.clock()).UnixMicro()
	return &micros
}

// number is a number as the database can have it; what it cannot have is more than all that is there.
func number[N ~uint64](n N) int64 { return int64(min(uint64(n), math.MaxInt64)) }

func (s *Store) within(ctx context.Context) (context.Context, context.CancelFunc, error) {
	if s.closed.Load() {
		return nil, nil, wf.ErrJournalClosed
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.timeout, fmt.Errorf("%s gave no answer in %v", s.place, s.timeout))
	return ctx, cancel, nil
}
