package wf

import "lda.chat/wf/internal/kernel"

// Sizes of a run's record slabs: the first is small, for short runs; the later ones are not.
const (
	firstSlab = 8
	mostSlab  = 256
)

// journal keeps a run's records in memory, as the machine made them. They become text only when somebody reads them.
type journal struct {
	records []kernel.Record
	entries []kernel.Entry // the slab that the next record's entries go to
	writes  []kernel.Write
	size    int
}

// room lends a Step the rest of the slabs.
func (j *journal) room(out *kernel.Out) {
	if cap(j.entries)-len(j.entries) < 4 {
		j.size = min(max(2*j.size, firstSlab), mostSlab)
		j.entries = make([]kernel.Entry, 0, j.size)
	}
	out.Record.Entries = j.entries[len(j.entries):]
	if cap(out.Writes)-len(out.Writes) < 4 {
		out.Writes = make([]kernel.Write, 0, max(j.size, firstSlab))
	}
}

// keep takes over a record.
func (j *journal) keep(r *kernel.Record) {
	n := len(r.Entries)
	if free := j.entries[len(j.entries):cap(j.entries)]; n <= len(free) && (n == 0 || &free[0] == &r.Entries[0]) {
		j.entries = j.entries[:len(j.entries)+n]
	}
	kept := *r
	kept.Entries = r.Entries[:n:n]
	j.records = append(j.records, kept)
	r.Entries = nil
}
