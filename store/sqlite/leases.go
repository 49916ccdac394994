package sqlite

import (
	"context"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/contract"
)

// Claim is [wf.Leases.Claim].
func (s *Store) Claim(ctx context.Context, c wf.ClaimRequest) (heads []wf.RunHead, err error) {
	if err := contract.Claim(&c); err != nil {
		return nil, err
	}
	err = s.change(ctx, func(w *writer) (err error) { heads, err = w.claim(&c); return err })
	if err != nil {
		return nil, err
	}
	return heads, nil
}

func (w *writer) claim(c *wf.ClaimRequest) ([]wf.RunHead, error) {
	rows, err := w.claimable(c)
	if err != nil {
		return nil, err
	}
	heads := make([]wf.RunHead, 0, len(rows))
	for _, r := range rows {
		r.Owner, r.LeaseUntil = c.Owner, w.now.Add(c.TTL)
		r.Fence++
		if err := w.update(r); err != nil {
			return nil, err
		}
		heads = append(heads, r.RunHead)
	}
	return heads, nil
}

func (w *writer) claimable(c *wf.ClaimRequest) ([]*row, error) {
	if c.Only != "" {
		r, err := w.must(c.Only)
		if err != nil || r.Status.Ended() || r.Owner != "" && r.LeaseUntil.After(w.now) || r.Kernel < c.MinKernel || c.MaxKernel != 0 && r.Kernel > c.MaxKernel ||
			!contract.Fits(r.Labels, c.Match) || !contract.Spared(r.Labels, c.Except) {
			return nil, err
		}
		return []*row{r}, nil
	}
	where := conditions{}
	where.and(`ready <= ?`, contract.Micros(w.now))
	where.and(`kernel >= ?`, c.MinKernel)
	if c.MaxKernel != 0 {
		where.and(`kernel <= ?`, c.MaxKernel)
	}
	where.labels(c.Match)
	where.except(c.Except)
	stmt, err := w.next(selectRuns + where.text() + ` ORDER BY ready, id LIMIT ?`)
	if err != nil {
		return nil, err
	}
	found, err := stmt.Query(append(where.args, c.Max)...)
	if err != nil {
		return nil, err
	}
	return scanRows(found)
}

// Renew is [wf.Leases.Renew].
func (s *Store) Renew(ctx context.Context, ttl time.Duration, leases ...wf.Lease) (lost []string, err error) {
	if err := contract.Leases(&ttl, leases); err != nil {
		return nil, err
	}
	err = s.change(ctx, func(w *writer) error {
		lost = nil
		until := contract.Micros(w.now.Add(ttl))
		for _, l := range leases {
			delete(w.rows, l.RunID)
			result, err := w.exec(`UPDATE runs SET lease_until = ?, ready = ? WHERE id = ? AND fence = ? AND owner <> ''`, until, until, l.RunID, l.Fence)
			if err != nil {
				return err
			}
			if n, err := result.RowsAffected(); err != nil {
				return err
			} else if n == 0 {
				lost = append(lost, l.RunID)
			}
		}
		return nil
	})
	return lost, err
}

// Release is [wf.Leases.Release].
func (s *Store) Release(ctx context.Context, leases ...wf.Lease) error {
	if err := contract.Leases(nil, leases); err != nil {
		return err
	}
	return s.change(ctx, func(w *writer) error {
		for _, l := range leases {
			r, err := w.find(l.RunID)
			if err != nil {
				return err
			}
			if r == nil || r.Owner == "" || r.Fence != l.Fence {
				continue
			}
			r.Owner, r.LeaseUntil = "", time.Time{}
			if err := w.update(r); err != nil {
				return err
			}
			w.woken = append(w.woken, l.RunID)
		}
		return nil
	})
}
