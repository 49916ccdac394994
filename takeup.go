package wf

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"lda.chat/wf/internal/kernel"
)

// takeUp goes on with a run that this runtime has just claimed, from where its journal stands. What came due meanwhile,
// timers and messages, happens in the order in which it came; calls that were out when the last owner went away are
// dealt with after that, and then the events that the caller brings. An error means that the run was given back.
func (k *keeper) takeUp(ctx context.Context, head RunHead, more ...posted) (*RunHandle, error) {
	f, err := k.foldHead(ctx, head, 0)
	if err == nil {
		err = f.edition.lacks()
	}
	var messages []Message
	if err == nil && head.Pending > 0 {
		messages, err = k.journal.Pending(ctx, head.RunID)
	}
	if err == nil && k.leaving() {
		err = errClosed
	}
	if err != nil {
		k.giveBack(head, err)
		return nil, err
	}
	r := k.handle(head.RunID)
	do, err := r.durable.begin(f, messages, more)
	if err != nil {
		k.giveBack(head, err)
		return nil, err
	}
	if !do.nothing() {
		k.rt.spawn(func() { r.drive(do) })
	}
	return r, nil
}

func (k *keeper) leaving() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.draining || k.closed
}

// retryUnable is after how long a run is offered again that could not be taken up here.
const retryUnable = 30 * time.Second

// giveBack returns a run that was claimed for nothing. Others may be able to advance it.
func (k *keeper) giveBack(head RunHead, why error) {
	wake := head.WakeAt
	if head.Status != StatusInterrupted || head.Pending > 0 {
		wake = k.rt.clock.Now()
		if !errors.Is(why, errClosed) {
			wake = wake.Add(retryUnable)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), k.ttl)
	defer cancel()
	_, err := k.journal.Append(ctx, Append{RunID: head.RunID, Expect: head.Revision, Fence: head.Fence, WakeAt: wake, Release: true})
	if err != nil && !isA[*FencedError](err) {
		k.rt.logger.Warn("a run could not be given back; it is free when its lease has run out", "run", head.RunID, "reason", err)
	}
	if !errors.Is(why, errClosed) {
		k.rt.logger.Warn("a run cannot be advanced here", "run", head.RunID, "reason", why)
	}
}

// begin drives a run from where its journal stands.
func (d *durable) begin(f *folded, messages []Message, more []posted) (todo, error) {
	r := d.run
	r.mu.Lock()
	if d.driven {
		r.mu.Unlock()
		return todo{}, errors.New("the run is driven here already")
	}
	d.attach(f.head, f.machine, f.edition)
	r.single = f.head.Labels[labelStepping] != ""
	r.machine.Single = r.single
	if r.single && r.stepping == nil {
		r.stepping = make(chan struct{}, 1)
	}
	if err := d.keeper.hold(r); err != nil {
		d.driven = false
		r.mu.Unlock()
		return todo{}, err
	}
	events := append(d.due(messages), more...)
	d.setTimers()
	r.mu.Unlock()
	return d.post(events...), nil
}

// due lists what has happened while nobody drove the run.
func (d *durable) due(messages []Message) []posted {
	m := d.run.machine
	now := d.run.rt.clock.Now().UnixNano()
	type happened struct {
		at int64
		p  posted
	}
	var list []happened
	for _, e := range m.Outstanding() {
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
	if m.Calls() {
		events = append(events, posted{ev: kernel.Event{Kind: kernel.Recovered}, of: m})
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
func (d *durable) setTimers() {
	r := d.run
	now := r.rt.clock.Now().UnixNano()
	for _, e := range r.machine.Outstanding() {
		if e.Kind == kernel.SetTimer && e.At > now {
			if r.room == nil {
				r.makeRoom()
			}
			r.effect(&e)
		}
	}
}
