package wf

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// folded is a run as its journal has it at a revision.
type folded struct {
	head    RunHead // with the revision of the machine
	edition *edition
	machine *kernel.Machine
	repeats kernel.Repeats // that have met the events since the snapshot that it began with
	grown   int            // bytes of these
	snapped int            // bytes of that
}

// kept is the form of a snapshot in a store.
type keptSnapshot struct {
	Digest  string          `json:"digest"`
	Machine json.RawMessage `json:"machine"`
}

// fold reads a run up to a revision, 0 for the latest.
func (k *keeper) fold(ctx context.Context, runID string, at Revision) (*folded, error) {
	head, err := k.journal.Head(ctx, runID)
	if err != nil {
		return nil, err
	}
	if at > head.Revision {
		return nil, &NotFoundError{What: fmt.Sprintf("run %q has %s; event", runID, counted(int(head.Revision), "event")), Key: strconv.FormatUint(uint64(at), 10)}
	}
	return k.foldHead(ctx, head, at)
}

// foldHead reads a run whose head was read, up to a revision or, with 0, up to that of the head.
func (k *keeper) foldHead(ctx context.Context, head RunHead, at Revision) (*folded, error) {
	if at == 0 {
		at = head.Revision
	}
	f := &folded{head: head}
	f.head.Revision = 0
	if err := f.restore(ctx, k, at); err != nil {
		return nil, fmt.Errorf("run %q: %w", head.RunID, err)
	}
	for e, err := range k.journal.Events(ctx, head.RunID, f.head.Revision+1) {
		if e.Revision > at && err == nil {
			break
		}
		if err == nil {
			err = f.apply(ctx, k, &e)
		}
		if err != nil {
			return nil, fmt.Errorf("run %q, event %d: %w", head.RunID, f.head.Revision+1, err)
		}
	}
	if f.machine == nil || f.head.Revision != at {
		return nil, unreadable(fmt.Errorf("run %q has %d events, expected %d", head.RunID, f.head.Revision, at))
	}
	return f, nil
}

// restore begins with the newest snapshot up to a revision, if there is one.
func (f *folded) restore(ctx context.Context, k *keeper, at Revision) error {
	s, err := k.journal.LoadSnapshot(ctx, f.head.RunID, at)
	if isA[*NotFoundError](err) {
		return nil
	}
	if err != nil {
		return err
	}
	var kept keptSnapshot
	if err := json.Unmarshal(s.Data, &kept); err != nil {
		return unreadable(fmt.Errorf("its snapshot at %d is no JSON: %w", s.Revision, err))
	}
	if f.edition, err = k.library.find(ctx, kept.Digest); err != nil {
		return err
	}
	if f.machine, err = kernel.Restore(f.edition.prog.kernel, kept.Machine); err != nil {
		return unreadable(fmt.Errorf("its snapshot at %d: %w", s.Revision, err))
	}
	f.head.Revision, f.snapped = s.Revision, len(s.Data)
	return nil
}

// apply goes on by one event.
func (f *folded) apply(ctx context.Context, k *keeper, e *Event) error {
	if err := f.turn(ctx, k, e.Data); err != nil {
		return err
	}
	record, err := f.machine.DecodeOnce(e.Data, &f.repeats)
	if err == nil {
		err = f.machine.Apply(record, nil)
	}
	if err == nil {
		f.head.Revision = e.Revision
		f.grown += len(e.Data)
	}
	return unreadable(err)
}

// turn gets the program that an event is of: that of the run's plan, or of the one that a fork goes on with.
func (f *folded) turn(ctx context.Context, k *keeper, line []byte) error {
	digest := kernel.DigestOf(line)
	if digest == "" {
		if f.edition == nil {
			return unreadable(errors.New("the journal does not begin with the start of a run"))
		}
		return nil
	}
	if f.edition != nil && digest == f.edition.digest {
		return nil
	}
	next, err := k.library.find(ctx, digest)
	if err != nil {
		return err
	}
	if f.machine, err = turned(f.machine, next.prog); err != nil {
		return unreadable(err)
	}
	f.edition = next
	return nil
}

// turned is a machine as it goes on by a program: nil begins.
func turned(m *kernel.Machine, by *program) (*kernel.Machine, error) {
	if m == nil {
		return kernel.New(by.kernel), nil
	}
	return kernel.Restore(by.kernel, m.Snapshot(nil))
}

// recorded are the records of a run.
type recorded struct {
	each  iter.Seq2[*program, *kernel.Record] // with the program that it is of; each is good until the next is asked for
	of    *program                            // that the run has now
	input value.Value
	turns bool  // the program may change, as that of a fork does
	err   error // why the last reading did not give all of them
}

// records gives the run's records so far. The lock is held, and need not be held any more when they are read.
func (r *RunHandle) records() *recorded {
	if r.durable != nil {
		return r.durable.records(r.prog, r.durable.head.Revision)
	}
	records := r.journal.snapshot()
	return &recorded{of: r.prog, input: r.input, each: func(yield func(*program, *kernel.Record) bool) {
		for record := range records {
			if !yield(r.prog, record) {
				return
			}
		}
	}}
}

// records reads the journal of a run that has a program now, up to a revision.
func (d *durable) records(now *program, to Revision) *recorded {
	list := &recorded{of: now, input: d.run.input, turns: d.head.Labels[labelForkOf] != ""}
	list.each = func(yield func(*program, *kernel.Record) bool) {
		ctx := context.Background()
		at, pruned := Revision(0), error(nil)
		prog, reader := now, kernel.New(now.kernel) // of what is left, if its first events were pruned
		var repeats kernel.Repeats
		list.err = func() error {
			for e, err := range d.keeper.journal.Events(ctx, d.run.id, 0) {
				if err == nil && e.Revision > to {
					break
				}
				if digest := kernel.DigestOf(e.Data); err == nil && digest != "" {
					var next *edition
					if next, err = d.keeper.library.find(ctx, digest); err == nil {
						prog, reader = next.prog, kernel.New(next.prog.kernel)
					}
				}
				var record *kernel.Record
				if err == nil {
					record, err = reader.DecodeOnce(e.Data, &repeats)
				}
				if err != nil {
					return fmt.Errorf("run %q, event %d: %w", d.run.id, at+1, err)
				}
				if at == 0 && e.Revision > 1 {
					pruned = fmt.Errorf("run %q: its events up to %d were pruned", d.run.id, e.Revision-1)
				}
				if at = e.Revision; !yield(prog, record) {
					return pruned
				}
			}
			if at < to {
				return fmt.Errorf("run %q has %d events, expected %d", d.run.id, at, to)
			}
			return pruned
		}()
	}
	return list
}
