package wf_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"lda.chat/wf"
)

// An argument that nobody gave is not sent as null; a null that the schema takes is sent (case TP-07).
func TestCaseTP07AbsentIsNotNull(t *testing.T) {
	t.Parallel()
	var sent json.RawMessage
	tool := wf.RawNode(&wf.NodeDef{Name: "tool",
		InputSchema: wf.Schema(`{"type":"object","properties":{"q":{"type":"string"},"limit":{"type":"integer"},"note":{"type":["string","null"]}},"required":["q"]}`)},
		func(_ context.Context, in json.RawMessage) (*wf.Result, error) {
			sent = in
			return &wf.Result{Output: json.RawMessage(`{}`)}, nil
		})
	const plan = `{"name": "tp07", "input_schema": {"type": "object", "properties": {"q": {"type": "string"}, "limit": {"type": "integer"}}, "required": ["q"]},
		"nodes": [{"id": "call", "node": "t.tool", "input": {"q": "input.q", "limit": "input.limit", "note": {"value": null}}, "next": "__end__"}]}`
	r := runPlan(t, nodes{"t.tool": tool.OfSource("t")}, plan, `{"q":"x"}`)
	wantStatus(t, r, wf.StatusCompleted)
	wantJSON(t, "the arguments", sent, `{"note":null,"q":"x"}`)
}

// A plan with two members of one name, or with anything behind it, is refused with line and column (cases NE-07, NE-09).
func TestCaseNE07PlansAreOneDocument(t *testing.T) {
	t.Parallel()
	const plan = `{"name":"p","start":"a","nodes":[{"id":"a","type":"wait","seconds":1,"next":"__end__"}]}`
	for text, code := range map[string]wf.Code{
		`{"start":"a",` + plan[1:]: "key_duplicate", plan + " }": "trailing_data", plan + plan: "trailing_data",
		plan + " // note": "trailing_data", plan + "\n\n": "",
	} {
		_, found := wf.ParseWorkflow([]byte(text))
		if code == "" && len(found) == 0 {
			continue
		}
		if !slices.ContainsFunc(found, func(d wf.Diagnostic) bool { return d.Code == code && d.Line == 1 && d.Column > 1 }) {
			t.Errorf("%s: %v, want %q", text, found, code)
		}
	}
}

// What is the same value has the same digest, however its text is escaped (case NE-11).
func TestCaseNE11DigestsAreOfValues(t *testing.T) {
	t.Parallel()
	digest := func(literal string) string {
		w := parsePlan(t, `{"name":"p","nodes":[{"id":"a","type":"set","output":[{"value":`+literal+`,"target":"state.x"}],"next":"__end__"}]}`)
		return w.Digest()
	}
	if plain := digest(`"<b>& "`); plain != digest(`"\u003cb\u003e\u0026 "`) || plain == digest(`"<b>&"`) {
		t.Error("a digest is of the text, or of nothing")
	}
}
