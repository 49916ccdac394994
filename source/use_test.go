package source_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf"
	"lda.chat/wf/source"
)

func TestUses(t *testing.T) {
	t.Parallel()
	w, found := wf.ParseWorkflow([]byte(`{"name": "p",
		"node_defs": [{"name": "a.one", "outcomes": ["ok", "none"]}],
		"workflows": {"x.y": {"name": "x", "nodes": [
			{"id": "again", "node": "a.one", "catch": [{"codes": ["*"], "outcome": "failed"}], "on": {"ok": "__end__", "none": "__end__", "failed": "__end__"}},
			{"id": "log", "node": "wf.std.log", "next": "__end__"}]}},
		"nodes": [{"id": "first", "node": "a.one", "on": {"ok": "second", "none": "second"}},
			{"id": "second", "node": "a.b.two", "catch": [{"codes": ["*"], "outcome": "failed"}], "on": {"ok": "third", "failed": "third"}},
			{"id": "third", "node": "a.b.two", "on": {"ok": "__end__"}}]}`))
	if w == nil {
		t.Fatal(found)
	}
	got := source.Uses(w)
	want := []source.Use{
		{Ref: "a.b.two", Places: []string{"/nodes/1", "/nodes/2"}, Wired: []wf.Outcome{"ok"}},
		{Ref: "a.one", Places: []string{"/nodes/0", "/workflows/x.y/nodes/0"}, Wired: []wf.Outcome{"none", "ok"}},
		{Ref: "wf.std.log", Places: []string{"/workflows/x.y/nodes/1"}, Wired: []wf.Outcome{"ok"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "a.b"}, source.LogicalSources(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	b := source.Bindings{{Logical: "a.b", Source: "x"}, {Logical: "a.b", Source: "y"}}
	for ref, want := range map[string]string{"a.b.c": "x.c", "a.b": "", "wf.std.log": "wf.std.log", "wf.log": "wf.log", "wfx.log": "", "c": ""} {
		if got, bound := b.Resolve(ref); got != want || bound != (want != "") {
			t.Errorf("%s is %q, %v; expected %q", ref, got, bound, want)
		}
	}
}
