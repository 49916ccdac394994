package wf

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf/internal/value"
)

// TestSecretsOfSubgraphs: what a nested workflow hides is hidden where others hand it over.
func TestSecretsOfSubgraphs(t *testing.T) {
	t.Parallel()
	w := parsed(t, `{"name": "p", "nodes": [{"id": "a", "type": "subgraph", "workflow": "in", "input": {"key": "input.key", "plain": 1}, "next": "__end__"}],
		"workflows": {"in": {"name": "in", "input_schema": {"type": "object", "properties": {"key": {"x-secret": true}, "plain": {}}},
		"output": {"out": {"path": "input.key"}, "plain": "input.plain"}, "nodes": [{"id": "a", "type": "wait", "seconds": 1, "next": "__end__"}]}}}`)
	prog, diags := compile(w, nil, nil)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	op := &prog.kernel.Ops[0]
	v := value.Object(value.Member{Key: "key", Value: value.Int(7)}, value.Member{Key: "plain", Value: value.Int(1)})
	if got := prog.showStepInput(op, v).String(); got != `{"key":"[secret]","plain":1}` {
		t.Error("the input is shown as", got)
	}
	v = value.Object(value.Member{Key: "out", Value: value.Int(7)}, value.Member{Key: "plain", Value: value.Int(1)})
	if got := prog.showOutput(op, v).String(); got != `{"out":"[secret]","plain":1}` {
		t.Error("the output is shown as", got)
	}
}

// TestHiddenItems: the items of a hidden array are hidden, and what a foreach gathers of them, also where it goes in circles.
func TestHiddenItems(t *testing.T) {
	t.Parallel()
	w := parsed(t, `{"name": "p", "state_schema": {"type": "object", "properties": {"keys": {"type": "array", "x-secret": true}, "plain": {"type": "array"}}}, "nodes": [
		{"id": "a", "type": "foreach", "over": "state.keys", "as": "key", "on": {"item": "work", "done": "b"}},
		{"id": "work", "node": "t.work", "input": {"key": {"object": {"in": "item.key"}}, "at": "context.index.key"}, "next": "__continue__"},
		{"id": "b", "type": "foreach", "over": "state.plain", "as": "x", "result": {"list": ["item.x", "steps.b.results", "steps.a.errors"]}, "on": {"item": "__continue__", "done": "c"}},
		{"id": "c", "node": "t.c", "input": {"results": "steps.b.results", "errors": "steps.b.errors", "count": "steps.a.count", "whole": "steps.a"}, "next": "again"},
		{"id": "again", "type": "condition", "check": {"exists": "input.x"}, "on": {"true": {"to": "a", "max_visits": 2, "exhausted": "__end__"}, "false": "__end__"}}]}`)
	prog, diags := compile(w, anyNode{}.Node, nil)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	got := map[string]hiding{}
	for _, op := range []int{1, 3} {
		for _, b := range prog.kernel.Ops[op].Input {
			got[b.Target.Pointer()] = prog.hides(&b.From)
		}
	}
	want := map[string]hiding{"/key": secret, "/at": shown, "/results": secret, "/errors": shown, "/count": shown, "/whole": secret}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if shown := prog.showStepInput(&prog.kernel.Ops[0], value.Array(value.Int(1))); !value.Equal(shown, redacted) {
		t.Error("what the foreach goes over is shown as", shown)
	}
	results := value.Object(value.Member{Key: "results", Value: value.Array(value.Int(1))}, value.Member{Key: "count", Value: value.Int(1)})
	if shown := prog.showOutput(&prog.kernel.Ops[2], results).String(); shown != `{"count":1,"results":"[secret]"}` {
		t.Error("what the foreach gathered is shown as", shown)
	}
}
