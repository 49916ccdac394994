package lifecycle

import (
	"testing"

	"lda.chat/wf"
)

func TestFindStep(t *testing.T) {
	t.Parallel()
	w, found := wf.ParseWorkflow([]byte(`{"name": "outer", "nodes": [
		{"id": "each", "type": "foreach", "over": {"value": [1]}, "as": "x", "on": {"item": "sub", "done": "__end__"}},
		{"id": "sub", "type": "subgraph", "workflow": "a.b", "next": "__continue__"}],
		"workflows": {"a.b": {"name": "inner", "nodes": [
			{"id": "deeper", "type": "subgraph", "workflow": "other", "next": "last"},
			{"id": "last", "type": "wait", "seconds": 1, "next": "__end__"}]},
			"other": {"name": "other", "nodes": [{"id": "last", "type": "wait", "seconds": 1, "next": "__end__"}]}}}`))
	if w == nil {
		t.Fatal(found)
	}
	for _, c := range []struct{ frame, step, pointer, scope string }{
		{"/", "each", "/nodes/0", "/"},
		{"/each[0]", "sub", "/nodes/1", "/"},
		{"/each[0]/sub", "last", "/workflows/a.b/nodes/1", "/each[0]/sub"},
		{"/each#2[3]/sub#2/deeper", "last", "/workflows/other/nodes/0", "/each#2[3]/sub#2/deeper"},
		{"/", "last", "", ""},
		{"/each[0]/sub", "each", "", ""},
	} {
		p, ok := FindStep(w, c.frame, c.step)
		if ok != (c.pointer != "") || p.Pointer != c.pointer || p.Scope != c.scope || ok && p.Step.StepID() != c.step {
			t.Errorf("%s in %s: %+v, %v", c.step, c.frame, p, ok)
		}
	}
}

func TestSees(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		frame, writer string
		want          bool
	}{
		{"/", "/", true},
		{"/each[1]", "/", true},
		{"/each[1]", "/each[1]", true},
		{"/each[1]/split:a", "/each[1]", true},
		{"/", "/each[1]", true},          // the region is over
		{"/each[1]", "/each[0]", false},  // another item
		{"/split:a", "/split:b", false},  // another branch
		{"/each[1]", "/before[0]", true}, // a region that is over
		{"/each#2[1]", "/each[0]", true}, // the same region, when it was entered before
		{"/each[1]/more[0]", "/each[1]/more[1]", false},
	} {
		if got := sees(c.frame, c.writer); got != c.want {
			t.Errorf("%s sees %s: %v", c.frame, c.writer, got)
		}
	}
}

func TestOverlap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"state.a", "state.a", true}, {"state.a", "state.a.b", true}, {"state.a[1]", "state.a", true},
		{"state", "state.a", true}, {"state.a", "state.ab", false}, {"state.a.b", "state.a.c", false},
	} {
		if overlap(c.a, c.b) != c.want || overlap(c.b, c.a) != c.want {
			t.Errorf("%s and %s", c.a, c.b)
		}
	}
}
