package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/contract"
	"lda.chat/wf/store/internal/ledger"
)

// mostReaders is how many connections read at once.
const mostReaders = 16

// query reads rows by a statement that is prepared once. Nothing else is read before they are closed: the connection is one of few.
func (s *Store) query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	stmt, err := s.prepared(ctx, text)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// row reads one row likewise.
func (s *Store) row(ctx context.Context, text string, args ...any) scanner {
	stmt, err := s.prepared(ctx, text)
	if err != nil {
		return failed{err}
	}
	return stmt.QueryRowContext(ctx, args...)
}

func (s *Store) prepared(ctx context.Context, text string) (*sql.Stmt, error) {
	if stmt, ok := s.reading.Load(text); ok {
		return stmt.(*sql.Stmt), nil
	}
	stmt, err := s.read.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	if first, there := s.reading.LoadOrStore(text, stmt); there {
		return first.(*sql.Stmt), stmt.Close()
	}
	return stmt, nil
}

// Head is [wf.Runs.Head].
func (s *Store) Head(ctx context.Context, runID string) (wf.RunHead, error) {
	if s.closed.Load() {
		return wf.RunHead{}, wf.ErrJournalClosed
	}
	r, err := scanRow(s.row(ctx, selectRuns+` WHERE id = ?`, runID))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return wf.RunHead{}, ledger.NoRun(runID)
	case err != nil:
		return wf.RunHead{}, s.explain(err)
	}
	return r.RunHead, nil
}

// LoadSnapshot is [wf.Runs.LoadSnapshot].
func (s *Store) LoadSnapshot(ctx context.Context, runID string, atOrBefore wf.Revision) (snap wf.Snapshot, err error) {
	if s.closed.Load() {
		return snap, wf.ErrJournalClosed
	}
	most := atOrBefore
	if most == 0 {
		most = math.MaxInt64
	}
	var at sql.NullInt64
	var last wf.Revision
	err = s.row(ctx, `SELECT progress.revision, snapshots.revision, data FROM runs JOIN progress ON progress.run = n
		LEFT JOIN snapshots ON snapshots.run = n AND snapshots.revision <= ? WHERE id = ? ORDER BY snapshots.revision DESC LIMIT 1`, most, runID).Scan(&last, &at, &snap.Data)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return snap, ledger.NoRun(runID)
	case err != nil:
		return snap, s.explain(err)
	case !at.Valid:
		return snap, ledger.NoRevision("snapshot", runID, cmp.Or(atOrBefore, last))
	}
	snap.Revision = wf.Revision(at.Int64)
	return snap, nil
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
	found, err := s.read.QueryContext(ctx, selectRuns+where.text()+` ORDER BY created DESC, id DESC LIMIT ?`, append(where.args, limit+1)...)
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
