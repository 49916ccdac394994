package wf

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"weak"

	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// typeSamples are the schemas and the values that TestMismatchesFail binds to one another.
var typeSamples = struct{ schemas, values []string }{
	schemas: []string{
		`{"type":"string"}`, `{"type":"integer"}`, `{"type":"number"}`, `{"type":"boolean"}`, `{"type":["string","null"]}`, `{"enum":["a",1]}`, `{"const":"b"}`,
		`{"type":"integer","minimum":5}`, `{"type":"integer","maximum":2}`, `{"type":"array","items":{"type":"string"}}`, `{"type":"array","items":{"type":"integer"}}`,
		`{"type":"array","items":{"type":"integer"},"minItems":1}`, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`,
		`{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`, `{"type":"object","additionalProperties":false}`,
		`{"anyOf":[{"type":"string"},{"type":"array"}]}`, `{"not":{"type":"string"}}`, `{}`,
	},
	values: []string{`"a"`, `"b"`, `""`, `1`, `2.5`, `7`, `true`, `null`, `[]`, `["a"]`, `[1]`, `[1,"a"]`, `{}`, `{"a":"x"}`, `{"a":1}`, `{"b":[]}`},
}

// typeBindings are ways to hand a value on: parts of a plan with S for the source's path, and what the target's schema T stands in.
var typeBindings = []string{
	`"node_defs": [{"name": "t.take", "input_schema": {"type": "object", "properties": {"v": T}}}], "nodes": [{"id": "a", "node": "t.take", "input": {"v": "S"}, "next": "__end__"}]`,
	`"node_defs": [{"name": "t.take", "input_schema": {"type": "object", "properties": {"v": {"type": "object", "properties": {"w": T}}}}}], "nodes": [{"id": "a", "node": "t.take", "input": {"v.w": "S"}, "next": "__end__"}]`,
	`"node_defs": [{"name": "t.take", "input_schema": {"type": "object", "properties": {"v": {"type": "array", "items": T}}}}], "nodes": [{"id": "a", "node": "t.take", "input": {"v": ["S"]}, "next": "__end__"}]`,
	`"state_schema": {"type": "object", "properties": {"f": T}}, "nodes": [{"id": "a", "type": "set", "output": {"state.f": "S"}, "next": "__end__"}]`,
	`"state_schema": {"type": "object", "properties": {"f": {"type": "object", "properties": {"g": T}}}}, "nodes": [{"id": "a", "type": "set", "output": {"state.f.g": "S"}, "next": "__end__"}]`,
	`"state_schema": {"type": "object", "additionalProperties": T}, "nodes": [{"id": "a", "type": "set", "output": {"state.f": "S"}, "next": "__end__"}]`,
	`"state_schema": {"type": "object", "properties": {"f": {"type": "array", "items": T, "x-reducer": "R"}}}, "nodes": [{"id": "a", "type": "set", "output": {"state.f": "S"}, "next": "__end__"}]`,
	`"state_schema": {"type": "object", "properties": {"f": {"allOf": [T], "x-reducer": "R"}}}, "nodes": [{"id": "a", "type": "set", "output": {"state.f": "S"}, "next": "__end__"}]`,
	`"output_schema": {"type": "object", "properties": {"v": T}}, "output": {"v": "S"}, "nodes": [{"id": "a", "type": "set", "output": {"state.x": 1}, "next": "__end__"}]`,
	`"state_schema": {"type": "object", "properties": {"f": {}, "h": T}}, "nodes": [{"id": "a", "type": "set", "output": {"state.f": "S"}, "next": "b"}, {"id": "b", "type": "set", "output": {"state.h": "state.f"}, "next": "__end__"}]`,
	`"nodes": [{"id": "a", "type": "set", "output": {"state.f": {"text": "{S}"}}, "next": "__end__"}]`,
	`"nodes": [{"id": "a", "type": "condition", "check": {"gt": ["S", 3]}, "on": {"true": "__end__", "false": "__end__"}}]`,
	`"nodes": [{"id": "a", "type": "condition", "check": {"le": ["S", "input.v"]}, "on": {"true": "__end__", "false": "__end__"}}]`,
	`"nodes": [{"id": "a", "type": "condition", "check": {"matches": ["S", "a"]}, "on": {"true": "__end__", "false": "__end__"}}]`,
	`"nodes": [{"id": "a", "type": "condition", "check": {"in": [1, "S"]}, "on": {"true": "__end__", "false": "__end__"}}]`,
	`"nodes": [{"id": "a", "type": "condition", "check": {"eq": [{"length": "S"}, 1]}, "on": {"true": "__end__", "false": "__end__"}}]`,
	`"nodes": [{"id": "a", "type": "condition", "check": {"any": {"over": "S", "as": "x", "check": {"exists": "item.x"}}}, "on": {"true": "__end__", "false": "__end__"}}]`,
}

// TestMismatchesFail runs random plans all the same that the validator refuses for their types: each must fail, whatever
// the value.
func TestMismatchesFail(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(11, 7))
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	echo := func(_ context.Context, input json.RawMessage) (*Result, error) {
		return &Result{Outcome: OK, Output: input}, nil
	}
	functions := typeFunctions{"t.take": RawNode(&NodeDef{Name: "take"}, echo).OfSource("t"), "t.make": RawNode(&NodeDef{Name: "make"}, echo).OfSource("t")}
	rt, err := NewRuntime(&RuntimeOptions{Nodes: functions})
	if err != nil {
		t.Fatal(err)
	}
	refused, allowed, fine := 0, 0, 0
	for range 4_000 {
		from, to := pick(typeSamples.schemas), pick(typeSamples.schemas)
		source := pick([]string{"input.v", "steps.m.v", "state.kept"})
		reducer := pick([]string{"append", "extend", "set_union", "add", "max", "min", "merge_object", "deep_merge", "replace"})
		text := typesRunPlan(strings.NewReplacer(`T`, to, `"R"`, `"`+reducer+`"`, `S`, source).Replace(pick(typeBindings)), from)
		w := parsed(t, text)
		found, other := false, false
		for _, d := range Validate(w, nil) {
			ours := d.Code == "type_mismatch" || d.Code == "condition_mismatch"
			found, other = found || ours, other || !ours && d.Severity == SeverityError
		}
		if other {
			continue
		}
		prog, diags := compile(w, rt.find, nil)
		if diags.HasErrors() {
			t.Fatalf("%v\n%s", diags, text)
		}
		rt.programs.Store(weak.Make(w), prog) // as if it had been found to be sound
		s, _ := schema.Parse([]byte(from), nil)
		for _, v := range typeSamples.values {
			if parsed, _ := value.Parse([]byte(v)); !s.Valid(parsed) {
				continue
			}
			run, err := rt.Run(t.Context(), w, json.RawMessage(`{"v": `+v+`}`))
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			switch {
			case found && run.Err() == nil:
				t.Errorf("refused for its types, but runs with %s:\n%s", v, text)
			case found:
				refused++
			default:
				allowed++
				if run.Err() == nil {
					fine++
				}
			}
		}
	}
	t.Logf("%d runs of plans with findings, all failed; %d without, of which %d succeeded", refused, allowed, fine)
	if refused < 2_000 || fine < 2_000 {
		t.Error("too one-sided to mean anything")
	}
}

// typesRunPlan puts a step before the others of a plan: it hands the input on, as a step's output and as a state field.
func typesRunPlan(rest, from string) string {
	object := fmt.Sprintf(`{"type": "object", "properties": {"v": %s}, "required": ["v"]}`, from)
	makes := fmt.Sprintf(`{"name": "t.make", "output_schema": %s}`, object)
	if strings.Contains(rest, `"node_defs": [`) {
		rest = strings.Replace(rest, `"node_defs": [`, `"node_defs": [`+makes+`, `, 1)
	} else {
		rest = `"node_defs": [` + makes + `], ` + rest
	}
	kept := fmt.Sprintf(`"properties": {"kept": %s, `, from)
	output := `"output": {"v": "state.kept"}, `
	switch {
	case strings.Contains(rest, `"state_schema": {"type": "object", "properties": {`):
		rest = strings.Replace(rest, `"properties": {"f"`, kept+`"f"`, 1)
	case strings.Contains(rest, `"state_schema": {"type": "object", `):
		rest = strings.Replace(rest, `"state_schema": {"type": "object", `, `"state_schema": {"type": "object", `+strings.TrimSuffix(kept, ", ")+`}, `, 1)
	default:
		rest = `"state_schema": {"type": "object", ` + strings.TrimSuffix(kept, ", ") + `}}, ` + rest
	}
	rest = strings.Replace(rest, `"nodes": [`, `"nodes": [{"id": "m", "node": "t.make", "input": {"v": "input.v"}, `+output+`"next": "a"}, `, 1)
	return fmt.Sprintf(`{"name": "p", "input_schema": %s, %s}`, object, rest)
}

// typeFunctions are capabilities by their refs.
type typeFunctions map[string]*Func

func (f typeFunctions) Node(ref string) (*Func, bool) { fn, ok := f[ref]; return fn, ok }
func (f typeFunctions) Refs() []string                { return nil }
