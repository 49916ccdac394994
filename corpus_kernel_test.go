package wf

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf/internal/corpus"
	goldens "lda.chat/wf/internal/golden"
	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// Every case is played on the bare kernel: once plainly, where after every record the encoded records are folded and the
// whole machine is compared, and then with the machine thrown away after one of the records, and folded from them: once for
// each record, and once for all of them together. However often it is loaded, a run comes to the same end.
func TestCorpusOnKernel(t *testing.T) {
	t.Parallel()
	cases, err := corpus.Load("internal/corpus/testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			d := newKernelDriver(t, c)
			c.Play(t, d.findings, d.orNil(), true)
			if goldens.Updating() {
				return
			}
			records := len(d.lines)
			each := 1 + records/mostReloads
			if records > mostFolds {
				each = 1 + records/fewReloads
			}
			for at := 1; at <= records && !t.Failed(); at += each {
				d := newKernelDriver(t, c)
				d.quick = true
				d.reload = func(record int) bool { return record == at }
				c.Play(t, d.findings, d.orNil(), true)
				if t.Failed() {
					t.Logf("it was loaded after record %d", at)
				}
			}
			if records > mostFolds || t.Failed() {
				return
			}
			d = newKernelDriver(t, c)
			d.quick = true
			d.reload = func(int) bool { return true }
			c.Play(t, d.findings, d.orNil(), true)
		})
	}
}

// mostFolds is up to how many records a run is looked at after each of them, and after every few of the later ones;
// mostReloads how often a case is played again, fewReloads if it has more records than that.
const (
	mostFolds   = 150
	everyFew    = 17
	mostReloads = 60
	fewReloads  = 5
)

// answerKey is under which a scripted function finds the answer that it is to give.
type answerKey struct{}

// scripted finds for every ref a function that gives the answer of its context, with the plan's own contract if it has one.
type scripted struct {
	defs map[string]*NodeDef
}

func (s scripted) Refs() []string { return nil }

func (s scripted) Node(ref string) (*Func, bool) {
	at := strings.LastIndexByte(ref, '.')
	if strings.HasPrefix(ref, "none.") || at < 0 {
		return nil, false
	}
	def := &NodeDef{}
	if own := s.defs[ref]; own != nil {
		*def = *own
	}
	def.Name = ref[at+1:]
	return RawNode(def, func(ctx context.Context, input json.RawMessage) (*Result, error) {
		return corpusResult(ctx.Value(answerKey{}).(*corpus.Answer))
	}).OfSource(ref[:at]), true
}

func corpusResult(a *corpus.Answer) (*Result, error) {
	if a.Code != "" {
		return nil, &Error{Code: Code(a.Code), Message: a.Message, Unsent: a.Unsent}
	}
	return &Result{Outcome: Outcome(a.Outcome), Output: a.Output.JSON()}, nil
}

// kernelDriver drives a machine by hand.
type kernelDriver struct {
	t        *testing.T
	prog     *program
	findings []corpus.Finding
	m        *kernel.Machine
	lines    [][]byte
	shadow   *kernel.Machine // folded along
	quick    bool            // nothing is compared
	reload   func(record int) bool

	calls     map[string]kernel.Effect // that are out, by name
	gone      map[string]kernel.Effect // that were cancelled, since the machine was loaded
	timers    map[string]setTimer
	set       int // timers so far
	asked     map[string]bool
	answered  map[string]bool
	fresh     []corpus.Call
	cancelled []string
}

type setTimer struct {
	timer kernel.Timer
	at    int64
	order int
}

