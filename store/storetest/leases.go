package storetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

// Several who claim at once never get one run twice, and every run is got.
func (s *suite) racingClaims(t *testing.T) {
	c := newClock()
	st := s.fresh(t, c)
	const n = 50
	for i := range n {
		_, err := st.Create(ctx, wf.NewRun{RunID: idOf(i), WakeAt: c.now()})
		check(t, "create", err)
	}
	for round := range 3 {
		var mu sync.Mutex
		got := map[string]string{}
		together(8, func(i int) {
			owner := fmt.Sprint("p", i)
			for {
				heads, err := st.Claim(ctx, wf.ClaimRequest{Owner: owner, TTL: time.Minute, Max: 3})
				if err != nil {
					t.Errorf("claim: %v", err)
					return
				}
				if len(heads) == 0 {
					return
				}
				for _, h := range heads {
					mu.Lock()
					if other, ok := got[h.RunID]; ok {
						t.Errorf("%s was claimed by %s and by %s", h.RunID, other, owner)
					}
					got[h.RunID] = owner
					mu.Unlock()
					if h.Fence != wf.Fence(round+1) || h.Owner != owner || !h.LeaseUntil.Equal(c.now().Add(time.Minute)) {
						t.Errorf("round %d: %+v", round, h)
					}
				}
			}
		})
		if len(got) != n {
			t.Errorf("round %d: %d runs were claimed, want %d", round, len(got), n)
		}
		c.move(time.Minute)
	}
}

func claim(t *testing.T, s store.Store, c wf.ClaimRequest) []string {
	t.Helper()
	if c.Owner == "" {
		c.Owner = "p"
	}
	if c.TTL == 0 {
		c.TTL = time.Minute
	}
	heads, err := s.Claim(ctx, c)
	check(t, "claim", err)
	var ids []string
	for _, h := range heads {
		ids = append(ids, h.RunID)
	}
	return ids
}

// Which runs can be claimed, and in which order.
func (s *suite) claims(t *testing.T) {
	c := newClock()
	st := s.fresh(t, c)
	for id, wake := range map[string]time.Duration{"due late": -time.Second, "due early": -time.Minute, "soon": time.Second, "never": 0} {
		run := wf.NewRun{RunID: id, Kernel: 3, Labels: map[string]string{"pool": "a", "id": id}}
		if wake != 0 {
			run.WakeAt = c.now().Add(wake)
		}
		_, err := st.Create(ctx, run)
		check(t, "create", err)
	}
	same(t, "another pool", claim(t, st, wf.ClaimRequest{Max: 9, Match: map[string]string{"pool": "b"}}), []string{})
	same(t, "pools that are spared", claim(t, st, wf.ClaimRequest{Max: 9, Except: map[string][]string{"pool": {"b", "a"}}}), []string{})
	same(t, "all but two", claim(t, st, wf.ClaimRequest{Max: 9, Except: map[string][]string{"none": {"a"}, "id": {"due late", "due early"}}}), []string{})
	same(t, "older machines", claim(t, st, wf.ClaimRequest{Max: 9, MaxKernel: 2}), []string{})
	same(t, "newer machines", claim(t, st, wf.ClaimRequest{Max: 9, MinKernel: 4}), []string{})
	same(t, "the usual number", claim(t, st, wf.ClaimRequest{Match: map[string]string{"pool": "a"}, MinKernel: 3, MaxKernel: 3}), []string{"due early"})
	same(t, "the next", claim(t, st, wf.ClaimRequest{Max: 9}), []string{"due late"})
	same(t, "no more", claim(t, st, wf.ClaimRequest{Max: 9}), []string{})
	same(t, "only one that is held", claim(t, st, wf.ClaimRequest{Only: "due early"}), []string{})
	same(t, "only one before its time", claim(t, st, wf.ClaimRequest{Only: "never"}), []string{"never"})
	check(t, "release", st.Release(ctx, wf.Lease{RunID: "never", Fence: 1}))
	_, err := st.Claim(ctx, wf.ClaimRequest{Owner: "p", TTL: time.Second, Only: "none"})
	refused[*wf.NotFoundError](t, "claim of no run", err)
	c.move(time.Second)
	_, err = st.Post(ctx, "never", wf.Message{ID: "m"})
	check(t, "post", err)
	same(t, "woken by time and message", claim(t, st, wf.ClaimRequest{Max: 9}), []string{"never", "soon"})
	c.move(59 * time.Second)
	same(t, "leases that ran out", claim(t, st, wf.ClaimRequest{Max: 9}), []string{"due early", "due late"})
	_, err = st.Append(ctx, wf.Append{RunID: "soon", Fence: 1, Status: wf.StatusFailed})
	check(t, "append", err)
	c.move(time.Hour)
	same(t, "all but the one that ended", claim(t, st, wf.ClaimRequest{Max: 9}), []string{"never", "due early", "due late"})
	same(t, "only one that ended", claim(t, st, wf.ClaimRequest{Only: "soon"}), []string{})
}

