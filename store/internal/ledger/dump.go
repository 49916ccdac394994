package ledger

import (
	"iter"
	"maps"
	"slices"

	"lda.chat/wf"
)

// Size is how many bytes of what was kept are still of use.
func (l *Ledger) Size() int64 {
	var size int64
	used := map[*Kept]bool{}
	use := func(k *Kept) {
		if k != nil && !used[k] {
			used[k] = true
			size += k.Size
		}
	}
	for _, s := range l.runs {
		use(s.birth)
		for _, c := range s.events {
			use(c.kept)
		}
		for _, c := range s.snaps {
			use(c.kept)
		}
		for _, p := range s.pending {
			use(p.kept)
		}
	}
	for _, k := range l.records {
		for _, r := range k.byKey {
			use(r.kept)
		}
	}
	return size
}

// Changes gives changes that make a ledger like this one, with nothing that is of no use any more.
func (l *Ledger) Changes(load Load) iter.Seq2[*Change, error] {
	return func(yield func(*Change, error) bool) {
		for _, s := range l.order {
			if !s.changes(load, yield) {
				return
			}
		}
		for _, name := range slices.Sorted(maps.Keys(l.records)) {
			k := l.records[name]
			for _, key := range slices.Sorted(maps.Keys(k.byKey)) {
				r := k.byKey[key]
				c := &Change{Do: "removed", Record: &Record{Kind: name, Key: key, Revision: r.revision, Updated: r.updated, Deleted: true}}
				if r.kept != nil {
					old, err := load(r.kept)
					if err != nil {
						yield(nil, err)
						return
					}
					c = &Change{Do: "record", Record: old.Record}
				}
				if !yield(c, nil) {
					return
				}
			}
		}
	}
}

// changes gives those of a run: how it begins, then every change that it needs, with the head as it was after it.
func (r *run) changes(load Load, yield func(*Change, error) bool) bool {
	head := r.head
	head.Revision = r.head.Pruned
	seen := maps.Clone(r.seen)
	for _, p := range r.pending {
		delete(seen, p.id)
	}
	if !yield(&Change{Do: "begun", Run: clone(head), Content: r.content, Seen: slices.Sorted(maps.Keys(seen))}, nil) {
		return false
	}
	for i, c := range r.events {
		old, err := load(c.kept)
		if err != nil {
			yield(nil, err)
			return false
		}
		n := &Change{Do: "events"}
		for _, e := range old.Events {
			if e.Revision > r.head.Pruned && e.Revision <= r.last(i) {
				n.Events = append(n.Events, e)
				head.Revision = e.Revision
			}
		}
		n.Run = clone(head)
		if !yield(n, nil) {
			return false
		}
	}
	for _, s := range r.snaps {
		old, err := load(s.kept)
		if err != nil {
			yield(nil, err)
			return false
		}
		if !yield(&Change{Do: "snapshot", Run: clone(head), Snapshot: old.Snapshot}, nil) {
			return false
		}
	}
	for _, p := range r.pending {
		old, err := load(p.kept)
		if err != nil {
			yield(nil, err)
			return false
		}
		if !yield(&Change{Do: "message", Run: clone(head), Message: old.Message}, nil) {
			return false
		}
	}
	return true
}

func clone(h wf.RunHead) *wf.RunHead { return &h }
