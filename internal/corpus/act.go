package corpus

import (
	"slices"
	"strings"
)

// wait lets the run go on until it stops.
func (p *player) wait(line int) {
	p.t.Helper()
	for p.d.Status() == "running" {
		if !p.step(never) {
			p.t.Fatalf("line %d: the run stands still; out are: %s", line, strings.Join(p.out(), " "))
		}
	}
}

// out names the visits whose calls are out.
func (p *player) out() []string {
	var names []string
	for _, f := range p.flights {
		if !f.done && !f.cancelled {
			names = append(names, f.Visit)
		}
	}
	slices.SortFunc(names, natural)
	return names
}

func (p *player) act(a *action) {
	p.t.Helper()
	if p.d == nil || p.refused != "" {
		if a.verb != "expect" {
			p.t.Fatalf("line %d: the run does not start: %s%v", a.line, p.refused, p.findings)
		}
		p.expect(a)
		return
	}
	switch a.verb {
	case "wait":
		p.wait(a.line)
	case "until":
		p.until(a)
	case "advance":
		for to := p.now + a.span; ; {
			if !p.step(to) {
				p.now = to
				break
			}
		}
	case "cancel":
		p.d.Cancel(p.now, a.args[0])
		p.collect()
	case "resume":
		p.resume(a)
	case "expect":
		p.expect(a)
	}
}

func (p *player) until(a *action) {
	p.t.Helper()
	for {
		for _, f := range p.flights {
			if f.Visit == a.args[0] && f.done && !f.cancelled {
				return
			}
		}
		if !p.step(never) {
			p.t.Fatalf("line %d: %s was not answered; out are: %s", a.line, a.args[0], strings.Join(p.out(), " "))
		}
	}
}

func (p *player) resume(a *action) {
	p.t.Helper()
	before := p.d.Interrupts()
	report := p.d.Report()
	got := p.d.Resume(p.now, strings.TrimPrefix(a.args[0], "-"), a.args[1], a.payload)
	if got != a.refused {
		p.t.Fatalf("line %d: the answer to %s: refused with %q, want %q", a.line, a.args[0], got, a.refused)
	}
	if changed := diff(before, p.d.Interrupts()) + diff(report, p.d.Report()); got != "" && changed != "" {
		p.t.Errorf("line %d: the refused answer has changed the run (-before +after):\n%s", a.line, changed)
	}
	p.collect()
}
