package wf_test

import (
	"context"
	"encoding/json"
	"errors"
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
	rt, err := wf.NewRuntime(&wf.RuntimeOptions{Nodes: d, Clock: d, NewRunID: func() string { return "run" }})
	if err != nil {
		t.Fatal(err)
	}
	d.rt = rt
	w, diags := rt.CheckText(c.Plan)
	for _, x := range diags {
		d.findings = append(d.findings, corpus.Finding{Severity: string(x.Severity), Code: string(x.Code), Path: x.Path, Message: x.Message})
	}
	if !diags.HasErrors() {
		d.workflow = w
	}
	return d
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

func (d *runtimeDriver) Start(at int64, input value.Value) string {
	d.at(at)
	run, err := d.rt.Start(context.Background(), d.workflow, input, nil)
	if err != nil {
		return codeOf(err)
	}
	d.run = run
	synctest.Wait()
	return ""
}

func codeOf(err error) string {
	var e *wf.Error
	if errors.As(err, &e) {
		return string(e.Code)
	}
	return err.Error()
}

func (d *runtimeDriver) Calls() []corpus.Call {
	d.mu.Lock()
	defer d.mu.Unlock()
	fresh := d.fresh
	d.fresh = nil
	return fresh
}

func (d *runtimeDriver) Cancelled() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	names := d.cancelled
	d.cancelled = nil
	slices.Sort(names)
	return names
}

func (d *runtimeDriver) Answer(at int64, call string, a *corpus.Answer) {
	d.at(at)
	d.waiting[call] <- a
	synctest.Wait()
}

// first is the timer that is due first.
func (d *runtimeDriver) first() *alarm {
	d.mu.Lock()
	defer d.mu.Unlock()
	var first *alarm
	for _, a := range d.timers {
		if first == nil || a.at.Before(first.at) {
			first = a
		}
	}
	return first
}

func (d *runtimeDriver) Due() (int64, bool) {
	if a := d.first(); a != nil {
		return a.at.UnixNano(), true
	}
	return 0, false
}

func (d *runtimeDriver) Fire(at int64) {
	a := d.first()
	d.at(at)
	d.mu.Lock()
	d.timers = slices.DeleteFunc(d.timers, func(x *alarm) bool { return x == a })
	d.mu.Unlock()
	go a.f()
	synctest.Wait()
}

func (d *runtimeDriver) Resume(at int64, id, outcome string, payload value.Value) string {
	d.at(at)
	err := d.run.Resume(context.Background(), wf.Answer{Interrupt: id, Outcome: wf.Outcome(outcome), Payload: payload})
	synctest.Wait()
	if err != nil {
		return codeOf(err)
	}
	return ""
}

func (d *runtimeDriver) Cancel(at int64, reason string) {
	d.at(at)
	d.run.Cancel(reason)
	synctest.Wait()
}

func (d *runtimeDriver) Status() string { return string(d.run.Status()) }

func (d *runtimeDriver) Interrupts() []corpus.Interrupt {
	var list []corpus.Interrupt
	for _, i := range d.run.Interrupts() {
		list = append(list, corpus.Interrupt{ID: i.ID, Request: d.parse(i.Request)})
	}
	return list
}

func (d *runtimeDriver) parse(text json.RawMessage) value.Value {
	d.t.Helper()
	if text == nil {
		return value.Value{}
	}
	v, err := value.Parse(text)
	if err != nil {
		d.t.Error(err)
	}
	return v
}

func (d *runtimeDriver) Report() *corpus.Report {
	info := d.run.Info()
	r := &corpus.Report{Status: string(info.Status), Outcome: string(info.Outcome), Output: d.parse(info.Output), State: d.parse(info.State)}
	if info.Error != nil {
		text, err := json.Marshal(info.Error)
		if err != nil {
			d.t.Error(err)
		}
		r.Error = d.parse(text)
	}
	for _, e := range trace(d.t, d.run) {
		v := corpus.Visit{Frame: e.Frame, Step: e.Step, Visit: e.Visit, Attempts: e.Attempts, Outcome: string(e.Outcome), Next: e.Next, Unfinished: e.Unfinished}
		if e.Error != nil {
			v.Error = string(e.Error.Code)
		}
		r.Trace = append(r.Trace, v)
	}
	return r
}
