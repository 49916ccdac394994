package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

// random plays histories on the store and on the model; they must answer and look alike.
func (s *suite) random(t *testing.T) {
	for seed := range s.Seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			p := &player{t: t, m: newModel(), c: newClock(), rand: rand.New(rand.NewPCG(1, uint64(seed)))}
			dir := t.TempDir()
			p.s = s.at(t, dir, p.c)
			durable := p.s.Caps().Durability != store.Nothing
			for i := range 400 {
				p.step()
				if i%100 != 99 {
					continue
				}
				p.compare()
				if durable {
					check(t, "close", p.s.Close())
					p.s = s.at(t, dir, p.c)
					p.reopened()
					p.compare()
				}
			}
		})
	}
}

// player makes the same random operations on a store and on the model.
type player struct {
	t    *testing.T
	s    store.Store
	m    *model
	c    *clock
	rand *rand.Rand
	log  []string
}

// reopened ends the leases of a store that only one process can have.
func (p *player) reopened() {
	if !p.s.Caps().MultiProcess {
		for _, r := range p.m.runs {
			if r.head.Owner != "" {
				r.head.LeaseUntil = p.c.now()
			}
		}
	}
}

// word says what a refusal is.
func word(err error) string {
	if err == nil {
		return ""
	}
	is := func(ok bool, word string) string {
		if ok && !wf.IsAmbiguous(err) {
			return word
		}
		return ""
	}
	_, exists := errors.AsType[*wf.ExistsError](err)
	_, found := errors.AsType[*wf.NotFoundError](err)
	_, fenced := errors.AsType[*wf.FencedError](err)
	_, conflict := errors.AsType[*wf.ConflictError](err)
	_, status := errors.AsType[*wf.StatusError](err)
	if w := is(exists, "exists") + is(found, "not found") + is(fenced, "fenced") + is(conflict, "conflict") + is(status, "status"); w != "" {
		return w
	}
	return err.Error()
}

func (p *player) agree(what string, err error, want string) {
	p.t.Helper()
	p.log = append(p.log, what+" → "+want)
	if got := word(err); got != want {
		p.t.Fatalf("%s: got %q (%v), want %q; before it:\n%s", what, got, err, want, strings.Join(p.log[max(0, len(p.log)-30):], "\n"))
	}
}

func (p *player) same(what string, got, want any) {
	p.t.Helper()
	same(p.t, what+", after\n"+strings.Join(p.log[max(0, len(p.log)-30):], "\n"), got, want)
}

func (p *player) oneOf(n int) bool { return p.rand.IntN(n) == 0 }
func (p *player) id() string       { return fmt.Sprint("run", p.rand.IntN(6)) }
func (p *player) message() string  { return fmt.Sprint("m", p.rand.IntN(8)) }

func (p *player) data() []byte {
	b := make([]byte, p.rand.IntN(40))
	for i := range b {
		b[i] = byte(p.rand.IntN(256))
	}
	return b
}

func (p *player) datas() (list [][]byte) {
	for range p.rand.IntN(4) {
		list = append(list, p.data())
	}
	return list
}

func (p *player) wake() time.Time {
	if p.oneOf(3) {
		return time.Time{}
	}
	return p.c.now().Add(time.Duration(p.rand.IntN(7)-3) * time.Second)
}

func (p *player) labels() map[string]string {
	if p.oneOf(2) {
		return nil
	}
	return map[string]string{"pool": fmt.Sprint(p.rand.IntN(2))}
}

// lease is mostly the right one.
func (p *player) lease(id string) (wf.Revision, wf.Fence) {
	r := p.m.runs[id]
	if r == nil {
		return 0, 1
	}
	revision, fence := r.head.Revision, r.head.Fence
	switch p.rand.IntN(8) {
	case 0:
		revision += wf.Revision(p.rand.IntN(3)) - 1
	case 1:
		fence += wf.Fence(p.rand.IntN(3)) - 1
	}
	return revision, fence
}