func newKernelDriver(t *testing.T, c *corpus.Case) *kernelDriver {
	t.Helper()
	d := &kernelDriver{t: t, calls: map[string]kernel.Effect{}, gone: map[string]kernel.Effect{}, timers: map[string]setTimer{},
		asked: map[string]bool{}, answered: map[string]bool{}}
	nodes := scripted{map[string]*NodeDef{}}
	if w, _ := ParseWorkflow(c.Plan); w != nil {
		for _, def := range w.NodeDefs {
			nodes.defs[def.Name] = def
		}
	}
	rt, err := NewRuntime(&RuntimeOptions{Nodes: nodes})
	if err != nil {
		t.Fatal(err)
	}
	w, diags := rt.CheckText(c.Plan)
	for _, x := range diags {
		d.findings = append(d.findings, corpus.Finding{Severity: string(x.Severity), Code: string(x.Code), Path: x.Path, Message: x.Message})
	}
	if diags.HasErrors() {
		return d
	}
	if d.prog, err = rt.program(w); err != nil {
		t.Fatal(err)
	}
	d.m, d.shadow = kernel.New(d.prog.kernel), kernel.New(d.prog.kernel)
	return d
}

func (d *kernelDriver) orNil() corpus.Driver {
	if d.m == nil {
		return nil
	}
	return d
}

func callName(r kernel.Ref) string {
	if r.Attempt > 1 {
		return fmt.Sprintf("%s try %d", r.ID(), r.Attempt)
	}
	return r.ID()
}

func timerID(t kernel.Timer) string {
	if t.Kind == kernel.RunTimer {
		return "run"
	}
	return fmt.Sprintf("%d of %s", t.Kind, callName(t.Ref))
}

// post gives the machine an event, and those that follow from it.
func (d *kernelDriver) post(ev kernel.Event) error {
	d.t.Helper()
	events := []kernel.Event{ev}
	for first := true; len(events) > 0; first = false {
		ev, events = events[0], events[1:]
		var before []byte
		look := !d.quick && (len(d.lines) < mostFolds || len(d.lines)%everyFew == 0)
		if look {
			before = d.m.Dump()
		}
		var out kernel.Out
		if err := d.m.Step(&ev, &out); err != nil {
			if diff := cmp.Diff(string(before), string(d.m.Dump())); diff != "" && look {
				d.t.Errorf("a refused event has changed the machine (-before +after):\n%s", diff)
			}
			if first {
				return err
			}
			continue
		}
		d.lines = append(d.lines, d.m.Encode(nil, &out.Record))
		for i := range out.Effects {
			if failed := d.effect(&out.Effects[i]); failed != nil {
				failed.At = ev.At
				events = append(events, *failed)
			}
		}
		if d.m.Proceeds() != out.More {
			d.t.Errorf("frames that can go on: %v, but the step says %v", d.m.Proceeds(), out.More)
		}
		d.fold()
		if out.More {
			events = append(events, kernel.Event{Kind: kernel.Proceed, At: ev.At})
		}
	}
	return nil
}

// effect carries out an effect. A call whose input its contract does not let in has failed already.
func (d *kernelDriver) effect(e *kernel.Effect) *kernel.Event {
	switch e.Kind {
	case kernel.Call:
		node := d.prog.nodes[e.Ref.At().Callee]
		if node.refuse(e.Input.Value()) != nil {
			ev := &kernel.Event{}
			node.invoke(context.Background(), e.Ref, e.Input, ev)
			return ev
		}
		about := d.m.Describe(e.Ref)
		d.calls[callName(e.Ref)] = *e
		d.fresh = append(d.fresh, corpus.Call{Name: callName(e.Ref), Visit: e.Ref.ID(), Step: about.Step, Ref: node.ref,
			Attempt: int(about.Attempt), Key: about.Key, Input: e.Input.Value()})
	case kernel.CancelCall:
		d.gone[callName(e.Ref)] = d.calls[callName(e.Ref)]
		delete(d.calls, callName(e.Ref))
		d.cancelled = append(d.cancelled, callName(e.Ref))
	case kernel.SetTimer:
		d.set++
		d.timers[timerID(e.Timer)] = setTimer{e.Timer, e.At, d.set}
	case kernel.CancelTimer:
		if _, ok := d.timers[timerID(e.Timer)]; !ok {
			d.t.Errorf("a timer was stopped that is not set: %s", timerID(e.Timer))
		}
		delete(d.timers, timerID(e.Timer))
	case kernel.OpenInterrupt:
		d.asked[e.Ref.ID()] = true
	}
	return nil
}

