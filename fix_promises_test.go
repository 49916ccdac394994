package wf

import (
	"slices"
	"strings"
	"testing"
)

// TestSafeFixesKeepTheirPromise: plans in which something beside the finding once kept its safe fix from being what it says.
func TestSafeFixesKeepTheirPromise(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"a name that no step can have":    {`{"name": "p", "nodes": [{"node": "t.x", "name": "__end__"}]}`, `"name": "__end__"`},
		"a name that is too long":         {`{"name": "p", "nodes": [{"node": "t.x", "name": "` + strings.Repeat("a", 129) + `"}]}`, `"name": "aaa`},
		"a step with another mistake":     {`{"name": "p", "nodes": [{"name": "read", "node": 5, "next": "__end__"}]}`, `"id": "read"`},
		"an object that stands twice":     {`{"name": "p", "outcomes": ["ok", {"name": "ok"}], "nodes": [{"id": "a", "type": "end"}]}`, `["ok"]`},
		"more of an object than its name": {`{"name": "p", "outcomes": [{"name": "ok"}, {"name": "ok", "schema": {}}], "nodes": [{"id": "a", "type": "end"}]}`, `"schema"`},
		"an edge out of a region, twice": {`{"name": "p", "node_defs": [{"name": "t.x"}], "nodes": [{"id": "each", "type": "foreach", "over": "input.list", "as": "x", "on": {"item": "read", "done": "__end__"}},
			{"id": "read", "node": "t.x"}], "edges": [{"from": "read", "to": "__end__"}, {"from": "read", "to": "__end__"}]}`, `"__continue__"`},
	} {
		plan := fixed(t, []byte(c.text))
		if !strings.Contains(string(plan.Text), c.want) {
			t.Errorf("%s: %s", name, plan.Text)
		}
		if w, _ := ParseWorkflow([]byte(c.text)); w != nil {
			checkFound(t, w, Validate(w, nil))
		}
	}
}

// TestRoutesOfAStepWithoutID: what cannot be read of a step is not found again in the edges that stand on it.
func TestRoutesOfAStepWithoutID(t *testing.T) {
	t.Parallel()
	text := []byte(`{"name": "p", "nodes": [{"node": "t.x", "on": [{"outcome": "ok", "to": "__end__"}]}]}`)
	_, found := CheckText(text, nil)
	checkTextFindings(t, text, found)
	if codes := findings(found); slices.ContainsFunc(found, func(d Diagnostic) bool { return d.Code == "name_invalid" }) {
		t.Error(codes)
	}
}
