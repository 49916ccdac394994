package wf

import (
	"iter"
	"slices"

	"lda.chat/wf/internal/kernel"
)

// Sizes of a run's slabs: the first are small, for short runs; each next one is twice as large, up to a bound.
const (
	firstSlab = 12
	mostSlab  = 256
)

// journal keeps a run's records in memory, as the machine made them. They become text only when somebody reads them.
// Nothing that was kept is moved or copied when it grows.
type journal struct {
	slabs [][]kernel.Entry // the entries of all records in order, a record's in one slab; the last slab takes the next
	heads [][]recordHead   // in chunks
	size  int
}

// recordHead is a record without its entries and without its number, which follows from its place.
type recordHead struct {
	at      int64
	entries int32
	event   kernel.EventKind
}

// room lends a Step the rest of the last slab.
func (j *journal) room(out *kernel.Out) {
	last := len(j.slabs) - 1
	if last < 0 || cap(j.slabs[last])-len(j.slabs[last]) < 4 {
		j.size = min(max(2*j.size, firstSlab), mostSlab)
		j.slabs = append(j.slabs, make([]kernel.Entry, 0, j.size))
		last++
	}
	out.Record.Entries = j.slabs[last][len(j.slabs[last]):]
}

// lend gives the journal room for the next records.
func (j *journal) lend(entries []kernel.Entry, heads []recordHead) {
	j.size = cap(entries)
	j.slabs, j.heads = append(j.slabs, entries), append(j.heads, heads)
}

// trim gives back what room is left. Snapshots stay good, as they have what they were made of.
func (j *journal) trim() { j.slabs, j.heads = trimmed(j.slabs), trimmed(j.heads) }

// trimmed ends a list of slabs with one that is exactly as long as what is in it. A run that is answered again and again is
// trimmed each time: so the last slabs become one while they are small, each the more seldom the longer it is, and the
// list itself is copied only while it is short.
func trimmed[T any](list [][]T) [][]T {
	last := len(list) - 1
	end := list[last]
	from := last
	for n := len(end); from > 0 && len(list[from-1]) <= 2*n && len(list[from-1])+n <= mostSlab; from-- {
		n += len(list[from-1])
	}
	if from < last || len(end) < cap(end) {
		end = slices.Concat(list[from:]...)
		end = end[:len(end):len(end)]
	}
	if last < aFew {
		list = slices.Clone(list)
	}
	clear(list[from:])
	list = list[:from]
	if len(end) > 0 {
		list = append(list, end)
	}
	return list
}

// keep takes over a record.
func (j *journal) keep(r *kernel.Record) {
	last := len(j.slabs) - 1
	slab, n := j.slabs[last], len(r.Entries)
	switch free := slab[len(slab):cap(slab)]; {
	case n == 0:
	case n <= len(free) && &free[0] == &r.Entries[0]:
		j.slabs[last] = slab[:len(slab)+n]
	default: // too long for the rest of the slab, it grew out of it
		j.slabs = append(j.slabs, r.Entries)
	}
	r.Entries = nil
	last = len(j.heads) - 1
	if last < 0 || len(j.heads[last]) == cap(j.heads[last]) {
		j.heads = append(j.heads, make([]recordHead, 0, max(j.size/2, firstSlab)))
		last++
	}
	j.heads[last] = append(j.heads[last], recordHead{r.At, int32(n), r.Event})
}

// snapshot gives the records so far; it may be read while others are added. Each is good until the next is asked for.
func (j *journal) snapshot() iter.Seq[*kernel.Record] {
	slabs, heads := slices.Clone(j.slabs), slices.Clone(j.heads)
	return func(yield func(*kernel.Record) bool) {
		var r kernel.Record
		var rest []kernel.Entry
		next := 0 // slab
		for _, chunk := range heads {
			for _, head := range chunk {
				for head.entries > 0 && len(rest) == 0 {
					rest = slabs[next]
					next++
				}
				r.Seq++
				r.At, r.Event = head.at, head.event
				r.Entries, rest = rest[:head.entries:head.entries], rest[head.entries:]
				if !yield(&r) {
					return
				}
			}
		}
	}
}
