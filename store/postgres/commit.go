package postgres

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"lda.chat/wf"
)

// request is one change that waits for a commit.
type request struct {
	class class
	locks []string         // the runs that it changes or reads
	key   string           // what else it changes
	wakes []string         // the runs that others may have to look at
	size  int              // bytes of data
	do    func(*pgx.Batch) // queues its statements; their answers set refused and woken
	woken []string         // the runs that watchers are told of
	err   error
	close bool // closes the store
}

// class orders the requests of a commit, so that all processes lock things in one order. Claims come last: they wait for nothing.
type class int

const (
	changesRun class = iota
	changesRecord
	claims
)

// mostBytes is how much data a transaction sends, if its requests can be parted.
const mostBytes = 1 << 20

// mostTold is how many runs others are told of by name.
const mostTold = 16

// change carries out one request in the next commit.
func (s *Store) change(ctx context.Context, r *request) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.group.Do(r)
	return r.err
}

// commit makes transactions of all requests.
func (s *Store) commit(requests []*request) {
	closing := false
	var work []*request
	for _, r := range requests {
		switch {
		case r.close:
			closing = true
		case s.closed.Load():
			r.err = wf.ErrJournalClosed
		default:
			work = append(work, r)
		}
	}
	slices.SortStableFunc(work, func(a, b *request) int {
		return cmp.Or(cmp.Compare(a.class, b.class), strings.Compare(a.key, b.key))
	})
	for len(work) > 0 {
		n, size := 1, work[0].size
		for n < len(work) && size+work[n].size <= mostBytes {
			size += work[n].size
			n++
		}
		s.together(work[:n])
		work = work[n:]
	}
	if closing {
		s.shut()
	}
}

// together makes one transaction of requests. If the server refuses it for one of them, each is sent again by itself, so
// that it fails alone. What the contract refuses is no error of the server's.
func (s *Store) together(requests []*request) {
	err := s.send(requests)
	if err != nil && len(requests) > 1 && !wf.IsAmbiguous(err) && !errors.Is(err, errNotSent) {
		for _, r := range requests {
			s.together([]*request{r})
		}
		return
	}
	for _, r := range requests {
		if err != nil {
			r.err = err
		}
		if r.err == nil {
			s.lookout.Tell(r.woken...)
		}
	}
}

// errNotSent marks what failed before the server heard of it.
var errNotSent = errors.New("nothing was changed")

// send sends all statements at once. They are one transaction, which ends with them.
func (s *Store) send(requests []*request) error {
	ctx, cancel, err := s.within(context.Background())
	if err != nil {
		return err
	}
	defer cancel()
	for try := 0; ; try++ {
		conn, err := s.pool.Acquire(ctx)
		if err != nil {
			return errors.Join(s.explain(err), errNotSent)
		}
		err = s.sendOn(ctx, conn, requests)
		conn.Release()
		switch {
		case err == nil:
			return nil
		case unknown(err):
			return &wf.AmbiguousError{Err: s.explain(err)}
		case isRefusal(err):
			return s.explain(err)
		case try > 0:
			return errors.Join(s.explain(err), errNotSent)
		}
	}
}

func (s *Store) sendOn(ctx context.Context, conn *pgxpool.Conn, requests []*request) error {
	var locks, wakes []string
	for _, r := range requests {
		locks = append(locks, r.locks...)
		wakes = append(wakes, r.wakes...)
	}
	batch := &pgx.Batch{}
	if len(locks) > 0 {
		// What follows sees what was committed before it got the locks.
		batch.Queue(`SELECT 1 FROM runs WHERE id = ANY($1) ORDER BY id FOR UPDATE`, locks)
	}
	for _, r := range requests {
		r.err, r.woken = nil, nil
		r.do(batch)
	}
	if len(wakes) > mostTold {
		wakes = []string{""}
	}
	for _, id := range wakes {
		batch.Queue(`SELECT pg_notify($1, $2)`, s.schema, s.name+id)
	}
	return conn.SendBatch(ctx, batch).Close()
}
