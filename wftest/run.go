package wftest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"lda.chat/wf"
)

// Run is a run in a test's world.
type Run struct {
	h      *Host
	handle *wf.RunHandle
}

// Handle is the run as its runtime has it, to look at: its methods that wait do not let time pass.
func (r *Run) Handle() *wf.RunHandle { return r.handle }

// far is later than any timer.
var far = time.Unix(1<<40, 0)

// Wait lets time pass until the run stops: until it has ended, or goes no further before an interrupt is answered. It
// fails the test at once if the run can do neither, because a call never answers.
func (r *Run) Wait() {
	r.h.t.Helper()
	r.waitUntil("it stops", r.stopped)
}

func (r *Run) stopped() bool { return r.handle.Status() != wf.StatusRunning }

func (r *Run) waitUntil(what string, reached func() bool) {
	r.h.t.Helper()
	for r.h.settle(); !reached(); {
		if r.h.turn(far) {
			continue
		}
		var at []string
		for _, f := range r.handle.Info().Frames {
			if f.Status != "inside" && f.Step != "" {
				at = append(at, f.Path+" "+f.Step+": "+f.Status)
			}
		}
		r.h.t.Fatalf("wftest: the run is %s and waits for what never comes; waited until %s; it stands at %s",
			r.handle.Status(), what, strings.Join(at, ", "))
	}
}

// WaitFor lets time pass until an interrupt is open, and returns it. The interrupt is named by its id, or by its step if only
// one of that step is open; "" is any one. It fails the test at once if the run stops without it.
func (r *Run) WaitFor(interrupt string) wf.Interrupt {
	r.h.t.Helper()
	var found []wf.Interrupt
	r.waitUntil("the interrupt "+interrupt+" is open", func() bool {
		found = r.open(interrupt)
		return len(found) > 0 || r.stopped()
	})
	return r.one(interrupt, found)
}

// Interrupt returns an open interrupt, named as for WaitFor. It fails the test at once unless there is one.
func (r *Run) Interrupt(interrupt string) wf.Interrupt {
	r.h.t.Helper()
	return r.one(interrupt, r.open(interrupt))
}

// open lists the open interrupts that a name may mean.
func (r *Run) open(name string) []wf.Interrupt {
	return slices.DeleteFunc(r.handle.Interrupts(), func(i wf.Interrupt) bool { return name != "" && i.ID != name && i.Step != name })
}

func (r *Run) one(name string, found []wf.Interrupt) wf.Interrupt {
	r.h.t.Helper()
	if len(found) == 1 {
		return found[0]
	}
	all := []string{"none"}
	if open := r.handle.Interrupts(); len(open) > 0 {
		all = nil
		for _, i := range open {
			all = append(all, i.ID)
		}
	}
	r.h.t.Fatalf("wftest: %d open interrupts are called %q, expected 1; open: %s; the run is %s%s",
		len(found), name, strings.Join(all, ", "), r.handle.Status(), r.failure())
	return wf.Interrupt{}
}

// Answer answers an open interrupt, named as for WaitFor, with an outcome and a payload, and lets happen all that then
// happens without time passing. It fails the test at once if the answer is refused.
func (r *Run) Answer(interrupt string, outcome wf.Outcome, payload any) {
	r.h.t.Helper()
	if err := r.answer(r.Interrupt(interrupt).ID, outcome, payload); err != nil {
		r.h.t.Fatalf("wftest: %v", err)
	}
}

// WantRefused answers an interrupt and fails the test unless the answer is refused with a code. Here the interrupt is an
// id, which need not be open, or a step with one open interrupt.
func (r *Run) WantRefused(code wf.Code, interrupt string, outcome wf.Outcome, payload any) {
	r.h.t.Helper()
	if open := r.open(interrupt); len(open) == 1 {
		interrupt = open[0].ID
	}
	if err := r.answer(interrupt, outcome, payload); !isCode(err, code) {
		r.h.t.Errorf("wftest: an answer to %q: expected %s, got %v", interrupt, code, err)
	}
}

func (r *Run) answer(id string, outcome wf.Outcome, payload any) error {
	r.h.t.Helper()
	err := r.handle.Resume(context.Background(), wf.Answer{Interrupt: id, Outcome: outcome, Payload: r.h.json("the payload", payload)})
	r.h.settle()
	return err
}

// Cancel cancels the run.
func (r *Run) Cancel(reason string) {
	r.h.t.Helper()
	r.handle.Cancel(context.Background(), reason)
	r.h.settle()
}

// json is JSON text of what a test gives.
func (h *Host) json(what string, x any) json.RawMessage {
	h.t.Helper()
	v, err := toValue(x)
	if err != nil {
		h.t.Fatalf("wftest: %s is no JSON: %v", what, err)
	}
	return v.JSON()
}
