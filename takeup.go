package wf

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"lda.chat/wf/internal/kernel"
)

// takeUp goes on with a run that this runtime has just claimed, from where its journal stands. What came due meanwhile,
// timers and messages, happens in the order in which it came; calls that were out when the last owner went away are
// dealt with after that, and then the events that the caller brings. An error means that the run was given back. To be
// cancelled, by the caller or by a message, a run needs none of its capabilities, and nobody's leave.
func (k *keeper) takeUp(ctx context.Context, head RunHead, more ...posted) (*RunHandle, error) {
	f, err := k.handle(head.RunID).durable.standing(head), error(nil)
	if f == nil {
		f, err = k.foldHead(ctx, head, 0)
	}
	var messages []Message
	if err == nil && head.Pending > 0 {
		messages, err = k.journal.Pending(ctx, head.RunID)
	}
	only := false // a cancel
	if err == nil {
		if err = k.able(ctx, f); err != nil {
			if !cancels(more) {
				more = cancelIn(messages)
			}
			if only = cancels(more); only {
				messages, err = nil, nil
			}
		}
	}
	if err == nil && k.leaving() {
		err = errClosed
	}
	if err != nil {
		k.giveBack(head, err)
		return nil, err
	}
	r := k.handle(head.RunID)
	do, err := r.durable.begin(f, messages, more, only)
	if err != nil {
		k.giveBack(head, err)
		return nil, err
	}
	if !do.nothing() {
		k.rt.spawn(func() { r.drive(do) })
	}
	return r, nil
}

// cancels reports whether events are nothing but a cancel.
func cancels(events []posted) bool {
	return len(events) == 1 && events[0].letter != nil && events[0].letter.cancels()
}

// cancelIn gives the first cancel among messages.
func cancelIn(messages []Message) []posted {
	for i := range messages {
		if p := []posted{messages[i].posted()}; cancels(p) {
			return p
		}
	}
	return nil
}

// able tells why this runtime cannot, or may not, go on with a run.
func (k *keeper) able(ctx context.Context, f *folded) error {
	if err := f.edition.lacks(); err != nil {
		k.lack(f.head.Labels[labelDigest])
		return err
	}
	return k.admitted(ctx, f.head)
}

func (k *keeper) leaving() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.draining > 0 || k.closed
}

// retryUnable is for how long this runtime claims no runs of a plan that it could not advance.
const retryUnable = 30 * time.Second

// giveBack returns a run that was claimed for nothing, if others may be able to advance it, or with a mark that it is stuck. While the
// store is in trouble it is kept from all until its lease has run out.
func (k *keeper) giveBack(head RunHead, why error) {
	k.rt.logger.Warn("a run is not taken up here", "run", head.RunID, "reason", why)
	if sticks(why) {
		k.mark(head, why)
		return
	}
	if !errors.Is(why, errClosed) && !k.lacks(head.Labels[labelDigest]) {
		return
	}
	wake := head.WakeAt
	if head.Status != StatusInterrupted && wake.IsZero() {
		wake = k.byStore(k.rt.clock.Now())
	}
	k.put(Append{RunID: head.RunID, Expect: head.Revision, Fence: head.Fence, WakeAt: wake, Release: true})
}

// put gives a run back with a change of its head.
func (k *keeper) put(change Append) {
	ctx, cancel := context.WithTimeout(context.Background(), k.ttl)
	defer cancel()
	_, err := k.journal.Append(ctx, change)
	if err != nil && !isA[*FencedError](err) {
		k.rt.logger.Warn("a run could not be given back; it is free when its lease has run out", "run", change.RunID, "reason", err)
	}
}

// lack notes that runs of a plan cannot be advanced here.
func (k *keeper) lack(digest string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.lacking == nil {
		k.lacking = map[string]time.Time{}
	}
	k.lacking[digest] = k.rt.clock.Now().Add(retryUnable)
}

// lacks reports whether runs of a plan could not be advanced here lately.
func (k *keeper) lacks(digest string) bool { return slices.Contains(k.except()[labelDigest], digest) }

