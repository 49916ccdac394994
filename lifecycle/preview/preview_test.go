package preview_test

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf"
	"lda.chat/wf/internal/golden"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/lifecycle/preview"
)

func parse(t *testing.T, text []byte) *wf.Workflow {
	t.Helper()
	w, found := wf.ParseWorkflow(text)
	if w == nil {
		t.Fatal(found)
	}
	return w
}

// saved has one workflow that is not in the plans.
func saved(t *testing.T) *preview.Options {
	audit := parse(t, []byte(`{"name": "audit", "nodes": [{"id": "note", "node": "log.note", "next": "sub"}, {"id": "sub", "type": "subgraph", "workflow": "deep", "next": "__end__"}],
		"workflows": {"deep": {"name": "deep", "nodes": [{"id": "note", "node": "log.note", "next": "__end__"}]}}}`))
	return &preview.Options{
		Workflows: func(name string) (*wf.Workflow, bool) { return audit, name == "audit@2" },
		Nodes: func(ref string) (*wf.NodeDef, bool) {
			if ref != "log.note" {
				return nil, false
			}
			return &wf.NodeDef{Name: ref, Effect: wf.EffectOnce}, true
		},
	}
}

func TestPreviews(t *testing.T) {
	t.Parallel()
	opts := saved(t)
	golden.Derive(t, "testdata/plans.txt", func(t *testing.T, stem string, file golden.File) []golden.File {
		w := parse(t, []byte(file.Data))
		p := preview.Of(w, opts)
		if diff := cmp.Diff(p, preview.Of(w, opts)); diff != "" {
			t.Errorf("%s: the second time it is another:\n%s", stem, diff)
		}
		return []golden.File{{Name: stem + ".txt", Data: p.String()}}
	})
}

// The plans of examples/plans.
func TestExamplePlans(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../examples/plans/*.plan.json")
	if err != nil || len(files) < 8 {
		t.Fatal(len(files), err)
	}
	var b strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(preview.Of(parse(t, text), nil).String() + "\n")
	}
	golden.Compare(t, "testdata/examples.txt", b.String())
}

func TestPreviewAsJSON(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/plans.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range golden.Parse(string(text)).Files {
		if f.Name != "inside.json" {
			continue
		}
		written, err := json.Marshal(preview.Of(parse(t, []byte(f.Data)), saved(t)))
		if err != nil {
			t.Fatal(err)
		}
		v, err := value.Parse(written)
		if err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, "testdata/inside.json", string(value.Indent(v))+"\n")
	}
}

// What is wrong in a plan keeps nobody from a preview of the rest.
func TestPreviewOfWhatIsWrong(t *testing.T) {
	t.Parallel()
	self := parse(t, []byte(`{"name": "a", "nodes": [{"id": "s", "type": "subgraph", "workflow": "b", "next": "c"}, {"id": "c", "node": "x.y", "next": "__end__"}], "workflows": {"b": {"name": "b", "nodes": [{"id": "n", "node": "x.y", "next": "s"}, {"id": "s", "type": "subgraph", "workflow": "b", "next": "__end__"}]}}}`))
	if got := preview.Of(self, nil).String(); !strings.Contains(got, `not bounded: the workflow "b" runs itself`) {
		t.Error(got)
	}
	for _, text := range []string{
		`{"name": "a", "nodes": []}`,
		`{"name": "a", "nodes": [{"id": "f", "type": "foreach", "over": "input.x", "as": "x", "on": {"item": "f", "done": "g"}}]}`,
		`{"name": "a", "nodes": [{"id": "f", "type": "fork", "branches": ["x", "y"], "join": "f", "on": {"x": "f", "y": "z"}}]}`,
		`{"name": "a", "nodes": [{"id": "f", "type": "foreach", "over": "steps.q.r", "as": "x", "on": {"item": "g"}}, {"id": "g", "type": "foreach", "over": "state.r", "as": "x", "on": {"item": "f"}}]}`,
	} {
		_ = preview.Of(parse(t, []byte(text)), nil).String()
	}
	_ = preview.Of(&wf.Workflow{Nodes: []wf.Step{nil}, Start: "x"}, nil).String()
}

func ExampleOf() {
	w, found := wf.ParseWorkflow([]byte(`{"name": "invoice", "node_defs": [{"name": "llm.draft", "effect": "idempotent"}, {"name": "mail.send", "effect": "once"}],
		"nodes": [{"id": "draft", "node": "llm.draft", "next": "approve"},
			{"id": "approve", "type": "interrupt", "kind": "approval", "outcomes": ["yes", "no"], "on": {"yes": "send", "no": {"to": "draft", "max_visits": 3, "exhausted": "__end__"}}},
			{"id": "send", "node": "mail.send", "next": "__end__"}]}`))
	if w == nil {
		log.Fatal(found)
	}
	fmt.Print(preview.Of(w, nil))
	// Output:
	// invoice: a run stops after 10000 steps
	// calls:
	//   llm: 1 to 4
	//     llm.draft (idempotent): 1 to 4
	//   mail: 0 to 1
	//     mail.send (once): 0 to 1
	// cannot be undone:
	//   send calls mail.send: 0 to 1
	// asks:
	//   approve for approval (yes, no): 1 to 4
}
