package wf

import (
	"testing"

	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

// applyFix applies a fix's patch to a text, which it must fit.
func applyFix(t *testing.T, text []byte, fix Fix) []byte {
	t.Helper()
	operations, err := value.Parse(fix.Patch)
	if err != nil {
		t.Fatalf("fix %q: %v", fix.Title, err)
	}
	if first, _ := operations.Index(0).Get("op").AsString(); operations.Len() < 2 || first != "test" {
		t.Errorf("fix %q does not begin with a test: %s", fix.Title, fix.Patch)
	}
	patch, err := jsonpatch.Parse(operations)
	if err != nil {
		t.Fatalf("fix %q: %v", fix.Title, err)
	}
	repaired, err := jsonpatch.ApplyText(text, patch, nil, nil)
	if err != nil {
		t.Fatalf("fix %q: %v", fix.Title, err)
	}
	return repaired
}

// pointed is the value at a pointer.
func pointed(v value.Value, pointer string) value.Value {
	p, err := jsonpatch.ParsePointer(pointer)
	if err != nil {
		return value.Value{}
	}
	return p.Find(v)
}

// checkSafeFixes applies each safe fix of a text alone: its finding must be gone and no other error come.
func checkSafeFixes(t *testing.T, text []byte, diags Diagnostics) {
	t.Helper()
	before := map[string]int{}
	for _, d := range diags {
		before[d.identity()]++
	}
	for _, d := range diags {
		for _, fix := range d.Fixes {
			repaired := applyFix(t, text, fix)
			if fix.Applicability != FixSafe || len(diags) > maxDiagnostics {
				continue
			}
			_, left := ParseWorkflow(repaired)
			after := map[string]int{}
			for _, l := range left {
				if after[l.identity()]++; after[l.identity()] > before[l.identity()] {
					t.Errorf("the safe fix %q of %v\nadds %v\nto %s", fix.Title, d, l, repaired)
				}
			}
			if after[d.identity()] >= before[d.identity()] {
				t.Errorf("the safe fix %q does not remove %v\nof %s", fix.Title, d, repaired)
			}
		}
	}
}
