package wf

import (
	"bytes"
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var planSeeds = flag.Uint64("plan.seeds", 150, "random plans to write and read")

var ignoreFuncs = cmpopts.IgnoreUnexported(Workflow{})

// parsePlan reads a plan that must be readable.
func parsePlan(t *testing.T, text []byte) *Workflow {
	t.Helper()
	w, diags := ParseWorkflow(text)
	if w == nil || len(diags) > 0 {
		t.Fatalf("%v\nreading %s", diags, text)
	}
	return w
}

func TestEveryFormReadsBack(t *testing.T) {
	t.Parallel()
	for seed := range *planSeeds {
		made := newPlanGen(seed).workflow(1)
		canonical := made.Canonical()
		w := parsePlan(t, canonical)
		if got := w.Canonical(); !bytes.Equal(got, canonical) {
			t.Fatalf("seed %d: the canonical form changed:\n%s", seed, cmp.Diff(string(canonical), string(got)))
		}
		for form, text := range map[string][]byte{"short": made.Short(), "indented": made.Indented(), "short of the one read": w.Short()} {
			back := parsePlan(t, text)
			if diff := cmp.Diff(w, back, ignoreFuncs); diff != "" {
				t.Fatalf("seed %d: the %s form reads as another plan (-canonical +%s):\n%s\n%s", seed, form, form, diff, text)
			}
			if form == "short" && !bytes.Equal(back.Short(), text) {
				t.Fatalf("seed %d: the short form changed:\n%s", seed, cmp.Diff(string(text), string(back.Short())))
			}
		}
	}
}

func TestCloneSharesNothing(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		w := parsePlan(t, newPlanGen(seed).workflow(1).Canonical())
		before := w.Digest()
		c := w.Clone()
		if diff := cmp.Diff(w, c, ignoreFuncs); diff != "" {
			t.Fatalf("the copy differs: %s", diff)
		}
		scramble(c)
		if w.Digest() != before {
			t.Fatalf("seed %d: changing the copy changed the original", seed)
		}
	}
}
