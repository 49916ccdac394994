package sqlite

import (
	"context"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/contract"
)

// Post is [wf.Inbox.Post].
func (s *Store) Post(ctx context.Context, runID string, m wf.Message) (fresh bool, err error) {
	if err := contract.Message(runID, &m); err != nil {
		return false, err
	}
	err = s.change(ctx, func(w *writer) (err error) { fresh, err = w.post(runID, &m); return err })
	return fresh && err == nil, err
}

func (w *writer) post(runID string, m *wf.Message) (bool, error) {
	r, err := w.must(runID)
	if err != nil {
		return false, err
	}
	var seen int
	if err := w.row(`SELECT count(*) FROM messages WHERE run = ? AND id = ?`, r.n, m.ID).Scan(&seen); err != nil || seen > 0 {
		return false, err
	}
	if r.Status.Ended() {
		return false, &wf.StatusError{RunID: runID, Status: r.Status, Refuse: "takes no messages"}
	}
	if _, err := w.exec(`INSERT INTO messages (run, id, kind, at, data) VALUES (?, ?, ?, ?, ?)`, r.n, m.ID, m.Kind, contract.Micros(w.now), contract.Bytes(m.Data)); err != nil {
		return false, err
	}
	if r.Pending++; r.Pending == 1 {
		r.first = w.now
	}
	w.woken = append(w.woken, runID)
	return true, w.update(r)
}

// Pending is [wf.Inbox.Pending].
func (s *Store) Pending(ctx context.Context, runID string) ([]wf.Message, error) {
	of, err := s.span(ctx, runID)
	if err != nil {
		return nil, err
	}
	rows, err := s.query(ctx, `SELECT id, kind, at, data FROM messages WHERE run = ? AND data IS NOT NULL ORDER BY n`, of.run)
	if err != nil {
		return nil, s.explain(err)
	}
	defer rows.Close()
	var list []wf.Message
	for rows.Next() {
		var m wf.Message
		var at int64
		if err := rows.Scan(&m.ID, &m.Kind, &at, &m.Data); err != nil {
			return nil, s.explain(err)
		}
		m.At = contract.Time(at)
		list = append(list, m)
	}
	return list, s.explain(rows.Err())
}
