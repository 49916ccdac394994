package wf

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestChecks compares conditions that are built in Go with the short form written by hand.
func TestChecks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		check Check
		want  string
	}{
		{Eq("state.kind", "state.kind"), `{"eq": ["state.kind", {"value": "state.kind"}]}`},
		{Ne("state.kind", At("input.kind")), `{"ne": ["state.kind", "input.kind"]}`},
		{Gt("state.n", 1.5), `{"gt": ["state.n", 1.5]}`},
		{Ge(Length("state.items"), 3), `{"ge": [{"length": "state.items"}, 3]}`},
		{Lt(Literal(3), At("state.n").Or(0)), `{"lt": [3, {"path": "state.n", "default": 0}]}`},
		{Le("state.n", json.Number("12345678901234567890")), `{"le": ["state.n", 12345678901234567890]}`},
		{In("state.kind", "a", "b", 3), `{"in": ["state.kind", {"value": ["a", "b", 3]}]}`},
		{In("state.kind", At("input.kinds")), `{"in": ["state.kind", "input.kinds"]}`},
		{In("state.kind", "a", At("input.kind")), `{"in": ["state.kind", [{"value": "a"}, "input.kind"]]}`},
		{In("state.kind"), `{"in": ["state.kind", {"value": []}]}`},
		{Contains("state.tags", map[string]any{"name": "x"}), `{"contains": ["state.tags", {"value": {"name": "x"}}]}`},
		{Matches("state.text", `^\d+$`), `{"matches": ["state.text", "^\\d+$"]}`},
		{Is("state.text", "string"), `{"is": ["state.text", "string"]}`},
		{Exists(`state["odd name"][0]`), `{"exists": "state[\"odd name\"][0]"}`},
		{And(Exists("state.a"), Or(Not(Exists("state.b")), Eq("state.c", nil))),
			`{"and": [{"exists": "state.a"}, {"or": [{"not": {"exists": "state.b"}}, {"eq": ["state.c", null]}]}]}`},
		{Any("state.items", "x", Eq("item.x", true)), `{"any": {"over": "state.items", "as": "x", "check": {"eq": ["item.x", true]}}}`},
		{All("state.items", "x", Given(&Condition{Op: "exists", Path: &Path{Root: RootItem, Parts: []Part{namePart("x")}}})),
			`{"all": {"over": "state.items", "as": "x", "check": {"exists": "item.x"}}}`},
	} {
		got, err := test.check.Condition()
		if err != nil {
			t.Errorf("%s: %v", test.want, err)
			continue
		}
		step, _, diags := ParseStep([]byte(`{"id": "x", "type": "condition", "check": ` + test.want + `}`))
		if step == nil {
			t.Errorf("%s: %v", test.want, diags)
			continue
		}
		if diff := cmp.Diff(step.(*ConditionStep).Check, got); diff != "" {
			t.Errorf("%s (-by hand +built):\n%s", test.want, diff)
		}
	}
}

func TestCheckMistakes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		check Check
		want  []Code
	}{
		{Eq("kind", "a"), []Code{"not_a_path"}},
		{And(Eq("state.x", math.NaN()), Not(Exists("a")), Check{}), []Code{"literal_invalid", "not_a_path", "field_missing"}},
		{Any("items", "x", Gt(Length("y"), 1)), []Code{"not_a_path", "not_a_path"}},
		{In("state.x", func() {}), []Code{"literal_invalid"}},
	} {
		_, err := test.check.Condition()
		var got []Code
		for _, d := range DiagnosticsOf(err) {
			got = append(got, d.Code)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
