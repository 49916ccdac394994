package drivetest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

// world is a store with runtimes on it, and a book of what their capabilities were called for.
type world struct {
	t     *testing.T
	clock *clock
	st    store.Store
	over  chan struct{} // closed when the test is over

	mu    sync.Mutex
	news  chan struct{} // closed when anything has happened
	calls []called
	does  map[string]behaviour
	log   bytes.Buffer
	book  *os.File // where calls are noted, too; nil: nowhere
	logTo *os.File
	lease time.Duration // 0: the usual
}

// called is a call that has begun.
type called struct {
	ref, step, key string
	attempt        int
}

// behaviour is what a capability does.
type behaviour func(ctx context.Context, c wf.CallInfo, input json.RawMessage) (*wf.Result, error)

// world makes one on a fresh store.
func (s *suite) world(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, clock: newClock(), over: make(chan struct{}), news: make(chan struct{}), does: map[string]behaviour{}}
	w.st = s.at(t, t.TempDir(), w.clock)
	t.Cleanup(func() { close(w.over) })
	return w
}

// stir tells those who wait that something has happened.
func (w *world) stir() {
	w.mu.Lock()
	defer w.mu.Unlock()
	close(w.news)
	w.news = make(chan struct{})
}

// await waits until something is so. It is asked whenever something has happened, and now and then.
func (w *world) await(what string, so func() bool) {
	w.t.Helper()
	deadline := time.After(60 * time.Second)
	for {
		w.mu.Lock()
		news := w.news
		w.mu.Unlock()
		if so() {
			return
		}
		select {
		case <-news:
		case <-time.After(5 * time.Millisecond):
		case <-deadline:
			w.t.Fatalf("not so after a minute: %s\n%s", what, w.logged())
		}
	}
}

func (w *world) logged() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.String()
}

// Write takes what runtimes log.
func (w *world) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.logTo != nil {
		return w.logTo.Write(line)
	}
	return w.log.Write(line)
}

// runtime is a runtime with its journal.
type runtime struct {
	*wf.Runtime
	*tap
	w *world
}

// lease is for how long runtimes hold runs.
const lease = 15 * time.Second

// runtime makes a runtime that lives until the test is over, or dies before. opts may be nil.
func (w *world) runtime(opts *wf.RuntimeOptions) *runtime { return w.runtimeOn(w.tap(), opts) }

func (w *world) runtimeOn(p *tap, opts *wf.RuntimeOptions) *runtime {
	w.t.Helper()
	var o wf.RuntimeOptions
	if opts != nil {
		o = *opts
	}
	o.Journal, o.Clock, o.Lease = p, w.clock, cmp.Or(w.lease, lease)
	o.Logger = slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if o.Nodes == nil {
		o.Nodes = &nodes{w: w, p: p}
	}
	rt, err := wf.NewRuntime(&o)
	check(w.t, "runtime", err)
	r := &runtime{rt, p, w}
	w.t.Cleanup(func() {
		if !p.isDead() {
			ended, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
			defer cancel()
			_ = rt.Close(ended)
		}
	})
	return r
}

// work lets a runtime work until the function is called, which returns when it has stopped.
func (r *runtime) work(opts *wf.WorkOptions) (stop func()) {
	working, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- r.Work(working, opts) }()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			select {
			case err := <-ended:
				if err != nil && !errors.Is(err, wf.ErrJournalClosed) {
					r.w.t.Errorf("work: %v", err)
				}
			case <-r.die:
			}
		})
	}
	r.w.t.Cleanup(stop)
	return stop
}

// nodes offers any capability t.x. It does what the world says of its ref, or else tells where it was called. The dead call
// nobody.
type nodes struct {
	w    *world
	p    *tap // nil: it never dies
	lack []string
}

// Refs is that of [wf.Nodes].
func (n *nodes) Refs() []string { return nil }

