package postgres

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/contract"
	"lda.chat/wf/store/internal/ledger"
)

// find reads a run.
func (s *Store) find(ctx context.Context, id string) (*row, error) {
	ctx, cancel, err := s.within(ctx)
	if err != nil {
		return nil, err
	}
	defer cancel()
	r, err := scanRow(s.pool.QueryRow(ctx, `SELECT `+columns+` FROM runs WHERE id = $1`, clean(id)))
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, ledger.NoRun(id)
	}
	return r, s.explain(err)
}

// Head is [wf.Runs.Head].
func (s *Store) Head(ctx context.Context, runID string) (wf.RunHead, error) {
	r, err := s.find(ctx, runID)
	if err != nil {
		return wf.RunHead{}, err
	}
	return r.RunHead, nil
}

// page is how many events are read at a time, so that no reader keeps a connection for long.
const page = 256

// Events is [wf.Runs.Events].
func (s *Store) Events(ctx context.Context, runID string, from wf.Revision) iter.Seq2[wf.Event, error] {
	return func(yield func(wf.Event, error) bool) {
		r, err := s.find(ctx, runID)
		if err == nil && from != 0 && from <= r.Pruned {
			err = ledger.NoRevision("event", runID, from)
		}
		if err != nil {
			yield(wf.Event{}, err)
			return
		}
		for next := max(from, r.Pruned+1); next <= r.Revision; {
			events, err := s.events(ctx, r, next)
			if err != nil {
				yield(wf.Event{}, err)
				return
			}
			for _, e := range events {
				if !yield(e, nil) {
					return
				}
				next++
			}
		}
	}
}

func (s *Store) events(ctx context.Context, r *row, from wf.Revision) ([]wf.Event, error) {
	list, err := s.someEvents(ctx, r, from)
	if err != nil || len(list) > 0 {
		return list, err
	}
	now, err := s.find(ctx, r.RunID)
	if _, gone := errors.AsType[*wf.NotFoundError](err); gone || err == nil && (now.n != r.n || now.Pruned >= from) {
		return nil, ledger.NoRevision("event", r.RunID, from) // deleted or pruned while it was read
	}
	if err != nil {
		return nil, err
	}
	return nil, &wf.CorruptError{Place: s.place, Problem: fmt.Sprintf("event %d of run %s is missing", from, r.RunID)}
}

// someEvents reads events without a gap.
func (s *Store) someEvents(ctx context.Context, r *row, from wf.Revision) ([]wf.Event, error) {
	ctx, cancel, err := s.within(ctx)
	if err != nil {
		return nil, err
	}
	defer cancel()
	rows, err := s.pool.Query(ctx, `SELECT revision, fence, at, data FROM events WHERE run = $1 AND revision BETWEEN $2 AND $3 ORDER BY revision LIMIT $4`,
		r.n, number(from), number(r.Revision), page)
	if err != nil {
		return nil, s.explain(err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (e wf.Event, err error) {
		var at int64
		err = row.Scan(&e.Revision, &e.Fence, &at, &e.Data)
		e.At = contract.Time(at)
		return e, err
	})
	for i, e := range list {
		if e.Revision != from+wf.Revision(i) {
			return list[:i], nil
		}
	}
	return list, s.explain(err)
}

// LoadSnapshot is [wf.Runs.LoadSnapshot].
func (s *Store) LoadSnapshot(ctx context.Context, runID string, atOrBefore wf.Revision) (snap wf.Snapshot, err error) {
	r, err := s.find(ctx, runID)
	if err != nil {
		return snap, err
	}
	if atOrBefore == 0 {
		atOrBefore = r.Revision
	}
	ctx, cancel, err := s.within(ctx)
	if err != nil {
		return snap, err
	}
	defer cancel()
	err = s.pool.QueryRow(ctx, `SELECT revision, data FROM snapshots WHERE run = $1 AND revision <= $2 ORDER BY revision DESC LIMIT 1`, r.n, number(atOrBefore)).
		Scan(&snap.Revision, &snap.Data)
	if errors.Is(err, pgx.ErrNoRows) {
		return snap, ledger.NoRevision("snapshot", runID, atOrBefore)
	}
	return snap, s.explain(err)
}

// List is [wf.Runs.List].
func (s *Store) List(ctx context.Context, q wf.RunQuery) (wf.RunPage, error) {
	limit, after, err := contract.Query(&q)
	if err != nil {
		return wf.RunPage{}, err
	}
	ctx, cancel, err := s.within(ctx)
	if err != nil {
		return wf.RunPage{}, err
	}
	defer cancel()
	var where conditions
	if after != nil {
		where.and(`(created, id) < (?, ?)`, contract.Micros(after.Created), after.RunID)
	}
	if q.Status != nil {
		where.and(`status = ANY (?)`, q.Status)
	}
	if q.Deployment != "" {
		where.and(`deployment = ?`, clean(q.Deployment))
	}
	if !q.CreatedFrom.IsZero() {
		where.and(`created >= ?`, contract.Ceil(q.CreatedFrom))
	}
	if !q.CreatedBefore.IsZero() {
		where.and(`created < ?`, contract.Ceil(q.CreatedBefore))
	}
	if !q.UpdatedBefore.IsZero() {
		where.and(`updated < ?`, contract.Ceil(q.UpdatedBefore))
	}
	if q.Labels != nil {
		where.and(`labels @> ?`, q.Labels)
	}
	found, err := s.pool.Query(ctx, `SELECT `+columns+` FROM runs`+where.text+` ORDER BY created DESC, id DESC LIMIT $`+strconv.Itoa(len(where.args)+1), append(where.args, limit+1)...)
	if err != nil {
		return wf.RunPage{}, s.explain(err)
	}
	rows, err := scanRows(found)
	if err != nil {
		return wf.RunPage{}, s.explain(err)
	}
	var page wf.RunPage
	for _, r := range rows[:min(len(rows), limit)] {
		page.Runs = append(page.Runs, r.RunHead)
	}
	if len(rows) > limit {
		page.Next = contract.Cursor(&page.Runs[limit-1])
	}
	return page, nil
}

// conditions are a WHERE. A ? stands for the next argument.
type conditions struct {
	text string
	args []any
}

func (c *conditions) and(part string, args ...any) {
	if c.text == "" {
		c.text = ` WHERE `
	} else {
		c.text += ` AND `
	}
	for _, arg := range args {
		c.args = append(c.args, arg)
		part = strings.Replace(part, "?", "$"+strconv.Itoa(len(c.args)), 1)
	}
	c.text += part
}
