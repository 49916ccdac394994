package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/contract"
	"lda.chat/wf/store/internal/ledger"
)

// find reads a run; it is nil if there is none.
func (s *Store) find(ctx context.Context, id string) (*row, error) {
	if s.closed.Load() {
		return nil, wf.ErrJournalClosed
	}
	r, err := scanRow(s.read.QueryRowContext(ctx, `SELECT `+columns+` FROM runs WHERE id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return r, s.explain(err)
}

// Head is [wf.Runs.Head].
func (s *Store) Head(ctx context.Context, runID string) (wf.RunHead, error) {
	r, err := s.find(ctx, runID)
	if err != nil {
		return wf.RunHead{}, err
	}
	if r == nil {
		return wf.RunHead{}, ledger.NoRun(runID)
	}
	return r.RunHead, nil
}

// page is how many events are read at a time, so that no reader keeps the file from being tidied up for long.
const page = 256

// Events is [wf.Runs.Events].
func (s *Store) Events(ctx context.Context, runID string, from wf.Revision) iter.Seq2[wf.Event, error] {
	return func(yield func(wf.Event, error) bool) {
		r, err := s.find(ctx, runID)
		switch {
		case err != nil:
		case r == nil:
			err = ledger.NoRun(runID)
		case from != 0 && from <= r.Pruned:
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
	rows, err := s.read.QueryContext(ctx, `SELECT revision, fence, at, data FROM events WHERE run = ? AND revision BETWEEN ? AND ? ORDER BY revision LIMIT ?`, r.n, from, r.Revision, page)
	if err != nil {
		return nil, s.explain(err)
	}
	defer rows.Close()
	var list []wf.Event
	for rows.Next() {
		var e wf.Event
		var at int64
		if err := rows.Scan(&e.Revision, &e.Fence, &at, &e.Data); err != nil {
			return nil, s.explain(err)
		}
		e.At = contract.Time(at)
		if e.Revision != from+wf.Revision(len(list)) {
			break
		}
		list = append(list, e)
	}
	if err := rows.Err(); err != nil || len(list) > 0 {
		return list, s.explain(err)
	}
	now, err := s.find(ctx, r.RunID)
	if err != nil {
		return nil, err
	}
	if now == nil || now.n != r.n || now.Pruned >= from { // deleted or pruned while it was read
		return nil, ledger.NoRevision("event", r.RunID, from)
	}
	return nil, &wf.CorruptError{Place: s.path, Problem: fmt.Sprintf("event %d of run %s is missing", from, r.RunID)}
}

// LoadSnapshot is [wf.Runs.LoadSnapshot].
func (s *Store) LoadSnapshot(ctx context.Context, runID string, atOrBefore wf.Revision) (snap wf.Snapshot, err error) {
	r, err := s.find(ctx, runID)
	if err != nil {
		return snap, err
	}
	if r == nil {
		return snap, ledger.NoRun(runID)
	}
	if atOrBefore == 0 {
		atOrBefore = r.Revision
	}
	err = s.read.QueryRowContext(ctx, `SELECT revision, data FROM snapshots WHERE run = ? AND revision <= ? ORDER BY revision DESC LIMIT 1`, r.n, atOrBefore).Scan(&snap.Revision, &snap.Data)
	if errors.Is(err, sql.ErrNoRows) {
		return snap, ledger.NoRevision("snapshot", runID, atOrBefore)
	}
	return snap, s.explain(err)
}

// conditions are the parts of a WHERE.
type conditions struct {
	parts []string
	args  []any
}

func (c *conditions) and(part string, args ...any) {
	c.parts = append(c.parts, part)
	c.args = append(c.args, args...)
}

func (c *conditions) labels(want map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(want)) {
		c.and(`EXISTS (SELECT 1 FROM json_each(runs.labels) AS label WHERE label.key = ? AND label.value = ?)`, key, want[key])
	}
}

func (c *conditions) except(values map[string][]string) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		list, _ := json.Marshal(values[key]) // texts always have a JSON form
		c.and(`NOT EXISTS (SELECT 1 FROM json_each(runs.labels) AS label WHERE label.key = ? AND label.value IN (SELECT value FROM json_each(?)))`,
			key, string(list))
	}
}

func (c *conditions) text() string {
	if len(c.parts) == 0 {
		return ""
	}
	return ` WHERE ` + strings.Join(c.parts, ` AND `)
}

// List is [wf.Runs.List].
func (s *Store) List(ctx context.Context, q wf.RunQuery) (wf.RunPage, error) {
	limit, after, err := contract.Query(&q)
	if err != nil {
		return wf.RunPage{}, err
	}
	if s.closed.Load() {
		return wf.RunPage{}, wf.ErrJournalClosed
	}
	where := conditions{}
	if after != nil {
		where.and(`(created, id) < (?, ?)`, contract.Micros(after.Created), after.RunID)
	}
	if q.Status != nil {
		args := make([]any, len(q.Status))
		for i, status := range q.Status {
			args[i] = status
		}
		where.and(`status IN (?`+strings.Repeat(`, ?`, max(len(args)-1, 0))+`)`, args...)
	}
	if q.Deployment != "" {
		where.and(`deployment = ?`, q.Deployment)
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
	where.labels(q.Labels)
	found, err := s.read.QueryContext(ctx, `SELECT `+columns+` FROM runs`+where.text()+` ORDER BY created DESC, id DESC LIMIT ?`, append(where.args, limit+1)...)
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

func scanRows(found *sql.Rows) ([]*row, error) {
	defer found.Close()
	var rows []*row
	for found.Next() {
		r, err := scanRow(found)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, found.Err()
}
