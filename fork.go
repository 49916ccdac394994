package wf

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// ForkOptions say how a run is to go on from a point of another.
type ForkOptions struct {
	At         Revision        // after which event of the other run; 0: the latest at which that had not ended
	RunID      string          // as in [StartOptions]
	Workflow   *Workflow       // the plan it goes on with, which must have every step that something waits in; nil: the same
	State      json.RawMessage // an object of state fields that are set
	Unset      []string        // state fields that take their defaults
	StepByStep bool            // as in [StartOptions]
	Queued     bool            // as in [StartOptions]
	Labels     map[string]string
}

// Fork starts a run that shares the events of another one up to a point and goes on from there, with other state or another plan if
// so wished. The other run is only read. Deadlines move by as much as the point lies back. A call that was out at that
// point has the result that it had in the other run, if the step and its input are the same; otherwise it is made again, or is
// in doubt if it must not be made twice. What was asked after the point is asked again. opts may be nil.
func (rt *Runtime) Fork(ctx context.Context, runID string, opts *ForkOptions) (*RunHandle, error) {
	k := rt.keeper
	if k == nil {
		return nil, errNoJournal
	}
	var o ForkOptions
	if opts != nil {
		o = *opts
	}
	from, err := k.forkPoint(ctx, runID, o.At)
	if err != nil {
		return nil, err
	}
	e := from.edition
	if o.Workflow != nil {
		prog, err := rt.program(o.Workflow)
		if err != nil {
			return nil, err
		}
		if e, err = k.library.keep(ctx, o.Workflow, prog); err != nil {
			return nil, err
		}
	}
	if err := e.lacks(); err != nil {
		return nil, err
	}
	r, err := rt.newHandle(ctx, e.workflow, e.prog, o.RunID)
	if err != nil {
		return nil, err
	}
	if r.single = o.StepByStep; r.single {
		r.stepping = make(chan struct{}, 1)
	}
	do, err := r.durable.fork(ctx, from, e, &o)
	if err != nil {
		return nil, err
	}
	if !do.nothing() {
		rt.spawn(func() { r.drive(do) })
	}
	return r, nil
}

// forkPoint folds a run up to a point at which it has not ended.
func (k *keeper) forkPoint(ctx context.Context, runID string, at Revision) (*folded, error) {
	head, err := k.journal.Head(ctx, runID)
	if err != nil {
		return nil, err
	}
	if at == 0 {
		if at = head.Revision; head.Status.Ended() {
			at--
		}
	}
	if at > head.Revision || at < 1 {
		return nil, &Error{Code: CodeInputInvalid, Message: fmt.Sprintf("run %q has %d events; it can be forked after any of them at which it had not ended, not after %d", runID, head.Revision, at)}
	}
	f, err := k.foldHead(ctx, head, at)
	if err != nil {
		return nil, err
	}
	if f.machine.Status().Ended() {
		return nil, &Error{Code: CodeRunEnded, Message: fmt.Sprintf("after event %d the run has ended; fork it after %d at the latest", at, at-1)}
	}
	return f, nil
}

// fork begins the run.
func (d *durable) fork(ctx context.Context, from *folded, e *edition, o *ForkOptions) (todo, error) {
	r, k := d.run, d.keeper
	source := from.head.RunID
	past, _, err := k.history(ctx, source, from.head.Revision)
	if err != nil {
		return todo{}, err
	}
	state := value.Value{}
	if o.State != nil {
		if state, err = value.Parse(o.State); err != nil {
			return todo{}, &Error{Code: CodeStateInvalid, Message: "the state that is to be set is no JSON: " + err.Error()}
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.machine = from.machine
	if e != from.edition {
		if r.machine, err = kernel.Restore(e.prog.kernel, from.machine.Snapshot(nil)); err != nil {
			return todo{}, &Error{Code: CodeInputInvalid, Message: fmt.Sprintf("the other plan cannot go on with run %q after event %d: %v", source, from.head.Revision, err)}
		}
	}
	r.input = r.machine.Input()
	r.makeRoom()
	s := stepper{machine: r.machine, repeats: &from.repeats, out: &r.room.out, now: r.rt.clock.Now().UnixNano()}
	r.machine.Single = true // until all is said about the calls that were out
	err = s.step(kernel.Event{Kind: kernel.Edited, RunID: r.id, Digest: e.digest, Shift: max(0, s.now-r.machine.Now()), State: state, Unset: o.Unset})
	if refused, ok := errors.AsType[*kernel.RefusedError](err); ok {
		return todo{}, &Error{Code: Code(refused.Failure.Code), Message: refused.Failure.Message, Details: rawValue(refused.Failure.Details)}
	}
	if err != nil {
		return todo{}, err
	}
	if err := s.settle(e.prog, past, o.Queued); err != nil {
		return todo{}, err
	}
	r.machine.Single = r.single
	if r.machine.Proceeds() && !r.single && !o.Queued {
		if err := s.step(kernel.Event{Kind: kernel.Proceed}); err != nil {
			return todo{}, err
		}
	}
	so := &StartOptions{Deployment: from.head.Deployment, Labels: maps.Clone(o.Labels), Queued: o.Queued}
	if so.Labels == nil {
		so.Labels = map[string]string{}
	}
	so.Labels[labelForkOf] = source + "@" + strconv.FormatUint(uint64(from.head.Revision), 10)
	run := d.newRun(e, so, s.lines)
	return d.launch(ctx, e, so, run, s.repeats, from.head.Revision, func(run NewRun) (RunHead, error) {
		return k.journal.Fork(ctx, source, from.head.Revision, run)
	})
}

// stepper steps a machine whose records are kept together later.
type stepper struct {
	machine *kernel.Machine
	repeats *kernel.Repeats
	out     *kernel.Out
	now     int64
	lines   [][]byte
}

func (s *stepper) step(ev kernel.Event) error {
	ev.At = s.now
	s.out.Record.Entries, s.out.Inputs = s.out.Record.Entries[:0], nil
	if err := s.machine.Step(&ev, s.out); err != nil {
		return err
	}
	s.lines = append(s.lines, s.machine.EncodeOnce(nil, &s.out.Record, s.repeats))
	return nil
}

// settle gives the calls that were out at the fork the results that they had later, in the order in which they came; those
// that have none are lost. With later they are left to whoever takes the run up.
func (s *stepper) settle(prog *program, past *history, later bool) error {
	type late struct {
		seq int64
		ev  kernel.Event
	}
	var list []late
	for _, e := range s.machine.Outstanding() {
		if e.Kind != kernel.Call {
			continue
		}
		found := late{seq: 1 << 62, ev: kernel.Event{Kind: kernel.Recovered, Ref: e.Ref}}
		c := past.calls[e.Ref.ID()]
		to := prog.nodes[e.Ref.At().Callee]
		if c != nil && c.node == to.ref && value.Equal(c.input, e.Input.Value()) {
			if got, ok := c.of(e.Ref.Attempt); ok {
				found = late{got.seq, got.event(e.Ref, to)}
			}
		}
		if found.ev.Kind != kernel.Recovered || !later {
			list = append(list, found)
		}
	}
	slices.SortStableFunc(list, func(a, b late) int { return cmp.Compare(a.seq, b.seq) })
	for _, l := range list {
		if err := s.step(l.ev); err != nil && !errors.Is(err, kernel.ErrStale) && !errors.Is(err, kernel.ErrState) {
			return err
		}
	}
	return nil
}
