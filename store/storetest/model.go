package storetest

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

// model is the contract as the shortest program that keeps it. It answers refusals by a word.
type model struct {
	runs    map[string]*modelRun
	records map[string]*modelRecord // by kind and key
}

type modelRun struct {
	head    wf.RunHead
	content string
	events  []wf.Event
	snaps   []wf.Snapshot
	pending []wf.Message
	seen    map[string]bool
}

type modelRecord struct {
	store.Record
	deleted bool
}

func newModel() *model { return &model{map[string]*modelRun{}, map[string]*modelRecord{}} }

func (m *model) create(now time.Time, run wf.NewRun, from *modelRun, at wf.Revision) (wf.RunHead, string) {
	if r := m.runs[run.RunID]; r != nil {
		if r.content != run.Content {
			return wf.RunHead{}, "exists"
		}
		return r.head, ""
	}
	r := &modelRun{content: run.Content, seen: map[string]bool{}, head: wf.RunHead{
		RunID: run.RunID, Status: run.Status, WakeAt: run.WakeAt, Kernel: run.Kernel, Labels: run.Labels,
		Deployment: run.Deployment, Created: now, Updated: now,
	}}
	if from != nil {
		if at == 0 || at > from.head.Revision || at < from.head.Pruned {
			return wf.RunHead{}, "not found"
		}
		for _, e := range from.events {
			if e.Revision <= at {
				e.Fence = 0
				r.events = append(r.events, e)
			}
		}
		if s := from.snapshot(at); s != nil {
			r.snaps = append(r.snaps, *s)
		}
		r.head.Revision, r.head.Pruned = at, from.head.Pruned
	}
	for _, data := range run.Events {
		r.head.Revision++
		r.events = append(r.events, wf.Event{Revision: r.head.Revision, At: now, Data: data})
	}
	if run.Owner != "" {
		r.head.Owner, r.head.Fence, r.head.LeaseUntil = run.Owner, 1, now.Add(run.TTL)
	}
	m.runs[run.RunID] = r
	return r.head, ""
}

func (r *modelRun) snapshot(upTo wf.Revision) *wf.Snapshot {
	for i := len(r.snaps) - 1; i >= 0; i-- {
		if upTo == 0 || r.snaps[i].Revision <= upTo {
			return &r.snaps[i]
		}
	}
	return nil
}

func (m *model) append(now time.Time, a wf.Append) (wf.RunHead, string) {
	r := m.runs[a.RunID]
	switch {
	case r == nil:
		return wf.RunHead{}, "not found"
	case r.head.Fence != a.Fence:
		return wf.RunHead{}, "fenced"
	case r.head.Status.Ended():
		return wf.RunHead{}, "status"
	case r.head.Owner == "":
		return wf.RunHead{}, "fenced"
	case r.head.Revision != a.Expect:
		return wf.RunHead{}, "conflict"
	}
	for _, id := range a.Consume {
		if !slices.ContainsFunc(r.pending, func(p wf.Message) bool { return p.ID == id }) {
			return wf.RunHead{}, "not found"
		}
	}
	r.pending = slices.DeleteFunc(r.pending, func(p wf.Message) bool { return slices.Contains(a.Consume, p.ID) })
	for _, data := range a.Events {
		r.head.Revision++
		r.events = append(r.events, wf.Event{Revision: r.head.Revision, Fence: a.Fence, At: now, Data: data})
	}
	if a.Snapshot != nil {
		r.snaps = append(r.snaps, wf.Snapshot{Revision: r.head.Revision, Data: a.Snapshot})
	}
	if a.Status != "" {
		r.head.Status = a.Status
	}
	if a.Labels != nil {
		r.head.Labels = a.Labels
	}
	r.head.WakeAt, r.head.Updated, r.head.Pending = a.WakeAt, now, len(r.pending)
	if a.Release || r.head.Status.Ended() {
		r.head.Owner, r.head.LeaseUntil = "", time.Time{}
	}
	return r.head, ""
}

