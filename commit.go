package wf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"lda.chat/wf/internal/kernel"
)

// errNotDriven is the refusal of an event that came to a run that this runtime does not drive.
var errNotDriven = errors.New("the run is not driven here")

// post puts events into the queue. If nobody commits, the caller does, until the queue is empty; what it gives is for drive.
func (d *durable) post(events ...posted) (do todo) {
	d.mu.Lock()
	d.queue = append(d.queue, events...)
	if d.busy {
		d.mu.Unlock()
		return todo{}
	}
	d.busy = true
	for {
		batch := d.queue
		d.queue = nil
		if len(batch) == 0 {
			d.busy = false
			d.mu.Unlock()
			return do
		}
		d.mu.Unlock()
		if !do.nothing() { // others need this goroutine: what it was to do itself goes to another one
			next := do
			d.keeper.rt.spawn(func() { d.run.drive(next) })
		}
		next, taken := d.commit(batch)
		do = next
		for i := range batch[:taken] {
			d.answer(&batch[i])
		}
		d.mu.Lock()
		d.queue = append(batch[taken:], d.queue...)
		for i := range batch[:taken] {
			if d.taking[batch[i].message] {
				d.taking[batch[i].message] = false
			}
		}
	}
}

// answer tells who posted an event what became of it.
func (d *durable) answer(p *posted) {
	if p.verdict != nil {
		p.verdict <- p.refused
	}
	if p.refused == nil || p.verdict != nil {
		return
	}
	switch {
	case p.ev.Kind == kernel.CallCompleted, p.ev.Kind == kernel.CallFailed:
		d.keeper.rt.logger.Info("late result dropped", "run", d.run.id, "step", p.ev.Ref.At().ID, "attempt", p.ev.Ref.Attempt, "reason", p.refused)
	case p.message != "":
		d.keeper.rt.logger.Info("message refused", "run", d.run.id, "message", p.message, "reason", p.refused)
	}
}

// mostTogether is from how many bytes of events an append is not made longer.
const mostTogether = 4 << 20

// commit steps the machine by a batch of events, appends what they caused, and carries it out. What would make the append too long is
// left; taken is how many events were not.
func (d *durable) commit(batch []posted) (do todo, taken int) {
	r := d.run
	r.mu.Lock()
	defer r.mu.Unlock()
	if !d.driven {
		refuse(batch, errNotDriven)
		return todo{}, len(batch)
	}
	if r.room == nil {
		r.makeRoom()
	}
	leaving := d.keeper.leaving()
	if leaving {
		r.machine.Single = true // no step begins any more
	}
	change := Append{RunID: r.id, Expect: d.head.Revision, Fence: d.lease.Fence}
	out := &r.room.out
	out.Effects, out.More = out.Effects[:0], r.machine.Proceeds()
	size := 0
	for ; taken < len(batch) && size < mostTogether; taken++ {
		p := &batch[taken]
		if p.message != "" {
			change.Consume = append(change.Consume, p.message)
		}
		if p.refused = d.step(p, out); p.refused == nil {
			line := r.machine.EncodeOnce(nil, &out.Record, d.repeats)
			change.Events, size = append(change.Events, line), size+len(line)
		}
	}
	rests, wake := d.plan(&change, leaving)
	if len(change.Events) == 0 && len(change.Consume) == 0 && !change.Release && change.Labels == nil {
		return todo{}, taken
	}
	snapped := len(change.Snapshot)
	head, err := d.append(&change)
	if isA[*TooLargeError](err) && change.Snapshot != nil { // it only saves time; the next is tried when much has happened
		change.Snapshot = nil
		head, err = d.append(&change)
	}
	if err != nil {
		had := d.head
		d.abandon(err)
		if sticks(err) {
			d.keeper.mark(had, err)
		}
		for i := range batch[:taken] {
			if batch[i].refused == nil {
				batch[i].refused = err
			}
		}
		return todo{}, taken
	}
	d.head = head
	if snapped > 0 {
		d.grown, d.snapped = 0, snapped
	}
	if head.Fence != change.Fence { // the change was kept, and then somebody else took the run over
		d.abandon(&FencedError{RunID: r.id, Fence: change.Fence, Current: head.Fence})
		return todo{}, taken
	}
	if head.Pending > 0 {
		d.keeper.rt.spawn(d.look)
	}
	return d.carryOut(out, rests, wake), taken
}

func refuse(batch []posted, why error) {
	for i := range batch {
		batch[i].refused = why
	}
}

// step gives the machine one event.
func (d *durable) step(p *posted, out *kernel.Out) error {
	r := d.run
	if p.of != nil && p.of != r.machine {
		return kernel.ErrStale
	}
	if p.before != nil {
		if err := p.before(); err != nil {
			return err
		}
	}
	if p.letter != nil {
		if err := p.letter.event(r, &p.ev); err != nil {
			return err
		}
	}
	ev := &p.ev
	ev.At, ev.Message = r.rt.clock.Now().UnixNano(), p.message
	switch ev.Kind {
	case kernel.CallCompleted, kernel.CallFailed:
		if !r.machine.Owns(ev.Ref) {
			return kernel.ErrStale
		}
		r.calls.take(ev.Ref)
	case kernel.TimerFired:
		r.timers.take(ev.Timer)
	}
	out.Record.Entries, out.Inputs = out.Record.Entries[:0], nil
	err := r.machine.Step(ev, out)
	if err != nil && p.letter != nil {
		err = p.letter.refusal(r, ev, err)
	}
	return err
}

