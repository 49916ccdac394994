package wf

import (
	"context"
	"fmt"
	"slices"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// The in-process driver. A run has no loop and no goroutine of its own: whoever brings an event takes the lock, lets
// the machine step, carries out the effects, and then makes one of the announced calls itself, without the lock; a
// call's result is the next event. So a chain of Go functions runs on one goroutine without a switch, a parked run
// holds none, and a function that never returns keeps nobody from cancelling its run: its goroutine finds, if it comes
// back at all, that nobody waits any more.

// begin takes the first step, so that from now on the run can be cancelled, and follows the context it was started with.
// What it gives is for drive.
func (r *RunHandle) begin() todo {
	r.mu.Lock()
	defer r.mu.Unlock()
	do, err := r.step(&kernel.Event{Kind: kernel.Started, RunID: r.id, Input: r.input}, nil)
	if err != nil {
		panic("wf: a run that could not start: " + err.Error()) // create has checked all that the machine can refuse
	}
	if r.base.Done() != nil && !r.machine.Status().Ended() {
		r.unwatch = context.AfterFunc(r.base, r.followed)
	}
	return do
}

// followed cancels the run because the context that it was started with has ended.
func (r *RunHandle) followed() {
	cause := context.Cause(r.base)
	r.post(&kernel.Event{Kind: kernel.CancelRequested, Reason: "the run's context ended: " + errorText(cause), Cause: cause})
}

// post brings an event and drives the run as far as this goroutine can.
func (r *RunHandle) post(ev *kernel.Event) { r.drive(r.take(ev, nil)) }

// take takes a step. What it has to say, it says when the run is unlocked: a logger is code of others.
func (r *RunHandle) take(ev *kernel.Event, inputs []value.Value) todo {
	if r.durable != nil {
		return r.durable.post(posted{ev: *ev})
	}
	do, refused := r.locked(ev, inputs)
	if refused != nil && (ev.Kind == kernel.CallCompleted || ev.Kind == kernel.CallFailed) {
		r.rt.logger.Info("late result dropped", "run", r.id, "step", ev.Ref.At().ID, "attempt", ev.Ref.Attempt, "reason", refused)
	}
	return do
}

// locked takes a step; the lock is given back whatever a host's reducer does.
func (r *RunHandle) locked(ev *kernel.Event, inputs []value.Value) (todo, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.step(ev, inputs)
}

// todo is what a step leaves to the goroutine that took it.
type todo struct {
	call  *call // to make, or nil
	input kernel.Bound
	more  bool // to let the machine proceed
}

func (d *todo) nothing() bool { return d.call == nil && !d.more }

// drive goes on from a step until nothing is left for this goroutine.
func (r *RunHandle) drive(do todo) {
	var inputs []value.Value // this goroutine's own: a call's input is read by nobody once the call is over
	for {
		var ev kernel.Event
		switch {
		case do.nothing():
			return
		case do.call != nil:
			r.call(do, &ev)
		default:
			ev.Kind = kernel.Proceed
		}
		if cap(do.input.Values) > cap(inputs) {
			inputs = do.input.Values[:0]
		}
		do = r.take(&ev, inputs)
	}
}

// step gives the machine one event, keeps the record and carries out the effects. The lock is held. inputs is room for those
// of the calls that are announced. An error is an event that came too late: a result nobody waits for, a timer that lost a
// race.
func (r *RunHandle) step(ev *kernel.Event, inputs []value.Value) (do todo, refused error) {
	ev.At = r.rt.clock.Now().UnixNano()
	switch ev.Kind {
	case kernel.CallCompleted, kernel.CallFailed:
		r.calls.take(ev.Ref)
	case kernel.TimerFired:
		r.timers.take(ev.Timer)
	}
	if r.room == nil {
		r.makeRoom()
	}
	defer r.giveRoom()
	out := &r.room.out
	r.journal.room(out)
	out.Inputs = inputs
	if err := r.machine.Step(ev, out); err != nil {
		return todo{}, err
	}
	r.journal.keep(&out.Record)
	for i := range out.Effects {
		r.effect(&out.Effects[i])
	}
	out.Effects = out.Effects[:0]
	if out.More && !r.single {
		r.handOver() // the machine goes on while the call is out
	}
	do, r.room.next = r.room.next, todo{}
	if r.idle != nil && r.stopped() {
		close(r.idle)
		r.idle = nil
	}
	if r.single {
		r.settle()
	} else {
		do.more = out.More
	}
	return do, nil
}

func (r *RunHandle) effect(e *kernel.Effect) {
	switch e.Kind {
	case kernel.Call:
		c := r.newCall(e)
		r.calls.add(e.Ref, c)
		if r.durable != nil {
			r.durable.turn(c)
		}
		r.handOver() // this goroutine can make only one call itself
		r.room.next = todo{call: c, input: e.Input}
	case kernel.CancelCall:
		if c, ok := r.calls.take(e.Ref); ok {
			c.end(c.deadline != 0 && r.machine.Now() >= c.deadline)
			if r.room.next.call == c {
				r.room.next = todo{} // another event of the same batch has ended it
			}
		}
	case kernel.SetTimer:
		t, m := e.Timer, r.machine
		wait := e.At - max(r.machine.Now(), r.rt.clock.Now().UnixNano()) // a run taken up was last seen long ago
		stop := r.rt.clock.AfterFunc(duration(wait), func() { r.fire(m, t) })
		r.timers.add(t, stop)
	case kernel.CancelTimer:
		if stop, ok := r.timers.take(e.Timer); ok {
			stop()
		}
	case kernel.Finish:
		if r.unwatch != nil {
			r.unwatch()
		}
		if r.done != nil {
			closeOnce(r.done)
		}
	}
}

// fire brings the event of a timer that the machine has set.
func (r *RunHandle) fire(of *kernel.Machine, t kernel.Timer) {
	ev := kernel.Event{Kind: kernel.TimerFired, Timer: t}
	if r.durable != nil {
		r.drive(r.durable.post(posted{ev: ev, of: of}))
		return
	}
	r.post(&ev)
}

// handOver gives the call that this goroutine was to make to another one. The room of the input stays here.
func (r *RunHandle) handOver() {
	do := r.room.next
	if do.call == nil {
		return
	}
	r.room.next = todo{}
	do.input.Values = slices.Clone(do.input.Values)
	r.rt.spawn(func() {
		var ev kernel.Event
		r.call(do, &ev)
		r.post(&ev)
	})
}

// call makes a call and fills in the event of its result. A function that ends its goroutine (runtime.Goexit, as
// testing's FailNow does) is a failed call, and the run goes on elsewhere.
func (r *RunHandle) call(do todo, ev *kernel.Event) {
	c, to := do.call, do.call.node()
	returned := false
	defer func() {
		if !returned {
			fail := &kernel.Failure{Code: string(CodeHandlerPanic), Message: fmt.Sprintf("%s ended its goroutine", to.ref)}
			r.rt.spawn(func() { r.post(&kernel.Event{Kind: kernel.CallFailed, Ref: c.ref, Failure: fail}) })
		}
	}()
	to.invoke(c, c.ref, do.input, ev)
	returned = true
	c.end(false) // as a deadline's context is cancelled when its work is done
}
