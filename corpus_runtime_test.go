package wf_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/internal/corpus"
	"lda.chat/wf/internal/golden"
	"lda.chat/wf/internal/value"
)

// Every case is played on the runtime too, with a clock that the case moves; the capabilities are functions that wait for
// their answers. That no goroutine is left behind is seen to by the bubble.
func TestCorpusOnRuntime(t *testing.T) {
	t.Parallel()
	cases, err := corpus.Load("internal/corpus/testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d := newRuntimeDriver(t, c)
				var drive corpus.Driver
				if d.workflow != nil {
					drive = d
				}
				c.Play(t, d.findings, drive, !golden.Updating()) // the test of the kernel rewrites the files
			})
		})
	}
}

// runtimeDriver drives a run of a runtime. It is its clock, too.
type runtimeDriver struct {
	t        *testing.T
	rt       *wf.Runtime
	journal  wf.Journal // nil: runs live in memory
	workflow *wf.Workflow
	findings []corpus.Finding
	run      *wf.RunHandle
	defs     map[string]*wf.NodeDef

	mu        sync.Mutex
	now       time.Time
	timers    []*alarm // in the order in which they were set
	waiting   map[string]chan *corpus.Answer
	fresh     []corpus.Call
	cancelled []string
}

type alarm struct {
	at time.Time
	f  func()
}

func newRuntimeDriver(t *testing.T, c *corpus.Case) *runtimeDriver {
	t.Helper()
	d := &runtimeDriver{t: t, defs: map[string]*wf.NodeDef{}, waiting: map[string]chan *corpus.Answer{}}
	if w, _ := wf.ParseWorkflow(c.Plan); w != nil {
		for _, def := range w.NodeDefs {
			d.defs[def.Name] = def
		}
	}
	d.rt = d.runtime()
	w, diags := d.rt.CheckText(c.Plan)
	for _, x := range diags {
		d.findings = append(d.findings, corpus.Finding{Severity: string(x.Severity), Code: string(x.Code), Path: x.Path, Message: x.Message})
	}
	if !diags.HasErrors() {
		d.workflow = w
	}
	return d
}

// runtime makes the driver's runtime, or another one.
func (d *runtimeDriver) runtime() *wf.Runtime {
	d.t.Helper()
	rt, err := wf.NewRuntime(&wf.RuntimeOptions{Nodes: d, Clock: d, InDoubt: wf.DoubtFail, Journal: d.journal, Lease: 24 * time.Hour, NewRunID: func() string { return "run" }})
	if err != nil {
		d.t.Fatal(err)
	}
	return rt
}

// Refs and Node: for every ref there is a function, with the plan's own contract if it has one.
func (d *runtimeDriver) Refs() []string { return nil }

func (d *runtimeDriver) Node(ref string) (*wf.Func, bool) {
	at := strings.LastIndexByte(ref, '.')
	if strings.HasPrefix(ref, "none.") || at < 0 {
		return nil, false
	}
	def := &wf.NodeDef{}
	if own := d.defs[ref]; own != nil {
		*def = *own
	}
	def.Name = ref[at+1:]
	return wf.RawNode(def, func(ctx context.Context, input json.RawMessage) (*wf.Result, error) {
		a := d.await(ctx, ref, input)
		if a.Code != "" {
			return nil, &wf.Error{Code: wf.Code(a.Code), Message: a.Message, Unsent: a.Unsent}
		}
		return &wf.Result{Outcome: wf.Outcome(a.Outcome), Output: a.Output.JSON()}, nil
	}).OfSource(ref[:at]), true
}

// await is a call: it tells that it is there and when it is cancelled, and waits for its answer.
func (d *runtimeDriver) await(ctx context.Context, ref string, input json.RawMessage) *corpus.Answer {
	info, _ := wf.CallFrom(ctx)
	in, err := value.Parse(input)
	if err != nil {
		d.t.Error(err)
	}
	call := corpus.Call{Visit: strings.TrimSuffix(info.Frame, "/") + "/" + info.Step, Step: info.Step, Ref: ref, Attempt: info.Attempt, Key: info.IdempotencyKey, Input: in}
	if info.Visit > 1 {
		call.Visit += fmt.Sprintf("#%d", info.Visit)
	}
	call.Name = call.Visit
	if call.Attempt > 1 {
		call.Name += fmt.Sprintf(" try %d", call.Attempt)
	}
	answer := make(chan *corpus.Answer, 1)
	d.mu.Lock()
	d.waiting[call.Name] = answer
	d.fresh = append(d.fresh, call)
	d.mu.Unlock()
	select {
	case a := <-answer:
		return a
	case <-ctx.Done():
	}
	d.mu.Lock()
	d.cancelled = append(d.cancelled, call.Name)
	d.mu.Unlock()
	return <-answer
}

func (d *runtimeDriver) Now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

func (d *runtimeDriver) AfterFunc(span time.Duration, f func()) (stop func() bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	a := &alarm{d.now.Add(span), f}
	d.timers = append(d.timers, a)
	return func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		n := len(d.timers)
		d.timers = slices.DeleteFunc(d.timers, func(x *alarm) bool { return x == a })
		return len(d.timers) < n
	}
}

// at moves the clock.
func (d *runtimeDriver) at(now int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = time.Unix(0, now).UTC()
}
