package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/ledger"
)

// Prune is [wf.Runs.Prune].
func (s *Store) Prune(ctx context.Context, runID string, at wf.Revision) error {
	id := clean(runID)
	r := &request{key: id, locks: []string{id}}
	r.do = func(b *pgx.Batch) {
		b.Queue(`WITH run AS (SELECT n FROM runs WHERE id = $1),
			mark AS (SELECT s.run AS n FROM run, snapshots s WHERE s.run = run.n AND s.revision = $2),
			old AS (DELETE FROM events e USING mark WHERE e.run = mark.n AND e.revision <= $2),
			states AS (DELETE FROM snapshots s USING mark WHERE s.run = mark.n AND s.revision < $2),
			changed AS (UPDATE runs SET pruned = $2 FROM mark WHERE runs.n = mark.n)
			SELECT EXISTS (SELECT FROM mark) FROM run`, id, number(at)).QueryRow(func(answer pgx.Row) error {
			var done bool
			there, err := maybe(answer.Scan(&done))
			if !there {
				r.err = ledger.NoRun(runID)
			} else if !done {
				r.err = ledger.NoRevision("snapshot", runID, at)
			}
			return err
		})
	}
	return s.change(ctx, r)
}

// DeleteRun is [wf.Runs.DeleteRun].
func (s *Store) DeleteRun(ctx context.Context, runID string) error {
	id := clean(runID)
	r := &request{key: id, locks: []string{id}}
	r.do = func(b *pgx.Batch) {
		b.Queue(`WITH run AS (SELECT n, status FROM runs WHERE id = $1),
			gone AS (DELETE FROM runs WHERE id = $1 AND ended RETURNING n),
			a AS (DELETE FROM events e USING gone WHERE e.run = gone.n),
			b AS (DELETE FROM snapshots s USING gone WHERE s.run = gone.n),
			c AS (DELETE FROM messages m USING gone WHERE m.run = gone.n)
			SELECT status FROM run`, id).QueryRow(func(answer pgx.Row) error {
			var status wf.RunStatus
			there, err := maybe(answer.Scan(&status))
			if !there {
				r.err = ledger.NoRun(runID)
			} else if !status.Ended() {
				r.err = &wf.StatusError{RunID: runID, Status: status, Refuse: "cannot be deleted before it has ended; cancel it first"}
			}
			return err
		})
	}
	return s.change(ctx, r)
}
