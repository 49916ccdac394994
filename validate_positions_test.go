package wf

import (
	"slices"
	"testing"
)

// TestPositionsOfTheState: a write to a position of an array is an error only where nothing can have made the array.
func TestPositionsOfTheState(t *testing.T) {
	t.Parallel()
	const write = `"nodes": [{"id": "a", "type": "set", "output": {"state.a.l[0]": 1}, "next": "__end__"}]`
	for _, test := range []struct {
		name, plan string
		found      bool
	}{
		{"nothing makes it", `{"name": "p", ` + write + `}`, true},
		{"nor does the input", `{"name": "p", "input_schema": {"type": "object", "properties": {"b": {"type": "object"}}}, "state_schema": {"type": "object", "properties": {"a": {"type": "object"}}}, ` + write + `}`, true},
		{"the input may", `{"name": "p", "state_schema": {"type": "object", "properties": {"a": {"type": "object"}}}, ` + write + `}`, false},
		{"the input does", `{"name": "p", "input_schema": {"type": "object", "properties": {"a": {"type": "object"}}}, "state_schema": {"type": "object", "properties": {"a": {"type": "object"}}}, ` + write + `}`, false},
		{"a default", `{"name": "p", "state_schema": {"type": "object", "properties": {"a": {"type": "object", "default": {"l": [0]}}}}, ` + write + `}`, false},
		{"another step", `{"name": "p", "nodes": [{"id": "b", "type": "set", "output": {"state.a": {"value": {"l": [0]}}}, "next": "a"}, {"id": "a", "type": "set", "output": {"state.a.l[0]": 1}, "next": "__end__"}]}`, false},
		{"a position of another step", `{"name": "p", "nodes": [{"id": "b", "type": "set", "output": {"state.a.l[1]": 2}, "next": "a"}, {"id": "a", "type": "set", "output": {"state.a.l[0]": 1}, "next": "__end__"}]}`, true},
		{"unset removes nothing there", `{"name": "p", "nodes": [{"id": "a", "type": "set", "unset": ["state.a.l[0]"], "next": "__end__"}]}`, false},
		{"an error that is caught", `{"name": "p", "nodes": [{"id": "a", "type": "subgraph", "workflow": "x@1", "catch": [{"codes": ["*"], "outcome": "late", "error": "state.a.l[0]"}], "on": {"ok": "__end__", "late": "__end__"}}]}`, true},
	} {
		found := Validate(parsed(t, test.plan), nil)
		if slices.ContainsFunc(found, func(d Diagnostic) bool { return d.Code == "target_position" }) != test.found {
			t.Errorf("%s: %v", test.name, found)
		}
	}
}
