package wf

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestSurePoints compares, on random bodies, the points that all ways pass with those without which no way is left.
func TestSurePoints(t *testing.T) {
	t.Parallel()
	sure, asked := 0, 0
	for seed := range uint64(400) {
		w := randomBody(rand.New(rand.NewPCG(seed, 1)))
		c := newChecker(w, &checkShared{opts: &ValidateOptions{}, inside: make(map[member]inside), schemas: make(map[string]judged), failCodes: make(map[Code]bool)}, nil, nil)
		c.checkEdges()
		p := c.newPassage()
		leaves := func(without int) bool { return p.avoids(1, map[int]bool{without: true}) }
		for point := range p.sure {
			if c.tree.of[point/2] != 1 {
				continue
			}
			p.budget = 1000
			want := !p.discards[1] && leaves(-2) && !leaves(point)
			if p.sure[point] != want {
				t.Fatalf("seed %d: point %d of %q is sure: %v\n%s", seed, point%2, c.stepID(point/2), p.sure[point], w.Canonical())
			}
			asked++
			if want {
				sure++
			}
		}
	}
	if sure < 400 || sure > asked-400 {
		t.Errorf("%d of %d points are sure: the plans show nothing", sure, asked)
	}
}

// randomBody is a foreach with a body of steps that lead anywhere within it.
func randomBody(r *rand.Rand) *Workflow {
	n := 1 + r.IntN(7)
	id := func(i int) string { return fmt.Sprintf("s%d", i) }
	w := &Workflow{Name: "random", Start: "each", Nodes: []Step{&ForeachStep{StepCommon: StepCommon{ID: "each"}, As: "x", Over: Operand{Value: []byte("[]")}}}}
	w.Edges = []Edge{{From: "each", Outcome: "item", To: id(0)}, {From: "each", Outcome: "done", To: ToEnd}}
	target := func(i int) string {
		switch x := r.IntN(20); {
		case x < 5 || i == n-1:
			return ToContinue
		case x == 5 && r.IntN(4) == 0:
			return ToDiscard
		case x < 8:
			return id(r.IntN(n))
		}
		return id(i + 1 + r.IntN(min(2, n-i-1)))
	}
	for i := range n {
		common := StepCommon{ID: id(i)}
		switch r.IntN(4) {
		case 0:
			w.Nodes = append(w.Nodes, &ConditionStep{StepCommon: common, Check: &Condition{Op: "exists", Path: &Path{Root: RootInput}}})
			w.Edges = append(w.Edges, Edge{From: id(i), Outcome: "true", To: target(i)}, Edge{From: id(i), Outcome: "false", To: target(i)})
		case 1:
			common.Catch = []Catch{{Codes: []Code{"*"}, Outcome: "failed"}}
			w.Nodes = append(w.Nodes, &SetStep{StepCommon: common})
			w.Edges = append(w.Edges, Edge{From: id(i), Outcome: "failed", To: target(i)}, Edge{From: id(i), Outcome: "done", To: target(i), MaxVisits: 2, Exhausted: target(i)})
		default:
			w.Nodes = append(w.Nodes, &SetStep{StepCommon: common})
			w.Edges = append(w.Edges, Edge{From: id(i), Outcome: "done", To: target(i)})
		}
	}
	return w
}
