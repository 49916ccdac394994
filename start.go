package wf

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"time"

	"lda.chat/wf/internal/kernel"
)

// create begins a run on the journal. If a run of this id is there already with the same plan and input, r shows that one.
func (d *durable) create(ctx context.Context, opts *StartOptions) (todo, error) {
	r, k := d.run, d.keeper
	e, err := k.library.keep(ctx, r.workflow, r.prog)
	if err != nil {
		return todo{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.makeRoom()
	d.started = !opts.Queued && !r.single
	ev := kernel.Event{Kind: kernel.Started, RunID: r.id, Input: r.input, Digest: e.digest, At: r.rt.clock.Now().UnixNano()}
	out := &r.room.out
	if opts.Queued {
		r.machine.Single = true // the first step is for who takes it up
	}
	if err := r.machine.Step(&ev, out); err != nil {
		return todo{}, err
	}
	r.machine.Single = r.single
	repeats := &kernel.Repeats{}
	run := d.newRun(e, opts, [][]byte{r.machine.EncodeOnce(nil, &out.Record, repeats)})
	run.Content = contentOf(e.digest, r, opts)
	return d.launch(ctx, e, opts, run, repeats, 0, func(run NewRun) (RunHead, error) { return k.journal.Create(ctx, run) })
}

// newRun is what the store is told of a run whose machine has taken its first steps.
func (d *durable) newRun(e *edition, opts *StartOptions, events [][]byte) NewRun {
	return NewRun{RunID: d.run.id, Deployment: opts.Deployment, Kernel: kernel.Version, Labels: d.labels(e, opts), Status: d.run.status(), Events: events}
}

// launch keeps a run that begins, and carries out what its first steps have decided. repeats have met its events; after is how many of
// these are another run's. The handle's lock is held.
func (d *durable) launch(ctx context.Context, e *edition, opts *StartOptions, run NewRun, repeats *kernel.Repeats, after Revision, keep func(NewRun) (RunHead, error)) (todo, error) {
	r, k := d.run, d.keeper
	if err := k.arrive(1); err != nil {
		return todo{}, err
	}
	defer k.arrived(1)
	m := r.machine
	now := r.rt.clock.Now()
	var wake time.Time
	rests := opts.Queued || m.Status() == kernel.Interrupted || r.single && !m.Calls()
	switch {
	case opts.Queued && !r.single:
		run.WakeAt = k.byStore(now)
	case m.Resting():
		if at := m.Wakes(); at != 0 {
			wake = moment(at)
			run.WakeAt = k.byStore(wake)
			rests = rests || wake.Sub(now) >= nap
		}
	}
	if !rests { // by its name a start knows the run for its own
		run.Owner, run.TTL = fmt.Sprintf("%s.%d", k.owner, k.starts.Add(1)), k.ttl
	}
	head, err := k.begin(ctx, run, keep)
	if err != nil {
		return todo{}, err
	}
	if head.Revision != after+Revision(len(run.Events)) || head.Fence > 1 || !rests && !head.Status.Ended() && head.Owner != run.Owner {
		return todo{}, d.follow(ctx, head)
	}
	d.attach(head, m, e, repeats)
	for _, line := range run.Events {
		d.grown += len(line)
	}
	if m.Status().Ended() || rests {
		d.driven = false
		d.end(nil)
		if !wake.IsZero() && !opts.Queued {
			k.release(r, wake)
		}
	} else if err := k.hold(r); err != nil { // closed meanwhile: the run is there, and left to others
		d.driven = false
		k.giveBack(head, err)
		return todo{}, nil
	}
	k.mu.Lock()
	k.remember(r)
	k.mu.Unlock()
	return d.carryOut(&r.room.out, rests, wake), nil
}

// begin creates a run, which keep does; as long as it is not known whether it is there, it is asked for again while ctx lasts, since
// repeating it does no harm.
func (k *keeper) begin(ctx context.Context, run NewRun, keep func(NewRun) (RunHead, error)) (RunHead, error) {
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		head, err := keep(run)
		if !IsAmbiguous(err) {
			return head, err
		}
		if why := k.rt.sleep(ctx, pause); why != nil {
			return RunHead{}, fmt.Errorf("%w (%w)", err, why)
		}
	}
}

// follow shows the run that was there already.
func (d *durable) follow(ctx context.Context, head RunHead) error {
	f, err := d.keeper.foldHead(ctx, head, 0)
	if err == nil {
		d.show(f)
	}
	return err
}

// contentOf tells whether two starts of one id mean the same run.
func contentOf(digest string, r *RunHandle, opts *StartOptions) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n", digest, opts.Deployment)
	h.Write(r.input.AppendCanonical(nil))
	return fmt.Sprintf("sha256:%x", h.Sum(nil))
}

func (d *durable) labels(e *edition, opts *StartOptions) map[string]string {
	labels := maps.Clone(opts.Labels)
	if labels == nil {
		labels = map[string]string{}
	}
	labels[labelDigest] = e.digest
	labels[labelWorkflow] = e.prog.name
	if d.run.single {
		labels[labelStepping] = "true"
	}
	return labels
}

