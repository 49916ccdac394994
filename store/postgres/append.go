package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/contract"
	"lda.chat/wf/store/internal/ledger"
)

// appendEvents judges an append and carries it out, in one statement. It answers with the refusal, what it is about, and
// the run as it stands now.
const appendEvents = `WITH clock AS MATERIALIZED (SELECT coalesce($1, ` + serverClock + `) AS now),
asked AS (
	SELECT x.hash, x.i, x.i > 1 AND x.hash = ANY (($4::bytea[])[:x.i::int - 1]) AS twice FROM unnest($4::bytea[]) WITH ORDINALITY AS x (hash, i)),
judged AS (
	SELECT r.*, CASE
		WHEN r.fence <> $3 THEN 'fenced'
		WHEN r.ended THEN 'status'
		WHEN r.owner = '' THEN 'fenced'
		WHEN r.revision <> $5 THEN 'conflict'
		ELSE '' END AS refusal,
		(SELECT min(asked.i) FROM asked WHERE asked.twice OR NOT EXISTS (
			SELECT FROM messages m WHERE m.run = r.n AND m.hash = asked.hash AND m.data IS NOT NULL)) AS missing
	FROM runs r WHERE r.id = $2),
good AS (SELECT * FROM judged WHERE refusal = '' AND missing IS NULL),
kept AS (
	INSERT INTO events (run, revision, fence, at, data)
	SELECT good.n, good.revision + e.i, $3, clock.now, e.data FROM good, clock, unnest($6::bytea[]) WITH ORDINALITY AS e (data, i)),
state AS (
	INSERT INTO snapshots (run, revision, data)
	SELECT good.n, good.revision + cardinality($6::bytea[]), $7::bytea FROM good WHERE $7::bytea IS NOT NULL
	ON CONFLICT (run, revision) DO UPDATE SET data = excluded.data),
taken AS (UPDATE messages m SET data = NULL FROM good WHERE m.run = good.n AND m.hash = ANY ($4::bytea[])),
changed AS (
	UPDATE runs SET revision = runs.revision + cardinality($6::bytea[]), updated = clock.now, wake_at = $8,
		status = CASE $9 WHEN '' THEN runs.status ELSE $9 END,
		labels = coalesce($10::jsonb, runs.labels),
		owner = CASE WHEN $11 THEN '' ELSE runs.owner END,
		lease_until = CASE WHEN $11 THEN 0 ELSE runs.lease_until END,
		pending = runs.pending - cardinality($4::bytea[]),
		first_message = CASE cardinality($4::bytea[]) WHEN 0 THEN runs.first_message ELSE coalesce((
			SELECT m.at FROM messages m WHERE m.run = runs.n AND m.data IS NOT NULL AND m.hash <> ALL ($4::bytea[]) ORDER BY m.n LIMIT 1), 0) END
	FROM good, clock WHERE runs.n = good.n RETURNING runs.*)
SELECT j.refusal, coalesce(j.missing, 0), ` + resultColumns + ` FROM judged j LEFT JOIN changed c ON true`

// resultColumns are the columns, of the run as it became or as it was.
const resultColumns = `j.n, j.id, j.content, coalesce(c.revision, j.revision), j.pruned, coalesce(c.status, j.status), coalesce(c.wake_at, j.wake_at),
	j.deployment, j.kernel, coalesce(c.labels, j.labels)::text, j.fence, coalesce(c.owner, j.owner), coalesce(c.lease_until, j.lease_until),
	j.created, coalesce(c.updated, j.updated), coalesce(c.pending, j.pending)`

// Append is [wf.Runs.Append].
func (s *Store) Append(ctx context.Context, a wf.Append) (wf.RunHead, error) {
	if err := contract.Append(&a); err != nil {
		return wf.RunHead{}, err
	}
	set, err := labels(a.Labels)
	if err != nil {
		return wf.RunHead{}, err
	}
	consume := make([][]byte, len(a.Consume))
	for i, id := range a.Consume {
		consume[i] = hash(id)
	}
	release := a.Release || a.Status.Ended()
	var head wf.RunHead
	r := &request{key: a.RunID, locks: []string{a.RunID}, size: total(a.Events) + len(a.Snapshot)}
	if release || len(consume) > 0 {
		r.wakes = []string{a.RunID}
	}
	r.do = func(b *pgx.Batch) {
		b.Queue(appendEvents, s.now(), a.RunID, number(a.Fence), consume, number(a.Expect), datas(a.Events), a.Snapshot, contract.Micros(a.WakeAt),
			string(a.Status), set, release).QueryRow(func(answer pgx.Row) error {
			var refusal string
			var missing int
			now, err := scanRow(answer, &refusal, &missing)
			if there, err := maybe(err); err != nil || !there {
				r.err = ledger.NoRun(a.RunID)
				return err
			}
			switch {
			case refusal == "fenced":
				r.err = &wf.FencedError{RunID: a.RunID, Fence: a.Fence, Current: now.Fence}
			case refusal == "status":
				r.err = &wf.StatusError{RunID: a.RunID, Status: now.Status, Refuse: "takes no events"}
			case refusal == "conflict":
				r.err = &wf.ConflictError{What: "run", Key: a.RunID, Expected: a.Expect, Current: now.Revision}
			case missing > 0:
				r.err = &wf.NotFoundError{What: "message", Key: a.Consume[missing-1]}
			default:
				head, r.woken = now.RunHead, r.wakes
			}
			return nil
		})
	}
	if err := s.change(ctx, r); err != nil {
		return wf.RunHead{}, err
	}
	return head, nil
}