func (p *player) step() {
	now, id := p.c.now(), p.id()
	switch p.rand.IntN(14) {
	case 0, 1:
		run := wf.NewRun{RunID: id, Content: fmt.Sprint("c", p.rand.IntN(2)), Kernel: 1 + p.rand.IntN(2), Labels: p.labels(),
			Status: wf.StatusRunning, WakeAt: p.wake(), Events: p.datas(), Deployment: fmt.Sprint("d", p.rand.IntN(2))}
		if p.oneOf(2) {
			run.Owner, run.TTL = "p1", time.Second
		}
		if from := p.id(); p.oneOf(2) && p.m.runs[from] != nil {
			at := wf.Revision(p.rand.IntN(int(p.m.runs[from].head.Revision) + 2))
			want, refusal := p.m.create(now, run, p.m.runs[from], at)
			got, err := p.s.Fork(ctx, from, at, run)
			p.agree(fmt.Sprintf("fork %s at %d as %s", from, at, id), err, refusal)
			p.same("forked", got, want)
			return
		}
		want, refusal := p.m.create(now, run, nil, 0)
		got, err := p.s.Create(ctx, run)
		p.agree("create "+id, err, refusal)
		p.same("created", got, want)
	case 2, 3, 4, 5:
		a := wf.Append{RunID: id, Events: p.datas(), WakeAt: p.wake(), Labels: p.labels(), Release: p.oneOf(4)}
		a.Expect, a.Fence = p.lease(id)
		if r := p.m.runs[id]; r != nil && len(r.pending) > 0 && p.oneOf(2) {
			a.Consume = []string{r.pending[p.rand.IntN(len(r.pending))].ID}
		} else if p.oneOf(10) {
			a.Consume = []string{p.message()}
		}
		if p.oneOf(4) && len(a.Events) > 0 {
			a.Snapshot = p.data()
		}
		if p.oneOf(6) {
			a.Status = []wf.RunStatus{wf.StatusInterrupted, wf.StatusRunning, wf.StatusCompleted}[p.rand.IntN(3)]
		}
		want, refusal := p.m.append(now, a)
		got, err := p.s.Append(ctx, a)
		p.agree(fmt.Sprintf("append %s at %d under %d, consume %v", id, a.Expect, a.Fence, a.Consume), err, refusal)
		p.same("appended", got, want)
	case 6, 7:
		c := wf.ClaimRequest{Owner: fmt.Sprint("p", p.rand.IntN(2)), TTL: time.Duration(1+p.rand.IntN(4)) * time.Second, Max: 1 + p.rand.IntN(3), Match: p.labels()}
		if p.oneOf(3) {
			c.Only = id
		}
		if p.oneOf(3) {
			c.MinKernel, c.MaxKernel = p.rand.IntN(3), p.rand.IntN(3)
		}
		want, refusal := p.m.claim(now, c)
		got, err := p.s.Claim(ctx, c)
		p.agree(fmt.Sprintf("claim %+v", c), err, refusal)
		p.same("claimed", got, want)
	case 8:
		_, fence := p.lease(id)
		l := wf.Lease{RunID: id, Fence: fence}
		if p.oneOf(2) {
			lost, err := p.s.Renew(ctx, time.Second, l)
			p.agree(fmt.Sprintf("renew %v", l), err, "")
			p.same("lost", lost, p.m.renew(now, time.Second, l))
			return
		}
		p.m.release(l)
		p.agree(fmt.Sprintf("release %v", l), p.s.Release(ctx, l), "")
	case 9, 10:
		m := wf.Message{ID: p.message(), Kind: "answer", Data: p.data()}
		want, refusal := p.m.post(now, id, m)
		fresh, err := p.s.Post(ctx, id, m)
		p.agree("post "+m.ID+" to "+id, err, refusal)
		p.same("fresh", fresh, want)
	case 11:
		if p.oneOf(3) {
			refusal := p.m.delete(id)
			p.agree("delete "+id, p.s.DeleteRun(ctx, id), refusal)
			return
		}
		var at wf.Revision = 1
		if r := p.m.runs[id]; r != nil && len(r.snaps) > 0 {
			at = r.snaps[p.rand.IntN(len(r.snaps))].Revision
		}
		refusal := p.m.prune(id, at)
		p.agree(fmt.Sprintf("prune %s at %d", id, at), p.s.Prune(ctx, id, at), refusal)
	case 12:
		kind, key, revision := fmt.Sprint("kind", p.rand.IntN(2)), fmt.Sprint("key", p.rand.IntN(4)), uint64(p.rand.IntN(3))
		if p.oneOf(3) {
			refusal := p.m.remove(kind, key, revision)
			p.agree(fmt.Sprintf("delete %s %s at %d", kind, key, revision), p.s.DeleteRecord(ctx, kind, key, revision), refusal)
			return
		}
		data := p.data()
		want, refusal := p.m.put(now, kind, key, revision, data)
		got, err := p.s.PutRecord(ctx, kind, key, revision, data)
		p.agree(fmt.Sprintf("put %s %s at %d", kind, key, revision), err, refusal)
		p.same("revision", got, want)
	case 13:
		p.c.move(time.Duration(p.rand.IntN(2500)) * time.Millisecond)
	}
}

// compare reads everything there is.
func (p *player) compare() {
	p.t.Helper()
	var heads []wf.RunHead
	for id, r := range p.m.runs {
		heads = append(heads, r.head)
		p.same("head of "+id, head(p.t, p.s, id), r.head)
		var events []wf.Event
		for e, err := range p.s.Events(ctx, id, 0) {
			check(p.t, "events", err)
			events = append(events, e)
		}
		p.same("events of "+id, events, r.events)
		pending, err := p.s.Pending(ctx, id)
		check(p.t, "pending", err)
		p.same("messages of "+id, pending, r.pending)
		for upTo := range r.head.Revision + 1 {
			got, err := p.s.LoadSnapshot(ctx, id, upTo)
			if want := r.snapshot(upTo); want != nil {
				check(p.t, "snapshot", err)
				p.same(fmt.Sprint("snapshot of ", id, " up to ", upTo), got, *want)
			} else if word(err) != "not found" {
				p.t.Fatalf("snapshot of %s up to %d: %v, want none", id, upTo, err)
			}
		}
	}
	slices.SortFunc(heads, func(a, b wf.RunHead) int {
		return -cmp.Or(a.Created.Compare(b.Created), strings.Compare(a.RunID, b.RunID))
	})
	p.same("list", all(p.t, p.s, wf.RunQuery{Limit: 2}), heads)
	for _, kind := range []string{"kind0", "kind1"} {
		var want []store.Record
		for _, place := range slices.Sorted(maps.Keys(p.m.records)) {
			if r := p.m.records[place]; r.Kind == kind && !r.deleted {
				want = append(want, r.Record)
			}
		}
		p.same(kind, scan(p.t, p.s, kind, "", 2), want)
	}
}

// scan reads all pages of records.
func scan(t *testing.T, s store.Store, kind, prefix string, limit int) (out []store.Record) {
	t.Helper()
	cursor := ""
	for {
		page, err := s.ScanRecords(ctx, kind, prefix, cursor, limit)
		check(t, "scan", err)
		out = append(out, page.Records...)
		if cursor = page.Next; cursor == "" {
			return out
		}
	}
}