// plan says what the append makes of the run's head: whether the run is given back, and when by the runtime's clock somebody is to
// look at it again.
func (d *durable) plan(change *Append, leaving bool) (rests bool, wake time.Time) {
	r := d.run
	m := r.machine
	for _, e := range change.Events {
		d.grown += len(e)
	}
	change.Status, change.Labels = r.status(), d.head.unstuck()
	now := r.rt.clock.Now()
	switch {
	case m.Status().Ended():
		return false, wake
	case m.Resting():
		if at := m.Wakes(); at != 0 {
			wake = moment(at)
		}
		change.Release = m.Status() == kernel.Interrupted || wake.Sub(now) >= nap || leaving || r.single
	case (leaving || r.single) && !m.Calls():
		change.Release = true
		if !r.single {
			wake = now
		}
	}
	if !wake.IsZero() {
		change.WakeAt = d.keeper.byStore(wake)
	}
	if d.grown >= max(snapshotEvery, 2*d.snapped) {
		change.Snapshot = d.snapshot()
		d.repeats.Forget()
	}
	return change.Release, wake
}

// snapshotEvery is after how many bytes of events a snapshot is taken, unless that is larger itself.
const snapshotEvery = 256 << 10

// carryOut does what has been decided, now that it is kept.
func (d *durable) carryOut(out *kernel.Out, rests bool, wake time.Time) (do todo) {
	r := d.run
	for i := range out.Effects {
		e := &out.Effects[i]
		if rests && e.Kind == kernel.SetTimer {
			continue // the head says when
		}
		r.effect(e)
	}
	out.Effects = out.Effects[:0]
	ended := r.machine.Status().Ended()
	if out.More && !r.machine.Single {
		r.handOver() // the machine goes on while the call is out
		do.more = !rests && !ended
	}
	do.call, do.input = r.room.next.call, r.room.next.input
	r.room.next = todo{}
	if rests || ended {
		d.detach(wake, nil)
	}
	if r.idle != nil && r.stopped() {
		close(r.idle)
		r.idle = nil
	}
	return do
}

// The pauses between attempts to reach a store.
const (
	firstPause = 20 * time.Millisecond
	mostPause  = 5 * time.Second
)

// append keeps a change. While the store does not answer it is tried again, as nothing else can be done with what has
// happened: the call whose result it holds was made. An error says that it will not be kept.
func (d *durable) append(change *Append) (RunHead, error) {
	unknown := false // whether an earlier attempt may have been kept
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		head, err := d.keeper.journal.Append(d.out, *change)
		if unknown && err != nil && !IsAmbiguous(err) && !passing(err) {
			if head, kept := d.kept(change); kept {
				return head, nil
			}
		}
		switch {
		case err == nil:
			return head, nil
		case IsAmbiguous(err):
			unknown = true
		case d.out.Err() == nil && !passing(err):
			return RunHead{}, err
		}
		if d.out.Err() == nil {
			d.keeper.rt.logger.Warn("the store did not keep a change; it is tried again", "run", change.RunID, "revision", change.Expect, "reason", err)
			_ = d.keeper.rt.sleep(d.out, pause) // if that ends early, it is seen next
		}
		if d.out.Err() != nil {
			if head, kept := d.kept(change); unknown && kept {
				return head, nil // as it has given the run back, the lease seems lost
			}
			return RunHead{}, context.Cause(d.out)
		}
	}
}

// kept looks up whether a change that may have been kept was.
func (d *durable) kept(change *Append) (RunHead, bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(d.out), d.keeper.ttl)
	defer cancel()
	to := change.Expect + Revision(len(change.Events))
	head, err := d.keeper.journal.Head(ctx, change.RunID)
	if err != nil || head.Revision < to {
		return RunHead{}, false
	}
	at := change.Expect + 1
	for e, err := range d.keeper.journal.Events(ctx, change.RunID, at) {
		i := int(e.Revision - at)
		if err != nil || i >= len(change.Events) {
			break
		}
		if e.Fence != change.Fence || !bytes.Equal(e.Data, change.Events[i]) {
			return RunHead{}, false
		}
	}
	head.Revision = to // if somebody has gone on meanwhile, this runtime has not
	return head, true
}

// passing reports whether an error of a store may be over when it is asked again: it is none that says what is wrong with
// the question or with the store itself.
func passing(err error) bool {
	for _, is := range []func(error) bool{
		isA[*NotFoundError], isA[*ExistsError], isA[*ConflictError], isA[*FencedError], isA[*StatusError], isA[*InvalidError], isA[*TooLargeError],
		isA[*CorruptError], isA[*VersionError], isA[*unreadableError], isA[*refusedError],
	} {
		if is(err) {
			return false
		}
	}
	return !errors.Is(err, ErrJournalClosed) && !errors.Is(err, context.Canceled)
}

func isA[E error](err error) bool {
	_, is := errors.AsType[E](err)
	return is
}

// sleep waits by the runtime's clock; the error is why ctx ended.
func (rt *Runtime) sleep(ctx context.Context, d time.Duration) error {
	woken := make(chan struct{})
	stop := rt.clock.AfterFunc(d, func() { close(woken) })
	defer stop()
	select {
	case <-woken:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// snapshot is what a store keeps of the run to load it in less time.
func (d *durable) snapshot() []byte {
	head := fmt.Appendf(nil, `{"digest":%q,"machine":`, d.digest)
	return append(d.run.machine.Snapshot(slices.Clip(head)), '}')
}
