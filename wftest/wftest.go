// Package wftest tests workflows: it runs them in a world of their own, where capabilities are stubs and time moves only
// when the test says so.
//
//	h := wftest.New(t, nil)
//	h.Stub("llm.draft", wftest.Output(`{"text": "Dear Ada"}`))
//	run := h.Start(wftest.ReadPlan(t, "reply.plan.json"), `{"mail": "Hello"}`)
//	run.Answer("approve", "approved", nil)
//	run.WantOutcome("ok")
//	run.WantOutput(`{"text": "Dear Ada"}`)
//
// Go functions that a workflow or a source brings run as they are unless they are stubbed. A capability of which there is
// only the contract in the plan's node_defs fails the test, with what to do about it, when it is called and has no stub.
//
// Everything happens one thing after another, and always in the same order: when nothing is at work any more, the
// next call is made or the next timer goes off, the earliest first, of two at one time the call, of two calls that of
// the first item or branch. So a trace is the same every time, parallel steps included, and a wait of thirty days
// takes no time. Only [Run.Wait], [Run.WaitFor] and [Host.Advance] let time pass.
//
// Wherever JSON is taken it may be given as text, in a string, or as a Go value.
package wftest

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lda.chat/wf"
)

// Options configure a [Host]. The zero value is ready to use.
type Options struct {
	Nodes    wf.Nodes      // where plans find their functions, as in [wf.RuntimeOptions]; a source.Set is one
	Reducers []*wf.Reducer // the host's own
	Now      time.Time     // when the test begins; zero: midnight of 1 January 2026, UTC
	Logger   *slog.Logger  // nil: what is logged is discarded
}

// Host runs the workflows of one test. Its methods, and those of its runs, are for the test's own goroutine; they fail
// the test themselves, and at once where it cannot go on.
type Host struct {
	t     testing.TB
	world *world
	rt    *wf.Runtime
	given wf.Nodes // of the options, or nil
	runs  []*wf.RunHandle

	mu        sync.Mutex // the runtime asks from goroutines of its own
	contracts map[string]*wf.NodeDef
	stubs     map[string]*stub
	calls     []Call
}

// New makes a host; opts may be nil. Runs that have not ended when the test has are cancelled.
func New(t testing.TB, opts *Options) *Host {
	t.Helper()
	var o Options
	if opts != nil {
		o = *opts
	}
	if o.Now.IsZero() {
		o.Now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	h := &Host{t: t, given: o.Nodes, contracts: map[string]*wf.NodeDef{}, stubs: map[string]*stub{}}
	h.world = newWorld(o.Now, h.taken)
	rt, err := wf.NewRuntime(&wf.RuntimeOptions{
		Nodes: h, Reducers: o.Reducers, Clock: h.world, Logger: o.Logger,
		NewRunID: func() string { return fmt.Sprintf("run_%d", len(h.runs)+1) },
	})
	if err != nil {
		t.Fatalf("wftest: %v", err)
	}
	h.rt = rt
	t.Cleanup(func() {
		for _, r := range h.runs {
			r.Cancel(context.Background(), "the test is over")
		}
	})
	return h
}

// Start starts a workflow and lets happen all that happens without time passing. It fails the test at once if the workflow
// has errors, or the input does not fit it.
func (h *Host) Start(w *wf.Workflow, input any) *Run {
	h.t.Helper()
	if w == nil {
		h.t.Fatalf("wftest: there is no workflow: it is nil")
	}
	h.learn(w)
	handle, err := h.rt.Start(context.Background(), w, h.json("the input", input), nil)
	if err != nil {
		h.t.Fatalf("wftest: the run cannot start:%s", explain(err))
	}
	h.runs = append(h.runs, handle)
	h.settle()
	return &Run{h: h, handle: handle}
}

// Run is Start and [Run.Wait].
func (h *Host) Run(w *wf.Workflow, input any) *Run {
	h.t.Helper()
	run := h.Start(w, input)
	run.Wait()
	return run
}

// Now is the time in the test's world.
func (h *Host) Now() time.Time { return h.world.Now() }

// Advance lets time pass. What is due in between happens when it is due.
func (h *Host) Advance(d time.Duration) {
	h.t.Helper()
	if d < 0 {
		h.t.Fatalf("wftest: time does not go back, by %v", -d)
	}
	until := h.world.Now().Add(d)
	h.until(until)
	h.world.reach(until)
}

// settle lets happen what is due.
func (h *Host) settle() {
	h.t.Helper()
	h.until(h.world.Now())
}

func (h *Host) until(until time.Time) {
	h.t.Helper()
	for h.turn(until) {
	}
}

// turn lets one thing happen that is due until a time; false if nothing is.
func (h *Host) turn(until time.Time) bool {
	h.t.Helper()
	more, busy := h.world.turn(until)
	if busy != "" {
		h.t.Fatalf("wftest: %s has not returned after %v of real time; no time passes for a function that waits: to let a call take long or never end, "+
			"stub it with After or Never", busy, patience)
	}
	return more
}

// ReadPlan reads a plan from a file, relative to the test's package. It fails the test at once if it cannot be read.
func ReadPlan(t testing.TB, file string) *wf.Workflow {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("wftest: %v", err)
	}
	return plan(t, file, text)
}

