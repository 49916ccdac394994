package wf

import "slices"

// cell is what is known at a point about up to 64 facts, a bit for each.
type cell struct {
	live    uint64 // somebody behind asks for it
	absent  uint64 // on some way here it is not there
	written uint64 // on some way here it is
	sure    uint64 // effects, as effectKind has them
	kill    uint64
	maybe   uint64
	keep    uint64
	shown   uint64
	waiting bool
}

func (x *cell) isIdle() bool { return x.live|x.sure|x.kill|x.maybe|x.keep|x.shown == 0 }

// outAbsent and outWritten are what is handed on.
func (x *cell) outAbsent() uint64 { return x.absent&^(x.sure|x.shown) | x.kill | x.maybe }

func (x *cell) outWritten() uint64 { return x.written&^x.kill | x.sure | x.maybe | x.keep }

// add notes one effect more, behind those that are noted.
func (x *cell) add(bit uint64, kind effectKind) {
	switch kind {
	case effectShown:
		x.shown |= bit
		return
	case effectKeep:
		x.keep |= bit &^ (x.sure | x.kill | x.maybe)
		return
	}
	x.sure, x.kill, x.maybe, x.keep, x.shown = x.sure&^bit, x.kill&^bit, x.maybe&^bit, x.keep&^bit, x.shown&^bit
	switch kind {
	case effectSure:
		x.sure |= bit
	case effectKill:
		x.kill |= bit
	default:
		x.maybe |= bit
	}
}

// solve finds out of up to 64 facts at a time at which points they may be there, and may not, and shows each lot to
// judge. A fact is followed only from where it is read back to where that is decided, so the whole takes time in
// proportion to the graph and its reads, unless many facts stay open over long ways: then it comes to an end before it has
// asked about all of them.
func (a *assigned) solve(judge func(first int, facts []fact)) {
	a.cells = make([]cell, len(a.points))
	var touched, queue []int32
	for first := 0; first < len(a.facts); first += 64 {
		lot := a.facts[first:min(first+64, len(a.facts))]
		if a.work > a.most {
			a.leave(a.facts[first:])
			return
		}
		for _, p := range touched {
			a.cells[p] = cell{}
		}
		touched, queue = touched[:0], queue[:0]
		note := func(p int32) *cell {
			x := &a.cells[p]
			if x.isIdle() {
				touched = append(touched, p)
			}
			return x
		}
		for i := range lot {
			bit := uint64(1) << i
			for _, e := range a.effects[lot[i].first:lot[i].last] {
				if a.rank[e.point] >= 0 {
					note(e.point).add(bit, e.kind)
				}
			}
		}
		killed := a.killed(touched)
		for i := range lot {
			for _, r := range a.reads[lot[i].reads:lot[i].until] {
				note(r.point).live |= uint64(1) << i
				queue = a.push(queue, r.point)
			}
		}
		slices.SortFunc(queue, func(p, q int32) int { return int(a.rank[q]) - int(a.rank[p]) }) // a sorted list is a heap
		for len(queue) > 0 {
			var p int32
			p, queue = a.pop(queue)
			for _, q := range a.before(p) {
				if a.rank[q] < 0 {
					continue
				}
				x := note(q)
				if more := a.cells[p].live &^ (x.live | x.sure | x.kill | x.maybe); more != 0 {
					x.live |= more
					queue = a.rise(a.push(queue, q), q)
				}
			}
			a.work++
		}
		slices.SortFunc(touched, func(p, q int32) int { return int(a.rank[p]) - int(a.rank[q]) })
		queue = queue[:0]
		for _, p := range touched {
			if a.cells[p].live != 0 {
				queue = a.push(queue, p)
			}
		}
		a.forward(queue, killed)
		judge(first, lot)
	}
}

func (a *assigned) push(queue []int32, p int32) []int32 {
	if a.cells[p].waiting {
		return queue
	}
	a.cells[p].waiting = true
	return append(queue, p)
}

// forward hands on what is there and what is not, until nothing changes.
func (a *assigned) forward(queue []int32, killed []uint64) {
	for k := 0; k < len(queue); k++ {
		p := queue[k]
		x := &a.cells[p]
		x.waiting = false
		a.work++
		var absent, written uint64
		if p == pointStart {
			absent = ^uint64(0)
		}
		for _, q := range a.before(p) {
			if a.rank[q] >= 0 {
				absent |= a.cells[q].outAbsent()
				written |= a.cells[q].outWritten()
			}
		}
		if j := a.points[p].join; j >= 0 {
			absent = a.joined(&a.joins[j], absent, killed)
		}
		absent, written = absent&x.live, written&x.live
		if absent == x.absent && written == x.written {
			continue
		}
		x.absent, x.written = absent, written
		for _, q := range a.after(p) {
			if a.cells[q].live != 0 {
				queue = a.push(queue, q)
			}
		}
	}
}

// joined is what may still not be there behind a join: what the fork did not find, and one of the branches that are
// surely merged did not write. Where a branch takes away a fact, any of them may have been the last.
func (a *assigned) joined(j *joinFlow, any uint64, killed []uint64) uint64 {
	absent, taken := a.cells[j.fork].outAbsent(), uint64(0)
	for _, b := range j.branches {
		if killed != nil {
			taken |= killed[b.region]
		}
		if b.surely {
			absent &= a.cells[a.end[b.region]].outAbsent()
		}
	}
	return absent | any&taken
}

// killed finds, by region, what it may take away, regions inside it included; nil: nothing.
func (a *assigned) killed(touched []int32) []uint64 {
	regions, some := a.c.tree.regions, false
	for _, p := range touched {
		s, mask := a.points[p].step, a.cells[p].kill|a.cells[p].maybe
		if len(a.joins) == 0 || s == noStep || mask == 0 || a.c.tree.of[s] == 0 {
			continue
		}
		if !some {
			some = true
			a.taken = append(a.taken[:0], make([]uint64, len(regions))...)
		}
		a.taken[a.c.tree.of[s]] |= mask
	}
	if !some {
		return nil
	}
	for r := len(regions) - 1; r > 0; r-- { // a region comes after the one around it
		a.taken[regions[r].parent] |= a.taken[r]
	}
	return a.taken
}
