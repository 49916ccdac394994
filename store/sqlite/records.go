package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"lda.chat/wf"
	"lda.chat/wf/store"
	"lda.chat/wf/store/internal/contract"
)

// expect finds the revision from which a record goes on, if it is the expected one, and whether the record is there.
func (w *writer) expect(kind, key string, want uint64) (last uint64, there bool, err error) {
	var current uint64
	err = w.row(`SELECT revision, value IS NOT NULL FROM records WHERE kind = ? AND key = ?`, kind, key).Scan(&last, &there)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, false, err
	}
	if there {
		current = last
	}
	if current != want {
		return 0, there, &wf.ConflictError{What: kind, Key: key, Expected: wf.Revision(want), Current: wf.Revision(current)}
	}
	return last, there, nil
}

// PutRecord is [store.Records.PutRecord].
func (s *Store) PutRecord(ctx context.Context, kind, key string, ifRevision uint64, data []byte) (revision uint64, err error) {
	if err := contract.Record(kind, key, data); err != nil {
		return 0, err
	}
	err = s.change(ctx, func(w *writer) error {
		last, _, err := w.expect(kind, key, ifRevision)
		if err != nil {
			return err
		}
		revision = last + 1
		_, err = w.exec(`INSERT INTO records (kind, key, revision, updated, value) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET revision = excluded.revision, updated = excluded.updated, value = excluded.value`, kind, key, revision, contract.Micros(w.now), contract.Bytes(data))
		return err
	})
	if err != nil {
		return 0, err
	}
	return revision, nil
}

// DeleteRecord is [store.Records.DeleteRecord].
func (s *Store) DeleteRecord(ctx context.Context, kind, key string, ifRevision uint64) error {
	return s.change(ctx, func(w *writer) error {
		_, there, err := w.expect(kind, key, ifRevision)
		if _, conflict := errors.AsType[*wf.ConflictError](err); !there && (err == nil || conflict) {
			return &wf.NotFoundError{What: kind, Key: key}
		}
		if err != nil {
			return err
		}
		_, err = w.exec(`UPDATE records SET value = NULL, updated = ? WHERE kind = ? AND key = ?`, contract.Micros(w.now), kind, key)
		return err
	})
}

// GetRecord is [store.Records.GetRecord].
func (s *Store) GetRecord(ctx context.Context, kind, key string) (store.Record, error) {
	if s.closed.Load() {
		return store.Record{}, wf.ErrJournalClosed
	}
	r := store.Record{Kind: kind, Key: key}
	var updated int64
	err := s.row(ctx, `SELECT revision, updated, value FROM records WHERE kind = ? AND key = ? AND value IS NOT NULL`, kind, key).Scan(&r.Revision, &updated, &r.Value)
	if errors.Is(err, sql.ErrNoRows) {
		return store.Record{}, &wf.NotFoundError{What: kind, Key: key}
	}
	r.Updated = contract.Time(updated)
	return r, s.explain(err)
}

// ScanRecords is [store.Records.ScanRecords].
func (s *Store) ScanRecords(ctx context.Context, kind, prefix, cursor string, limit int) (store.RecordPage, error) {
	var page store.RecordPage
	limit, err := contract.Scan(kind, prefix, cursor, limit)
	if err != nil {
		return page, err
	}
	if s.closed.Load() {
		return page, wf.ErrJournalClosed
	}
	// Keys are ASCII without DEL, so that this is the end of those that begin with the prefix.
	rows, err := s.query(ctx, `SELECT key, revision, updated, value FROM records
		WHERE kind = ? AND key >= ? AND key > ? AND key < ? AND value IS NOT NULL ORDER BY key LIMIT ?`, kind, prefix, cursor, prefix+"\x7f", limit+1)
	if err != nil {
		return page, s.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		r := store.Record{Kind: kind}
		var updated int64
		if err := rows.Scan(&r.Key, &r.Revision, &updated, &r.Value); err != nil {
			return page, s.explain(err)
		}
		if len(page.Records) == limit {
			page.Next = page.Records[limit-1].Key
			break
		}
		r.Updated = contract.Time(updated)
		page.Records = append(page.Records, r)
	}
	return page, s.explain(rows.Err())
}

// PutPlan is [wf.Plans.PutPlan].
func (s *Store) PutPlan(ctx context.Context, digest string, plan []byte) error {
	return store.PutPlan(ctx, s, digest, plan)
}

// Plan is [wf.Plans.Plan].
func (s *Store) Plan(ctx context.Context, digest string) ([]byte, error) {
	return store.Plan(ctx, s, digest)
}
