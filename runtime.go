package wf

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"weak"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/rig"
)

// Nodes finds capabilities by their logical refs: what a [Runtime] asks for the nodes of a plan that brings no Go
// functions of its own. It must be safe for concurrent use.
type Nodes interface {
	Node(ref string) (*Func, bool)
	Refs() []string // all of them, sorted; for suggestions
}

// RuntimeOptions configure a [Runtime]. The zero value is ready to use.
type RuntimeOptions struct {
	Nodes    Nodes         // where plans read from JSON find their functions; nil: nowhere
	Reducers []*Reducer    // the host's own, beside the standard ones
	Logger   *slog.Logger  // nil: what is logged is discarded
	Clock    Clock         // nil: the real one
	NewRunID func() string // nil: ids that sort by time
	InDoubt  DoubtPolicy   // of runs that are started here, for calls that may have happened and must not be made twice; "": [DoubtAsk]

	// Journal is where runs live that are to outlast this process; nil: in memory only. See [Runtime.Load] and [Runtime.Work].
	Journal Journal
	// Lease is for how long this runtime holds a run that it drives before another may take it over; it is renewed as
	// long as the process goes on. 0: 15 s.
	Lease time.Duration
	// Admit is asked whenever this runtime is about to go on with a run that it does not drive: because its time has come, for an answer,
	// or because its owner is gone. An error refuses all but a cancel: the run stays as it is, its head tells the reason
	// ([RunHead.Stuck]), and it is tried again every 30 seconds. It must be safe for concurrent use. nil: nobody is asked.
	Admit func(ctx context.Context, run RunHead) error
	// Workflows are those with Go functions of their own that runs of the journal may be of: a run is found by its
	// plan's digest. What needs no other functions than those of Nodes is found without.
	Workflows []*Workflow
}

// Runtime runs workflows in this process: in memory, or on a [Journal], where they outlast it. It is safe for concurrent use. A
// run that waits, for an answer or for time, costs memory and no goroutine, and on a journal not even memory.
// [Runtime.Run] waits for a run, [Runtime.Start] does not; both give a [RunHandle], by which the run is looked at, answered and
// cancelled. A runtime without a journal holds no resources; one with a journal is closed by [Runtime.Close].
type Runtime struct {
	nodes    Nodes
	reducers map[string]*Reducer
	logger   *slog.Logger
	clock    Clock
	inDoubt  kernel.DoubtPolicy
	rig      rig.Rig // nil in the real world
	newID    func() string
	programs sync.Map             // weak.Pointer[Workflow] → *program
	keeper   *keeper              // nil: runs live in memory
	shelf    map[string]*Workflow // RuntimeOptions.Workflows by digest
}

// NewRuntime makes a runtime; opts may be nil. It fails if two reducers have one name or one lacks its function.
func NewRuntime(opts *RuntimeOptions) (*Runtime, error) {
	var o RuntimeOptions
	if opts != nil {
		o = *opts
	}
	rt := &Runtime{nodes: o.Nodes, logger: o.Logger, clock: o.Clock, newID: o.NewRunID, reducers: map[string]*Reducer{}}
	policy, err := o.InDoubt.policy()
	if err != nil {
		return nil, err
	}
	rt.inDoubt = policy
	if rt.logger == nil {
		rt.logger = slog.New(slog.DiscardHandler)
	}
	if rt.clock == nil {
		rt.clock = realClock{}
	}
	rt.rig = rigOf(rt.clock)
	if rt.newID == nil {
		rt.newID = func() string { return newRunID(rt.clock.Now()) }
	}
	for i, r := range o.Reducers {
		if r == nil {
			return nil, fmt.Errorf("reducer %d is nil", i)
		}
		if err := r.Problems().Err(); err != nil {
			return nil, err
		}
		name := r.Spec().Name
		if strings.HasPrefix(name, reducerPrefix) || rt.reducers[name] != nil {
			return nil, fmt.Errorf("reducer %q is there already; give it another name", name)
		}
		rt.reducers[name] = r
	}
	if o.Lease < 0 {
		return nil, fmt.Errorf("a lease of %s: expected a time above zero", o.Lease)
	}
	rt.shelf = map[string]*Workflow{}
	for i, w := range o.Workflows {
		if w == nil {
			return nil, fmt.Errorf("workflow %d is nil", i)
		}
		rt.shelf[w.Digest()] = w
	}
	if o.Journal != nil {
		rt.keeper = newKeeper(rt, &o)
	}
	return rt, nil
}

// workflow gives one that the runtime was given from the start, nil if it was not.
func (rt *Runtime) workflow(digest string) *Workflow { return rt.shelf[digest] }

// NewRunID makes an id for a run: as [RuntimeOptions] says, or one that sorts by time.
func (rt *Runtime) NewRunID() string { return rt.newID() }

var runID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

