package wf

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	archive "lda.chat/wf/internal/golden"
	"lda.chat/wf/internal/kernel"
)

// anyNode offers every capability of the source "t", with any input and output.
type anyNode struct{}

func (anyNode) Node(ref string) (*Func, bool) {
	name, ok := strings.CutPrefix(ref, "t.")
	if !ok {
		return nil, false
	}
	return RawNode(&NodeDef{Name: name}, func(_ context.Context, input json.RawMessage) (*Result, error) {
		return &Result{Outcome: OK, Output: input}, nil
	}).OfSource("t"), true
}

func (anyNode) Refs() []string { return nil }

// TestCompile compares what plans are compiled to: testdata/compile/*.txt hold a plan and its program.
func TestCompile(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/compile/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			a := archive.Parse(string(text))
			w := parsed(t, a.Files[0].Data)
			if again := parsed(t, string(w.Short())); again.Digest() != w.Digest() {
				t.Errorf("its short form is another plan:\n%s", w.Short())
			}
			prog, diags := compile(w, anyNode{}.Node, map[string]*Reducer{"acme.newest": newest, "acme.all": everything})
			got := ""
			for _, d := range append(Validate(w, &ValidateOptions{Nodes: contractOf, Reducers: specOf}), diags...) {
				got += fmt.Sprintln(d)
			}
			if prog != nil {
				got += dumpProgram(prog)
			}
			a.Files = append(a.Files[:1], archive.File{Name: "program", Data: got})
			archive.Compare(t, file, a.String())
		})
	}
}

var (
	newest     = NewReducer(ReducerSpec{Name: "acme.newest"}, func(_, written any) (any, error) { return written, nil })
	everything = NewReducer(ReducerSpec{Name: "acme.all", Concurrent: true}, func(_, written any) (any, error) { return written, nil })
)

func specOf(name string) (ReducerSpec, bool) {
	for _, r := range []*Reducer{newest, everything} {
		if r.Spec().Name == name {
			return r.Spec(), true
		}
	}
	return ReducerSpec{}, false
}

func contractOf(ref string) (*NodeDef, bool) {
	f, ok := anyNode{}.Node(ref)
	if !ok {
		return nil, false
	}
	return f.Contract(), true
}

// TestCompileIsLinear counts the allocations of compiling 10,000 steps in regions, so it is not parallel.
func TestCompileIsLinear(t *testing.T) {
	allocs := func(n int) float64 {
		w := inRegions(n)
		return testing.AllocsPerRun(1, func() {
			if _, diags := compile(w, anyNode{}.Node, nil); diags.HasErrors() {
				t.Fatal(diags)
			}
		})
	}
	small, large := allocs(1_000), allocs(10_000)
	if large > 11*small {
		t.Errorf("%.0f allocations for 1,000 steps, %.0f for 10,000", small, large)
	}
}

// inRegions is a workflow of about n steps: a fork of ten branches, in each a chain of foreaches whose bodies are chains of
// ten steps with a loop, which read items and one another.
func inRegions(n int) *Workflow {
	w := &Workflow{Name: "wide", Start: "split"}
	fork := &ForkStep{StepCommon: StepCommon{ID: "split"}, Join: "meet"}
	w.Nodes = append(w.Nodes, fork, &JoinStep{StepCommon{ID: "meet"}})
	edge := func(from string, o Outcome, to string) *Edge {
		w.Edges = append(w.Edges, Edge{From: from, Outcome: o, To: to})
		return &w.Edges[len(w.Edges)-1]
	}
	edge("meet", outcomeDone, ToEnd)
	for b := range 10 {
		branch := fmt.Sprintf("b%d", b)
		fork.Branches = append(fork.Branches, ForkBranch{Outcome: Outcome(branch)})
		from, outcome := "split", Outcome(branch)
		for k := range n / 110 {
			each := fmt.Sprintf("%s_each%d", branch, k)
			w.Nodes = append(w.Nodes, &ForeachStep{StepCommon: StepCommon{ID: each}, Over: Operand{Path: &Path{RootInput, []Part{namePart("list")}}}, As: "x", Mode: ModeParallel})
			edge(from, outcome, each)
			from, outcome = each, outcomeDone
			prior := "split"
			for s := range 10 {
				id := fmt.Sprintf("%s_%d", each, s)
				w.Nodes = append(w.Nodes, &NodeStep{StepCommon: StepCommon{ID: id}, Node: "t.work", Input: []InputBinding{
					{Target: Path{RootLocal, []Part{namePart("item")}}, Operand: Operand{Path: &Path{RootItem, []Part{namePart("x")}}}},
					{Target: Path{RootLocal, []Part{namePart("prior")}}, Operand: Operand{Path: &Path{RootSteps, []Part{namePart(prior)}}}},
				}})
				if s == 0 {
					edge(each, outcomeItem, id)
				} else {
					edge(prior, OK, id)
				}
				prior = id
			}
			back := edge(prior, OK, each+"_0")
			back.MaxVisits, back.Exhausted = 3, ToContinue
		}
		edge(from, outcome, "meet")
	}
	return w
}

// TestCompileFunctions: a workflow built in Go brings its functions along when another runs it.
func TestCompileFunctions(t *testing.T) {
	t.Parallel()
	child, err := Define[notes, nothing, report]("extraction").Step("extract", extract).Build()
	if err != nil {
		t.Fatal(err)
	}
	w, err := Define[request, report, report]("w").Step("read", read).Step("child", child).Step("again", child).In("text", "state.summary").Build()
	if err != nil {
		t.Fatal(err)
	}
	prog, diags := compile(w, nil, nil)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	root := prog.kernel
	if root.Ops[1].Child == nil || root.Ops[1].Child != root.Ops[2].Child || len(prog.nodes) != 2 {
		t.Fatalf("two steps that run one workflow share it, and the nodes are 2; found %d", len(prog.nodes))
	}
	for op, want := range map[*kernel.Op]*Func{&root.Ops[0]: read, &root.Ops[1].Child.Ops[0]: extract} {
		if got := prog.nodes[op.Callee].fn; got != want {
			t.Errorf("step %s calls %q", op.ID, got.ref())
		}
	}
}
