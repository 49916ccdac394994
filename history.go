package wf

import (
	"context"
	"fmt"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// history is what came to a run from outside, by what asked for it: the results of its calls and the answers to its
// questions.
type history struct {
	input     value.Value
	startedAt int64
	calls     map[string]*recordedCall // by the visit's id
	order     []*recordedCall          // as they were announced
}

// recordedCall is a visit of a step that makes calls or asks, with what became of its attempts.
type recordedCall struct {
	id      string
	step    string
	frame   string
	node    string // "" for an interrupt
	input   value.Value
	results []result // in order
}

// result is how one attempt ended.
type result struct {
	seq     int64 // of the record
	at      int64
	attempt int32
	outcome string
	output  value.Value
	extra   value.Value
	failure *kernel.Failure // nil: it has an outcome
	silent  bool            // nobody answered in time
}

// of gives how an attempt ended; ok is false if that is not recorded.
func (c *recordedCall) of(attempt int32) (r result, ok bool) {
	for _, r := range c.results {
		if r.attempt == attempt {
			return r, true
		}
	}
	return r, false
}

// history reads a run from an event on, 0 for the whole.
func (k *keeper) history(ctx context.Context, runID string, after Revision) (*history, *folded, error) {
	head, err := k.journal.Head(ctx, runID)
	if err != nil {
		return nil, nil, err
	}
	h := &history{calls: map[string]*recordedCall{}}
	f := &folded{head: head}
	f.head.Revision = 0
	for e, err := range k.journal.Events(ctx, runID, 0) {
		if err == nil {
			err = f.turn(ctx, k, e.Data)
		}
		var record *kernel.Record
		if err == nil {
			record, err = f.machine.DecodeOnce(e.Data, &f.repeats)
		}
		if err == nil {
			prog := f.edition.prog
			err = f.machine.Apply(record, func(entry *kernel.Entry, input value.Value) { h.entry(prog, record, entry, input, e.Revision > after) })
		}
		if err != nil {
			return nil, nil, fmt.Errorf("run %q, event %d: %w", runID, f.head.Revision+1, err)
		}
		f.head.Revision = e.Revision
	}
	if f.machine == nil || f.head.Revision < head.Revision {
		return nil, nil, fmt.Errorf("run %q has %d events, expected %d", runID, f.head.Revision, head.Revision)
	}
	h.input, h.startedAt = f.machine.Input(), f.machine.StartedAt()
	return h, f, nil
}

// entry takes note of what an entry says.
func (h *history) entry(prog *program, record *kernel.Record, e *kernel.Entry, input value.Value, counts bool) {
	if e.Op < 0 {
		return
	}
	op := &e.Frame.Program().Ops[e.Op]
	if op.Kind != kernel.Node && op.Kind != kernel.Interrupt {
		return
	}
	id := e.Ref().ID()
	c := h.calls[id]
	switch e.Kind {
	case kernel.StepCalled, kernel.StepAsked:
		if c == nil {
			c = &recordedCall{id: id, step: op.ID, frame: e.Frame.Path(), input: input}
			if op.Kind == kernel.Node {
				c.node = prog.nodes[op.Callee].ref
			}
			h.calls[id] = c
			h.order = append(h.order, c)
		}
		return
	case kernel.StepRetrying, kernel.StepDone, kernel.ChildClosed, kernel.RunFailed:
	default:
		return
	}
	if c == nil || !counts || e.Entered {
		return
	}
	r := result{seq: record.Seq, at: record.At, attempt: max(e.Attempt, 1), failure: e.Failure()}
	if e.Kind == kernel.StepDone && r.failure == nil {
		r.outcome, r.output, r.extra = op.Outcomes[e.Outcome], e.Output, e.Extra()
		r.silent = op.Kind == kernel.Interrupt && record.Event == kernel.TimerFired
	} else if r.failure == nil {
		return
	}
	c.results = append(c.results, r)
}

// event is the event that brings a result again.
func (r *result) event(of kernel.Ref, to *resolvedNode) kernel.Event {
	ev := kernel.Event{Kind: kernel.CallFailed, Ref: of, Failure: r.failure}
	if r.failure != nil {
		return ev
	}
	whole := r.output
	for key, v := range r.extra.Members() {
		whole = whole.With(key, v)
	}
	if ev.Failure = to.accept(Outcome(r.outcome), whole, &ev); ev.Failure == nil {
		ev.Kind = kernel.CallCompleted
	}
	return ev
}
