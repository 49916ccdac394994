package wf

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShapesAsJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, want string // want "": text is canonical
		into       any
	}{
		{text: `"state.items[0]"`, want: `{"parts":["items",0],"root":"state"}`, into: new(Path)},
		{text: `{"root":"input","parts":[]}`, want: `{"parts":[],"root":"input"}`, into: new(Path)},
		{text: `5.0`, want: `{"value":5}`, into: new(Operand)},
		{text: `{"length":"state.xs"}`, want: `{"length":{"path":{"parts":["xs"],"root":"state"}}}`, into: new(Operand)},
		{text: `{"ge":["state.n",2]}`, want: `{"left":{"path":{"parts":["n"],"root":"state"}},"op":"ge","right":{"value":2}}`, into: new(Condition)},
		{text: `{"target":"a","value":null}`, want: `{"target":{"parts":["a"],"root":"local"},"value":null}`, into: new(InputBinding)},
		{text: `{"source":"a","target":"state.a","if_absent":"keep"}`,
			want: `{"if_absent":"keep","source":{"parts":["a"],"root":"local"},"target":{"parts":["a"],"root":"state"}}`, into: new(OutputBinding)},
		{text: `{"name":"x.y"}`, want: `{"name":"x.y","outcomes":["ok"]}`, into: new(NodeDef)},
		{text: `{"from":"a","outcome":"ok","to":"b","max_visits":2}`, into: new(Edge)},
	} {
		if err := json.Unmarshal([]byte(c.text), c.into); err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if c.want == "" {
			c.want = c.text
		}
		if got, err := json.Marshal(c.into); err != nil || string(got) != c.want {
			t.Errorf("%s is written %s, %v; expected %s", c.text, got, err, c.want)
		}
	}
}

func TestShapesAsJSONAreStrict(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		into any
		code Code
	}{
		{`"title"`, new(Path), "not_a_path"},
		{`{"root":"state","parts":[],"x":1}`, new(Path), "field_unknown"},
		{`"hello"`, new(Operand), "not_a_path"},
		{`{"gt":[1]}`, new(Condition), "condition_arguments"},
		{`{"value":1}`, new(InputBinding), "field_missing"},
		{`{"source":"a","target":"input.a"}`, new(OutputBinding), "path_root"},
		{`{"name":"x.y","name":"x.z"}`, new(NodeDef), "key_duplicate"},
		{`{"from":"a","to":"b"}`, new(Edge), "field_missing"},
		{`{"name":"p"}`, new(Workflow), "field_missing"},
	} {
		err := json.Unmarshal([]byte(c.text), c.into)
		if diags := DiagnosticsOf(err); len(diags) != 1 || diags[0].Code != c.code {
			t.Errorf("%s: %v, expected one finding %s", c.text, err, c.code)
		}
	}
}

func TestParseStep(t *testing.T) {
	t.Parallel()
	step, edges, diags := ParseStep([]byte(`{"id": "a", "node": "x.y", "next": "b", "on": {"late": {"to": "c", "max_visits": 2}}}`))
	want := []Edge{{From: "a", Outcome: "late", To: "c", MaxVisits: 2}, {From: "a", Outcome: "ok", To: "b"}}
	less := func(a, b Edge) bool { return a.Outcome < b.Outcome }
	if step == nil || len(diags) > 0 || len(edges) != 2 || cmp.Diff(want, sortedBy(edges, less)) != "" {
		t.Errorf("%v %v %v", step, edges, diags)
	}
	if got, err := json.Marshal(step); err != nil || string(got) != `{"id":"a","node":"x.y","type":"node"}` {
		t.Errorf("written as %s, %v", got, err)
	}
	for _, text := range []string{`{"id": "a"}`, `5`, `{"id": "a", "node": "x.y", "zzz": 1}`, `{`} {
		if step, _, diags := ParseStep([]byte(text)); step != nil || !diags.HasErrors() {
			t.Errorf("%s reads as %v", text, step)
		}
	}
}

func sortedBy[T any](list []T, less func(a, b T) bool) []T {
	for i := range list {
		for j := i; j > 0 && less(list[j], list[j-1]); j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
	return list
}

// TestProgramsCanWriteAnything: what a program put into a plan that is no JSON neither panics nor passes for a plan.
func TestProgramsCanWriteAnything(t *testing.T) {
	t.Parallel()
	for name, w := range map[string]*Workflow{
		"empty":          {},
		"nil step":       {Name: "p", Nodes: []Step{nil}},
		"broken literal": {Name: "p", Nodes: []Step{&NodeStep{StepCommon: StepCommon{ID: "a"}, Node: "x.y", Input: []InputBinding{{Target: Path{Root: RootLocal}, Operand: Operand{}}}}}},
		"broken schema":  {Name: "p", InputSchema: Schema("oops \xff")},
		"no condition":   {Name: "p", Nodes: []Step{&ConditionStep{StepCommon: StepCommon{ID: "a"}, Check: &Condition{}}}},
		"nil in it":      {Name: "p", NodeDefs: []*NodeDef{nil}, Nodes: []Step{&ForkStep{StepCommon: StepCommon{ID: "a"}, Branches: []ForkBranch{{}}}}},
	} {
		for _, text := range [][]byte{w.Canonical(), w.Short(), w.Indented()} {
			if !json.Valid(text) {
				t.Errorf("%s: not JSON: %s", name, text)
			}
			if read, diags := ParseWorkflow(text); read != nil || !diags.HasErrors() {
				t.Errorf("%s: reads as a plan: %s", name, text)
			}
		}
	}
	w := &Workflow{Name: "p", Nodes: []Step{&WaitStep{StepCommon: StepCommon{ID: "a"}, Seconds: &Operand{Value: json.RawMessage("1e999")}}}}
	if text := string(w.Canonical()); !strings.Contains(text, `"value":"1e999"`) {
		t.Errorf("a literal that is no JSON is written %s", text)
	}
}
