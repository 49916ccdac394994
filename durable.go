package wf

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"lda.chat/wf/internal/kernel"
)

// The durable driver. It is the in-process one with a journal between the step and its effects: what an event caused is
// appended, and only then carried out. Events that come while an append goes on are stepped together and share the next one.
// A run that rests, for an answer or for a longer time, is given back to the store and needs nothing here. Whoever has a
// run at work holds a lease on it; one that lost its lease finds its appends refused, and forgets the run.

// durable is what a handle has beside if its run lives on a journal.
type durable struct {
	run    *RunHandle
	keeper *keeper

	head    RunHead // as it was last seen; its revision is that of the machine. The handle's lock guards it
	digest  string
	driven  bool                      // by this runtime
	started bool                      // by it, to be driven at once: who waits for it takes it up if nobody drives it
	still   bool                      // a picture of the run as it was
	grown   int                       // bytes of events since the last snapshot
	repeats *kernel.Repeats           // what these hold
	snapped int                       // bytes of that
	turns   map[kernel.StepRef]func() // of calls that are being made again, with what ends them
	failed  error                     // what of the store keeps this runtime from driving the run

	mu     sync.Mutex      // of what follows; taken after the handle's
	lease  Lease           // under which it is driven
	out    context.Context // ends when it is no longer driven here
	end    context.CancelCauseFunc
	queue  []posted
	busy   bool            // somebody commits
	taking map[string]bool // messages that are in the queue: true; or were until lately, and may be in a list that was read before

	looking atomic.Int32 // who wants the inbox to be looked at
}

// posted is an event in the queue.
type posted struct {
	ev      kernel.Event
	of      *kernel.Machine // that a timer or a call is of; nil: whichever the run has
	letter  *letter         // that makes the event when its turn has come; nil: none
	before  func() error    // is asked when its turn has come, and may refuse it; nil: nobody is
	message string          // of the inbox, that it takes; "": none
	verdict chan<- error    // has room for one; nil: nobody waits
	refused error
}

// labels of runs on a journal.
const (
	labelWorkflow = "wf.workflow"
	labelDigest   = "wf.digest"
	labelStepping = "wf.stepping" // nobody goes on with it but who steps it
	labelForkOf   = "wf.fork_of"
)

// attach makes this runtime the one that drives the run, from a machine that stands where the journal does.
func (d *durable) attach(head RunHead, m *kernel.Machine, e *edition, repeats *kernel.Repeats) {
	r := d.run
	r.prog, r.workflow, r.machine, r.input = e.prog, e.workflow, m, m.Input()
	d.head, d.digest, d.repeats, d.driven, d.failed = head, e.digest, repeats, true, nil
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lease, d.taking = head.Lease(), nil
	d.out, d.end = context.WithCancelCause(context.Background())
}

// held gives the lease.
func (d *durable) held() Lease {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lease
}

// singly lets the run go step by step if it was started so.
func (d *durable) singly() {
	r := d.run
	r.single = d.head.Labels[labelStepping] != ""
	r.machine.Single = r.single
	if r.single && r.stepping == nil {
		r.stepping = make(chan struct{}, 1)
	}
}

// show makes the handle show a run that is driven elsewhere, or by nobody.
func (d *durable) show(f *folded) {
	r := d.run
	r.prog, r.workflow, r.machine, r.input = f.edition.prog, f.edition.workflow, f.machine, f.machine.Input()
	d.head, d.digest, d.repeats = f.head, f.edition.digest, &f.repeats
	d.grown, d.snapped = f.grown, f.snapped
	d.singly()
	if r.machine.Status().Ended() && r.done != nil {
		closeOnce(r.done)
	}
}

func closeOnce(c chan struct{}) {
	select {
	case <-c:
	default:
		close(c)
	}
}

// detach lets go of the run: nothing of it is at work here any more. The handle's lock is held.
func (d *durable) detach(wake time.Time, why error) {
	r := d.run
	if !d.driven {
		return
	}
	d.driven = false
	d.end(why)
	r.calls.each(func(c *call) { c.end(false) })
	r.timers.each(func(stop func() bool) { stop() })
	r.calls, r.timers = outstanding[kernel.Ref, *call]{}, outstanding[kernel.Timer, func() bool]{}
	r.slab, r.room = nil, nil
	d.keeper.release(r, wake)
	if r.idle != nil { // who waits looks for itself where the run stands now
		close(r.idle)
		r.idle = nil
	}
	if r.settled != nil {
		close(r.settled)
		r.settled = nil
	}
}

// lose is told that a lease is not this runtime's any more.
func (d *durable) lose(l Lease, why error) {
	d.mu.Lock()
	end, same := d.end, d.lease == l
	d.mu.Unlock()
	if same && end != nil {
		end(why) // an append that is tried again and again gives up
	}
	r := d.run
	r.mu.Lock()
	defer r.mu.Unlock()
	if d.driven && d.lease == l {
		d.abandon(why)
	}
}

// abandon forgets what only this process knows of the run, which is not in the journal. The handle's lock is held.
func (d *durable) abandon(why error) {
	d.keeper.rt.logger.Warn("a run is not driven here any more", "run", d.run.id, "reason", why)
	if !passing(why) && !isA[*FencedError](why) && !isA[*ConflictError](why) {
		d.failed = why
	}
	d.run.machine = kernel.New(d.run.prog.kernel)
	d.head.Revision = 0
	d.detach(time.Time{}, why)
}

// look takes what has come into the run's inbox. One looks at a time, and once more if somebody wanted to meanwhile. An inbox that
// cannot be read is read again, since nobody would tell of its messages a second time.
func (d *durable) look() {
	if d.looking.Add(1) > 1 {
		return
	}
	r := d.run
	for pause := firstPause; ; {
		seen := d.looking.Load()
		r.mu.Lock()
		driven, out := d.driven, d.out
		r.mu.Unlock()
		if driven {
			d.mu.Lock()
			maps.DeleteFunc(d.taking, func(_ string, queued bool) bool { return !queued })
			d.mu.Unlock()
			messages, err := d.keeper.journal.Pending(out, r.id)
			if err != nil && passing(err) && out.Err() == nil {
				d.keeper.rt.logger.Warn("the inbox of a run cannot be read; it is tried again", "run", r.id, "reason", err)
				_ = d.keeper.rt.sleep(out, pause) // if that ends early, the run is not driven here any more
				pause = min(2*pause, mostPause)
				continue
			}
			if events := d.fresh(messages); err == nil && len(events) > 0 {
				d.keeper.rt.spawn(func() { r.drive(d.post(events...)) })
			}
		}
		if d.looking.CompareAndSwap(seen, 0) {
			return
		}
	}
}

// fresh makes events of those messages that are not being taken already.
func (d *durable) fresh(messages []Message) []posted {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []posted
	for i := range messages {
		m := &messages[i]
		if _, known := d.taking[m.ID]; !known {
			if d.taking == nil {
				d.taking = map[string]bool{}
			}
			d.taking[m.ID] = true
			list = append(list, m.posted())
		}
	}
	return list
}
