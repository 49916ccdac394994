package wf

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestValidateMistakes compares all findings of plans with many mistakes, with their places, hints and fixes, with golden files.
func TestValidateMistakes(t *testing.T) {
	t.Parallel()
	plans, err := filepath.Glob("testdata/validate/*.json")
	if err != nil || len(plans) == 0 {
		t.Fatal("no plans", err)
	}
	for _, name := range plans {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		w := parsed(t, string(text))
		opts := &ValidateOptions{Doc: filepath.Base(name)}
		first := Validate(w, opts)
		checkFound(t, w, Validate(w, nil))
		var b bytes.Buffer
		for _, d := range first {
			fmt.Fprintln(&b, d)
			for _, fix := range d.Fixes {
				fmt.Fprintf(&b, "  fix (%s): %s\n", fix.Applicability, fix.Title)
			}
		}
		golden(t, strings.TrimSuffix(name, ".json")+".txt", b.Bytes())
		want, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if got, _ := json.Marshal(Validate(parsed(t, string(text)), opts)); !bytes.Equal(got, want) {
				t.Fatalf("the same plan has other findings:\n%s\n%s", got, want)
			}
		}
	}
}

// findings writes what was found for comparison: code and place.
func findings(ds Diagnostics) []string {
	var list []string
	for _, d := range ds {
		list = append(list, string(d.Code)+" "+d.Path)
	}
	return list
}

func TestValidateOptions(t *testing.T) {
	t.Parallel()
	w := parsed(t, `{"name": "p", "state_schema": {"type": "object", "properties": {"n": {"type": "integer", "x-reducer": "acme.latest"}}},
		"nodes": [{"id": "a", "node": "local.read", "input": {"pth": "input.path"}, "next": "__end__"}]}`)
	def := &NodeDef{Name: "local.read", InputSchema: Schema(`{"type":"object","properties":{"path":{"type":"string"}},"additionalProperties":false}`)}
	found := Validate(w, &ValidateOptions{
		Nodes:    func(ref string) (*NodeDef, bool) { return def, ref == "local.read" },
		Reducers: func(name string) (ReducerSpec, bool) { return ReducerSpec{Name: name}, name == "acme.latest" },
		Doc:      "draft:a@1",
	})
	if got := fmt.Sprint(findings(found)); got != "[input_unknown /nodes/0/input/0/target]" || found[0].Doc != "draft:a@1" {
		t.Errorf("found %v", found)
	}
	found = Validate(w, &ValidateOptions{KnownRefs: func() []string { return []string{"local.reed", "other.write"} }})
	if got := fmt.Sprint(findings(found)); got != "[node_unknown /nodes/0/node reducer_unknown /state_schema/properties/n/x-reducer]" {
		t.Errorf("found %v", found)
	}
	if hint := found[0].RepairHint; hint != `did you mean "local.reed"?` || found[0].LogicalRef != "local.read" {
		t.Errorf("hint %q", hint)
	}
}

