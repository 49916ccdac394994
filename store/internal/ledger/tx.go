package ledger

import (
	"fmt"
	"slices"
	"time"

	"lda.chat/wf"
)

// Tx is changes that are not committed yet, on top of a ledger. Every operation either adds its changes and answers, or
// adds none and fails. A transaction that is not published never was.
type Tx struct {
	on      *Ledger
	now     time.Time
	runs    map[string]*run // nil: deleted
	records map[place]*record

	Changes []*Kept
	Woken   []string // runs of which watchers want to know
	Hurry   bool     // some change must be durable before it is answered
}

type place struct{ kind, key string }

// Begin begins a transaction at a time of the store's clock.
func (l *Ledger) Begin(now time.Time) *Tx {
	return &Tx{on: l, now: now, runs: map[string]*run{}, records: map[place]*record{}}
}

// run returns a run as the transaction sees it, or nil.
func (t *Tx) run(id string) *run {
	if r, ok := t.runs[id]; ok {
		return r
	}
	if s := t.on.runs[id]; s != nil {
		return s.run
	}
	return nil
}

func (t *Tx) must(id string) (*run, error) {
	if r := t.run(id); r != nil {
		return r, nil
	}
	return nil, NoRun(id)
}

// NoRun is the error for a run that is not there.
func NoRun(id string) error { return &wf.NotFoundError{What: "run", Key: id} }

// do applies a change that was decided, and keeps it to be written.
func (t *Tx) do(c *Change) {
	t.Hurry = true
	kept := &Kept{Change: c}
	t.Changes = append(t.Changes, kept)
	t.apply(c, kept)
}

// Apply applies a change that was written. It fails if the change does not follow from those before it.
func (t *Tx) Apply(kept *Kept) (problem string) {
	c := kept.Change
	if c.Run != nil {
		id, have := c.Run.RunID, c.Run.Pruned
		if c.Content == "" {
			r := t.run(id)
			if r == nil {
				return "a change of run " + id + ", which is not there"
			}
			have = r.head.Revision
		}
		for i := range c.Events {
			if e := c.Events[i].Revision; e != have+1 {
				return fmt.Sprintf("run %s goes from event %d to %d", id, have, e)
			}
			have++
		}
		if have != c.Run.Revision {
			return fmt.Sprintf("run %s is at revision %d and has events up to %d", id, c.Run.Revision, have)
		}
	}
	t.apply(c, kept)
	return ""
}

func (t *Tx) apply(c *Change, kept *Kept) {
	switch {
	case c.Run != nil:
		t.applyRun(c, kept)
	case c.Delete != "":
		t.runs[c.Delete] = nil
	case c.Record != nil:
		r := &record{revision: c.Record.Revision, updated: c.Record.Updated}
		if !c.Record.Deleted {
			r.kept = kept
		}
		t.records[place{c.Record.Kind, c.Record.Key}] = r
	}
}

func (t *Tx) applyRun(c *Change, kept *Kept) {
	id := c.Run.RunID
	var r run
	if old := t.run(id); old != nil {
		r = *old
		r.came = slices.Clip(r.came)
	}
	r.head = *c.Run
	if c.Content != "" {
		r.content, r.birth, r.seen = c.Content, kept, map[string]bool{}
	}
	if len(c.Events) > 0 {
		r.events = append(r.events, chunk{c.Events[0].Revision, kept})
	}
	if c.Snapshot != nil {
		r.snaps = append(r.snaps, snap{c.Snapshot.Revision, kept})
	}
	if len(c.Consume) > 0 {
		r.pending = slices.DeleteFunc(slices.Clone(r.pending), func(p pending) bool { return slices.Contains(c.Consume, p.id) })
	}
	r.came = append(r.came, c.Seen...)
	if m := c.Message; m != nil {
		r.pending = append(r.pending, pending{m.ID, m.At, kept})
		r.came = append(r.came, m.ID)
	}
	if c.Prune > 0 {
		r.events, r.snaps = pruned(&r, c.Prune)
	}
	t.runs[id] = &r
}

// pruned leaves out what stands before a snapshot. A chunk that has later events too stays, its first ones unread.
func pruned(r *run, at wf.Revision) ([]chunk, []snap) {
	from := 0
	for from < len(r.events) && r.last(from) <= at {
		from++
	}
	snaps := slices.DeleteFunc(slices.Clone(r.snaps), func(s snap) bool { return s.at < at })
	return slices.Clone(r.events[from:]), snaps
}

// last is the last event of a chunk.
func (r *run) last(chunk int) wf.Revision {
	if chunk+1 < len(r.events) {
		return r.events[chunk+1].first - 1
	}
	return r.head.Revision
}

// woken notes a run of which watchers want to know.
func (t *Tx) woken(id string) { t.Woken = append(t.Woken, id) }
