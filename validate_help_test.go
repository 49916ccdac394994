package wf

import (
	"slices"
	"testing"

	"lda.chat/wf/internal/value"
)

// checkFound checks what must hold for the findings of any plan: each has a code of the table, a place that exists or
// could, a hint, and patches that apply; the order is the one order; safe fixes keep their promise.
func checkFound(t *testing.T, w *Workflow, found Diagnostics) {
	t.Helper()
	sorted := slices.Clone(found)
	sorted.Sort()
	text := w.Canonical()
	doc, err := value.Parse(text)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	for i, d := range found {
		if d.String() != sorted[i].String() {
			t.Errorf("finding %d is not in order: %v", i, d)
		}
		if _, known := LookupCode(d.Code); !known || d.Severity == "" || d.Message == "" || d.RepairHint == "" {
			t.Errorf("incomplete finding: %+v", d)
		}
		if up := parentPointer(d.Path); pointed(doc, up).IsAbsent() {
			t.Errorf("nothing stands at %s, above the place of %v", up, d)
		}
		for _, r := range d.Related {
			if pointed(doc, r.Path).IsAbsent() {
				t.Errorf("nothing stands at the related place %s of %v", r.Path, d)
			}
		}
		for _, fix := range d.Fixes {
			checkFix(t, text, found, d, fix)
		}
	}
}

// parentPointer is the place around a place.
func parentPointer(pointer string) string {
	for i := len(pointer) - 1; i >= 0; i-- {
		if pointer[i] == '/' {
			return pointer[:i]
		}
	}
	return ""
}

// checkFix applies a fix. A safe one must remove its finding and add no error.
func checkFix(t *testing.T, text []byte, found Diagnostics, d Diagnostic, fix Fix) {
	t.Helper()
	repaired, read := ParseWorkflow(applyFix(t, text, fix))
	if fix.Applicability != FixSafe {
		return
	}
	if repaired == nil {
		t.Errorf("after the safe fix %q the plan cannot be read: %v", fix.Title, read)
		return
	}
	count := func(ds Diagnostics, of Diagnostic) (n int) {
		for _, x := range ds {
			if x.Code == of.Code && x.Step == of.Step && x.Message == of.Message {
				n++
			}
		}
		return n
	}
	left := Validate(repaired, nil)
	if count(left, d) >= count(found, d) {
		t.Errorf("the safe fix %q does not remove %v", fix.Title, d)
	}
	for _, x := range left {
		if x.Severity == SeverityError && count(left, x) > count(found, x) {
			t.Errorf("the safe fix %q of %v adds %v", fix.Title, d, x)
		}
	}
}