// ParsePlan is ReadPlan for a text.
func ParsePlan(t testing.TB, text string) *wf.Workflow {
	t.Helper()
	return plan(t, "the plan", []byte(text))
}

func plan(t testing.TB, name string, text []byte) *wf.Workflow {
	t.Helper()
	w, found := wf.ParseWorkflow(text)
	if err := found.Err(); err != nil {
		t.Fatalf("wftest: %s cannot be read:%s", name, explain(err))
	}
	return w
}

// explain lists the findings of an error.
func explain(err error) string {
	found := wf.DiagnosticsOf(err)
	if len(found) == 0 {
		return " " + err.Error()
	}
	var b strings.Builder
	for _, d := range found {
		if d.Severity == wf.SeverityError {
			b.WriteString("\n  " + strings.ReplaceAll(d.String(), "\n", "\n  "))
		}
	}
	return b.String()
}

// learn notes the contracts that a workflow, and those inside it, have of capabilities.
func (h *Host) learn(w *wf.Workflow) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.learnAll(w, map[*wf.Workflow]bool{})
}

func (h *Host) learnAll(w *wf.Workflow, seen map[*wf.Workflow]bool) {
	if w == nil || seen[w] {
		return
	}
	seen[w] = true
	for _, def := range w.NodeDefs {
		if def != nil && h.contracts[def.Name] == nil {
			h.contracts[def.Name] = def
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.Workflows)) {
		h.learnAll(w.Workflows[name], seen)
	}
}

// Node implements [wf.Nodes] for the host's runtime: what the options offer, else what a plan has the contract of or the
// test a stub for.
func (h *Host) Node(ref string) (*wf.Func, bool) {
	if h.given != nil {
		if f, ok := h.given.Node(ref); ok {
			return f, true
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	def, known := h.contracts[ref]
	if s := h.stubs[ref]; !known && s != nil {
		def, known = &wf.NodeDef{Outcomes: s.outcomes()}, true
	}
	dot := strings.LastIndexByte(ref, '.')
	if !known || dot < 0 {
		return nil, false
	}
	named := *def
	named.Name = ref[dot+1:]
	return wf.RawNode(&named, unstubbed(h, ref)).OfSource(ref[:dot]), true
}

// Refs implements [wf.Nodes].
func (h *Host) Refs() []string {
	refs := map[string]bool{}
	if h.given != nil {
		for _, ref := range h.given.Refs() {
			refs[ref] = true
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for ref := range h.contracts {
		refs[ref] = true
	}
	for ref := range h.stubs {
		refs[ref] = true
	}
	return slices.Sorted(maps.Keys(refs))
}
