package wf

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"lda.chat/wf/internal/corpus"
	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

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
	t := tracer{prog: d.prog, machine: kernel.New(d.prog.kernel), open: map[*kernel.Frame]int{}, left: map[*kernel.Frame]int{}}
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
