package wf

import (
	"context"
	"time"
)

// ending is a channel that is closed when a run has ended, whoever drives that.
type ending struct {
	done  chan struct{}
	asked bool // somebody is about to look
}

// How often it is looked whether runs have ended: of which the store tells, and of which it does not.
const (
	toldPause   = 30 * time.Second
	untoldPause = time.Second
)

// follow closes a channel when a run has ended. It costs nothing until the store tells that something has happened to the run.
func (k *keeper) follow(runID string, done chan struct{}) {
	k.watch()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return
	}
	if k.endings == nil {
		k.endings = map[string]*ending{}
	}
	k.endings[runID] = &ending{done: done}
	k.lookAtEnd(runID) // it may have ended just before
	k.lookLater()
}

// lookAtEnd looks whether a run that is followed has ended. The lock is held.
func (k *keeper) lookAtEnd(runID string) {
	if e := k.endings[runID]; e != nil && !e.asked {
		e.asked = true
		k.rt.spawn(func() { k.hasEnded(runID, e) })
	}
}

// lookLater looks again after a while. The lock is held.
func (k *keeper) lookLater() {
	if len(k.endings) == 0 || k.closed || k.endTick != nil {
		return
	}
	pause := toldPause
	if k.stop == nil {
		pause = untoldPause
	}
	k.endTick = k.rt.clock.AfterFunc(pause, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.endTick = nil
		for id := range k.endings {
			k.lookAtEnd(id)
		}
		k.lookLater()
	})
}

// hasEnded closes the channel of a run that has ended, when its handle shows that.
func (k *keeper) hasEnded(runID string, e *ending) {
	k.mu.Lock()
	e.asked = false // what happens from now on is looked at again
	r := k.handles[runID].Value()
	k.mu.Unlock()
	if r != nil && r.durable.here() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), k.ttl)
	defer cancel()
	head, err := k.journal.Head(ctx, runID)
	gone := isA[*NotFoundError](err)
	if err != nil && !gone || err == nil && !head.Status.Ended() {
		return
	}
	if r != nil {
		if err := r.durable.refresh(ctx); err != nil && passing(err) {
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.durable.driven { // another one of its id
			return
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	closeOnce(e.done)
	if k.endings[runID] == e {
		delete(k.endings, runID)
	}
}

// here reports whether the run is driven by this runtime, which then closes its channel itself.
func (d *durable) here() bool {
	d.run.mu.Lock()
	defer d.run.mu.Unlock()
	return d.driven
}
