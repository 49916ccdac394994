package kernel

import "slices"

// The queue holds the frames that can go on without an event, in the order in which they became able to: frames whose next
// step can be entered, and owners of children that can start another or end. Only apply changes it, so that a machine
// that was folded goes on in the same order.

// link puts a frame at the end of the queue if it can go on, and takes it out if it cannot.
func (m *Machine) link(f *Frame) {
	if !m.goesOn(f) {
		m.unlink(f)
		return
	}
	if f.queued {
		return
	}
	f.queued = true
	f.prev = m.last
	if m.last == nil {
		m.first = f
	} else {
		m.last.next = f
	}
	m.last = f
}

func (m *Machine) unlink(f *Frame) {
	if !f.queued {
		return
	}
	if f.prev == nil {
		m.first = f.next
	} else {
		f.prev.next = f.next
	}
	if f.next == nil {
		m.last = f.prev
	} else {
		f.next.prev = f.prev
	}
	f.prev, f.next, f.queued = nil, nil, false
}

func (m *Machine) goesOn(f *Frame) bool {
	return (f.status == frameReady || f.status == frameTending) && !m.isHeld(f)
}

// isHeld reports whether a frame, or one around it, waits for room.
func (m *Machine) isHeld(f *Frame) bool {
	if m.holding == 0 {
		return false
	}
	for ; f.in != nil; f = f.in.owner {
		if f.held {
			return true
		}
	}
	return false
}

// count keeps count of what the frames are doing.
func (m *Machine) count(s frameStatus, by int) {
	if s.moves() {
		m.moving += by
	}
	if s.asks() {
		m.asking += by
	}
}

// setStatus changes what a frame does, and who has room in the foreaches around it.
func (m *Machine) setStatus(f *Frame, s frameStatus) {
	worked, works := f.status.works(), s.works()
	if was := f.status; was.moves() != s.moves() || was.asks() != s.asks() {
		m.count(was, -1)
		m.count(s, 1)
	}
	f.status = s
	switch {
	case works && !worked:
		f.active++
		if f.active == 1 {
			m.woke(f)
		}
	case worked && !works:
		f.active--
		if f.active == 0 {
			m.rested(f)
		}
	}
	m.link(f)
}

// tending looks whether the owner of children has something to do.
func (m *Machine) tending(f *Frame) {
	if f.status != frameInside && f.status != frameTending {
		return
	}
	if s := f.under.inside(); s != f.status {
		m.setStatus(f, s)
	}
}

// inside is the status of the owner of children.
func (g *group) inside() frameStatus {
	if _, ends := g.settled(); ends || g.room() {
		return frameTending
	}
	return frameInside
}

// woke takes room for a frame that has come to work: in its foreach, and in those around it whose item did nothing
// meanwhile. Where there is no room it waits.
func (m *Machine) woke(f *Frame) {
	for f.in != nil {
		g := f.in
		if g.full() {
			f.held = true
			m.holding++
			at, _ := slices.BinarySearchFunc(g.held, f.index, func(h *Frame, index int32) int { return int(h.index) - int(index) })
			g.held = slices.Insert(g.held, at, f)
			return
		}
		g.busy++
		f = g.owner
		f.active++
		idle := f.active == 1
		m.tending(f) // the room that it was to give away may be taken
		if !idle {
			return
		}
	}
}

// rested gives the room back of a frame that does nothing any more: to the first that waits for it, else to the next child.
func (m *Machine) rested(f *Frame) {
	for f.in != nil {
		g := f.in
		if f.held {
			f.held = false
			m.holding--
			g.held = slices.DeleteFunc(g.held, func(h *Frame) bool { return h == f })
			return
		}
		if len(g.held) > 0 {
			h := g.held[0]
			g.held = slices.Delete(g.held, 0, 1)
			h.held = false
			m.holding--
			m.linkUnder(h)
			return
		}
		g.busy--
		f = g.owner
		m.tending(f)
		f.active--
		if f.active > 0 {
			return
		}
	}
}

// linkUnder puts into the queue what could not go on while a frame was held.
func (m *Machine) linkUnder(f *Frame) {
	m.link(f)
	if f.under == nil {
		return
	}
	for i := range f.under.kids {
		if k := f.under.kids[i].frame; k != nil && !k.held {
			m.linkUnder(k)
		}
	}
}