func (m *model) claim(now time.Time, c wf.ClaimRequest) ([]wf.RunHead, string) {
	type candidate struct {
		*modelRun
		since time.Time
	}
	var list []candidate
	if c.Only != "" && m.runs[c.Only] == nil {
		return nil, "not found"
	}
	for id, r := range m.runs {
		since := r.head.WakeAt
		if len(r.pending) > 0 && (since.IsZero() || r.pending[0].At.Before(since)) {
			since = r.pending[0].At
		}
		if r.head.Owner != "" {
			since = r.head.LeaseUntil
		}
		live := r.head.Owner != "" && r.head.LeaseUntil.After(now)
		waits := since.IsZero() || since.After(now)
		if r.head.Status.Ended() || live || waits && c.Only == "" || c.Only != "" && c.Only != id {
			continue
		}
		if r.head.Kernel < c.MinKernel || c.MaxKernel != 0 && r.head.Kernel > c.MaxKernel {
			continue
		}
		if pool, ok := c.Match["pool"]; ok && r.head.Labels["pool"] != pool {
			continue
		}
		list = append(list, candidate{r, since})
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(a.since.Compare(b.since), strings.Compare(a.head.RunID, b.head.RunID))
	})
	var heads []wf.RunHead
	for _, r := range list[:min(len(list), c.Max)] {
		r.head.Owner, r.head.Fence, r.head.LeaseUntil = c.Owner, r.head.Fence+1, now.Add(c.TTL)
		heads = append(heads, r.head)
	}
	return heads, ""
}

func (m *model) renew(now time.Time, ttl time.Duration, l wf.Lease) []string {
	r := m.runs[l.RunID]
	if r == nil || r.head.Owner == "" || r.head.Fence != l.Fence {
		return []string{l.RunID}
	}
	r.head.LeaseUntil = now.Add(ttl)
	return nil
}

func (m *model) release(l wf.Lease) {
	if r := m.runs[l.RunID]; r != nil && r.head.Fence == l.Fence {
		r.head.Owner, r.head.LeaseUntil = "", time.Time{}
	}
}

func (m *model) post(now time.Time, id string, msg wf.Message) (bool, string) {
	r := m.runs[id]
	switch {
	case r == nil:
		return false, "not found"
	case r.seen[msg.ID]:
		return false, ""
	case r.head.Status.Ended():
		return false, "status"
	}
	msg.At = now
	r.seen[msg.ID] = true
	r.pending = append(r.pending, msg)
	r.head.Pending++
	return true, ""
}

func (m *model) prune(id string, at wf.Revision) string {
	r := m.runs[id]
	if r == nil || !slices.ContainsFunc(r.snaps, func(s wf.Snapshot) bool { return s.Revision == at }) {
		return "not found"
	}
	r.head.Pruned = at
	r.events = slices.DeleteFunc(r.events, func(e wf.Event) bool { return e.Revision <= at })
	r.snaps = slices.DeleteFunc(r.snaps, func(s wf.Snapshot) bool { return s.Revision < at })
	return ""
}

func (m *model) delete(id string) string {
	r := m.runs[id]
	switch {
	case r == nil:
		return "not found"
	case !r.head.Status.Ended():
		return "status"
	}
	delete(m.runs, id)
	return ""
}

func (m *model) put(now time.Time, kind, key string, revision uint64, value []byte) (uint64, string) {
	r := m.records[kind+"\x00"+key]
	switch {
	case r == nil && revision == 0:
		r = &modelRecord{}
		m.records[kind+"\x00"+key] = r
	case r == nil, r.deleted && revision != 0, !r.deleted && revision != r.Revision:
		return 0, "conflict"
	}
	r.Record = store.Record{Kind: kind, Key: key, Revision: r.Revision + 1, Updated: now, Value: value}
	r.deleted = false
	return r.Revision, ""
}

func (m *model) remove(kind, key string, revision uint64) string {
	r := m.records[kind+"\x00"+key]
	switch {
	case r == nil || r.deleted:
		return "not found"
	case r.Revision != revision:
		return "conflict"
	}
	r.deleted = true
	return ""
}
