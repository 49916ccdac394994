package wf

import (
	"iter"

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
	records [][]kernel.Record // chunks
	entries []kernel.Entry    // the slab that the next record's entries go to
	size    int
}

// room lends a Step the rest of the slabs.
func (j *journal) room(out *kernel.Out) {
	if cap(j.entries)-len(j.entries) < 4 {
		j.size = min(max(2*j.size, firstSlab), mostSlab)
		j.entries = make([]kernel.Entry, 0, j.size)
	}
	out.Record.Entries = j.entries[len(j.entries):]
}

// keep takes over a record.
func (j *journal) keep(r *kernel.Record) {
	n := len(r.Entries)
	if free := j.entries[len(j.entries):cap(j.entries)]; n > 0 && n <= len(free) && &free[0] == &r.Entries[0] {
		j.entries = j.entries[:len(j.entries)+n]
	}
	last := len(j.records) - 1
	if last < 0 || len(j.records[last]) == cap(j.records[last]) {
		j.records = append(j.records, make([]kernel.Record, 0, max(j.size/2, firstSlab)))
		last++
	}
	r.Entries = r.Entries[:n:n]
	j.records[last] = append(j.records[last], *r)
	r.Entries = nil
}

// snapshot gives the records so far; it may be read while others are added.
func (j *journal) snapshot() iter.Seq[*kernel.Record] {
	chunks := make([][]kernel.Record, len(j.records))
	copy(chunks, j.records)
	return func(yield func(*kernel.Record) bool) {
		for _, chunk := range chunks {
			for i := range chunk {
				if !yield(&chunk[i]) {
					return
				}
			}
		}
	}
}
