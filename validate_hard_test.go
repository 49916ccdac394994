//go:build !race

// The race detector makes counts of memory mean little, and this slow.

package wf

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// hardPlans are plans of about n steps, of shapes that cost much where the work is not in proportion to the plan.
var hardPlans = map[string]func(n int) *Workflow{
	"chain":          chain,
	"layers":         func(n int) *Workflow { return layers(n/20, 20) },
	"deep loops":     func(n int) *Workflow { return deepLoops(n/2, ModeParallel) },
	"deep calm":      func(n int) *Workflow { return deepLoops(n/2, ModeSerial) },
	"deep forks":     func(n int) *Workflow { return deepForks(n / 3) },
	"wide fork":      wideFork,
	"forks":          func(n int) *Workflow { return forksInTurn(n/4, "") },
	"lost joins":     func(n int) *Workflow { return forksInTurn(n/4, "nowhere") },
	"long body":      func(n int) *Workflow { return longBody(n/2, true) },
	"forgotten ends": func(n int) *Workflow { return longBody(n/2, false) },
	"loops":          backEdges,
}

// TestHardPlansGrow counts allocations, so it is not parallel: four times the plan is about four times the work.
func TestHardPlansGrow(t *testing.T) {
	for name, hard := range hardPlans {
		allocs := func(n int) float64 {
			w := hard(n)
			return testing.AllocsPerRun(1, func() { Validate(w, nil) })
		}
		if small, large := allocs(500), allocs(2_000); large > 5*small {
			t.Errorf("%s: %v allocations for 500 steps, %v for 2,000", name, small, large)
		}
	}
}

func BenchmarkValidateHard(b *testing.B) {
	for _, name := range slices.Sorted(maps.Keys(hardPlans)) {
		for _, n := range []int{2_500, 10_000} {
			b.Run(fmt.Sprintf("%s/%d", strings.ReplaceAll(name, " ", "_"), n), func(b *testing.B) {
				w := hardPlans[name](n)
				for b.Loop() {
					Validate(w, nil)
				}
				b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(len(w.Nodes)+len(w.Edges)), "ns/part")
			})
		}
	}
}

// writing is a step that writes a field of its own and one that all write.
func writing(id string) *SetStep {
	one := Operand{Value: []byte("1")}
	return &SetStep{StepCommon: StepCommon{ID: id}, Output: []OutputBinding{
		{Operand: &one, Target: Path{RootState, []Part{namePart("all")}}}, {Operand: &one, Target: Path{RootState, []Part{namePart(id)}}}}}
}

// layers are conditions in layers, of which each leads to all of the next.
func layers(depth, width int) *Workflow {
	w := &Workflow{Name: "layers", Start: "s0_0"}
	id := func(layer, i int) string { return fmt.Sprintf("s%d_%d", layer, i) }
	for layer := range depth {
		for i := range width {
			s := &ConditionStep{StepCommon: StepCommon{ID: id(layer, i)}, Default: "o0"}
			for o := range width {
				outcome := Outcome(fmt.Sprintf("o%d", o))
				if o > 0 {
					s.Cases = append(s.Cases, Case{When: &Condition{Op: "exists", Path: &Path{RootInput, []Part{namePart("x")}}}, Outcome: outcome})
				}
				to := ToEnd
				if layer < depth-1 {
					to = id(layer+1, o)
				}
				w.Edges = append(w.Edges, Edge{From: s.ID, Outcome: outcome, To: to})
			}
			w.Nodes = append(w.Nodes, s)
		}
	}
	return w
}

// deepLoops are foreach steps in one another, each with a step that writes.
func deepLoops(n int, mode string) *Workflow {
	w := &Workflow{Name: "deep", Start: "f0"}
	for i := range n {
		f, s := fmt.Sprintf("f%d", i), fmt.Sprintf("s%d", i)
		w.Nodes = append(w.Nodes, &ForeachStep{StepCommon: StepCommon{ID: f}, As: f, Over: Operand{Path: &Path{RootInput, []Part{namePart("x")}}}, Mode: mode}, writing(s))
		to, end := fmt.Sprintf("f%d", i+1), ToContinue
		if i == n-1 {
			to = ToContinue
		}
		if i == 0 {
			end = ToEnd
		}
		w.Edges = append(w.Edges, Edge{From: f, Outcome: "item", To: s}, Edge{From: s, Outcome: "done", To: to}, Edge{From: f, Outcome: "done", To: end})
	}
	return w
}

