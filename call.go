package wf

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// call is one attempt of a step that is out, and the context its function is given: it is done when the attempt is
// over for whatever reason, and has the values of the context that the run was started with.
type call struct {
	run      *RunHandle
	to       *resolvedNode
	ref      kernel.Ref
	input    value.Value
	deadline int64 // unix nanoseconds; 0: none

	mu    sync.Mutex
	ended chan struct{} // made when somebody asks for it
	err   error
	after map[*func()]struct{}
}

var _ context.Context = (*call)(nil)

// firstCalls and mostCalls are how many calls of a run are allocated together, at first and later.
const (
	firstCalls = 3
	mostCalls  = 8
)

func (r *RunHandle) newCall(e *kernel.Effect) *call {
	if len(r.slab) == 0 {
		size := mostCalls
		if r.slab == nil {
			size = firstCalls
		}
		r.slab = make([]call, size)
	}
	c := &r.slab[0]
	r.slab = r.slab[1:]
	c.run, c.to, c.ref, c.input, c.deadline = r, r.prog.nodes[e.Ref.Op], e.Ref, e.Input, e.At
	return c
}

// Deadline implements [context.Context].
func (c *call) Deadline() (time.Time, bool) {
	if c.deadline == 0 {
		return time.Time{}, false
	}
	return time.Unix(0, c.deadline), true
}

// Done implements [context.Context].
func (c *call) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended == nil {
		c.ended = make(chan struct{})
		if c.err != nil {
			close(c.ended)
		}
	}
	return c.ended
}

// Err implements [context.Context].
func (c *call) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// callKey is the key under which a call finds itself in its own context.
type callKey struct{}

// Value implements [context.Context].
func (c *call) Value(key any) any {
	if _, ok := key.(callKey); ok {
		return c
	}
	return c.run.base.Value(key)
}

// AfterFunc lets package context follow this context without a goroutine.
func (c *call) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		go f()
		return func() bool { return false }
	}
	if c.after == nil {
		c.after = map[*func()]struct{}{}
	}
	key := &f
	c.after[key] = struct{}{}
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		_, waiting := c.after[key]
		delete(c.after, key)
		return waiting
	}
}

// cancel ends the context; only the first error counts.
func (c *call) cancel(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = err
	if c.ended != nil {
		close(c.ended)
	}
	for f := range c.after {
		go (*f)()
	}
	c.after = nil
}

// CallInfo is what a node's function may know about the call it serves.
type CallInfo struct {
	RunID    string
	Workflow string
	Step     string
	Frame    string // the path of its frame in the run, "/" for the root
	Visit    int    // how often the step has been entered in its frame, from 1
	Attempt  int    // from 1
	// IdempotencyKey is the same for every attempt of a visit, and for no other call.
	IdempotencyKey string
	Logger         *slog.Logger // of the runtime, with the run, the step and the attempt
}

// CallFrom tells about the call that a node's function serves; ok is false in a context that comes from no run.
func CallFrom(ctx context.Context) (info CallInfo, ok bool) {
	c, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		return info, false
	}
	c.run.mu.Lock()
	d := c.run.machine.Describe(c.ref)
	c.run.mu.Unlock()
	return CallInfo{
		RunID: d.RunID, Workflow: c.run.prog.name, Step: d.Step, Frame: d.Frame, Visit: int(d.Visit), Attempt: int(d.Attempt),
		IdempotencyKey: d.Key, Logger: c.run.rt.logger.With("run", d.RunID, "step", d.Step, "attempt", d.Attempt),
	}, true
}
