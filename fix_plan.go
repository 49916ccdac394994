package wf

import "lda.chat/wf/internal/value"

// fixable is the text of a plan between two fixes, with all that is found in it.
type fixable struct {
	text     []byte
	workflow *Workflow   // nil: it cannot be read
	reading  Diagnostics // their patches are for the text
	errors   int         // of reading, those too that are not shown
	checking Diagnostics // their patches are for the canonical form
}

func (f *fixer) read(text []byte) *fixable {
	plan := &fixable{text: text}
	plan.workflow, plan.reading, plan.errors = readPlan(text)
	if plan.workflow != nil {
		plan.checking = f.check(plan.workflow)
	}
	return plan
}

// all are the findings of reading, then those of checking.
func (p *fixable) all() Diagnostics {
	return append(p.reading[:len(p.reading):len(p.reading)], p.checking...)
}

// findings are all findings in their one order.
func (p *fixable) findings() Diagnostics {
	all := p.all()
	all.Sort()
	return all
}

// isRepairedBy reports whether a fix, which leads to next, removes its finding and brings no error. While the plan could not
// be read it could not be checked: what the first check finds was there before.
func (p *fixable) isRepairedBy(next *fixable, d Diagnostic) bool {
	before, after := p.all(), next.all()
	if p.workflow == nil {
		after = next.reading
	} else if next.workflow == nil {
		return false
	}
	if p.hides() || next.hides() { // in the place of a finding that is gone another one is shown
		return next.errors < p.errors
	}
	had := make(map[string]int, len(before))
	for _, x := range before {
		had[x.problem()]++
	}
	has := make(map[string]int, len(after))
	for _, x := range after {
		key := x.problem()
		if has[key]++; x.Severity == SeverityError && has[key] > had[key] {
			return false
		}
	}
	return has[d.problem()] < had[d.problem()]
}

// hides reports whether reading found more than it shows.
func (p *fixable) hides() bool { return len(p.reading) > maxDiagnostics }

// identity tells findings of a plan apart, but for where they are: a fix may move what follows it.
func (d *Diagnostic) identity() string {
	return string(d.Code) + "\n" + d.Step + "\n" + d.Message
}

// problem is identity without the step, which has another id, or one at all, when a fix has given it one.
func (d *Diagnostic) problem() string { return string(d.Code) + "\n" + d.Message }

// isShort reports whether a plan is written in the short form: steps have their edges themselves, or there are none.
func isShort(plan value.Value) bool {
	for _, step := range plan.Get("nodes").Items() {
		if !step.Get("next").IsAbsent() || !step.Get("on").IsAbsent() {
			return true
		}
	}
	return plan.Get("edges").IsAbsent()
}