// deepForks are forks in one another, each with a branch that writes beside the one that goes on.
func deepForks(n int) *Workflow {
	w := &Workflow{Name: "deep", Start: "f0"}
	for i := range n {
		f, s, j := fmt.Sprintf("f%d", i), fmt.Sprintf("s%d", i), fmt.Sprintf("j%d", i)
		w.Nodes = append(w.Nodes, &ForkStep{StepCommon: StepCommon{ID: f}, Branches: []ForkBranch{{Outcome: "a"}, {Outcome: "b"}}, Join: j}, writing(s), &JoinStep{StepCommon{ID: j}})
		to, end := fmt.Sprintf("f%d", i+1), fmt.Sprintf("j%d", i-1)
		if i == n-1 {
			to = j
		}
		if i == 0 {
			end = ToEnd
		}
		w.Edges = append(w.Edges, Edge{From: f, Outcome: "a", To: to}, Edge{From: f, Outcome: "b", To: s}, Edge{From: s, Outcome: "done", To: j}, Edge{From: j, Outcome: "done", To: end})
	}
	return w
}

// wideFork is a fork of which every branch writes.
func wideFork(n int) *Workflow {
	fork := &ForkStep{StepCommon: StepCommon{ID: "f"}, Join: "j"}
	w := &Workflow{Name: "wide", Start: "f", Nodes: []Step{fork, &JoinStep{StepCommon{ID: "j"}}}, Edges: []Edge{{From: "j", Outcome: "done", To: ToEnd}}}
	for i := range n {
		s := fmt.Sprintf("s%d", i)
		fork.Branches = append(fork.Branches, ForkBranch{Outcome: Outcome(s)})
		w.Nodes = append(w.Nodes, writing(s))
		w.Edges = append(w.Edges, Edge{From: "f", Outcome: Outcome(s), To: s}, Edge{From: s, Outcome: "done", To: "j"})
	}
	return w
}

// longBody is a parallel foreach with a chain of steps, each of which may be passed by, and ends the item or, wrongly, the workflow.
func longBody(n int, right bool) *Workflow {
	end := ToContinue
	if !right {
		end = ToEnd
	}
	w := &Workflow{Name: "long", Start: "f", Nodes: []Step{&ForeachStep{StepCommon: StepCommon{ID: "f"}, As: "x", Over: Operand{Path: &Path{RootInput, []Part{namePart("x")}}}, Mode: ModeParallel}},
		Edges: []Edge{{From: "f", Outcome: "item", To: "q0"}, {From: "f", Outcome: "done", To: ToEnd}}}
	for i := range n {
		q, s, to := fmt.Sprintf("q%d", i), fmt.Sprintf("s%d", i), fmt.Sprintf("q%d", i+1)
		if i == n-1 {
			to = end
		}
		past := to
		if !right {
			past = end
		}
		w.Nodes = append(w.Nodes, &ConditionStep{StepCommon: StepCommon{ID: q}, Check: &Condition{Op: "exists", Path: &Path{RootInput, []Part{namePart("x")}}}}, writing(s))
		w.Edges = append(w.Edges, Edge{From: q, Outcome: "true", To: s}, Edge{From: q, Outcome: "false", To: past}, Edge{From: s, Outcome: "done", To: to})
	}
	return w
}

// forksInTurn are forks after one another, with joins of their own or a name that is no join's.
func forksInTurn(n int, join string) *Workflow {
	w := &Workflow{Name: "forks", Start: "f0"}
	for i := range n {
		f, j := fmt.Sprintf("f%d", i), fmt.Sprintf("j%d", i)
		fork := &ForkStep{StepCommon: StepCommon{ID: f}, Join: j, Branches: []ForkBranch{{Outcome: "a"}, {Outcome: "b"}}}
		if join != "" {
			fork.Join = join
		}
		w.Nodes = append(w.Nodes, fork, &JoinStep{StepCommon{ID: j}})
		for _, b := range []string{"a", "b"} {
			w.Nodes = append(w.Nodes, writing(f+b))
			w.Edges = append(w.Edges, Edge{From: f, Outcome: Outcome(b), To: f + b}, Edge{From: f + b, Outcome: "done", To: j})
		}
		to := fmt.Sprintf("f%d", i+1)
		if i == n-1 {
			to = ToEnd
		}
		w.Edges = append(w.Edges, Edge{From: j, Outcome: "done", To: to})
	}
	return w
}

// backEdges is a chain of which each step may lead back to the start.
func backEdges(n int) *Workflow {
	w := &Workflow{Name: "back", Start: "q0"}
	for i := range n {
		q, to := fmt.Sprintf("q%d", i), fmt.Sprintf("q%d", i+1)
		if i == n-1 {
			to = ToEnd
		}
		w.Nodes = append(w.Nodes, &ConditionStep{StepCommon: StepCommon{ID: q}, Check: &Condition{Op: "exists", Path: &Path{RootInput, []Part{namePart("x")}}}})
		w.Edges = append(w.Edges, Edge{From: q, Outcome: "true", To: to}, Edge{From: q, Outcome: "false", To: "q0"})
	}
	return w
}
