package source_test

import (
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/internal/golden"
	"lda.chat/wf/source"
)

const twoSources = `{"name": "p",
	"node_defs": [{"name": "a.one", "effect": "read"}],
	"workflows": {"inner": {"name": "inner", "nodes": [{"id": "log", "node": "wf.std.log", "next": "again"}, {"id": "again", "node": "a.one", "next": "two"}, {"id": "two", "node": "b.c.two", "next": "__end__"}]}},
	"nodes": [{"id": "first", "node": "a.one", "next": "second"}, {"id": "second", "node": "b.c.two", "next": "third"}, {"id": "third", "type": "subgraph", "workflow": "inner", "next": "__end__"}]}`

func parsed(t *testing.T, text string) *wf.Workflow {
	t.Helper()
	w, found := wf.ParseWorkflow([]byte(text))
	if w == nil {
		t.Fatal(found)
	}
	return w
}

// A bound plan has the contracts beside it, also of workflows inside it; the plan that it was made of is as it was.
func TestBound(t *testing.T) {
	t.Parallel()
	w := parsed(t, twoSources)
	before := string(w.Canonical())
	contract := func(ref string) *wf.NodeDef {
		if ref == "b.c.two" {
			return &wf.NodeDef{Name: ref, Effect: wf.EffectOnce}
		}
		return nil
	}
	bound, err := source.Bindings{{Logical: "a", Source: "x"}, {Logical: "b.c", Source: "y.z"}}.Bound(w, contract)
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "testdata/bound.json", string(bound.Canonical())+"\n")
	if string(w.Canonical()) != before {
		t.Error("the plan has changed")
	}
	if _, found := wf.ParseWorkflow(bound.Canonical()); found.HasErrors() {
		t.Error(found)
	}
}

func TestBoundRefuses(t *testing.T) {
	t.Parallel()
	both := source.Bindings{{Logical: "a", Source: "x"}, {Logical: "b", Source: "x"}}
	const plan = `{"name": "p", "node_defs": [{"name": "a.one", "effect": "read"}, {"name": "b.one", "effect": "read"}],
		"nodes": [{"id": "first", "node": "a.one", "next": "second"}, {"id": "second", "node": "b.one", "next": "__end__"}]}`
	none := func(string) *wf.NodeDef { return nil }
	if bound, err := both.Bound(parsed(t, plan), none); err != nil || len(bound.NodeDefs) != 1 || bound.NodeDefs[0].Name != "x.one" {
		t.Errorf("%v, %v", bound, err)
	}
	for want, err := range map[string]error{
		`nothing binds the source "b"`: second(both[:1].Bound(parsed(t, plan), none)),
		`both become "x.one"`:          second(both.Bound(parsed(t, strings.Replace(plan, "read", "once", 1)), none)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %s", err, want)
		}
	}
}

func second[T any](_ T, err error) error { return err }
