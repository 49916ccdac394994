package ledger

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/contract"
)

// Load gives a change that was kept.
type Load func(*Kept) (*Change, error)

// NoRevision is the error for a revision that is not there.
func NoRevision(what, id string, at wf.Revision) error {
	return &wf.NotFoundError{What: what, Key: fmt.Sprintf("%d of run %s", at, id)}
}

// find returns the published version of a run, or nil. It is not changed any more, but for seen and came.
func (l *Ledger) find(id string) *run {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if s := l.runs[id]; s != nil {
		return s.run
	}
	return nil
}

// Head returns a run's head.
func (l *Ledger) Head(id string) (wf.RunHead, error) {
	if r := l.find(id); r != nil {
		return r.head, nil
	}
	return wf.RunHead{}, NoRun(id)
}

// Events gives a run's events.
func (l *Ledger) Events(id string, from wf.Revision, load Load, yield func(wf.Event, error) bool) {
	r := l.find(id)
	if r == nil {
		yield(wf.Event{}, NoRun(id))
		return
	}
	r.walk(from, r.head.Revision, load, yield)
}

func (r *run) walk(from, to wf.Revision, load Load, yield func(wf.Event, error) bool) {
	if from == 0 {
		from = r.head.Pruned + 1
	}
	if from <= r.head.Pruned {
		yield(wf.Event{}, NoRevision("event", r.head.RunID, from))
		return
	}
	begin := sort.Search(len(r.events), func(i int) bool { return r.last(i) >= from })
	for _, c := range r.events[begin:] {
		change, err := load(c.kept)
		if err != nil {
			yield(wf.Event{}, err)
			return
		}
		for _, e := range change.Events {
			if e.Revision > to {
				return
			}
			if e.Revision >= from && !yield(wf.Event{Revision: e.Revision, Fence: e.Fence, At: e.At, Data: e.Data}, nil) {
				return
			}
		}
	}
}

// LoadSnapshot returns the newest snapshot up to a revision.
func (l *Ledger) LoadSnapshot(id string, upTo wf.Revision, load Load) (wf.Snapshot, error) {
	r := l.find(id)
	if r == nil {
		return wf.Snapshot{}, NoRun(id)
	}
	s := r.snapshot(upTo)
	if s == nil {
		return wf.Snapshot{}, NoRevision("snapshot", id, upTo)
	}
	change, err := load(s.kept)
	if err != nil {
		return wf.Snapshot{}, err
	}
	return wf.Snapshot{Revision: s.at, Data: change.Snapshot.Data}, nil
}

func (r *run) snapshot(upTo wf.Revision) *snap {
	for i := len(r.snaps) - 1; i >= 0; i-- {
		if upTo == 0 || r.snaps[i].at <= upTo {
			return &r.snaps[i]
		}
	}
	return nil
}

// Pending returns a run's messages.
func (l *Ledger) Pending(id string, load Load) ([]wf.Message, error) {
	r := l.find(id)
	if r == nil {
		return nil, NoRun(id)
	}
	list := make([]wf.Message, len(r.pending))
	for i, p := range r.pending {
		change, err := load(p.kept)
		if err != nil {
			return nil, err
		}
		m := change.Message
		list[i] = wf.Message{ID: m.ID, Kind: m.Kind, Data: m.Data, At: m.At}
	}
	return list, nil
}

// List returns a page of heads.
func (l *Ledger) List(q *wf.RunQuery) (wf.RunPage, error) {
	limit, after, err := contract.Query(q)
	if err != nil {
		return wf.RunPage{}, err
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	end := len(l.order)
	if after != nil {
		mark := &slot{id: after.RunID, run: &run{head: wf.RunHead{Created: after.Created}}}
		end, _ = slices.BinarySearchFunc(l.order, mark, byAge)
	}
	var page wf.RunPage
	for i := end - 1; i >= 0; i-- {
		h := &l.order[i].head
		if !asked(q, h) {
			continue
		}
		if len(page.Runs) == limit {
			page.Next = contract.Cursor(&page.Runs[limit-1])
			break
		}
		page.Runs = append(page.Runs, *h)
	}
	return page, nil
}

func asked(q *wf.RunQuery, h *wf.RunHead) bool {
	return (q.Status == nil || slices.Contains(q.Status, h.Status)) &&
		(q.Deployment == "" || q.Deployment == h.Deployment) &&
		!h.Created.Before(q.CreatedFrom) &&
		(q.CreatedBefore.IsZero() || h.Created.Before(q.CreatedBefore)) &&
		(q.UpdatedBefore.IsZero() || h.Updated.Before(q.UpdatedBefore)) &&
		contract.Fits(h.Labels, q.Labels)
}

// GetRecord returns a record.
func (l *Ledger) GetRecord(kind, key string, load Load) (Record, error) {
	l.mu.RLock()
	var kept *Kept
	if k := l.records[kind]; k != nil && k.byKey[key] != nil {
		kept = k.byKey[key].kept
	}
	l.mu.RUnlock()
	if kept == nil {
		return Record{}, &wf.NotFoundError{What: kind, Key: key}
	}
	change, err := load(kept)
	if err != nil {
		return Record{}, err
	}
	return *change.Record, nil
}

// ScanRecords returns a page of records in the order of their keys, and where the next one begins.
func (l *Ledger) ScanRecords(kind, prefix, after string, limit int, load Load) ([]Record, string, error) {
	limit, err := contract.Scan(kind, prefix, after, limit)
	if err != nil {
		return nil, "", err
	}
	var list []*Kept
	next, last := "", ""
	l.mu.RLock()
	if k := l.records[kind]; k != nil {
		at, _ := slices.BinarySearch(k.keys, max(prefix, after))
		for _, key := range k.keys[at:] {
			if !strings.HasPrefix(key, prefix) {
				break
			}
			if key == after {
				continue
			}
			if len(list) == limit {
				next = last
				break
			}
			list, last = append(list, k.byKey[key].kept), key
		}
	}
	l.mu.RUnlock()
	records := make([]Record, len(list))
	for i, kept := range list {
		change, err := load(kept)
		if err != nil {
			return nil, "", err
		}
		records[i] = *change.Record
	}
	return records, next, nil
}
