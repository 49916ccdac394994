package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/contract"
	"lda.chat/wf/store/internal/ledger"
)

// Create is [wf.Runs.Create].
func (s *Store) Create(ctx context.Context, run wf.NewRun) (wf.RunHead, error) {
	if err := contract.NewRun(&run, "", 0); err != nil {
		return wf.RunHead{}, err
	}
	return s.create(ctx, &run, "", 0)
}

// Fork is [wf.Runs.Fork].
func (s *Store) Fork(ctx context.Context, from string, at wf.Revision, run wf.NewRun) (wf.RunHead, error) {
	if err := contract.NewRun(&run, from, at); err != nil {
		return wf.RunHead{}, err
	}
	if from == "" {
		return wf.RunHead{}, ledger.NoRun(from)
	}
	return s.create(ctx, &run, clean(from), at)
}

// insertRun makes a run, if there is none of its id, and its source, if it has one, has the revision.
const insertRun = `WITH clock AS MATERIALIZED (SELECT coalesce($1, ` + serverClock + `) AS now),
source AS (
	SELECT n, pruned FROM runs WHERE id = $2 AND $3 BETWEEN greatest(pruned, 1) AND revision
	UNION ALL SELECT 0, 0 WHERE $2 = ''),
made AS (
	INSERT INTO runs (id, content, revision, pruned, status, wake_at, deployment, kernel, labels, fence, owner, lease_until, created, updated)
	SELECT $4, $5, $3 + cardinality($6::bytea[]), source.pruned, $7, $8, $9, $10, coalesce($11::jsonb, '{}'), CASE $12 WHEN '' THEN 0 ELSE 1 END, $12,
		CASE $12 WHEN '' THEN 0 ELSE clock.now + $13 END, clock.now, clock.now
	FROM source, clock ON CONFLICT (id) DO NOTHING RETURNING n),
old AS (
	INSERT INTO events (run, revision, fence, at, data)
	SELECT made.n, events.revision, 0, events.at, events.data FROM made, source, events WHERE events.run = source.n AND events.revision <= $3),
state AS (
	INSERT INTO snapshots (run, revision, data)
	SELECT made.n, s.revision, s.data FROM made, source, snapshots s WHERE s.run = source.n AND s.revision <= $3 ORDER BY s.revision DESC LIMIT 1),
new AS (
	INSERT INTO events (run, revision, fence, at, data)
	SELECT made.n, $3 + e.i, 0, clock.now, e.data FROM made, clock, unnest($6::bytea[]) WITH ORDINALITY AS e (data, i))
SELECT n FROM made`

func (s *Store) create(ctx context.Context, run *wf.NewRun, from string, at wf.Revision) (wf.RunHead, error) {
	set, err := labels(run.Labels)
	if err != nil {
		return wf.RunHead{}, err
	}
	owner := run.Owner
	if run.Status.Ended() {
		owner = ""
	}
	var found *row
	r := &request{key: run.RunID, locks: []string{run.RunID}, wakes: []string{run.RunID}, size: total(run.Events)}
	if from != "" {
		r.locks = append(r.locks, from)
	}
	r.do = func(b *pgx.Batch) {
		found = nil
		made := false
		b.Queue(insertRun, s.now(), from, number(at), run.RunID, run.Content, datas(run.Events), string(run.Status), contract.Micros(run.WakeAt),
			run.Deployment, run.Kernel, set, owner, run.TTL.Microseconds()).QueryRow(func(answer pgx.Row) (err error) {
			var n int64
			made, err = maybe(answer.Scan(&n))
			return err
		})
		b.Queue(`SELECT `+columns+` FROM runs WHERE id = $1`, run.RunID).QueryRow(func(answer pgx.Row) error {
			old, err := scanRow(answer)
			there, err := maybe(err)
			switch {
			case err != nil || !there:
			case old.content != run.Content:
				r.err = &wf.ExistsError{RunID: run.RunID}
			case made:
				r.woken = []string{run.RunID}
				fallthrough
			default:
				found = old
			}
			return err
		})
		if from == "" {
			return
		}
		b.Queue(`SELECT n FROM runs WHERE id = $1`, from).QueryRow(func(answer pgx.Row) error {
			var n int64
			there, err := maybe(answer.Scan(&n))
			switch {
			case err != nil || r.err != nil || found != nil:
			case !there:
				r.err = ledger.NoRun(from)
			default:
				r.err = ledger.NoRevision("event", from, at)
			}
			return err
		})
	}
	if err := s.change(ctx, r); err != nil {
		return wf.RunHead{}, err
	}
	return found.RunHead, nil
}

func total(events [][]byte) (n int) {
	for _, e := range events {
		n += len(e)
	}
	return n
}

// datas has no NULL in it, and is none.
func datas(events [][]byte) [][]byte {
	out := make([][]byte, len(events))
	for i, e := range events {
		out[i] = contract.Bytes(e)
	}
	return out
}
