// Package ledger is a store of one process: everything that it must know to decide, in memory, and where the bytes are.
// What keeps the bytes, memory or a file, is told which changes to commit and asked for them again.
package ledger

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"lda.chat/wf"
)

// Ledger is what is committed. One transaction at a time may be made on it, by whoever commits; readers may come whenever
// they like and never wait for a commit.
type Ledger struct {
	mu      sync.RWMutex
	runs    map[string]*slot
	order   []*slot // by when they were created, then by id
	due     heap    // of those that will be claimable by themselves
	records map[string]*kind
}

// slot is the place of a run: what it is now, and where it stands in the indices.
type slot struct {
	*run
	id    string
	index int // in due; -1: not there
	ready time.Time
}

// run is a version of a run. It is not changed once it is published; versions share what they can.
type run struct {
	head    wf.RunHead
	content string
	birth   *Kept   // the change that made it
	events  []chunk // in order
	snaps   []snap  // in order
	pending []pending
	seen    map[string]bool // ids of the messages that came, all versions have one; changed only when a version is published
	came    []string        // ids of those that came in the transaction
}

// chunk is where the events of a change are.
type chunk struct {
	first wf.Revision
	kept  *Kept
}

type snap struct {
	at   wf.Revision
	kept *Kept
}

type pending struct {
	id   string
	at   time.Time
	kept *Kept
}

// kind is the records of a kind.
type kind struct {
	byKey map[string]*record
	keys  []string // sorted, of those that are there
}

type record struct {
	revision uint64
	updated  time.Time
	kept     *Kept // nil: deleted
}

// New makes an empty ledger.
func New() *Ledger {
	return &Ledger{runs: map[string]*slot{}, records: map[string]*kind{}}
}

// same reports whether two are versions of one run, and not of two that had the same id after one another.
func (r *run) same(as *run) bool { return r.birth == as.birth }

// readyAt tells when a run will be claimable by itself, if it will.
func (r *run) readyAt() (time.Time, bool) {
	h := &r.head
	switch {
	case h.Status.Ended():
		return time.Time{}, false
	case h.Owner != "":
		return h.LeaseUntil, true
	case h.WakeAt.IsZero() && len(r.pending) == 0:
		return time.Time{}, false
	}
	at := h.WakeAt
	if len(r.pending) > 0 && (at.IsZero() || r.pending[0].at.Before(at)) {
		at = r.pending[0].at
	}
	return at, true
}

func byAge(a, b *slot) int {
	return cmp.Or(a.head.Created.Compare(b.head.Created), cmp.Compare(a.id, b.id))
}

// Publish makes the changes of a transaction visible, all at once.
func (l *Ledger) Publish(t *Tx) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, r := range t.runs {
		s := l.runs[id]
		if s != nil && (r == nil || !r.same(s.run)) {
			l.remove(s)
			s = nil
		}
		if r == nil {
			continue
		}
		if s == nil {
			s = &slot{run: r, id: id, index: -1}
			l.runs[id] = s
			at, _ := slices.BinarySearchFunc(l.order, s, byAge)
			l.order = slices.Insert(l.order, at, s)
		}
		s.run = r
		for _, id := range r.came {
			r.seen[id] = true
		}
		r.came = nil
		l.schedule(s)
	}
	for place, r := range t.records {
		l.put(place.kind, place.key, r)
	}
}

func (l *Ledger) remove(s *slot) {
	delete(l.runs, s.id)
	if at, ok := slices.BinarySearchFunc(l.order, s, byAge); ok {
		l.order = slices.Delete(l.order, at, at+1)
	}
	if s.index >= 0 {
		l.due.remove(s.index)
	}
}

// schedule keeps a run's place in the line of those who will be claimable.
func (l *Ledger) schedule(s *slot) {
	at, ok := s.readyAt()
	switch {
	case !ok && s.index >= 0:
		l.due.remove(s.index)
	case !ok:
	case s.index < 0:
		s.ready = at
		l.due.add(s)
	case !at.Equal(s.ready):
		s.ready = at
		l.due.fix(s.index)
	}
}

func (l *Ledger) put(name, key string, r *record) {
	k := l.records[name]
	if k == nil {
		k = &kind{byKey: map[string]*record{}}
		l.records[name] = k
	}
	k.byKey[key] = r
	at, there := slices.BinarySearch(k.keys, key)
	switch {
	case r.kept == nil && there:
		k.keys = slices.Delete(k.keys, at, at+1)
	case r.kept != nil && !there:
		k.keys = slices.Insert(k.keys, at, key)
	}
}
