package postgres

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/contract"
	"lda.chat/wf/store/internal/ledger"
)

// claimRuns takes what nobody else is just taking: all that is due, or one run.
func claimRuns(which string) string {
	return `WITH clock AS MATERIALIZED (SELECT coalesce($1, ` + serverClock + `) AS now),
due AS (
	SELECT n, ready AS since FROM runs WHERE ` + which + ` AND kernel BETWEEN $3 AND $4 AND labels @> $5::jsonb
		AND NOT EXISTS (SELECT FROM jsonb_each($9::jsonb) AS spared WHERE spared.value ? (labels ->> spared.key))
	ORDER BY ready, id LIMIT $6 FOR UPDATE SKIP LOCKED),
taken AS (
	UPDATE runs SET owner = $7, fence = fence + 1, lease_until = clock.now + $8 FROM due, clock WHERE runs.n = due.n RETURNING runs.*, due.since)
SELECT ` + columns + ` FROM taken ORDER BY since, id`
}

var (
	claimDue  = claimRuns(`$2 = '' AND ready <= (SELECT now FROM clock)`)
	claimOnly = claimRuns(`id = $2 AND NOT ended AND (owner = '' OR lease_until <= (SELECT now FROM clock))`)
)

// Claim is [wf.Leases.Claim].
func (s *Store) Claim(ctx context.Context, c wf.ClaimRequest) ([]wf.RunHead, error) {
	if err := contract.Claim(&c); err != nil {
		return nil, err
	}
	if c.Match == nil {
		c.Match = map[string]string{}
	}
	match, err := labels(c.Match)
	if err != nil {
		return nil, err
	}
	if c.MaxKernel == 0 {
		c.MaxKernel = 1<<63 - 1
	}
	var heads []wf.RunHead
	r, text := &request{class: claims}, claimDue
	if c.Only != "" {
		r.locks, text = []string{c.Only}, claimOnly
	}
	r.do = func(b *pgx.Batch) {
		heads = nil
		b.Queue(text, s.now(), c.Only, c.MinKernel, c.MaxKernel, match, c.Max, c.Owner, c.TTL.Microseconds(), spared(c.Except)).Query(func(found pgx.Rows) error {
			rows, err := scanRows(found)
			for _, row := range rows {
				heads = append(heads, row.RunHead)
			}
			return err
		})
		if c.Only == "" {
			return
		}
		b.Queue(`SELECT n FROM runs WHERE id = $1`, c.Only).QueryRow(func(answer pgx.Row) error {
			var n int64
			there, err := maybe(answer.Scan(&n))
			if !there {
				r.err = ledger.NoRun(c.Only)
			}
			return err
		})
	}
	if err := s.change(ctx, r); err != nil {
		return nil, err
	}
	return heads, nil
}

// spared are the labels that a run must not have. No label holds NUL, and the database takes none.
func spared(except map[string][]string) map[string][]string {
	set := map[string][]string{}
	for key, values := range except {
		if strings.Contains(key, "\x00") {
			continue
		}
		set[key] = []string{}
		for _, text := range values {
			if !strings.Contains(text, "\x00") {
				set[key] = append(set[key], text)
			}
		}
	}
	return set
}

// Renew is [wf.Leases.Renew].
func (s *Store) Renew(ctx context.Context, ttl time.Duration, leases ...wf.Lease) (lost []string, err error) {
	if err := contract.Leases(&ttl, leases); err != nil {
		return nil, err
	}
	ids, fences := split(leases)
	r := &request{locks: ids}
	r.do = func(b *pgx.Batch) {
		b.Queue(`UPDATE runs SET lease_until = coalesce($1, `+serverClock+`) + $2 FROM unnest($3::text[], $4::bigint[]) AS l (id, fence)
			WHERE runs.id = l.id AND runs.fence = l.fence AND owner <> '' RETURNING runs.id, runs.fence`, s.now(), ttl.Microseconds(), ids, fences).
			Query(func(found pgx.Rows) error {
				held, err := pgx.CollectRows(found, pgx.RowToStructByPos[wf.Lease])
				lost = nil
				for _, l := range leases {
					if !slices.Contains(held, l) {
						lost = append(lost, l.RunID)
					}
				}
				return err
			})
	}
	if err := s.change(ctx, r); err != nil {
		return nil, err
	}
	return lost, nil
}

// Release is [wf.Leases.Release].
func (s *Store) Release(ctx context.Context, leases ...wf.Lease) error {
	if err := contract.Leases(nil, leases); err != nil {
		return err
	}
	ids, fences := split(leases)
	r := &request{locks: ids, wakes: ids}
	r.do = func(b *pgx.Batch) {
		b.Queue(`UPDATE runs SET owner = '', lease_until = 0 FROM unnest($1::text[], $2::bigint[]) AS l (id, fence)
			WHERE runs.id = l.id AND runs.fence = l.fence AND owner <> '' RETURNING runs.id`, ids, fences).Query(func(found pgx.Rows) (err error) {
			r.woken, err = pgx.CollectRows(found, pgx.RowTo[string])
			return err
		})
	}
	return s.change(ctx, r)
}

func split(leases []wf.Lease) (ids []string, fences []int64) {
	for _, l := range leases {
		ids, fences = append(ids, l.RunID), append(fences, number(l.Fence))
	}
	return ids, fences
}
