package wf_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing/synctest"

	"lda.chat/wf"
	"lda.chat/wf/internal/corpus"
	"lda.chat/wf/internal/value"
)

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
	d.run.Cancel(context.Background(), reason)
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
