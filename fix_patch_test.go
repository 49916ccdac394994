package wf_test

import (
	"encoding/json"
	"strings"
	"testing"

	"lda.chat/wf"
)

// A patch of the canonical form is made in the text, in whatever form that is, and leaves the rest of it as it was written.
func TestPatchPlan(t *testing.T) {
	t.Parallel()
	const short = `{ "name": "p",  "nodes": [ {"id": "a",   "type": "wait", "seconds": 1.50, "next": "b"},
  {"id": "b", "type": "wait", "seconds": 2, "next": "__end__"} ] }`
	for _, c := range []struct{ patch, want, fails string }{
		{patch: `[{"op": "test", "path": "/edges/0/to", "value": "b"}, {"op": "replace", "path": "/edges/0/to", "value": "__end__"}]`,
			want: strings.Replace(short, `"next": "b"`, `"next": "__end__"`, 1)},
		{patch: `[{"op": "replace", "path": "/nodes/1/seconds", "value": 3}]`, want: strings.Replace(short, `"seconds": 2`, `"seconds": 3`, 1)},
		{patch: `[{"op": "test", "path": "/edges/0/to", "value": "c"}]`, fails: "operation 0, test"},
		{patch: `[{"op": "remove", "path": "/nodes/0/seconds"}]`, fails: "seconds"},
		{patch: `[{"op": "move"}]`, fails: "malformed"},
		{patch: `[`, fails: "value"},
	} {
		got, err := wf.PatchPlan([]byte(short), json.RawMessage(c.patch))
		switch {
		case c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)):
			t.Errorf("%s: %v, expected %q in it", c.patch, err, c.fails)
		case c.fails == "" && (err != nil || string(got) != c.want):
			t.Errorf("%s: %s, %v; expected %s", c.patch, got, err, c.want)
		}
	}
	if _, err := wf.PatchPlan([]byte(`{"nodes": 1}`), json.RawMessage(`[]`)); wf.DiagnosticsOf(err) == nil {
		t.Errorf("of a text that is no plan: %v", err)
	}
}

// A copy of a saved workflow stands in a plan under its name and version.
func TestCopiesOfSavedWorkflows(t *testing.T) {
	t.Parallel()
	plan := func(name string) string {
		return `{"name": "outer", "nodes": [{"id": "sum", "type": "subgraph", "workflow": "` + name + `", "next": "__end__"}],
			"workflows": {"` + name + `": {"name": "summary", "nodes": [{"id": "a", "type": "wait", "seconds": 0, "next": "__end__"}]}}}`
	}
	w, found := wf.CheckText([]byte(plan("summary@1")), nil)
	if len(found) > 0 {
		t.Fatal(found)
	}
	back, found := wf.ParseWorkflow(w.Canonical())
	if len(found) > 0 || back.Digest() != w.Digest() {
		t.Errorf("it reads back as %s: %v", back.Canonical(), found)
	}
	rt, err := wf.NewRuntime(nil)
	if err != nil {
		t.Fatal(err)
	}
	if run, err := rt.Run(t.Context(), w, map[string]any{}); err != nil || run.Status() != wf.StatusCompleted {
		t.Errorf("run: %v", err)
	}
	for _, name := range []string{"summary@", "@1", "a b@1", "a@1@2"} {
		if _, found := wf.CheckText([]byte(plan(name)), nil); !found.HasErrors() {
			t.Errorf("%q is taken for a name and a version", name)
		}
	}
}
