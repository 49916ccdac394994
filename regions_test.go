package wf

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// sketch builds a graph from lines: "foreach each", "fork split meet", "join meet", "end stop" and "ask q" (a condition)
// say what a step is, every other one is a wait; "a -done-> b" is an edge. A fork's branches are the outcomes of its
// edges. Steps stand in the order in which edges first name them, so the first is the start.
func sketch(t *testing.T, text string) *Workflow {
	t.Helper()
	w := &Workflow{Name: "sketch"}
	kinds := make(map[string]Step)
	var edges [][]string
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == "foreach":
			kinds[words[1]] = &ForeachStep{As: words[1], Over: Operand{Value: []byte("[]")}}
		case words[0] == "fork":
			kinds[words[1]] = &ForkStep{Join: words[2]}
		case words[0] == "join":
			kinds[words[1]] = &JoinStep{}
		case words[0] == "end":
			kinds[words[1]] = &EndStep{Outcome: OK}
		case words[0] == "ask":
			kinds[words[1]] = &ConditionStep{Check: &Condition{Op: "exists", Path: &Path{Root: RootInput}}}
		case len(words) == 3:
			edges = append(edges, words)
		default:
			t.Fatalf("line %q", line)
		}
	}
	for _, words := range edges {
		for _, id := range []string{words[0], words[2]} {
			if kinds[id] == nil {
				kinds[id] = &WaitStep{Seconds: &Operand{Value: []byte("1")}}
			}
			if kinds[id].StepID() == "" && !strings.HasPrefix(id, "__") {
				kinds[id].common().ID = id
				w.Nodes = append(w.Nodes, kinds[id])
			}
		}
		outcome := Outcome(strings.Trim(words[1], "->"))
		if fork, ok := kinds[words[0]].(*ForkStep); ok {
			fork.Branches = append(fork.Branches, ForkBranch{Outcome: outcome})
		}
		w.Edges = append(w.Edges, Edge{From: words[0], Outcome: outcome, To: words[2]})
	}
	w.Start = w.Nodes[0].StepID()
	return w
}

// regionsText lists the regions with their steps.
func regionsText(tree *regionTree) string {
	var lines []string
	for r, region := range tree.regions {
		name := "root"
		if r > 0 {
			name = tree.w.Nodes[region.owner].StepID() + "." + string(region.outcome)
		}
		var ids []string
		for i, s := range tree.w.Nodes {
			if tree.of[i] == r {
				ids = append(ids, s.StepID())
			}
		}
		lines = append(lines, name+": "+strings.Join(ids, " "))
	}
	slices.Sort(lines[1:])
	return strings.Join(lines, "\n")
}

const nested = `
	foreach each
	each -item-> split
	fork split meet
	split -a-> inner
	foreach inner
	inner -item-> work
	work -done-> __continue__
	inner -done-> meet
	split -b-> b1
	b1 -done-> b2
	b2 -done-> meet
	join meet
	meet -done-> __continue__
	each -done-> last
	last -done-> __end__`

func TestRegionTree(t *testing.T) {
	t.Parallel()
	tree := newRegionTree(sketch(t, nested))
	want := "root: each last\neach.item: split meet\ninner.item: work\nsplit.a: inner\nsplit.b: b1 b2"
	if diff := cmp.Diff(want, regionsText(tree)); diff != "" {
		t.Error(diff)
	}
	if len(tree.problems) > 0 {
		t.Errorf("problems: %v", tree.problems)
	}
	for r := 1; r < len(tree.regions); r++ {
		if tree.regions[r].parent >= r {
			t.Errorf("region %d comes before the one around it", r)
		}
	}
}

