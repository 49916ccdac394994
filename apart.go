package wf

import (
	"context"
	"slices"
	"sync"
	"time"

	"lda.chat/wf/internal/kernel"
)

// apart keeps calls apart that were out when their process died, more than once. One of them may have brought it down, and each
// death counts for all that are out. So they are made one after the other, those first that were lost least; as long as nothing
// happens, more and more of them side by side; and the last time before it is given up, each is the only one of them. A call that has its
// turn for long is not waited for: it may itself wait for one that is in the queue.
type apart struct {
	rt *Runtime

	mu    sync.Mutex
	queue []suspect
	out   int         // how many have their turn
	room  int         // how many more than one may have theirs at once
	alone bool        // the one that has its turn is to be the only one
	last  int         // counts turns
	timer func() bool // stops what lets the next one begin although the one before is not over; nil: none is set
}

// suspect is a call that waits for its turn.
type suspect struct {
	lost  int
	alone bool
	begin func(over func())
}

// longTurn is from when the next call does not wait for the end of the one before.
const longTurn = 30 * time.Second

// wait queues a call. When its turn has come, begin is called on a goroutine of its own; over ends the turn, and may be called twice.
func (a *apart) wait(s suspect) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at, _ := slices.BinarySearchFunc(a.queue, s.lost+1, func(other suspect, least int) int { return other.lost - least })
	a.queue = slices.Insert(a.queue, at, s)
	a.next(false)
}

// next lets those begin whose turn has come; with late also one whose turn has not. The lock is held.
func (a *apart) next(late bool) {
	for len(a.queue) > 0 {
		s := a.queue[0]
		if a.out > 0 && !late && (s.alone || a.alone || a.out > a.room) {
			break
		}
		late = false
		a.queue = a.queue[1:]
		a.out++
		a.last++
		a.alone = s.alone
		a.rt.spawn(func() { s.begin(sync.OnceFunc(a.over)) })
	}
	if len(a.queue) > 0 && a.timer == nil {
		turn := a.last
		a.timer = a.rt.clock.AfterFunc(longTurn, func() { a.tired(turn) })
	}
}

// over ends a turn.
func (a *apart) over() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.out--
	a.room++
	if a.out == 0 {
		a.alone = false
	}
	a.next(false)
}

// tired lets the next one begin if none has since a turn began.
func (a *apart) tired(turn int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer = nil
	a.next(turn == a.last)
}

// recover deals with a call that was out when its maker was gone: at once, or when its turn has come. The handle's lock is held.
func (d *durable) recover(m *kernel.Machine, ref kernel.Ref) (now []posted) {
	p := posted{ev: kernel.Event{Kind: kernel.Recovered, Ref: ref}, of: m}
	made, most := m.Deliveries(ref)
	if made < 2 {
		return []posted{p}
	}
	d.keeper.apart.wait(suspect{lost: made, alone: made == most-1, begin: func(over func()) {
		r := d.run
		r.mu.Lock()
		if d.turns == nil {
			d.turns = map[kernel.StepRef]func(){}
		}
		d.turns[ref.StepRef] = over
		r.mu.Unlock()
		verdict := make(chan error, 1)
		p.verdict = verdict
		do := d.post(p)
		d.keeper.rt.spawn(func() { r.drive(do) })
		<-verdict
		r.mu.Lock()
		defer r.mu.Unlock()
		if d.turns[ref.StepRef] != nil { // it was not made again
			delete(d.turns, ref.StepRef)
			over()
		}
	}})
	return nil
}

// turn ties the turn of a call, if it has one, to its end. The handle's lock is held.
func (d *durable) turn(c *call) {
	if over := d.turns[c.ref.StepRef]; over != nil {
		delete(d.turns, c.ref.StepRef)
		context.AfterFunc(c, over)
	}
}
