package postgres

import (
	"context"
	"crypto/sha256"

	"github.com/jackc/pgx/v5"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/contract"
	"lda.chat/wf/store/internal/ledger"
)

// hash is what a message is found by.
func hash(id string) []byte {
	sum := sha256.Sum256([]byte(id))
	return sum[:]
}

const postMessage = `WITH clock AS MATERIALIZED (SELECT coalesce($1, ` + serverClock + `) AS now),
run AS (SELECT n, status, ended FROM runs WHERE id = $2),
seen AS (SELECT 1 FROM run, messages m WHERE m.run = run.n AND m.hash = $3),
kept AS (
	INSERT INTO messages (run, hash, id, kind, at, data)
	SELECT run.n, $3, $4, $5, clock.now, $6 FROM run, clock WHERE NOT run.ended AND NOT EXISTS (SELECT FROM seen) RETURNING run),
changed AS (
	UPDATE runs SET pending = pending + 1, first_message = CASE pending WHEN 0 THEN clock.now ELSE first_message END
	FROM kept, clock WHERE runs.n = kept.run)
SELECT status, EXISTS (SELECT FROM kept), EXISTS (SELECT FROM seen) FROM run`

// Post is [wf.Inbox.Post].
func (s *Store) Post(ctx context.Context, runID string, m wf.Message) (fresh bool, err error) {
	if err := contract.Message(runID, &m); err != nil {
		return false, err
	}
	r := &request{key: runID, locks: []string{runID}, wakes: []string{runID}, size: len(m.Data)}
	r.do = func(b *pgx.Batch) {
		b.Queue(postMessage, s.now(), runID, hash(m.ID), m.ID, m.Kind, contract.Bytes(m.Data)).QueryRow(func(answer pgx.Row) error {
			var status wf.RunStatus
			var seen bool
			there, err := maybe(answer.Scan(&status, &fresh, &seen))
			switch {
			case !there:
				r.err = ledger.NoRun(runID)
			case fresh:
				r.woken = r.wakes
			case !seen:
				r.err = &wf.StatusError{RunID: runID, Status: status, Refuse: "takes no messages"}
			}
			return err
		})
	}
	err = s.change(ctx, r)
	return fresh && err == nil, err
}

// Pending is [wf.Inbox.Pending].
func (s *Store) Pending(ctx context.Context, runID string) ([]wf.Message, error) {
	r, err := s.find(ctx, runID)
	if err != nil {
		return nil, err
	}
	ctx, cancel, err := s.within(ctx)
	if err != nil {
		return nil, err
	}
	defer cancel()
	rows, err := s.pool.Query(ctx, `SELECT id, kind, at, data FROM messages WHERE run = $1 AND data IS NOT NULL ORDER BY n`, r.n)
	if err != nil {
		return nil, s.explain(err)
	}
	list, err := pgx.CollectRows(rows, func(from pgx.CollectableRow) (m wf.Message, err error) {
		var at int64
		err = from.Scan(&m.ID, &m.Kind, &at, &m.Data)
		m.At = contract.Time(at)
		return m, err
	})
	return list, s.explain(err)
}
