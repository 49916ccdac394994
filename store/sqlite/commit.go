package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/contract"
)

// request is one change that waits for a commit.
type request struct {
	do    func(*writer) error
	err   error
	close *error // set: closes the store
}

// writer is the one connection that writes, inside a transaction.
type writer struct {
	conn       *sql.Conn
	statements map[string]*sql.Stmt
	rows       map[string]row // as they stand, while only this connection writes
	newest     int64          // the last event of all, likewise; 0: it is not known
	version    int64          // changes when another one does
	events     bulk
	progress   bulk
	now        time.Time
	woken      []string
	writes     int
}

// change carries out one operation in the next commit.
func (s *Store) change(ctx context.Context, do func(*writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r := &request{do: do}
	s.group.Do(r)
	return s.explain(r.err)
}

// commit makes one transaction of all requests. A request that is refused has written nothing. If one fails
// otherwise, all are carried out again, each by itself, so that it fails alone.
func (s *Store) commit(requests []*request) {
	var work []*request
	var closing []*request
	for _, r := range requests {
		switch {
		case r.close != nil:
			closing = append(closing, r)
		case s.closed.Load():
			r.err = wf.ErrJournalClosed
		case s.broken != nil:
			r.err = fmt.Errorf("%w: %w", wf.ErrJournalClosed, s.broken)
		default:
			work = append(work, r)
		}
	}
	if len(work) > 0 && !s.together(work) {
		for _, r := range work {
			if s.broken != nil {
				r.err = fmt.Errorf("%w: %w", wf.ErrJournalClosed, s.broken)
			} else {
				s.together([]*request{r})
			}
		}
	}
	for _, r := range closing {
		*r.close = s.shut()
	}
}

// together reports whether every request has its answer.
func (s *Store) together(requests []*request) bool {
	w := s.writer
	w.now, w.woken, w.writes = contract.Moment(s.now()), nil, 0
	fail := func(err error) bool {
		for _, r := range requests {
			r.err = err
		}
		return true
	}
	if err := w.do("BEGIN IMMEDIATE"); err != nil {
		return fail(err)
	}
	others, err := w.current()
	if err != nil {
		s.rollback()
		return fail(err)
	}
	if others {
		s.others.Add(1)
	}
	for _, r := range requests {
		before := w.writes
		if r.err = r.do(w); r.err == nil || w.writes == before && s.engine.code(r.err) == 0 {
			continue // it is carried out, or refused
		}
		s.rollback()
		return len(requests) == 1
	}
	if w.writes == 0 {
		_ = w.do("ROLLBACK") // what is remembered still holds
		return true
	}
	if err := w.flush(); err != nil {
		s.rollback()
		return len(requests) == 1 && fail(err)
	}
	if err := w.do("COMMIT"); err != nil {
		s.rollback()
		if code := s.engine.code(err); code == codeFull || code == codeBusy {
			return fail(err)
		}
		s.broken = fmt.Errorf("%s could not be written; open the store again when the cause is gone: %w", s.path, err)
		return fail(&wf.AmbiguousError{Err: s.broken})
	}
	s.commits.Add(1)
	s.lookout.Tell(w.woken...)
	return true
}

// rollback ends a transaction. SQLite may have ended it already, then there is nothing to do.
func (s *Store) rollback() {
	s.writer.forget()
	_ = s.writer.do("ROLLBACK")
}

// statement prepares a text once.
func (w *writer) statement(text string) (*sql.Stmt, error) {
	if stmt := w.statements[text]; stmt != nil {
		return stmt, nil
	}
	stmt, err := w.conn.PrepareContext(context.Background(), text)
	if err == nil {
		w.statements[text] = stmt
	}
	return stmt, err
}

// next prepares a statement for use now: it finds all that was written so far.
func (w *writer) next(text string) (*sql.Stmt, error) {
	if err := w.flush(); err != nil {
		return nil, err
	}
	return w.statement(text)
}

// exec carries out a change.
func (w *writer) exec(text string, args ...any) (sql.Result, error) {
	stmt, err := w.next(text)
	if err != nil {
		return nil, err
	}
	w.writes++
	return stmt.Exec(args...)
}

// do carries out a statement that is no change by itself.
func (w *writer) do(text string) error {
	stmt, err := w.statement(text)
	if err == nil {
		_, err = stmt.Exec()
	}
	return err
}

// row reads one row.
func (w *writer) row(text string, args ...any) scanner {
	stmt, err := w.next(text)
	if err != nil {
		return failed{err}
	}
	return stmt.QueryRow(args...)
}

type scanner interface{ Scan(into ...any) error }

type failed struct{ err error }

func (f failed) Scan(...any) error { return f.err }