// fold compares the machine with the one that the records give, and what is out with what that one says is out. With
// reload, it goes on with that one.
func (d *kernelDriver) fold() {
	d.t.Helper()
	switch {
	case d.reload != nil && d.reload(len(d.lines)):
		m, err := kernel.Fold(d.prog.kernel, d.lines)
		if err != nil {
			d.t.Fatalf("fold: %v", err)
		}
		d.m = m
		d.load(m)
	case d.quick:
	default:
		line := d.lines[len(d.lines)-1]
		record, err := d.shadow.Decode(line)
		if err == nil {
			err = d.shadow.Apply(record, nil)
		}
		if err != nil {
			d.t.Fatalf("fold: %v: %s", err, line)
		}
		if len(d.lines) > mostFolds && len(d.lines)%everyFew != 0 && !d.m.Status().Ended() {
			return
		}
		if diff := cmp.Diff(string(d.m.Dump()), string(d.shadow.Dump())); diff != "" {
			d.t.Fatalf("the folded machine differs (-live +folded):\n%s\nrecord: %s", diff, line)
		}
		if diff := cmp.Diff(d.out(), outstandingOf(d.m)) + cmp.Diff(d.out(), outstandingOf(d.shadow)); diff != "" {
			d.t.Fatalf("what is out is told differently (-effects +machine):\n%s\nrecord: %s", diff, line)
		}
	}
}

// load takes over what a folded machine says is out, in the order that is known of it.
func (d *kernelDriver) load(m *kernel.Machine) {
	calls, timers := map[string]kernel.Effect{}, map[string]setTimer{}
	for _, e := range m.Outstanding() {
		switch e.Kind {
		case kernel.Call:
			if d.prog.nodes[e.Ref.At().Callee].refuse(e.Input.Value()) == nil {
				calls[callName(e.Ref)] = e
			}
		case kernel.SetTimer:
			timers[timerID(e.Timer)] = setTimer{e.Timer, e.At, d.timers[timerID(e.Timer)].order}
		}
	}
	d.calls, d.gone, d.timers = calls, map[string]kernel.Effect{}, timers
}

// out writes what is out as the effects told.
func (d *kernelDriver) out() []string {
	var list []string
	for name, e := range d.calls {
		list = append(list, fmt.Sprintf("call %s %s until %d", name, e.Input.Value(), e.At))
	}
	for name, s := range d.timers {
		list = append(list, fmt.Sprintf("timer %s at %d", name, s.at))
	}
	for _, q := range d.m.Questions() {
		list = append(list, fmt.Sprintf("question %s until %d", q.ID, q.Deadline))
	}
	slices.Sort(list)
	return list
}

func outstandingOf(m *kernel.Machine) []string {
	var list []string
	for _, e := range m.Outstanding() {
		switch e.Kind {
		case kernel.Call:
			list = append(list, fmt.Sprintf("call %s %s until %d", callName(e.Ref), e.Input.Value(), e.At))
		case kernel.SetTimer:
			list = append(list, fmt.Sprintf("timer %s at %d", timerID(e.Timer), e.At))
		case kernel.OpenInterrupt:
			list = append(list, fmt.Sprintf("question %s until %d", e.Ref.ID(), e.At))
		}
	}
	slices.Sort(list)
	return list
}

func (d *kernelDriver) Start(at int64, input value.Value) string {
	d.t.Helper()
	in, err := d.prog.admit(input)
	if err != nil {
		return codeOf(err)
	}
	if err := d.post(kernel.Event{Kind: kernel.Started, At: at, RunID: "run", Input: in}); err != nil {
		d.t.Fatal(err)
	}
	return ""
}

func codeOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return string(e.Code)
	}
	return err.Error()
}

func (d *kernelDriver) Calls() []corpus.Call {
	fresh := d.fresh
	d.fresh = nil
	return fresh
}

func (d *kernelDriver) Cancelled() []string {
	names := d.cancelled
	d.cancelled = nil
	return names
}

