package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"slices"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/contract"
	"lda.chat/wf/store/internal/ledger"
)

// Events are rows in the order of time, so that a commit writes few pages of however many runs. Each names the one before it of
// its run. walk lists those of run ?1 from the first marked one at or behind revision ?3, or else from the last, back to
// revision ?2. What it lists beyond ?3 is for the reader to leave out.
const walk = `WITH RECURSIVE walk (n) AS (
	SELECT ifnull((SELECT n FROM events WHERE run = ?1 AND revision >= ?3 AND revision % 64 = 0 ORDER BY revision LIMIT 1), (SELECT last FROM progress WHERE run = ?1))
	UNION ALL
	SELECT prev FROM walk CROSS JOIN events USING (n) WHERE run = ?1 AND revision > ?2 AND prev < events.n) `

const (
	insertEvents = `INSERT INTO events (n, run, revision, prev, fence, at, data) VALUES`
	readEvents   = walk + `SELECT revision, fence, at, data FROM walk CROSS JOIN events USING (n) WHERE run = ?1 AND revision BETWEEN ?2 AND ?3`
	deleteEvents = walk + `DELETE FROM events WHERE n IN walk AND run = ?1 AND revision BETWEEN ?2 AND ?3`
	copyEvents   = walk + `INSERT INTO events (n, run, revision, prev, fence, at, data)
		SELECT ?5 + revision, ?4, revision, ?5 + revision - 1, 0, at, data FROM (SELECT n FROM walk ORDER BY n) CROSS JOIN events USING (n) WHERE run = ?1 AND revision BETWEEN ?2 AND ?3`
)

// page is how many events are read at a time, so that no reader keeps the file from being tidied up for long.
const page = 256

// Events is [wf.Runs.Events].
func (s *Store) Events(ctx context.Context, runID string, from wf.Revision) iter.Seq2[wf.Event, error] {
	return func(yield func(wf.Event, error) bool) {
		all, err := s.span(ctx, runID)
		if err == nil && from != 0 && from <= all.pruned {
			err = ledger.NoRevision("event", runID, from)
		}
		if err != nil {
			yield(wf.Event{}, err)
			return
		}
		for next := max(from, all.pruned+1); next <= all.last; {
			events, err := s.events(ctx, runID, all, next)
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

// span is which events there are of a run.
type span struct {
	run          int64
	pruned, last wf.Revision
}

func (s *Store) span(ctx context.Context, runID string) (all span, err error) {
	if s.closed.Load() {
		return all, wf.ErrJournalClosed
	}
	err = s.row(ctx, `SELECT n, pruned, revision FROM runs CROSS JOIN progress ON run = n WHERE id = ?`, runID).Scan(&all.run, &all.pruned, &all.last)
	if errors.Is(err, sql.ErrNoRows) {
		return all, ledger.NoRun(runID)
	}
	return all, s.explain(err)
}

// events reads a page of a run, or what of it is in one piece.
func (s *Store) events(ctx context.Context, runID string, all span, from wf.Revision) ([]wf.Event, error) {
	to := min(from+page-1, all.last)
	list, err := s.listed(ctx, all.run, from, to)
	if err != nil {
		return nil, s.explain(err)
	}
	slices.SortFunc(list, func(a, b wf.Event) int { return cmp.Compare(a.Revision, b.Revision) })
	whole := 0
	for whole < len(list) && list[whole].Revision == from+wf.Revision(whole) {
		whole++
	}
	if whole > 0 {
		return list[:whole], nil
	}
	now, err := s.span(ctx, runID)
	if _, gone := errors.AsType[*wf.NotFoundError](err); gone || err == nil && (now.run != all.run || now.pruned >= from) { // deleted or pruned while it was read
		return nil, ledger.NoRevision("event", runID, from)
	}
	if err != nil {
		return nil, err
	}
	missing := to
	if len(list) > 0 { // the walk has come so far
		missing = list[0].Revision - 1
	}
	return nil, &wf.CorruptError{Place: s.path, Problem: fmt.Sprintf("event %d of run %s is missing", missing, runID)}
}

func (s *Store) listed(ctx context.Context, run int64, from, to wf.Revision) ([]wf.Event, error) {
	rows, err := s.query(ctx, readEvents, run, from, to)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []wf.Event
	for rows.Next() {
		var e wf.Event
		var at int64
		if err := rows.Scan(&e.Revision, &e.Fence, &at, &e.Data); err != nil {
			return nil, err
		}
		e.At = contract.Time(at)
		list = append(list, e)
	}
	return list, rows.Err()
}

// addEvents appends to a run; its row is not written.
func (w *writer) addEvents(r *row, fence wf.Fence, events [][]byte) error {
	if err := w.number(); err != nil {
		return err
	}
	at := contract.Micros(w.now)
	for _, data := range events {
		r.Revision++
		w.newest++
		w.events.add(w.newest, r.n, r.Revision, r.last, fence, at, contract.Bytes(data))
		r.last = w.newest
	}
	w.writes++
	return nil
}

// number finds out which event is the last of all.
func (w *writer) number() error {
	if w.newest > 0 {
		return nil
	}
	return w.row(`SELECT ifnull(max(n), 0) FROM events`).Scan(&w.newest)
}

// copyHistory gives a run that begins the events of another up to a revision, and the snapshot that they go on from.
func (w *writer) copyHistory(source, r *row, at wf.Revision) error {
	if err := w.number(); err != nil {
		return err
	}
	before := w.newest - int64(source.Pruned)
	if _, err := w.exec(copyEvents, source.n, source.Pruned+1, at, r.n, before); err != nil {
		return err
	}
	if at > source.Pruned {
		r.last = before + int64(at)
		w.newest = r.last
	}
	_, err := w.exec(`INSERT INTO snapshots (run, revision, data) SELECT ?, revision, data FROM snapshots WHERE run = ? AND revision <= ? ORDER BY revision DESC LIMIT 1`, r.n, source.n, at)
	return err
}
