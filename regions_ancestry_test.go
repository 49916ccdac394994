package wf

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestNesting compares what is looked up about regions with what climbing from one to the next finds, on random trees of
// foreach steps of which several have one item name.
func TestNesting(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 2))
		w := &Workflow{Name: "nested", Start: "f0"}
		const n = 40
		last := map[int]int{} // by foreach: the step of its body that was added last
		for i := range n {
			w.Nodes = append(w.Nodes, &ForeachStep{StepCommon: StepCommon{ID: fmt.Sprintf("f%d", i)}, As: string(rune('a' + r.IntN(3)))})
			if i == 0 {
				continue
			}
			in := r.IntN(i)
			from, outcome := in, outcomeItem
			if before, taken := last[in]; taken {
				from, outcome = before, outcomeDone
			}
			last[in] = i
			w.Edges = append(w.Edges, Edge{From: fmt.Sprintf("f%d", from), Outcome: outcome, To: fmt.Sprintf("f%d", i)})
		}
		tree := newRegionTree(w)
		k := tree.ancestry
		for inner := range tree.regions {
			around := map[int]bool{}
			names := map[string]int{"a": -1, "b": -1, "c": -1}
			for q := inner; q >= 0; q = tree.regions[q].parent {
				around[q] = true
				if name := tree.itemName(q); name != "" && names[name] < 0 {
					names[name] = q
				}
			}
			for outer := range tree.regions {
				if k.contains(outer, inner) != around[outer] {
					t.Fatalf("seed %d: %d contains %d: %v", seed, outer, inner, !around[outer])
				}
			}
			for name, want := range names {
				if got := k.itemBody(inner, name); got != want {
					t.Fatalf("seed %d: item %q of region %d is that of %d, want %d", seed, name, inner, got, want)
				}
			}
		}
	}
}
