package wf

import (
	"context"
	"errors"
	"time"
)

// WorkOptions configure [Runtime.Work].
type WorkOptions struct {
	// Runs is how many runs are driven at once at most; more are left to others, or for later. 0: 256.
	Runs int
	// Poll is how often runs are looked for of which nobody tells: those whose time has come, or whose owner is gone. 0: 1 s.
	Poll time.Duration
	// Match are labels that the runs must have, all of them.
	Match map[string]string
	// Grace is for how long calls that are out may go on when the work is to end. 0: 10 s.
	Grace time.Duration
}

// Work drives the runs of the journal that need it, until ctx ends: those that were queued, whose time has come, that got a message,
// and those whose owner is gone. Any number of processes may do so at once, as far as the store lets them. A run whose
// plan needs what this runtime does not have is left to others.
//
// When ctx ends, nothing new begins, and Work returns when the calls that are out have ended, or after the grace. What
// is unfinished then goes on elsewhere, from where it stands. The error is nil then; otherwise it is a store that can
// no longer be used, or a runtime that has no journal or is closed. opts may be nil.
func (rt *Runtime) Work(ctx context.Context, opts *WorkOptions) error {
	k := rt.keeper
	if k == nil {
		return errNoJournal
	}
	var o WorkOptions
	if opts != nil {
		o = *opts
	}
	if o.Runs <= 0 {
		o.Runs = 256
	}
	if o.Poll <= 0 {
		o.Poll = time.Second
	}
	if o.Grace <= 0 {
		o.Grace = 10 * time.Second
	}
	k.watch()
	k.workers(&o, 1)
	err := k.work(ctx, &o)
	k.workers(&o, -1)
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.Grace)
	defer cancel()
	if drained := k.drain(stop); err == nil {
		err = drained
	}
	k.mu.Lock()
	k.draining--
	k.mu.Unlock()
	return err
}

// mostClaimed bounds how many runs are claimed at a time, so that other processes get their share.
const mostClaimed = 32

// workers counts those who take up whatever is due, whatever its labels.
func (k *keeper) workers(o *WorkOptions, more int) {
	if len(o.Match) > 0 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.working += more
}

func (k *keeper) work(ctx context.Context, o *WorkOptions) error {
	for pause := firstPause; ctx.Err() == nil; {
		if k.isClosed() {
			return errClosed
		}
		want := min(o.Runs-k.count(), mostClaimed)
		more := false
		if want > 0 && k.arrive(want) == nil {
			heads, err := k.ask(ctx, ClaimRequest{Max: want, Match: o.Match, Except: k.unable()})
			k.arrived(want - len(heads))
			switch {
			case err == nil:
				pause = firstPause
			case ctx.Err() != nil:
				return nil
			case !passing(err):
				return err
			default:
				k.rt.logger.Warn("runs could not be claimed; it is tried again", "reason", err)
				if k.rt.sleep(ctx, pause) != nil {
					return nil
				}
				pause = min(2*pause, mostPause)
				continue
			}
			for _, h := range heads {
				k.rt.spawn(func() {
					_, _ = k.takeUp(context.Background(), h) // it has been logged, and the run given back
					k.arrived(1)
					k.hurry()
				})
			}
			more = len(heads) == want
		}
		if !more && k.rt.await(ctx, k.wake, o.Poll) != nil {
			return nil
		}
	}
	return nil
}

// count is how many runs are driven here, or about to be.
func (k *keeper) count() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.live) + k.coming
}

func (k *keeper) isClosed() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.closed
}

// Close lets go of all runs that this runtime drives: nothing new begins, calls that are out may end as long as ctx lasts,
// and what is unfinished is left to others, or to the next start. It is the end of the runtime, not of its store. A runtime
// without a journal has nothing to close. Closing twice is no error.
func (rt *Runtime) Close(ctx context.Context) error {
	k := rt.keeper
	if k == nil {
		return nil
	}
	err := k.drain(ctx)
	k.mu.Lock()
	k.closed = true
	stop, tick, endTick, alarms := k.stop, k.tick, k.endTick, k.alarms
	k.stop, k.tick, k.endTick, k.endings, k.alarms = nil, nil, nil, nil, map[string]func() bool{}
	k.hurry() // who works sees that it is over
	k.mu.Unlock()
	if stop != nil {
		stop()
	}
	if tick != nil {
		tick()
	}
	if endTick != nil {
		endTick()
	}
	for _, stop := range alarms {
		stop()
	}
	return err
}

// errDraining nudges a run so that it is given back if nothing of it is out.
var errDraining = errors.New("the runtime stops")

// drain gives back the runs that are driven here, each as soon as its calls are over; when ctx ends, whatever they do.
func (k *keeper) drain(ctx context.Context) error {
	k.mu.Lock()
	k.draining++ // for good, unless the runtime goes on
	var done chan struct{}
	runs := make([]*RunHandle, 0, len(k.live))
	for _, r := range k.live {
		runs = append(runs, r)
	}
	if len(runs)+k.coming > 0 {
		if k.settled == nil {
			k.settled = make(chan struct{})
		}
		done = k.settled
	}
	k.mu.Unlock()
	if done == nil {
		return nil
	}
	for _, r := range runs {
		k.rt.spawn(func() { r.durable.leave(false) })
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	k.mu.Lock()
	runs = runs[:0]
	for _, r := range k.live {
		runs = append(runs, r)
	}
	k.mu.Unlock()
	for _, r := range runs {
		r.durable.leave(true)
	}
	return nil
}

// calm tells who drains that nothing is driven here any more. The lock is held.
func (k *keeper) calm() {
	if len(k.live)+k.coming == 0 && k.settled != nil {
		close(k.settled)
		k.settled = nil
	}
}

// leave gives the run back: when its calls are over or at once. Calls that are out are then lost to it, and
// whoever takes the run up deals with them.
func (d *durable) leave(now bool) {
	r := d.run
	if do := d.post(posted{before: func() error { return errDraining }}); !do.nothing() { // somebody else's event came with it
		d.keeper.rt.spawn(func() { r.drive(do) })
	}
	if !now {
		return
	}
	if !r.mu.TryLock() { // an append that is tried again and again gives up
		d.mu.Lock()
		end := d.end
		d.mu.Unlock()
		end(errDraining)
		r.mu.Lock()
	}
	defer r.mu.Unlock()
	if !d.driven {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, err := d.keeper.journal.Append(ctx, Append{RunID: r.id, Expect: d.head.Revision, Fence: d.lease.Fence, WakeAt: d.keeper.byStore(r.rt.clock.Now()), Release: true})
	if err != nil {
		r.rt.logger.Warn("a run could not be given back; it is free when its lease has run out", "run", r.id, "reason", err)
	}
	d.abandon(errDraining)
}