func TestValidateNested(t *testing.T) {
	t.Parallel()
	w := parsed(t, `{"name": "p", "node_defs": [{"name": "local.read"}],
		"nodes": [{"id": "a", "type": "subgraph", "workflow": "one", "next": "__end__"}],
		"workflows": {
		  "one": {"name": "one", "nodes": [{"id": "a", "node": "local.read", "next": "b"}, {"id": "b", "type": "subgraph", "workflow": "twoo", "next": "__end__"}]},
		  "two": {"name": "two", "nodes": [{"id": "a", "node": "local.reed", "next": "nowhere"}]}}}`)
	want := "[workflow_unknown /workflows/one/nodes/1/workflow edge_to_unknown /workflows/two/edges/0/to node_unknown /workflows/two/nodes/0/node]"
	if got := fmt.Sprint(findings(Validate(w, nil))); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestRecursion(t *testing.T) {
	t.Parallel()
	w := parsed(t, `{"name": "p", "nodes": [{"id": "a", "type": "subgraph", "workflow": "one", "next": "__end__"}],
		"workflows": {
		  "one": {"name": "one", "nodes": [{"id": "a", "type": "subgraph", "workflow": "two", "next": "__end__"}]},
		  "two": {"name": "two", "nodes": [{"id": "a", "type": "subgraph", "workflow": "one", "next": "__end__"}]}}}`)
	if got := fmt.Sprint(findings(Validate(w, nil))); got != "[workflow_recursive /workflows/two/nodes/0/workflow]" {
		t.Errorf("found %s", got)
	}
	w.Workflows["one"].Workflows = map[string]*Workflow{"a": w, "b": w.Workflows["one"]} // only a program can do this
	if found := Validate(w, nil); !slices.Contains(findings(found), "workflow_recursive /workflows/one/workflows/a") {
		t.Errorf("found %v", found)
	}
}

// TestValidateGoValues gives the validator what no text can hold.
func TestValidateGoValues(t *testing.T) {
	t.Parallel()
	path := func(root Root, names ...string) *Path {
		p := &Path{Root: root}
		for _, n := range names {
			p.Parts = append(p.Parts, namePart(n))
		}
		return p
	}
	deep := &Condition{Op: "not"}
	deep.Arg = deep
	tests := []struct {
		name string
		w    *Workflow
		want string
	}{
		{"nothing", nil, "workflow_missing "},
		{"a missing step", &Workflow{Name: "p", Start: "a", Nodes: []Step{nil, (*EndStep)(nil)}}, "field_missing /nodes/0/code name_invalid /nodes/0/id field_missing /nodes/1/code name_invalid /nodes/1/id start_unknown /start"},
		{"numbers", &Workflow{Name: "p", Start: "a", Limits: &Limits{MaxSteps: -1, TimeoutSeconds: math.NaN()}, NodeDefs: []*NodeDef{{Name: "a.b"}, nil},
			Nodes: []Step{&NodeStep{StepCommon: StepCommon{ID: "a"}, Node: "a.b", TimeoutSeconds: -1, Retry: &Retry{MaxAttempts: -1, Backoff: 0.5, TotalSeconds: 1e12, On: []Code{"cancelled"}}}},
			Edges: []Edge{{From: "a", Outcome: "ok", To: ToEnd, MaxVisits: -2}}},
			"out_of_range /edges/0/max_visits out_of_range /limits/max_steps timer_out_of_range /limits/timeout_seconds field_missing /node_defs/1 " +
				"out_of_range /nodes/0/retry/backoff out_of_range /nodes/0/retry/max_attempts failure_uncatchable /nodes/0/retry/on/0 " +
				"timer_out_of_range /nodes/0/retry/total_seconds timer_out_of_range /nodes/0/timeout_seconds"},
		{"paths and operands", &Workflow{Name: "p", Start: "a", Nodes: []Step{&SetStep{StepCommon: StepCommon{ID: "a"}, Output: []OutputBinding{
			{Target: *path(RootState, "x"), Operand: &Operand{}},
			{Target: *path(RootInput, "x"), Operand: &Operand{Path: path(RootState), Value: []byte("1")}},
			{Target: *path(RootState), Operand: &Operand{Path: path("sate", "x")}},
			{Target: *path(RootState, "y"), Operand: &Operand{Path: path(RootLocal, "x")}},
			{Target: *path(RootState, "z"), Operand: &Operand{Length: &Operand{Value: []byte("1")}}},
			{Target: *path(RootState, "v"), Operand: &Operand{Value: []byte("{")}},
			{Target: *path(RootState, "w"), Operand: &Operand{Path: &Path{Root: RootState, Parts: []Part{indexPart(-1)}}}},
			{Target: *path(RootState, "u"), IfAbsent: "skip", Source: path(RootState, "x")},
			{Target: *path(RootState, "t")},
		}}}, Edges: []Edge{{From: "a", Outcome: "done", To: ToEnd}}},
			"operand_kind /nodes/0/output/0/source operand_kind /nodes/0/output/1/source path_root /nodes/0/output/1/target path_root /nodes/0/output/2/source/path " +
				"path_invalid /nodes/0/output/2/target path_root /nodes/0/output/3/source/path operand_kind /nodes/0/output/4/source/length literal_invalid /nodes/0/output/5/source/value " +
				"path_invalid /nodes/0/output/6/source/path word_unknown /nodes/0/output/7/if_absent path_root /nodes/0/output/7/source operand_kind /nodes/0/output/8"},
		{"conditions", &Workflow{Name: "p", Start: "a", Nodes: []Step{&ConditionStep{StepCommon: StepCommon{ID: "a"}, Cases: []Case{
			{When: &Condition{Op: "=="}, Outcome: "x"}, {When: &Condition{Op: "eq", Left: &Operand{Value: []byte("1")}, Path: path(RootState)}, Outcome: "x"},
			{When: &Condition{Op: "and", Args: []*Condition{nil}}, Outcome: "x"}, {Outcome: "x"}, {When: deep, Outcome: "x"},
		}, Default: "x"}}, Edges: []Edge{{From: "a", Outcome: "x", To: ToEnd}}},
			"operator_unknown /nodes/0/cases/0/when/op field_unknown /nodes/0/cases/1/when/path field_missing /nodes/0/cases/1/when/right " +
				"field_missing /nodes/0/cases/2/when/args/0 field_missing /nodes/0/cases/3/when too_deep /nodes/0/cases/4/when" + strings.Repeat("/arg", maxNesting+1)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var errors Diagnostics
			for _, d := range Validate(test.w, nil) {
				if d.Severity == SeverityError {
					errors = append(errors, d)
				}
			}
			if got := strings.Join(findings(errors), " "); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestValidateGenerated gives the validator plans of which hardly anything fits: it must not panic, its findings must
// be complete and in order, and every fix must apply.
func TestValidateGenerated(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		w, _ := ParseWorkflow(newPlanGen(seed).workflow(0).Canonical())
		if w == nil {
			continue
		}
		checkFound(t, w, Validate(w, nil))
		if t.Failed() {
			t.Fatalf("seed %d: %s", seed, w.Canonical())
		}
	}
}
