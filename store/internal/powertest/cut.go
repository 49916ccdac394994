package powertest

import (
	"maps"
	"math/rand/v2"
	"path"
	"slices"
)

// Loss is what a power cut does to that which was not synced.
type Loss string

// The ways of losing. What was synced is never touched.
const (
	Nothing Loss = "nothing is lost" // a process that was killed; what was not synced may still be lost by the next cut
	All     Loss = "all is lost"
	Torn    Loss = "all from a byte on"     // what was written up to a byte of some write is there
	Mixed   Loss = "some sectors and names" // of each sector some version; files may be larger than what they hold, zeros between
	Junk    Loss = "some, and junk"         // a sector that was written and not kept may hold anything
)

// sectorSize is how much a disk writes whole or not at all.
const sectorSize = 512

// Cut returns the disk as it may be after a power cut. The operations of d are not those of the new one.
func (d *Disk) Cut(how Loss, r *rand.Rand) *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	if how == Nothing {
		return d.clone()
	}
	last, part := len(d.ops), 1.0 // the last operation that counts, and how much of it
	switch how {
	case All:
		last = 0
	case Torn:
		if pending := d.pending(); len(pending) > 0 {
			last, part = pending[r.IntN(len(pending))], r.Float64()
		}
	}
	after := &Disk{durable: maps.Clone(d.durable), temp: d.temp}
	for _, m := range d.moves {
		if m.number <= last && !((how == Mixed || how == Junk) && r.IntN(2) == 0) {
			m.on(after.durable)
		}
	}
	for name := range after.durable {
		for up := name; up != "/"; up = path.Dir(up) {
			if _, there := after.durable[path.Dir(up)]; !there {
				delete(after.durable, name)
				break
			}
		}
	}
	after.names = maps.Clone(after.durable)
	for _, f := range d.files {
		data := slices.Clone(f.durable)
		switch how {
		case Mixed, Junk:
			data = f.mixed(data, how == Junk, r)
		default:
			for _, w := range f.writes {
				if w.number == last {
					w.data = w.data[:int(part*float64(len(w.data))+0.5):len(w.data)]
				}
				if w.number <= last {
					data = w.on(data)
				}
			}
		}
		after.files = append(after.files, &inode{data: data, durable: slices.Clone(data)})
	}
	return after
}

// clone is a disk of which as much is durable.
func (d *Disk) clone() *Disk {
	c := &Disk{names: maps.Clone(d.names), durable: maps.Clone(d.durable), moves: slices.Clone(d.moves), ops: slices.Clone(d.ops), temp: d.temp}
	for _, f := range d.files {
		c.files = append(c.files, &inode{slices.Clone(f.data), slices.Clone(f.durable), slices.Clone(f.writes)})
	}
	return c
}

// pending are the numbers of the operations that a power cut may undo.
func (d *Disk) pending() (numbers []int) {
	for _, m := range d.moves {
		numbers = append(numbers, m.number)
	}
	for _, f := range d.files {
		for _, w := range f.writes {
			numbers = append(numbers, w.number)
		}
	}
	return numbers
}

// mixed writes of each sector the version after some of the writes. The size is that after some of them, too.
func (f *inode) mixed(data []byte, junk bool, r *rand.Rand) []byte {
	if len(f.writes) == 0 {
		return data
	}
	size := r.IntN(len(f.writes) + 1)
	upTo := map[int64]int{}
	for i, w := range f.writes {
		if w.data == nil {
			if i < size {
				data = w.on(data)
			}
			continue
		}
		for at := w.at; at < w.at+int64(len(w.data)); {
			sector := at / sectorSize
			end := min((sector+1)*sectorSize, w.at+int64(len(w.data)))
			if _, ok := upTo[sector]; !ok {
				upTo[sector] = r.IntN(len(f.writes) + 1)
			}
			piece := write{at: at, data: w.data[at-w.at : end-w.at]}
			switch kept := i < upTo[sector]; {
			case kept:
				data = piece.on(data)
			case i < size:
				data = resize(data, max(int64(len(data)), end))
				if junk && r.IntN(3) == 0 {
					for n := at; n < end; n++ {
						data[n] = byte(r.Uint32())
					}
				}
			}
			at = end
		}
	}
	return data
}