func TestRegionFaults(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, graph string
		want        []string // code, place, words of the message
	}{
		{"well nested", nested, nil},
		{"a body step wired past the loop is the only fault", `
			foreach each
			each -item-> work
			work -done-> sum
			each -done-> sum
			sum -done-> more
			more -done-> __end__`,
			[]string{"region_leak /edges/1/to the edge work -done-> sum leaves the body of foreach \"each\""}},
		{"a body that runs on to the end", `
			foreach each
			each -item-> work
			work -done-> more
			more -done-> __end__
			each -done-> __end__`,
			[]string{"end_in_region /edges/2/to the edge more -done-> __end__ ends the workflow inside the body"}},
		{"an end step in a branch", `
			fork split meet
			split -a-> stop
			end stop
			split -b-> b
			b -done-> meet
			join meet
			meet -done-> __end__`,
			[]string{"end_in_region /edges/0/to the edge split -a-> stop ends the workflow by \"stop\" inside branch \"a\""}},
		{"back to the foreach", `
			foreach each
			each -item-> work
			work -done-> each
			each -done-> __end__`,
			[]string{"region_leak /edges/1/to the edge work -done-> each leads back to the foreach"}},
		{"a step of a body wired from outside", `
			ask q
			q -true-> each
			q -false-> work2
			foreach each
			each -item-> work
			work -done-> work2
			work2 -done-> __continue__
			each -done-> __end__`,
			[]string{"region_entered /edges/1/to the edge q -false-> work2 leads into the body of foreach \"each\" from outside"}},
		{"a branch that misses its join", `
			fork split meet
			split -a-> a
			a -done-> after
			split -b-> b
			b -done-> meet
			join meet
			meet -done-> after
			after -done-> __end__`,
			[]string{"region_leak /edges/1/to the edge a -done-> after leaves branch \"a\" of fork \"split\""}},
		{"two branches share a step", `
			fork split meet
			split -a-> both
			split -b-> both
			both -done-> meet
			join meet
			meet -done-> __end__`,
			[]string{"region_overlap /edges/1/to the edge split -b-> both leads out of branch \"b\" of fork \"split\" into branch \"a\" of fork \"split\""}},
		{"an inner branch ends at the outer join", `
			fork outer omeet
			outer -a-> inner
			fork inner imeet
			inner -x-> x
			x -done-> omeet
			inner -y-> y
			y -done-> imeet
			join imeet
			imeet -done-> omeet
			join omeet
			omeet -done-> __end__`,
			[]string{"region_leak /edges/2/to the edge x -done-> omeet leaves branch \"x\" of fork \"inner\""}},
		{"a body that leads to the join around it", `
			fork split meet
			split -a-> each
			foreach each
			each -item-> work
			work -done-> meet
			each -done-> meet
			join meet
			meet -done-> __end__`,
			[]string{"region_leak /edges/2/to the edge work -done-> meet leaves the body of foreach \"each\""}},
		{"continue and discard at the top", `
			ask q
			q -true-> __continue__
			q -false-> __discard__`,
			[]string{"continue_outside_body /edges/0/to", "discard_outside_region /edges/1/to"}},
		{"continue in a branch", `
			foreach each
			each -item-> split
			fork split meet
			split -a-> a
			a -done-> __continue__
			join meet
			meet -done-> __continue__
			each -done-> __end__`,
			[]string{"continue_outside_body /edges/2/to"}},
		{"a fork may be passed by on the way to its join", `
			ask q
			q -true-> split
			q -false-> meet
			fork split meet
			split -a-> a
			a -done-> meet
			join meet
			meet -done-> __end__`, nil},
		{"a body without steps", `
			foreach each
			each -item-> __continue__
			each -done-> __end__`, nil},
		{"a loop around a foreach", `
			foreach each
			each -item-> work
			work -done-> __continue__
			each -done-> q
			ask q
			q -true-> each
			q -false-> __end__`, nil},
		{"what follows a step after a missing join is no fault of its own", `
			fork split nowhere
			split -a-> a
			a -done-> rest
			rest -done-> __end__`,
			[]string{"join_unknown /nodes/0/join"}},
		{"an endless body", `
			foreach each
			each -item-> a
			a -done-> b
			b -done-> a
			each -done-> __end__`,
			[]string{"region_endless /nodes/1 no path from here ends the body of foreach \"each\""}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := sketch(t, test.graph)
			found := Validate(w, nil)
			var errors Diagnostics
			for _, d := range found {
				if d.Severity == SeverityError {
					errors = append(errors, d)
				}
			}
			if len(errors) != len(test.want) {
				t.Fatalf("found %d errors: %v", len(errors), errors)
			}
			for i, want := range test.want {
				if got := fmt.Sprintf("%s %s %s", errors[i].Code, errors[i].Path, errors[i].Message); !strings.HasPrefix(got, want) {
					t.Errorf("got  %s\nwant %s", got, want)
				}
			}
		})
	}
}