// Leases last as long as the store's clock says, and are renewed or lost.
func (s *suite) leases(t *testing.T) {
	c := newClock()
	st := s.fresh(t, c)
	now, err := st.Now(ctx)
	check(t, "now", err)
	if !now.Equal(c.now().Truncate(time.Microsecond)) {
		t.Errorf("the store's clock shows %v, want %v", now, c.now())
	}
	for _, id := range []string{"a", "b", "c"} {
		owned(t, st, id)
	}
	c.move(50 * time.Second)
	lost, err := st.Renew(ctx, time.Minute, wf.Lease{RunID: "a", Fence: 1}, wf.Lease{RunID: "b", Fence: 2}, wf.Lease{RunID: "none", Fence: 1})
	check(t, "renew", err)
	same(t, "lost", lost, []string{"b", "none"})
	c.move(10 * time.Second)
	same(t, "those not renewed", claim(t, st, wf.ClaimRequest{Max: 9, Owner: "other"}), []string{"b", "c"})
	lost, err = st.Renew(ctx, time.Minute, wf.Lease{RunID: "a", Fence: 1}, wf.Lease{RunID: "b", Fence: 1})
	check(t, "renew", err)
	same(t, "taken over", lost, []string{"b"})
	c.move(time.Hour)
	lost, err = st.Renew(ctx, time.Minute, wf.Lease{RunID: "a", Fence: 1})
	check(t, "renew", err)
	same(t, "ran out, but nobody took it", lost, []string{})
	check(t, "release", st.Release(ctx, wf.Lease{RunID: "a", Fence: 1}, wf.Lease{RunID: "b", Fence: 1}, wf.Lease{RunID: "none", Fence: 1}))
	if h := head(t, st, "a"); h.Owner != "" || h.Fence != 1 {
		t.Errorf("a was released: %+v", h)
	}
	if h := head(t, st, "b"); h.Owner != "other" {
		t.Errorf("b was released by one who had lost it: %+v", h)
	}
	lost, err = st.Renew(ctx, time.Minute, wf.Lease{RunID: "a", Fence: 1})
	check(t, "renew", err)
	same(t, "released", lost, []string{"a"})
}

// Whoever lost a run can never write again, though it reads the run anew.
func (s *suite) lateWriters(t *testing.T) {
	c := newClock()
	st := s.fresh(t, c)
	owned(t, st, "r", "one")
	c.move(2 * time.Minute)
	_, err := st.Append(ctx, wf.Append{RunID: "r", Expect: 1, Fence: 1, Events: lines("late, but nobody took it")})
	check(t, "append after the lease ran out", err)
	same(t, "taken over", claim(t, st, wf.ClaimRequest{Owner: "other"}), []string{"r"})
	for _, expect := range []wf.Revision{1, head(t, st, "r").Revision} {
		_, err = st.Append(ctx, wf.Append{RunID: "r", Expect: expect, Fence: 1, Events: lines("late")})
		if e := refused[*wf.FencedError](t, "append after a takeover", err); e.Fence != 1 || e.Current != 2 {
			t.Errorf("it is told %v", e)
		}
	}
	_, err = st.Append(ctx, wf.Append{RunID: "r", Expect: 2, Fence: 2, Events: lines("three"), Release: true})
	check(t, "append of the new owner", err)
	_, err = st.Append(ctx, wf.Append{RunID: "r", Expect: 3, Fence: 2, Events: lines("after release")})
	refused[*wf.FencedError](t, "append after the release", err)
	same(t, "events", read(t, st, "r", 0), []string{"one", "late, but nobody took it", "three"})
}
