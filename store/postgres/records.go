package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"lda.chat/wf"
	"lda.chat/wf/store"
	"lda.chat/wf/store/internal/contract"
)

// PutRecord is [store.Records.PutRecord].
func (s *Store) PutRecord(ctx context.Context, kind, key string, ifRevision uint64, data []byte) (revision uint64, err error) {
	if err := contract.Record(kind, key, data); err != nil {
		return 0, err
	}
	r := &request{class: changesRecord, key: kind + "\n" + key, size: len(data)}
	r.do = func(b *pgx.Batch) {
		// The condition is looked at twice: in what the statement sees, and in what another process put there meanwhile.
		done := false
		b.Queue(`INSERT INTO records (kind, key, revision, updated, value)
			SELECT $2, $3, coalesce(max(revision), 0) + 1, coalesce($1, `+serverClock+`), $5 FROM records WHERE kind = $2 AND key = $3
			HAVING coalesce(max(revision) FILTER (WHERE value IS NOT NULL), 0) = $4
			ON CONFLICT (kind, key) DO UPDATE SET revision = excluded.revision, updated = excluded.updated, value = excluded.value
			WHERE CASE WHEN records.value IS NULL THEN 0 ELSE records.revision END = $4 AND records.revision < excluded.revision
			RETURNING revision`, s.now(), kind, key, number(ifRevision), contract.Bytes(data)).QueryRow(func(answer pgx.Row) (err error) {
			done, err = maybe(answer.Scan(&revision))
			return err
		})
		current(b, kind, key, func(now uint64) {
			if !done {
				r.err = &wf.ConflictError{What: kind, Key: key, Expected: wf.Revision(ifRevision), Current: wf.Revision(now)}
			}
		})
	}
	if err := s.change(ctx, r); err != nil {
		return 0, err
	}
	return revision, nil
}

// current finds the revision of a record, 0 if it is not there.
func current(b *pgx.Batch, kind, key string, f func(revision uint64)) {
	b.Queue(`SELECT revision FROM records WHERE kind = $1 AND key = $2 AND value IS NOT NULL`, kind, key).QueryRow(func(answer pgx.Row) error {
		var revision uint64
		_, err := maybe(answer.Scan(&revision))
		f(revision)
		return err
	})
}

// DeleteRecord is [store.Records.DeleteRecord].
func (s *Store) DeleteRecord(ctx context.Context, kind, key string, ifRevision uint64) error {
	r := &request{class: changesRecord, key: clean(kind) + "\n" + clean(key)}
	r.do = func(b *pgx.Batch) {
		done := false
		b.Queue(`UPDATE records SET value = NULL, updated = coalesce($1, `+serverClock+`)
			WHERE kind = $2 AND key = $3 AND revision = $4 AND value IS NOT NULL RETURNING true`, s.now(), clean(kind), clean(key), number(ifRevision)).
			QueryRow(func(answer pgx.Row) error {
				_, err := maybe(answer.Scan(&done))
				return err
			})
		current(b, clean(kind), clean(key), func(now uint64) {
			switch {
			case done:
			case now == 0:
				r.err = &wf.NotFoundError{What: kind, Key: key}
			default:
				r.err = &wf.ConflictError{What: kind, Key: key, Expected: wf.Revision(ifRevision), Current: wf.Revision(now)}
			}
		})
	}
	return s.change(ctx, r)
}

// GetRecord is [store.Records.GetRecord].
func (s *Store) GetRecord(ctx context.Context, kind, key string) (store.Record, error) {
	ctx, cancel, err := s.within(ctx)
	if err != nil {
		return store.Record{}, err
	}
	defer cancel()
	r := store.Record{Kind: kind, Key: key}
	var updated int64
	err = s.pool.QueryRow(ctx, `SELECT revision, updated, value FROM records WHERE kind = $1 AND key = $2 AND value IS NOT NULL`, clean(kind), clean(key)).
		Scan(&r.Revision, &updated, &r.Value)
	if errors.Is(err, pgx.ErrNoRows) {
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
	ctx, cancel, err := s.within(ctx)
	if err != nil {
		return page, err
	}
	defer cancel()
	// Keys are ASCII without DEL, so that this is the end of those that begin with the prefix.
	rows, err := s.pool.Query(ctx, `SELECT key, revision, updated, value FROM records
		WHERE kind = $1 AND key >= $2 AND key > $3 AND key < $4 AND value IS NOT NULL ORDER BY key LIMIT $5`, kind, prefix, cursor, prefix+"\x7f", limit+1)
	if err != nil {
		return page, s.explain(err)
	}
	page.Records, err = pgx.CollectRows(rows, func(from pgx.CollectableRow) (store.Record, error) {
		r := store.Record{Kind: kind}
		var updated int64
		err := from.Scan(&r.Key, &r.Revision, &updated, &r.Value)
		r.Updated = contract.Time(updated)
		return r, err
	})
	if err != nil {
		return store.RecordPage{}, s.explain(err)
	}
	if len(page.Records) > limit {
		page.Records = page.Records[:limit]
		page.Next = page.Records[limit-1].Key
	}
	return page, nil
}

// PutPlan is [wf.Plans.PutPlan].
func (s *Store) PutPlan(ctx context.Context, digest string, plan []byte) error {
	return store.PutPlan(ctx, s, digest, plan)
}

// Plan is [wf.Plans.Plan].
func (s *Store) Plan(ctx context.Context, digest string) ([]byte, error) {
	return store.Plan(ctx, s, digest)
}