// except lists what this runtime claims nothing of.
func (k *keeper) except() map[string][]string {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.rt.clock.Now()
	maps.DeleteFunc(k.lacking, func(_ string, until time.Time) bool { return !until.After(now) })
	if len(k.lacking) == 0 {
		return nil
	}
	return map[string][]string{labelDigest: slices.Sorted(maps.Keys(k.lacking))}
}

// standing gives the run as its handle shows it, if that is how it stands; nil if it has to be read.
func (d *durable) standing(head RunHead) *folded {
	r := d.run
	r.mu.Lock()
	defer r.mu.Unlock()
	if d.driven || r.machine == nil || d.head.Revision != head.Revision || !d.head.Created.Equal(head.Created) {
		return nil
	}
	e := d.keeper.library.at(d.digest)
	if e == nil || e.prog != r.prog {
		return nil
	}
	return &folded{head: head, edition: e, machine: r.machine, repeats: *d.repeats, grown: d.grown, snapped: d.snapped}
}

// begin drives a run from where its journal stands, by all that is due or only by what the caller brings.
func (d *durable) begin(f *folded, messages []Message, more []posted, only bool) (todo, error) {
	r := d.run
	r.mu.Lock()
	if d.driven && d.head.Revision == f.head.Revision && d.out.Err() == nil { // its lease had run out, and nobody else has taken it over
		d.head = f.head
		d.mu.Lock()
		d.lease = f.head.Lease()
		d.mu.Unlock()
		r.mu.Unlock()
		return d.post(append(d.fresh(messages), more...)...), nil
	}
	if d.driven {
		d.abandon(&FencedError{RunID: r.id, Fence: d.lease.Fence, Current: f.head.Fence})
	}
	d.attach(f.head, f.machine, f.edition, &f.repeats)
	d.grown, d.snapped = f.grown, f.snapped
	d.singly()
	if err := d.keeper.hold(r); err != nil {
		d.driven = false
		r.mu.Unlock()
		return todo{}, err
	}
	events, now := more, r.rt.clock.Now().UnixNano() // one and the same: a timer is due or set
	if !only {
		events = append(d.due(messages, now), more...)
	}
	d.setTimers(now)
	r.mu.Unlock()
	return d.post(events...), nil
}

// due lists what has happened up to now while nobody drove the run.
func (d *durable) due(messages []Message, now int64) []posted {
	m := d.run.machine
	type happened struct {
		at int64
		p  posted
	}
	var list []happened
	out := m.Outstanding()
	for _, e := range out {
		if e.Kind == kernel.SetTimer && e.At <= now {
			list = append(list, happened{e.At, posted{ev: kernel.Event{Kind: kernel.TimerFired, Timer: e.Timer}, of: m}})
		}
	}
	for i, p := range d.fresh(messages) {
		list = append(list, happened{messages[i].At.UnixNano(), p})
	}
	slices.SortStableFunc(list, func(a, b happened) int { return cmp.Compare(a.at, b.at) })
	events := make([]posted, 0, len(list)+2)
	for _, h := range list {
		events = append(events, h.p)
	}
	for _, e := range out {
		if e.Kind == kernel.Call { // and not those that the events before announce
			events = append(events, d.recover(m, e.Ref)...)
		}
	}
	if m.Proceeds() && !m.Single {
		events = append(events, posted{ev: kernel.Event{Kind: kernel.Proceed}, of: m})
	}
	if len(events) == 0 { // it may have to be given back at once
		events = append(events, posted{of: m, before: func() error { return kernel.ErrStale }})
	}
	return events
}

// setTimers sets those timers of a run that fire later.
func (d *durable) setTimers(now int64) {
	r := d.run
	for _, e := range r.machine.Outstanding() {
		if e.Kind == kernel.SetTimer && e.At > now {
			if r.room == nil {
				r.makeRoom()
			}
			r.effect(&e)
		}
	}
}
