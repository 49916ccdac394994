package corpus

import (
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

// value is the report for those who expect something of it.
func (r *Report) value() value.Value {
	return value.Object(value.Member{Key: "status", Value: value.String(r.Status)}, value.Member{Key: "outcome", Value: value.String(r.Outcome)},
		value.Member{Key: "output", Value: r.Output}, value.Member{Key: "state", Value: r.State}, value.Member{Key: "error", Value: r.Error})
}

func (p *player) expect(a *action) {
	p.t.Helper()
	fail := func(got, want any) {
		p.t.Helper()
		p.t.Errorf("line %d: %s: got %v, want %v", a.line, strings.Join(a.args, " "), got, want)
	}
	what, args := a.args[0], a.args[1:]
	list := func(got []string) {
		p.t.Helper()
		if !slices.Equal(got, args) {
			fail(got, args)
		}
	}
	switch what {
	case "refused":
		if p.refused != args[0] {
			fail(p.refused, args[0])
		}
	case "finding":
		if !slices.ContainsFunc(p.findings, func(f Finding) bool { return f.Code == args[0] && f.Path == args[1] }) {
			fail(p.findings, args)
		}
	case "calls":
		if got := strconv.Itoa(len(p.of(args[0]))); got != args[1] {
			fail(got, args[1])
		}
	case "starts":
		var at []string
		for _, f := range p.of(args[0]) {
			at = append(at, duration(f.at-Epoch))
		}
		list(append([]string{args[0]}, at...))
	case "order":
		var steps []string
		for _, f := range p.flights {
			steps = append(steps, f.Step)
		}
		list(steps)
	case "input":
		if of := p.of(args[0]); len(of) == 0 || !value.Equal(of[len(of)-1].Input, a.payload) {
			fail(of, a.payload)
		}
	case "visits":
		n := 0
		for _, v := range p.d.Report().Trace {
			if v.Step == args[0] {
				n++
			}
		}
		if got := strconv.Itoa(n); got != args[1] {
			fail(got, args[1])
		}
	case "open":
		var ids []string
		for _, i := range p.d.Interrupts() {
			ids = append(ids, i.ID)
		}
		list(ids)
	case "request":
		at := slices.IndexFunc(p.d.Interrupts(), func(i Interrupt) bool { return i.ID == args[0] })
		if at < 0 || !value.Equal(p.d.Interrupts()[at].Request, a.payload) {
			fail(p.d.Interrupts(), a.payload)
		}
	case "out":
		list(p.out())
	case "cancelled":
		for _, visit := range args {
			if !slices.ContainsFunc(p.of(visit), func(f *flight) bool { return f.cancelled }) {
				fail("it goes on", visit)
			}
		}
	case "same_key":
		p.sameKey(args[0], fail)
	case "now":
		if got := duration(p.now - Epoch); got != args[0] {
			fail(got, args[0])
		}
	default:
		path, _ := pathOf(what)
		got := p.d.Report().value().At(path)
		if len(args) == 1 {
			if text, _ := got.AsString(); !strings.Contains(text, args[0]) {
				fail(got, args[0])
			}
		} else if !value.Equal(got, a.payload) {
			fail(got, a.payload)
		}
	}
}

// of gives the calls of a capability, step or visit.
func (p *player) of(target string) []*flight {
	var list []*flight
	for _, f := range p.flights {
		if f.Ref == target || f.Step == target || f.Visit == target {
			list = append(list, f)
		}
	}
	return list
}

func (p *player) sameKey(visit string, fail func(got, want any)) {
	p.t.Helper()
	for _, f := range p.of(visit) {
		for _, other := range p.flights {
			if (other.Key == f.Key) != (other.Visit == visit) {
				fail(other.Name+" has "+other.Key, f.Key)
			}
		}
	}
}
