package wf

import (
	"strings"
	"testing"
)

// TestConflictOfHostReducers: whether writes side by side are safe is for the host to say.
func TestConflictOfHostReducers(t *testing.T) {
	t.Parallel()
	w := parsed(t, `{"name": "p", "state_schema": {"type": "object", "properties": {"a": {"x-reducer": "acme.longest"}, "b": {"x-reducer": "acme.latest"}, "c": {"x-reducer": "acme.other"}}}, "nodes": [
		{"id": "each", "type": "foreach", "over": "input.files", "as": "file", "mode": "parallel", "on": {"item": "work", "done": "__end__"}},
		{"id": "work", "type": "set", "output": {"state.a": "item.file", "state.b": "item.file", "state.c": "item.file"}, "next": "__continue__"}]}`)
	found := Validate(w, &ValidateOptions{Reducers: func(name string) (ReducerSpec, bool) {
		return ReducerSpec{Name: name, Concurrent: name == "acme.longest"}, name != "acme.other"
	}})
	want := "write_conflict /nodes/1/output/1/target, reducer_unknown /state_schema/properties/c/x-reducer"
	if got := strings.Join(findings(found), ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !strings.Contains(found[0].Message, `"acme.latest" is not made for writes side by side`) {
		t.Error(found[0].Message)
	}
}
