package corpus

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// Epoch is when every case begins.
var Epoch = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()

// Play plays a case and compares what comes of it with what the case expects. findings are those about its plan; if one is
// an error, drive is not used. The expectations that can be rewritten are compared only if compare is set.
func (c *Case) Play(t testing.TB, findings []Finding, drive Driver, compare bool) {
	t.Helper()
	p := &player{t: t, c: c, d: drive, now: Epoch, used: map[string]int{}, findings: findings}
	invalid := slices.ContainsFunc(findings, func(f Finding) bool { return f.Severity == "error" })
	if !invalid {
		p.run()
	} else {
		for i := range c.Script.actions {
			p.act(&c.Script.actions[i])
		}
	}
	if compare {
		c.settle(t, p.sections(invalid))
	}
}

// player lets one run go on. Time stands still while anything can happen at it.
type player struct {
	t        testing.TB
	c        *Case
	d        Driver
	now      int64
	flights  []*flight // the calls, in the order of the ledger
	used     map[string]int
	findings []Finding
	refused  string // why the run did not start
	report   *Report
}

// flight is a call with its answer.
type flight struct {
	Call
	Answer
	at        int64 // when it was made
	due       int64 // when it is answered; 0: never
	cancelled bool
	done      bool
}

const never = math.MaxInt64

func (p *player) run() {
	p.t.Helper()
	if p.refused = p.d.Start(p.now, p.c.Input); p.refused != "" {
		for i := range p.c.Script.actions {
			p.act(&p.c.Script.actions[i])
		}
		return
	}
	p.collect()
	for i := range p.c.Script.actions {
		p.act(&p.c.Script.actions[i])
	}
	p.wait(0)
	p.report = p.d.Report()
	if p.d.Status() == "interrupted" {
		p.d.Cancel(p.now, "the case is over")
		p.collect()
	}
	p.cleanUp()
	if names := p.c.Script.unused(p.used); len(names) > 0 {
		p.t.Errorf("the script has answers for %s, who was never called", strings.Join(names, ", "))
	}
}

// cleanUp lets the late results come in, which must change nothing, and sees that nothing was left behind.
func (p *player) cleanUp() {
	p.t.Helper()
	after := p.d.Report()
	if at, ok := p.d.Due(); ok {
		p.t.Errorf("a timer is left, due at %s", time.Duration(at-Epoch))
	}
	for _, f := range p.flights {
		if f.done {
			continue
		}
		if !f.cancelled {
			p.t.Errorf("the run is over, and %s was not cancelled", f.Name)
		}
		p.now = max(p.now, f.due)
		p.answer(f)
	}
	if changed := diff(after, p.d.Report()); changed != "" {
		p.t.Errorf("late results have changed the run (-before +after):\n%s", changed)
	}
}

// collect takes note of the calls that are new and of those that were cancelled. A cancelled call returns at once.
func (p *player) collect() {
	p.t.Helper()
	fresh := p.d.Calls()
	slices.SortFunc(fresh, func(a, b Call) int { return natural(a.Name, b.Name) })
	for _, call := range fresh {
		f := &flight{Call: call, Answer: p.c.Script.next(&call, p.used), at: p.now}
		if !f.Hang {
			f.due = p.now + f.After
		}
		if f.Echo {
			f.Output = call.Input
		}
		p.flights = append(p.flights, f)
	}
	for _, name := range p.d.Cancelled() {
		f := p.flight(name)
		if f == nil {
			p.t.Fatalf("%s was cancelled and never called", name)
		}
		if f.done {
			continue
		}
		f.cancelled = true
		if !f.Late {
			f.Answer = Answer{Code: "handler_error", Message: "cancelled"}
			p.answer(f)
		}
	}
}

func (p *player) flight(name string) *flight {
	for _, f := range p.flights {
		if f.Name == name {
			return f
		}
	}
	return nil
}

func (p *player) answer(f *flight) {
	f.done = true
	if f.Code == "" && f.Outcome == "" {
		f.Answer = Answer{Code: "handler_error", Message: "gave up"} // one that hangs
	}
	p.d.Answer(p.now, f.Name, &f.Answer)
	p.collect()
}

// step lets the next thing happen if it does until limit: answers before timers, each in the order of their making.
func (p *player) step(limit int64) bool {
	p.t.Helper()
	var next *flight
	at := int64(never)
	for _, f := range p.flights {
		if !f.done && f.due != 0 && f.due < at {
			next, at = f, f.due
		}
	}
	timer, set := p.d.Due()
	if set && timer < at {
		next, at = nil, timer
	}
	if at > limit || at == never {
		return false
	}
	p.now = max(p.now, at)
	if next != nil {
		p.answer(next)
	} else {
		p.d.Fire(p.now)
		p.collect()
	}
	return true
}
