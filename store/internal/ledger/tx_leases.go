package ledger

import (
	"cmp"
	"slices"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/contract"
)

// Claim takes runs. A claim need not be durable before it is answered: any change made under it is written after it, and a
// claim that was lost with its process, and nothing else, leaves nothing behind.
func (t *Tx) Claim(c *wf.ClaimRequest) ([]wf.RunHead, error) {
	var found []*run
	if c.Only != "" {
		r, err := t.must(c.Only)
		if err != nil {
			return nil, err
		}
		if !r.head.Status.Ended() && !t.held(r) && matches(c, r) {
			found = append(found, r)
		}
	} else {
		found = t.claimable(c)
	}
	heads := make([]wf.RunHead, len(found))
	hurry := t.Hurry
	for i, r := range found {
		h := r.head
		h.Owner, h.Fence, h.LeaseUntil = c.Owner, h.Fence+1, t.now.Add(c.TTL)
		t.do(&Change{Do: "claim", Run: &h})
		heads[i] = h
	}
	t.Hurry = hurry
	return heads, nil
}

func (t *Tx) held(r *run) bool { return r.head.Owner != "" && r.head.LeaseUntil.After(t.now) }

func matches(c *wf.ClaimRequest, r *run) bool {
	k := r.head.Kernel
	return k >= c.MinKernel && (c.MaxKernel == 0 || k <= c.MaxKernel) && contract.Fits(r.head.Labels, c.Match) && contract.Spared(r.head.Labels, c.Except)
}

// claimable finds those that have been claimable for longest.
func (t *Tx) claimable(c *wf.ClaimRequest) []*run {
	type candidate struct {
		*run
		since time.Time
	}
	var all []candidate
	consider := func(r *run) bool {
		since, ok := r.readyAt()
		if !ok || since.After(t.now) || !matches(c, r) {
			return false
		}
		all = append(all, candidate{r, since})
		return true
	}
	left := c.Max
	t.on.due.inOrder(func(s *slot) bool {
		if _, changed := t.runs[s.id]; !changed && consider(s.run) {
			left--
		}
		return left > 0 && !s.ready.After(t.now)
	})
	for _, r := range t.runs {
		if r != nil {
			consider(r)
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(a.since.Compare(b.since), cmp.Compare(a.head.RunID, b.head.RunID))
	})
	all = all[:min(len(all), c.Max)]
	found := make([]*run, len(all))
	for i, a := range all {
		found[i] = a.run
	}
	return found
}

// Renew makes leases last. It is not kept: with the process, all its leases end.
func (t *Tx) Renew(ttl time.Duration, leases []wf.Lease) (lost []string) {
	for _, l := range leases {
		r := t.run(l.RunID)
		if r == nil || r.head.Owner == "" || r.head.Fence != l.Fence {
			lost = append(lost, l.RunID)
			continue
		}
		renewed := *r
		renewed.head.LeaseUntil = t.now.Add(ttl)
		t.runs[l.RunID] = &renewed
	}
	return lost
}

// Release gives leases back. As for a claim, nothing is lost if it is.
func (t *Tx) Release(leases []wf.Lease) {
	hurry := t.Hurry
	for _, l := range leases {
		if r := t.run(l.RunID); r != nil && r.head.Owner != "" && r.head.Fence == l.Fence {
			h := r.head
			h.Owner, h.LeaseUntil = "", time.Time{}
			t.do(&Change{Do: "release", Run: &h})
			t.woken(l.RunID)
		}
	}
	t.Hurry = hurry
}

// Expire ends all leases: the process that had them is gone.
func (t *Tx) Expire() {
	for id, s := range t.on.runs {
		if s.head.Owner != "" {
			expired := *s.run
			expired.head.LeaseUntil = t.now
			t.runs[id] = &expired
		}
	}
}