func TestGuessedJoin(t *testing.T) {
	t.Parallel()
	found := Validate(sketch(t, `
		fork split met
		split -a-> a
		a -done-> meet
		split -b-> meet
		join meet
		meet -done-> __end__`), nil)
	if len(found) != 1 || found[0].Code != "join_unknown" || !strings.Contains(found[0].RepairHint, `"meet"`) || len(found[0].Fixes) != 1 {
		t.Errorf("found %+v", found)
	}
}

// wide is a plan of n steps with foreach bodies and forks everywhere.
func wide(n int) *Workflow {
	w := &Workflow{Name: "wide", Start: "f0"}
	for i := 0; i < n; i += 5 {
		id := func(name string) string { return fmt.Sprintf("%s%d", name, i) }
		w.Nodes = append(w.Nodes,
			&ForeachStep{StepCommon: StepCommon{ID: id("f")}}, &ForkStep{StepCommon: StepCommon{ID: id("k")}, Join: id("j"), Branches: []ForkBranch{{Outcome: "a"}, {Outcome: "b"}}},
			&WaitStep{StepCommon: StepCommon{ID: id("a")}}, &WaitStep{StepCommon: StepCommon{ID: id("b")}}, &JoinStep{StepCommon{ID: id("j")}})
		w.Edges = append(w.Edges, Edge{From: id("f"), Outcome: "item", To: id("k")}, Edge{From: id("k"), Outcome: "a", To: id("a")},
			Edge{From: id("k"), Outcome: "b", To: id("b")}, Edge{From: id("a"), Outcome: "done", To: id("j")}, Edge{From: id("b"), Outcome: "done", To: id("j")},
			Edge{From: id("j"), Outcome: "done", To: ToContinue}, Edge{From: id("f"), Outcome: "done", To: fmt.Sprintf("f%d", i+5)})
	}
	return w
}

// TestRegionTreeIsLinear compares plans of a size with plans ten times as large, and deep nesting with wide.
func TestRegionTreeIsLinear(t *testing.T) { // not parallel: it counts allocations
	allocs := func(w *Workflow) float64 { return testing.AllocsPerRun(1, func() { newRegionTree(w) }) }
	if small, large := allocs(wide(1_000)), allocs(wide(10_000)); large > 12*small {
		t.Errorf("%v allocations for 1,000 steps, %v for 10,000", small, large)
	}
	deep := &Workflow{Name: "deep", Start: "f0"}
	for i := range 10_000 {
		id := fmt.Sprintf("f%d", i)
		deep.Nodes = append(deep.Nodes, &ForeachStep{StepCommon: StepCommon{ID: id}})
		deep.Edges = append(deep.Edges, Edge{From: id, Outcome: "item", To: fmt.Sprintf("f%d", i+1)}, Edge{From: id, Outcome: "done", To: ToContinue})
	}
	tree := newRegionTree(deep)
	if got := tree.regions[len(tree.regions)-1].depth; got != 10_000 {
		t.Errorf("depth %d", got)
	}
}

func BenchmarkRegionTree(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := wide(n)
			for b.Loop() {
				newRegionTree(w)
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(n)/float64(time.Nanosecond), "ns/step")
		})
	}
}
