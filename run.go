package wf

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"sync"
	"time"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// RunStatus is where a run stands.
type RunStatus string

// The statuses of a run.
const (
	StatusRunning     RunStatus = "running"
	StatusInterrupted RunStatus = "interrupted" // it waits for somebody to answer, or to decide
	StatusCompleted   RunStatus = "completed"
	StatusFailed      RunStatus = "failed"
	StatusCancelled   RunStatus = "cancelled"
)

// RunHandle is a run of this process, one that goes on, waits for an answer or has ended. It is safe for concurrent use.
type RunHandle struct {
	rt       *Runtime
	prog     *program
	workflow *Workflow
	id       string
	base     context.Context // whose values calls have
	input    value.Value
	single   bool
	unwatch  func() bool
	durable  *durable // of a run that lives on a journal; nil for others

	mu      sync.Mutex
	done    chan struct{} // closed when the run has ended; nil while nobody asks for it
	machine *kernel.Machine
	journal journal
	room    *room // nil while the run waits for an answer
	calls   outstanding[kernel.Ref, *call]
	timers  outstanding[kernel.Timer, func() bool] // with what stops them
	slab    []call
	calling *announcer // of its calls; nil before the first
	first   announcer

	idle     chan struct{} // closed when the run stops; nil while nobody waits for that
	settled  chan struct{} // single steps: closed when the machine waits for the next Step
	stepping chan struct{} // single steps: holds one token while a Step goes on; nil for other runs
}

// ID returns the run's id.
func (r *RunHandle) ID() string { return r.id }

// Wait waits until the run stops: until it has ended, or goes no further before an interrupt is answered. The error is
// ctx's; how the run went is told by the other methods.
func (r *RunHandle) Wait(ctx context.Context) error {
	if r.durable != nil {
		return r.durable.wait(ctx)
	}
	r.mu.Lock()
	if r.stopped() {
		r.mu.Unlock()
		return nil
	}
	if r.idle == nil {
		r.idle = make(chan struct{})
	}
	idle := r.idle
	r.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// stopped reports whether the run goes no further by itself. The lock is held.
func (r *RunHandle) stopped() bool {
	s := r.machine.Status()
	return s.Ended() || s == kernel.Interrupted
}

// Done is closed when the run has ended. On a journal it is so whoever drives the run, as long as the runtime is not closed; the other
// methods tell then how it ended.
func (r *RunHandle) Done() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done == nil {
		r.done = make(chan struct{})
		switch {
		case r.machine.Status().Ended():
			close(r.done)
		case r.durable != nil && !r.durable.still:
			r.durable.keeper.follow(r.id, r.done)
		}
	}
	return r.done
}

// Cancel ends the run as cancelled: calls through their contexts, timers and back-offs. The run has ended when it
// returns, even if a function ignores its context; what that function returns later is dropped. A run that has ended
// stays as it is. An error is possible only for a run on a journal: it says that the cancel is not recorded, or not yet.
func (r *RunHandle) Cancel(ctx context.Context, reason string) error {
	if r.durable == nil {
		r.post(&kernel.Event{Kind: kernel.CancelRequested, Reason: reason})
		return nil
	}
	return r.durable.deliver(ctx, &letter{reason: reason})
}

// Step lets a run that was started step by step take one plan step and waits until that step is over, or the run stops.
// It reports whether another step can be taken: by a run on a journal that waits for time, later. Steps of several goroutines follow one another. It fails if the run was not started
// step by step, or with ctx's error; the step then goes on.
func (r *RunHandle) Step(ctx context.Context) (bool, error) {
	if r.stepping == nil {
		return false, errors.New("the run takes its steps by itself: it was not started step by step")
	}
	select {
	case r.stepping <- struct{}{}:
		defer func() { <-r.stepping }()
	case <-ctx.Done():
		return true, context.Cause(ctx)
	}
	if r.durable != nil {
		return r.durable.oneStep(ctx)
	}
	r.mu.Lock()
	if r.machine.Status() != kernel.Running {
		r.mu.Unlock()
		return false, nil
	}
	waiting := make(chan struct{})
	underWay := r.settled != nil // a Step whose caller left is not over yet
	if underWay {
		waiting = r.settled
	}
	r.settled = waiting
	r.mu.Unlock()
	if !underWay {
		r.rt.spawn(func() { r.post(&kernel.Event{Kind: kernel.Proceed}) })
	}
	select {
	case <-waiting:
	case <-r.Done():
	case <-ctx.Done():
		return true, context.Cause(ctx)
	}
	return r.Status() == StatusRunning, nil
}

// settle tells Step that its step is over: nothing is out.
func (r *RunHandle) settle() {
	if r.settled != nil && (r.room.out.More || r.stopped()) {
		close(r.settled)
		r.settled = nil
	}
}

// Status returns where the run stands now.
func (r *RunHandle) Status() RunStatus {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status()
}

