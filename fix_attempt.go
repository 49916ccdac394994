package wf

import (
	"crypto/sha256"

	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

// fixer repairs one plan.
type fixer struct {
	check    func(*Workflow) Diagnostics
	attempts int // that are left
	bytes    int // that may still be read
	stopped  bool
	seen     map[[sha256.Size]byte]bool // the texts that the plan had: no circle of fixes
	refused  map[string]bool            // fixes that did not do; another may change that
	again    bool                       // another was applied since
}

func newFixer(check func(*Workflow) Diagnostics) *fixer {
	return &fixer{
		check: check, attempts: maxFixAttempts, bytes: maxFixBytes,
		seen: make(map[[sha256.Size]byte]bool), refused: make(map[string]bool),
	}
}

// run applies one fix after another.
func (f *fixer) run(text []byte) *FixedPlan {
	plan := f.read(text)
	result := &FixedPlan{}
	for {
		d, fix, next := f.next(plan)
		if next == nil {
			break
		}
		plan = next
		result.Applied = append(result.Applied, AppliedFix{fix.Title, d.Code, d.Path, d.Step, d.Message})
	}
	result.Text, result.Workflow, result.Left, result.Stopped = plan.text, plan.workflow, plan.findings(), f.stopped
	return result
}

// next applies the first fix that does; nil: none does. Those that did not do are tried again when no other is left.
func (f *fixer) next(plan *fixable) (Diagnostic, Fix, *fixable) {
	f.seen[sha256.Sum256(plan.text)] = true
	for {
		for i, d := range plan.all() {
			for _, fix := range d.Fixes {
				key := d.identity() + "\n" + string(fix.Patch)
				if fix.Applicability != FixSafe || fix.Patch == nil || f.refused[key] {
					continue
				}
				if !f.mayTry(plan) {
					return d, fix, nil
				}
				next := f.attempt(plan, fix, i < len(plan.reading))
				if next != nil && !f.seen[sha256.Sum256(next.text)] && plan.isRepairedBy(next, d) {
					f.again = true
					return d, fix, next
				}
				f.refused[key] = true
			}
		}
		if !f.again || len(f.refused) == 0 {
			return Diagnostic{}, Fix{}, nil
		}
		f.again = false
		clear(f.refused)
	}
}

// mayTry takes one attempt, which reads the plan up to three times, from what is left.
func (f *fixer) mayTry(plan *fixable) bool {
	f.attempts--
	f.bytes -= 3 * len(plan.text)
	f.stopped = f.attempts < 0 || f.bytes < 0
	return !f.stopped
}

// attempt applies a fix; nil: its patch does not apply, or what comes out is no plan although it was one before.
func (f *fixer) attempt(plan *fixable, fix Fix, ofReading bool) *fixable {
	operations, err := value.Parse(fix.Patch)
	if err != nil {
		return nil
	}
	patch, err := jsonpatch.Parse(operations)
	if err != nil {
		return nil
	}
	if ofReading {
		text, err := patchText(plan.text, patch)
		if err != nil {
			return nil
		}
		return f.read(text)
	}
	text, err := plan.patched(operations, patch)
	if err != nil {
		return nil
	}
	return f.read(text)
}

// rewritten is a plan's text after a patch of its canonical form, which makes it mean want. If the same can be done to the text
// itself, the rest of it stays as it was.
func (p *fixable) rewritten(operations, canonical value.Value, want *Workflow) []byte {
	doc, err := value.ParseDocument(p.text)
	if err != nil {
		return want.Indented()
	}
	if patch, err := translated(operations, doc.Root, canonical); err == nil {
		if text, err := patchText(p.text, patch); err == nil {
			if got, _ := ParseWorkflow(text); got != nil && got.Digest() == want.Digest() {
				return text
			}
		}
	}
	if isShort(doc.Root) {
		return want.Short()
	}
	return want.Indented()
}

// patchText applies a patch to a plan's text.
func patchText(text []byte, patch jsonpatch.Patch) ([]byte, error) {
	return jsonpatch.ApplyText(text, patch, nil, func(v value.Value) []byte { return appendLine(nil, v) })
}