// newRunID makes an id that sorts by time: milliseconds and fifty random bits.
func newRunID(now time.Time) string {
	const letters = "abcdefghijklmnopqrstuvwxyz234567"
	id := make([]byte, 0, 40)
	id = append(id, "run_"...)
	id = now.UTC().AppendFormat(id, "20060102T150405.000")
	id = append(id, '_')
	random := rand.Uint64()
	for range 10 {
		id = append(id, letters[random&31])
		random >>= 5
	}
	return string(id)
}

// Check validates a workflow as this runtime would before it runs it: with the capabilities and reducers at hand.
func (rt *Runtime) Check(w *Workflow) Diagnostics {
	_, diags := rt.prepare(w)
	return diags
}

// CheckText reads a plan and checks it as Check does, and returns the findings of both at once: see [CheckText].
func (rt *Runtime) CheckText(text []byte) (*Workflow, Diagnostics) {
	w, diags := CheckText(text, rt.surroundings())
	if diags.HasErrors() {
		return w, diags
	}
	_, diags = rt.bind(w, diags)
	return w, diags
}

// surroundings tells the validator what is at hand.
func (rt *Runtime) surroundings() *ValidateOptions {
	opts := &ValidateOptions{
		Nodes: func(ref string) (*NodeDef, bool) {
			if fn, ok := rt.find(ref); ok {
				return fn.Contract(), true
			}
			return nil, false
		},
		Reducers: func(name string) (ReducerSpec, bool) {
			if r := rt.reducers[name]; r != nil {
				return r.Spec(), true
			}
			return ReducerSpec{}, false
		},
	}
	if rt.nodes != nil {
		opts.KnownRefs = rt.nodes.Refs
	}
	return opts
}

func (rt *Runtime) validate(w *Workflow) Diagnostics { return Validate(w, rt.surroundings()) }

// prepare validates and compiles.
func (rt *Runtime) prepare(w *Workflow) (*program, Diagnostics) {
	diags := rt.validate(w)
	if diags.HasErrors() {
		return nil, diags
	}
	return rt.bind(w, diags)
}

// bind compiles a workflow that was found sound, and adds what only the binding shows.
func (rt *Runtime) bind(w *Workflow, diags Diagnostics) (*program, Diagnostics) {
	prog, more := compile(w, rt.find, rt.reducers)
	diags = slices.Concat(diags, more)
	diags.Sort()
	return prog, diags
}

func (rt *Runtime) find(ref string) (*Func, bool) {
	if rt.nodes == nil {
		return nil, false
	}
	f, ok := rt.nodes.Node(ref)
	if !ok {
		return nil, false
	}
	return rt.rigged(ref, f), true
}

// program compiles a workflow once for as long as somebody holds it.
func (rt *Runtime) program(w *Workflow) (*program, error) {
	key := weak.Make(w)
	if p, ok := rt.programs.Load(key); ok {
		return p.(*program), nil
	}
	p, diags := rt.prepare(rt.riggedWorkflow(w, map[*Workflow]*Workflow{}))
	if err := diags.Err(); err != nil {
		return nil, err
	}
	if _, loaded := rt.programs.LoadOrStore(key, p); !loaded {
		runtime.AddCleanup(w, func(key weak.Pointer[Workflow]) { rt.programs.Delete(key) }, key)
	}
	return p, nil
}

// StartOptions configure one run.
type StartOptions struct {
	// RunID names the run: a letter or digit, then letters, digits, ".", "_" and "-", at most 128; "": the runtime makes one.
	RunID string
	// StepByStep makes the run wait before every step until [RunHandle.Step] is called.
	StepByStep bool

	// InDoubt is as in [RuntimeOptions], for as long as the run lasts; "": that of the runtime.
	InDoubt DoubtPolicy

	// What follows is for runs on a journal.

	Queued     bool              // the run is only recorded: whoever works on the journal takes it up, see [Runtime.Work]
	Deployment string            // what it runs for; letters, digits and signs of ASCII
	Labels     map[string]string // by which it can be listed; names that begin with "wf." are ours
}

// Run starts a workflow and waits until it stops: until it has ended, or goes no further before somebody answers it
// ([RunHandle.Interrupts], [RunHandle.Resume]). The error is about what kept the run from starting (a plan with errors:
// [DiagnosticsOf] gives them; an input that does not fit); how the run went is told by the [RunHandle]. When ctx ends, even
// after Run has returned, the run is cancelled; a run on a journal goes on, and Run returns ctx's error with the handle. input is a
// Go value, encoded as encoding/json would, or json.RawMessage.
func (rt *Runtime) Run(ctx context.Context, w *Workflow, input any) (*RunHandle, error) {
	if rt.keeper != nil {
		r, err := rt.Start(ctx, w, input, nil)
		if err != nil {
			return nil, err
		}
		return r, r.Wait(ctx)
	}
	r, err := rt.create(ctx, w, input, nil)
	if err != nil {
		return nil, err
	}
	if ctx.Done() == nil && !r.prog.waits {
		r.drive(r.begin()) // nothing but the run itself can end it: no need for another goroutine
		return r, nil
	}
	do := r.begin()
	rt.spawn(func() { r.drive(do) })
	_ = r.Wait(context.Background()) // when ctx ends, the run does
	return r, nil
}

