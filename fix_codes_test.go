package wf

import (
	"slices"
	"strings"
	"testing"
)

// TestFixesOfCodesAddNothing: every fix of every finding in the table's examples, safe or not, removes its finding and brings none,
// of whatever severity.
func TestFixesOfCodesAddNothing(t *testing.T) {
	t.Parallel()
	for _, info := range slices.Concat(parseCodes, checkCodes) {
		t.Run(string(info.Code), func(t *testing.T) {
			t.Parallel()
			if strings.HasPrefix(info.Bad, "{") {
				checkFixesAddNothing(t, []byte(info.Bad))
			}
		})
	}
}

func checkFixesAddNothing(t *testing.T, text []byte) {
	t.Helper()
	f := newFixer(validated)
	plan := f.read(text)
	_, found := CheckText(text, nil)
	before := map[string]int{}
	for _, d := range found {
		before[d.identity()]++
	}
	for i, d := range plan.all() {
		for _, fix := range d.Fixes {
			if fix.Patch == nil {
				continue
			}
			next := f.attempt(plan, fix, i < len(plan.reading))
			if next == nil {
				t.Errorf("the fix %q of %v cannot be applied", fix.Title, d)
				continue
			}
			_, left := CheckText(next.text, nil)
			after := map[string]int{}
			for _, l := range left {
				if after[l.identity()]++; after[l.identity()] > before[l.identity()] {
					t.Errorf("the %s fix %q of\n\t%v\nadds\n\t%v\nto %s", fix.Applicability, fix.Title, d, l, next.text)
				}
			}
			if after[d.identity()] >= before[d.identity()] {
				t.Errorf("the %s fix %q does not remove\n\t%v\nof %s", fix.Applicability, fix.Title, d, next.text)
			}
		}
	}
}
