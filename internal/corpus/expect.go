package corpus

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

// Expectation is what a script expects at a point:
//
//	expect status completed                       or outcome, output, state.items[0], error.code, error.details.writers, …
//	expect state.token absent                     and the value: JSON, or text without quotes; absent: there is none
//	expect error.message has "two words"          part of a text
//	expect calls TARGET 3                         how often it was called so far
//	expect starts TARGET 0s 2s 6s                 when, since the beginning
//	expect order TARGET TARGET …                  all calls so far, by step
//	expect input VISIT {…}                        what the latest of its calls was given
//	expect visits STEP 3                          how often the trace has it
//	expect open ID …                              the open interrupts; none: no ID
//	expect request ID {…}                         what an open interrupt asks
//	expect out VISIT …                            the calls that are out; none: no VISIT
//	expect cancelled VISIT …                      these calls were
//	expect same_key VISIT                         its calls had one idempotency key, and no other call had it
//	expect now 30d                                the time since the beginning
//	expect finding CODE PATH                      among those about the plan
//	expect refused CODE                           the run did not start
type Expectation struct{}

// counts are the least numbers of arguments.
var counts = map[string]int{"calls": 2, "starts": 2, "order": 1, "input": 2, "visits": 2, "open": 0, "request": 2, "out": 0, "cancelled": 1,
	"same_key": 1, "now": 1, "finding": 2, "refused": 1}

var reported = []string{"status", "outcome", "output", "state", "error"}

func (a *action) expect(rest string) error {
	what, rest := word(rest)
	a.args = []string{what}
	if least, ok := counts[what]; ok {
		if what == "input" || what == "request" {
			id, text := word(rest)
			a.args = append(a.args, id)
			v, err := value.Parse([]byte(text))
			a.payload = v
			return err
		}
		a.args = append(a.args, strings.Fields(rest)...)
		if len(a.args)-1 < least {
			return fmt.Errorf("%q needs more", what)
		}
		return nil
	}
	root, _, _ := strings.Cut(strings.Map(func(r rune) rune {
		if r == '[' {
			return '.'
		}
		return r
	}, what), ".")
	if !slices.Contains(reported, root) {
		return fmt.Errorf("nobody knows %q", what)
	}
	if _, err := pathOf(what); err != nil {
		return err
	}
	if text, ok := strings.CutPrefix(rest, "has "); ok {
		part, err := strconv.Unquote(strings.TrimSpace(text))
		a.args = append(a.args, part)
		return err
	}
	switch {
	case rest == "":
		return fmt.Errorf("the value is missing")
	case rest == "absent":
	default:
		v, err := value.Parse([]byte(rest))
		if err != nil {
			v = value.String(rest)
		}
		a.payload = v
	}
	return nil
}

// pathOf reads state.items[0].title.
func pathOf(text string) (value.Path, error) {
	var p value.Path
	for part := range strings.SplitSeq(strings.ReplaceAll(text, "[", ".["), ".") {
		digits, ok := strings.CutPrefix(part, "[")
		if !ok {
			p = append(p, value.Part{Key: part})
			continue
		}
		n, err := strconv.Atoi(strings.TrimSuffix(digits, "]"))
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%q is no position", part)
		}
		p = append(p, value.Part{Index: n, IsIndex: true})
	}
	return p, nil
}

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
