package wf

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf/internal/corpus"
	"lda.chat/wf/internal/kernel"
)

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
		if d.snapshots {
			m, err = kernel.Restore(d.prog.kernel, d.m.Snapshot(nil))
		}
		if err != nil {
			d.t.Fatalf("load: %v", err)
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
		snapshot := d.shadow.Snapshot(nil) // before a dump, which makes lists that are not made yet
		if diff := cmp.Diff(string(d.m.Dump()), string(d.shadow.Dump())); diff != "" {
			d.t.Fatalf("the folded machine differs (-live +folded):\n%s\nrecord: %s", diff, line)
		}
		restored, err := kernel.Restore(d.prog.kernel, snapshot)
		if err != nil {
			d.t.Fatalf("restore: %v\n%s", err, snapshot)
		}
		if diff := cmp.Diff(string(d.shadow.Dump()), string(restored.Dump())); diff != "" {
			d.t.Fatalf("the restored machine differs (-folded +restored):\n%s\nsnapshot: %s", diff, snapshot)
		}
		if diff := cmp.Diff(d.out(), outstandingOf(d.m)) +
			cmp.Diff(d.out(), outstandingOf(d.shadow)) + cmp.Diff(d.out(), outstandingOf(restored)); diff != "" {
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
