package wf

import (
	"slices"
	"strings"
	"testing"
)

// TestDoubledBraces: a template with a name in doubled braces, which stay braces, is told of if a value has that name.
func TestDoubledBraces(t *testing.T) {
	t.Parallel()
	const head = `{"name": "p", "input_schema": {"type": "object", "properties": {"name": {"type": "string"}, "to": {"type": "object"}}}, `
	for _, test := range []struct{ name, plan, want string }{
		{"an input", head + `"nodes": [{"id": "a", "type": "set", "output": {"state.x": {"text": "Hi {{name}}"}}, "next": "__end__"}]}`, "{input.name}"},
		{"in spaces, beside others", head + `"nodes": [{"id": "a", "type": "set", "output": {"state.x": {"text": "{input.name}: {{ to.mail }} and {{name}}, {{other}}"}}, "next": "__end__"}]}`, "{input.to.mail}"},
		{"a state field", `{"name": "p", "state_schema": {"type": "object", "properties": {"n": {"type": "integer", "default": 1}}}, "nodes": [{"id": "a", "type": "set", "output": {"state.x": {"text": "{{n}}"}}, "next": "__end__"}]}`, "{state.n}"},
		{"an item", `{"name": "p", "nodes": [{"id": "each", "type": "foreach", "over": "input.list", "as": "file", "on": {"item": "a", "done": "__end__"}},
			{"id": "a", "type": "set", "output": {"state.x": {"text": "{{file}}"}}, "next": "__continue__"}]}`, "{item.file}"},
		{"another word", head + `"nodes": [{"id": "a", "type": "set", "output": {"state.x": {"text": "{{other}} {{}} {{name"}}, "next": "__end__"}]}`, ""},
		{"a literal for somebody else", head + `"nodes": [{"id": "a", "type": "set", "output": {"state.x": {"value": "Hi {{name}}"}}, "next": "__end__"}]}`, ""},
	} {
		found := Validate(parsed(t, test.plan), nil)
		var hints []string
		for _, d := range found {
			if d.Code == "literal_template" {
				hints = append(hints, d.RepairHint)
			}
		}
		if ok := len(hints) == 1 && strings.Contains(hints[0], test.want); ok != (test.want != "") || len(hints) > 1 {
			t.Errorf("%s: %v", test.name, found)
		}
		checkFixesAddNothing(t, []byte(test.plan))
	}
	plan := fixFirst(t, head+`"nodes": [{"id": "a", "type": "set", "output": {"state.x": {"text": "Hi {{name}} and {{other}}"}}, "next": "__end__"}]}`)
	if want := `{"text":"Hi {input.name} and {{other}}"}`; !strings.Contains(strings.ReplaceAll(string(plan), " ", ""), strings.ReplaceAll(want, " ", "")) {
		t.Errorf("repaired: %s", plan)
	}
}

// fixFirst applies the first fix of the one finding of a plan that can be read.
func fixFirst(t *testing.T, text string) []byte {
	t.Helper()
	f := newFixer(validated)
	plan := f.read([]byte(text))
	i := slices.IndexFunc(plan.checking, func(d Diagnostic) bool { return len(d.Fixes) > 0 })
	if i < 0 {
		t.Fatalf("no fix: %v", plan.checking)
	}
	return f.attempt(plan, plan.checking[i].Fixes[0], false).text
}