// Start starts a workflow and returns at once; see [RunHandle.Wait]. When ctx ends, the run is cancelled. opts may be nil.
//
// On a journal the run is recorded when Start returns, and ctx bounds only that. Starting the same plan with the same input
// under an id that is there already gives the run that is there; anything else under that id is an [*ExistsError].
func (rt *Runtime) Start(ctx context.Context, w *Workflow, input any, opts *StartOptions) (*RunHandle, error) {
	if opts == nil {
		opts = &StartOptions{}
	}
	if rt.keeper == nil && (opts.Queued || opts.Deployment != "" || opts.Labels != nil) {
		return nil, fmt.Errorf("a run that is queued, or has a deployment or labels, lives on a journal: %w", errNoJournal)
	}
	r, err := rt.create(ctx, w, input, opts)
	if err != nil {
		return nil, err
	}
	var do todo
	if r.durable == nil {
		do = r.begin()
	} else if do, err = r.durable.create(ctx, opts); err != nil {
		return nil, err
	}
	if !do.nothing() {
		rt.spawn(func() { r.drive(do) })
	}
	return r, nil
}

func (rt *Runtime) create(ctx context.Context, w *Workflow, input any, opts *StartOptions) (*RunHandle, error) {
	prog, err := rt.program(w)
	if err != nil {
		return nil, err
	}
	in, err := encodeGiven(input, "the run's input", CodeInputInvalid)
	if err != nil {
		return nil, err
	}
	if in, err = prog.admit(in); err != nil {
		return nil, err
	}
	if opts == nil {
		opts = &StartOptions{}
	}
	r, err := rt.newHandle(ctx, w, prog, opts.RunID)
	if err != nil {
		return nil, err
	}
	r.input, r.single = in, opts.StepByStep
	r.machine.Doubts, r.machine.Single = rt.inDoubt, r.single
	if opts.InDoubt != "" {
		if r.machine.Doubts, err = opts.InDoubt.policy(); err != nil {
			return nil, err
		}
	}
	if r.single {
		r.stepping = make(chan struct{}, 1)
	}
	return r, nil
}

// newHandle makes the handle of a run that has not begun. An id that is left out is made.
func (rt *Runtime) newHandle(ctx context.Context, w *Workflow, prog *program, id string) (*RunHandle, error) {
	if id == "" {
		id = rt.newID()
	}
	if !runID.MatchString(id) {
		return nil, fmt.Errorf("run id %q: expected a letter or digit and then letters, digits, \".\", \"_\" and \"-\", at most 128", id)
	}
	r := &RunHandle{rt: rt, id: id, prog: prog, workflow: w, machine: kernel.New(prog.kernel), base: ctx}
	if rt.keeper != nil {
		r.base = context.WithoutCancel(ctx)
		r.durable = &durable{run: r, keeper: rt.keeper}
	}
	return r, nil
}

// Run runs a workflow and decodes its output: [Runtime.Run] for callers who know the output's type. An error is what
// kept the run from starting, the [*Error] that it failed with, or an output that does not fit Out. A run that ends with
// another outcome than "ok" is no error, and is not told apart here: use [Runtime.Run] and [RunHandle.Outcome] to see it. A
// run that waits for an answer is cancelled, as nobody can give one, and a call in doubt fails, as nobody can decide.
func Run[Out any](ctx context.Context, rt *Runtime, w *Workflow, input any) (Out, error) {
	var out Out
	r, err := rt.Run(ctx, w, input)
	if err != nil {
		return out, err
	}
	for open := r.Doubts(); len(open) > 0; open = r.Doubts() {
		_ = r.Decide(ctx, Ruling{Step: open[0].ID, Verdict: VerdictFail}) // it may have been cancelled meanwhile
		_ = r.Wait(context.Background())
	}
	if r.Status() == StatusInterrupted {
		asked := "something"
		if open := r.Interrupts(); len(open) > 0 { // it may have run out of time meanwhile
			asked = open[0].ID
		}
		_ = r.Cancel(context.WithoutCancel(ctx), "it waits for an answer to "+asked+", which nobody can give here; Runtime.Run gives a handle to answer by")
	}
	if err := r.Err(); err != nil {
		return out, err
	}
	return out, r.Output(&out)
}

// Journal is where the runtime's runs live; nil: in memory only.
func (rt *Runtime) Journal() Journal {
	if rt.keeper == nil {
		return nil
	}
	return rt.keeper.journal
}