// Load gives a handle on a run of the journal as it stands now, whoever drives it. It is a [*NotFoundError] if there is none.
func (rt *Runtime) Load(ctx context.Context, runID string) (*RunHandle, error) {
	if rt.keeper == nil {
		return nil, errNoJournal
	}
	r := rt.keeper.handle(runID)
	if err := r.durable.refresh(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

var errNoJournal = errors.New("the runtime has no journal: RuntimeOptions.Journal says where runs are kept")

// refresh brings a handle up to date whose run is not driven here.
func (d *durable) refresh(ctx context.Context) error {
	r := d.run
	r.mu.Lock()
	driven, at := d.driven, d.head
	r.mu.Unlock()
	if driven || d.still {
		return nil
	}
	head, err := d.keeper.journal.Head(ctx, r.id)
	if err != nil {
		return err
	}
	if head.Revision == at.Revision && head.Created.Equal(at.Created) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !d.driven {
			d.head = head
		}
		return nil
	}
	f, err := d.keeper.foldHead(ctx, head, 0)
	if err != nil {
		return err
	}
	f.head.Revision = head.Revision
	r.mu.Lock()
	defer r.mu.Unlock()
	again := !d.head.Created.Equal(f.head.Created) // the run of this id was deleted, and another one begun
	if !d.driven && (again || d.head.Revision < f.head.Revision) {
		if again && r.done != nil && !f.machine.Status().Ended() {
			r.done = nil
		}
		d.show(f)
	}
	return nil
}

// wait waits until the run stops, whoever drives it.
func (d *durable) wait(ctx context.Context) error {
	if d.still {
		return nil
	}
	r, k := d.run, d.keeper
	for {
		idle, err := d.idling(ctx)
		if err != nil {
			return err
		}
		if idle != nil {
			select {
			case <-idle:
				continue
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		stopped, orphan := false, false
		err = k.waitFor(ctx, r.id, func() (bool, error) {
			if err := d.refresh(ctx); err != nil && !passing(err) {
				return false, err
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			stopped = !d.driven && r.stopped() && (d.head.Pending == 0 || d.head.Status.Ended())
			orphan = !stopped && !d.driven && d.started && k.orphaned(&d.head)
			return stopped || d.driven || orphan, nil
		})
		if err == nil && orphan {
			taken, why := k.claim(ctx, r.id)
			switch {
			case taken != nil:
				continue
			case why != nil && !passing(why) && !sticks(why) && !hasCode(why, CodeCapabilityMissing):
				return why
			}
			if err = r.rt.await(ctx, nil, time.Second); err == nil { // for somebody else who can
				continue
			}
		}
		if err != nil || stopped {
			return err
		}
	}
}

// orphaned reports whether a run is due and nobody drives it.
func (k *keeper) orphaned(head *RunHead) bool {
	now := k.byStore(k.rt.clock.Now())
	if head.Owner != "" {
		return head.LeaseUntil.Before(now)
	}
	return !head.WakeAt.IsZero() && head.WakeAt.Before(now)
}

// idling gives what is closed when a run that is driven here stops, nil for others. The error is that of a run that this runtime had to
// give up and cannot read, or ctx's: a run is locked for as long as its store does not answer.
func (d *durable) idling(ctx context.Context) (<-chan struct{}, error) {
	r := d.run
	if !r.mu.TryLock() {
		locked := make(chan struct{})
		go func() {
			r.mu.Lock()
			select {
			case locked <- struct{}{}:
			case <-ctx.Done():
				r.mu.Unlock()
			}
		}()
		select {
		case <-locked:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	defer r.mu.Unlock()
	switch {
	case d.driven:
		if r.idle == nil {
			r.idle = make(chan struct{})
		}
		return r.idle, nil
	case d.failed != nil:
		return nil, d.failed
	}
	return nil, nil
}

// oneStep takes up a run that goes step by step, lets it take one if it can, and gives it back.
func (d *durable) oneStep(ctx context.Context) (bool, error) {
	r, k := d.run, d.keeper
	if d.still {
		return false, errPicture
	}
	over := make(chan struct{})
	r.mu.Lock()
	if d.driven {
		r.mu.Unlock()
		return true, errors.New("the step before is not over yet")
	}
	r.settled = over
	r.mu.Unlock()
	if err := k.arrive(1); err != nil {
		return true, err
	}
	defer k.arrived(1)
	heads, err := k.ask(ctx, ClaimRequest{Max: 1, Only: r.id})
	if err != nil {
		return true, err
	}
	if len(heads) == 0 {
		if err := d.refresh(ctx); err != nil {
			return true, err
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if !r.machine.Status().Ended() {
			return true, fmt.Errorf("the run is driven by %s at present", d.head.Owner)
		}
		return false, nil
	}
	proceed := posted{ev: kernel.Event{Kind: kernel.Proceed}, before: func() error {
		if !r.machine.Proceeds() { // it waits for an answer, for time, or for a call that is made again
			return kernel.ErrState
		}
		return nil
	}}
	if _, err := k.takeUp(ctx, heads[0], proceed); err != nil {
		return true, err
	}
	select {
	case <-over:
	case <-ctx.Done():
		return true, context.Cause(ctx)
	}
	return r.Status() == StatusRunning, nil
}