func (r *RunHandle) status() RunStatus {
	switch r.machine.Status() {
	case kernel.Interrupted:
		return StatusInterrupted
	case kernel.Completed:
		return StatusCompleted
	case kernel.Failed:
		return StatusFailed
	case kernel.Cancelled:
		return StatusCancelled
	}
	return StatusRunning
}

// Outcome returns the workflow's outcome; empty unless the run has completed.
func (r *RunHandle) Outcome() Outcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Outcome(r.machine.Outcome())
}

// Output decodes the output of a completed run into a pointer. It fails if the run has none or it does not fit.
func (r *RunHandle) Output(into any) error {
	r.mu.Lock()
	output, status := r.machine.Output(), r.status()
	r.mu.Unlock()
	if output.IsAbsent() {
		return &Error{Code: CodeOutputInvalid, Message: "the run has no output: it is " + string(status)}
	}
	if raw, ok := into.(*json.RawMessage); ok {
		*raw = output.JSON()
		return nil
	}
	return decodeGo(output, into)
}

// Err returns the failure of a run that failed or was cancelled, else nil. It is an [*Error].
func (r *RunHandle) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.failure(); e != nil {
		return e
	}
	return nil
}

func (r *RunHandle) failure() *Error {
	fail, at := r.machine.Failure()
	if fail == nil {
		return nil
	}
	e := r.mask(r.records()).failure(fail)
	e.Step, e.Frame, e.Attempts = at.Step, at.Frame, int(at.Attempts)
	return e
}

// RunInfo is what a run tells about itself.
type RunInfo struct {
	RunID         string          `json:"run_id"`
	Workflow      string          `json:"workflow"`
	Digest        string          `json:"digest"`
	KernelVersion int             `json:"kernel_version"`
	Status        RunStatus       `json:"status"`
	Outcome       Outcome         `json:"outcome,omitempty"`
	Input         json.RawMessage `json:"input"`
	State         json.RawMessage `json:"state"`
	Output        json.RawMessage `json:"output,omitempty"`
	Error         *Error          `json:"error,omitempty"`
	Frames        []FrameInfo     `json:"frames"`
	Interrupts    []Interrupt     `json:"interrupts,omitempty"` // open ones
	Doubts        []Doubt         `json:"doubts,omitempty"`     // calls that wait for a decision
	PriorStep     string          `json:"prior_step,omitempty"`
	PriorOutcome  Outcome         `json:"prior_outcome,omitempty"`
	Steps         int64           `json:"steps"`   // plan steps taken
	Records       int64           `json:"records"` // in the journal
	StartedAt     time.Time       `json:"started_at"`
	UpdatedAt     time.Time       `json:"updated_at"`
	Trace         []TraceEntry    `json:"trace,omitempty"`
}

// FrameInfo is where one frame of a run stands.
type FrameInfo struct {
	Path   string     `json:"path"`
	Step   string     `json:"step,omitempty"`
	Visit  int        `json:"visit,omitempty"` // 0: not entered yet
	Status string     `json:"status"`          // ready, calling, backoff, waiting, interrupted, inside (its children go on), ended, closed
	Until  *time.Time `json:"until,omitempty"` // deadline of the attempt or interrupt, or when the frame goes on
}

// Info tells all about the run as it stands now, but for the trace. Of state fields with "x-trace": false it holds no
// values, of those with "x-secret": true "[secret]" instead, also in an output made of them.
func (r *RunHandle) Info() *RunInfo {
	r.mu.Lock()
	defer r.mu.Unlock()
	m, hide := r.machine, r.mask(r.records())
	info := &RunInfo{
		RunID: r.id, Workflow: r.prog.name, Digest: r.prog.digestOf(r.workflow), KernelVersion: kernel.Version,
		Status: r.status(), Outcome: Outcome(m.Outcome()), Input: hide.value(r.prog.showInput(r.input)).JSON(), Error: r.failure(), Frames: []FrameInfo{},
		Steps: m.Steps(), Records: m.Seq(), StartedAt: moment(m.StartedAt()), UpdatedAt: moment(m.Now()),
	}
	if s := m.State(); !s.IsAbsent() {
		info.State = hide.value(r.prog.showState(s)).JSON()
	}
	if o := m.Output(); !o.IsAbsent() {
		info.Output = hide.value(r.prog.showBound(r.prog.outputBinds(m), o)).JSON()
	}
	step, outcome := m.Prior()
	info.PriorStep, info.PriorOutcome = step, Outcome(outcome)
	if m.Status() == kernel.Running || m.Status() == kernel.Interrupted {
		info.Interrupts, info.Doubts = r.interrupts(), r.doubts()
	}
	for _, p := range m.Positions() {
		f := FrameInfo{Path: p.Frame, Step: p.Step, Visit: int(p.Visit), Status: p.Status}
		if p.Until != 0 {
			until := moment(p.Until)
			f.Until = &until
		}
		info.Frames = append(info.Frames, f)
	}
	return info
}

func moment(unixNano int64) time.Time { return time.Unix(0, unixNano).UTC() }

func duration(ns int64) time.Duration { return time.Duration(min(max(ns, 0), math.MaxInt64)) }
