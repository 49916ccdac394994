package wf

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"lda.chat/wf/internal/kernel"
)

// call is one attempt of a step that is out, and the context its function is given: it is done when the attempt is
// over for whatever reason, and has the values of the context that the run was started with. A function may keep it, so no
// call is used twice; there is one for each attempt of a run, so it is kept small: most are watched by nobody.
type call struct {
	by       *announcer
	ref      kernel.Ref
	deadline int64                 // unix nanoseconds; 0: none
	watch    atomic.Pointer[watch] // nil until somebody watches or the call is over
}

// announcer is who announces the calls of a run: a machine, and the program that it runs. The run may have others later.
type announcer struct {
	run     *RunHandle
	machine *kernel.Machine
	prog    *program
}

// announcer gives the present one.
func (r *RunHandle) announcer() *announcer {
	switch {
	case r.calling == nil:
		r.first = announcer{r, r.machine, r.prog}
		r.calling = &r.first
	case r.calling.machine != r.machine:
		r.calling = &announcer{r, r.machine, r.prog}
	}
	return r.calling
}

// node is whom the call calls.
func (c *call) node() *resolvedNode { return c.by.prog.nodes[c.ref.At().Callee] }

// watch is what those have who wait for the end of a call.
type watch struct {
	ended chan struct{} // closed at the end

	mu    sync.Mutex
	over  bool
	late  bool // over because the deadline passed
	after map[*func()]struct{}
}

// overUnwatched is the watch of all calls that nobody had watched when they ended.
var overUnwatched = func() *watch {
	w := &watch{ended: make(chan struct{}), over: true}
	close(w.ended)
	return w
}()

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
	c.by, c.ref, c.deadline = r.announcer(), e.Ref, e.At
	return c
}

// watched gives the call's watch.
func (c *call) watched() *watch {
	if w := c.watch.Load(); w != nil {
		return w
	}
	c.watch.CompareAndSwap(nil, &watch{ended: make(chan struct{})})
	return c.watch.Load()
}

// end ends the context, because its deadline has passed or for another reason.
func (c *call) end(late bool) {
	if !late && c.watch.CompareAndSwap(nil, overUnwatched) {
		return
	}
	c.watched()
	w := c.watch.Load()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		return
	}
	w.over, w.late = true, late
	close(w.ended)
	for f := range w.after {
		go (*f)()
	}
	w.after = nil
}

// Deadline implements [context.Context].
func (c *call) Deadline() (time.Time, bool) {
	if c.deadline == 0 {
		return time.Time{}, false
	}
	return time.Unix(0, c.deadline), true
}

// Done implements [context.Context].
func (c *call) Done() <-chan struct{} { return c.watched().ended }

// Err implements [context.Context].
func (c *call) Err() error {
	w := c.watch.Load()
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.over {
		return nil
	}
	if w.late {
		return context.DeadlineExceeded
	}
	return context.Canceled
}

// callKey is the key under which a call finds itself in its own context.
type callKey struct{}

// Value implements [context.Context].
func (c *call) Value(key any) any {
	if _, ok := key.(callKey); ok {
		return c
	}
	return c.by.run.base.Value(key)
}

// AfterFunc lets package context follow this context without a goroutine.
func (c *call) AfterFunc(f func()) (stop func() bool) {
	w := c.watched()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		go f()
		return func() bool { return false }
	}
	if w.after == nil {
		w.after = map[*func()]struct{}{}
	}
	key := &f
	w.after[key] = struct{}{}
	return func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		_, waiting := w.after[key]
		delete(w.after, key)
		return waiting
	}
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
	run := c.by.run
	run.mu.Lock()
	d, workflow := c.by.machine.Describe(c.ref), c.by.prog.name
	run.mu.Unlock()
	return CallInfo{
		RunID: d.RunID, Workflow: workflow, Step: d.Step, Frame: d.Frame, Visit: int(d.Visit), Attempt: int(d.Attempt),
		IdempotencyKey: d.Key, Logger: run.rt.logger.With("run", d.RunID, "step", d.Step, "attempt", d.Attempt),
	}, true
}