// Node is that of [wf.Nodes].
func (n *nodes) Node(ref string) (*wf.Func, bool) {
	name, ok := strings.CutPrefix(ref, "t.")
	if !ok || slices.Contains(n.lack, ref) {
		return nil, false
	}
	def := &wf.NodeDef{Name: name, Outcomes: []wf.Outcome{wf.OK}}
	if name == "pay" {
		def.Effect = wf.EffectOnce
	}
	return wf.RawNode(def, func(ctx context.Context, input json.RawMessage) (*wf.Result, error) {
		info, _ := wf.CallFrom(ctx)
		w := n.w
		w.mu.Lock()
		if n.p != nil && n.p.dead {
			w.mu.Unlock()
			<-w.over
			return nil, nil
		}
		w.calls = append(w.calls, called{ref, strings.TrimSuffix(info.Frame, "/") + "/" + info.Step, info.IdempotencyKey, info.Attempt})
		if w.book != nil {
			_, _ = fmt.Fprintln(w.book, info.IdempotencyKey, info.Attempt)
		}
		do := w.does[ref]
		w.mu.Unlock()
		w.stir()
		if do == nil {
			return placed(info), nil
		}
		return do(ctx, info, input)
	}).OfSource("t"), true
}

// placed is a result that tells where the call was made.
func placed(info wf.CallInfo) *wf.Result {
	return &wf.Result{Output: fmt.Appendf(nil, `{"at":%q}`, strings.TrimSuffix(info.Frame, "/")+"/"+info.Step)}
}

// do says what a capability does from now on.
func (w *world) do(ref string, f behaviour) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.does[ref] = f
}

// hold makes a capability wait until it is let go; a call whose context ends waits too.
func (w *world) hold(ref string) (letGo func()) {
	gate := make(chan struct{})
	var once sync.Once
	w.do(ref, func(_ context.Context, info wf.CallInfo, _ json.RawMessage) (*wf.Result, error) {
		select {
		case <-gate:
		case <-w.over:
		}
		return placed(info), nil
	})
	return func() { once.Do(func() { close(gate) }) }
}

// made lists the calls of a ref so far.
func (w *world) made(ref string) []called {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []called
	for _, c := range w.calls {
		if c.ref == ref {
			list = append(list, c)
		}
	}
	return list
}

func (w *world) head(id string) wf.RunHead {
	w.t.Helper()
	h, err := w.st.Head(ctx, id)
	check(w.t, "head", err)
	return h
}

// completed counts the runs that have completed.
func (w *world) completed() (n int) {
	w.t.Helper()
	for cursor := ""; ; {
		page, err := w.st.List(ctx, wf.RunQuery{Status: []wf.RunStatus{wf.StatusCompleted}, Limit: 1000, Cursor: cursor})
		check(w.t, "list", err)
		n += len(page.Runs)
		if cursor = page.Next; cursor == "" {
			return n
		}
	}
}

// plan reads and checks a plan.
func (r *runtime) plan(text string) *wf.Workflow {
	r.w.t.Helper()
	plan, diags := r.CheckText([]byte(text))
	check(r.w.t, "plan", diags.Err())
	return plan
}

// start starts a run.
func (r *runtime) start(plan, input string, opts *wf.StartOptions) *wf.RunHandle {
	r.w.t.Helper()
	run, err := r.Start(ctx, r.plan(plan), json.RawMessage(input), opts)
	check(r.w.t, "start", err)
	return run
}

// load gives the run as a runtime sees it.
func (r *runtime) load(id string) *wf.RunHandle {
	r.w.t.Helper()
	run, err := r.Load(ctx, id)
	check(r.w.t, "load", err)
	return run
}

// wait waits for a run to stop, and wants it to have a status.
func (w *world) wait(run *wf.RunHandle, want wf.RunStatus) {
	w.t.Helper()
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := run.Wait(limited); err != nil {
		w.t.Fatalf("wait: %v\n%s", err, w.logged())
	}
	if got := run.Status(); got != want {
		w.t.Fatalf("the run is %s, expected %s: %v\n%s", got, want, run.Err(), w.logged())
	}
}

func check(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

// code is that of an error, "" for none.
func code(err error) wf.Code {
	if e, ok := errors.AsType[*wf.Error](err); ok {
		return e.Code
	}
	if err != nil {
		return wf.Code(err.Error())
	}
	return ""
}