func (d *kernelDriver) Answer(at int64, call string, a *corpus.Answer) {
	d.t.Helper()
	e, out := d.calls[call]
	if !out {
		if e, out = d.gone[call]; !out {
			return // a folded machine knows nothing of it
		}
	}
	ev := kernel.Event{}
	d.prog.nodes[e.Ref.At().Callee].invoke(context.WithValue(context.Background(), answerKey{}, a), e.Ref, e.Input, &ev)
	ev.At = at
	_, late := d.gone[call]
	delete(d.calls, call)
	delete(d.gone, call)
	if err := d.post(ev); (err != nil) != late {
		d.t.Errorf("the result of %s, late: %v, was refused: %v", call, late, err)
	}
}

func (d *kernelDriver) first() (name string, s setTimer) {
	for n, x := range d.timers {
		if name == "" || x.at < s.at || x.at == s.at && x.order < s.order {
			name, s = n, x
		}
	}
	return name, s
}

func (d *kernelDriver) Due() (int64, bool) {
	name, s := d.first()
	return s.at, name != ""
}

func (d *kernelDriver) Fire(at int64) {
	d.t.Helper()
	name, s := d.first()
	delete(d.timers, name)
	if err := d.post(kernel.Event{Kind: kernel.TimerFired, At: at, Timer: s.timer}); err != nil {
		d.t.Errorf("timer %s was refused: %v", name, err)
	}
}

func (d *kernelDriver) Resume(at int64, id, outcome string, payload value.Value) string {
	open := d.m.Questions()
	if id == "" && len(open) == 1 {
		id = open[0].ID
	}
	ref, found := d.m.Find(id)
	switch {
	case found:
	case id == "" && len(open) > 1:
		return string(CodeInterruptAmbiguous)
	case d.answered[id]:
		return string(CodeAlreadyResumed)
	case d.m.Status().Ended():
		return string(CodeRunEnded)
	case d.asked[id]:
		return string(CodeInterruptClosed)
	default:
		return string(CodeInterruptUnknown)
	}
	err := d.post(kernel.Event{Kind: kernel.Resumed, At: at, Ref: ref, Outcome: outcome, Output: payload})
	var refused *kernel.RefusedError
	if errors.As(err, &refused) {
		return refused.Failure.Code
	}
	d.answered[id] = true
	return ""
}

func (d *kernelDriver) Cancel(at int64, reason string) {
	_ = d.post(kernel.Event{Kind: kernel.CancelRequested, At: at, Reason: reason}) // a run that has ended stays as it is
}

func (d *kernelDriver) Status() string { return d.m.Status().String() }

func (d *kernelDriver) Interrupts() []corpus.Interrupt {
	var list []corpus.Interrupt
	for _, q := range d.m.Questions() {
		list = append(list, corpus.Interrupt{ID: q.ID, Request: q.Request})
	}
	return list
}

func (d *kernelDriver) Report() *corpus.Report {
	r := &corpus.Report{Status: d.Status(), Outcome: d.m.Outcome(), Output: d.m.Output(), State: d.m.State()}
	if fail, at := d.m.Failure(); fail != nil {
		e := (*mask)(nil).failure(fail)
		e.Step, e.Frame, e.Attempts = at.Step, at.Frame, int(at.Attempts)
		r.Error = mustValue(d.t, e)
	}
	t := tracer{prog: d.prog, machine: kernel.New(d.prog.kernel), open: map[*kernel.Frame]int{}}
	for _, line := range d.lines {
		record, err := t.machine.Decode(line)
		if err == nil {
			err = t.machine.Apply(record, func(e *kernel.Entry, input value.Value) { t.entry(record, e, input) })
		}
		if err != nil {
			d.t.Fatal(err)
		}
	}
	r.Trace = visitsOf(t.entries)
	return r
}

func mustValue(t *testing.T, x any) value.Value {
	t.Helper()
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func visitsOf(entries []TraceEntry) []corpus.Visit {
	var list []corpus.Visit
	for _, e := range entries {
		v := corpus.Visit{Frame: e.Frame, Step: e.Step, Visit: e.Visit, Attempts: e.Attempts, Outcome: string(e.Outcome), Next: e.Next, Unfinished: e.Unfinished}
		if e.Error != nil {
			v.Error = string(e.Error.Code)
		}
		list = append(list, v)
	}
	return list
}
