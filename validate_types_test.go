package wf

import (
	"fmt"
	"strings"
	"testing"
)

// typesPlan is a plan with a source of every type, and the given steps after it.
func typesPlan(rest string) string {
	return `{"name": "p",
  "input_schema": {"type": "object", "additionalProperties": false, "properties": {"s": {"type": "string"}, "i": {"type": "integer"}, "n": {"type": "number"}, "sn": {"type": ["string", "null"]},
    "ss": {"type": "array", "items": {"type": "string"}}, "ii": {"type": "array", "items": {"type": "integer"}, "minItems": 1}, "os": {"type": "array", "items": {"type": "object", "properties": {"t": {"type": "string"}}}}, "pair": {"prefixItems": [{"type": "string"}], "items": {"type": "integer"}, "type": "array"},
    "o": {"type": "object", "properties": {"t": {"type": "string"}}, "required": ["t"]}, "low": {"enum": ["a", "b"]}, "any": {}}},
  "state_schema": {"type": "object", "properties": {"text": {"type": "string"}, "count": {"type": "integer"}, "deep": {"type": "object", "properties": {"n": {"type": "integer"}}},
    "list": {"type": "array", "items": {"type": "string"}, "x-reducer": "append"}, "more": {"type": "array", "items": {"type": "string"}, "x-reducer": "extend"}, "set": {"type": "array", "x-reducer": "set_union"},
    "sum": {"type": "number", "x-reducer": "add"}, "top": {"type": ["number", "null"], "x-reducer": "max"}, "last": {"type": "string", "x-reducer": "min"}, "best": {"x-reducer": "max"}, "all": {"type": "object", "x-reducer": "merge_object"},
    "tree": {"type": "object", "x-reducer": "deep_merge"}}, "additionalProperties": {"type": "boolean"}},
  "node_defs": [{"name": "t.make", "output_schema": {"type": "object", "properties": {"s": {"type": "string"}, "i": {"type": "integer"}, "ss": {"type": "array", "items": {"type": "string"}}}, "additionalProperties": false}},
    {"name": "t.take", "input_schema": {"type": "object", "properties": {"s": {"type": "string"}, "i": {"type": "integer"}, "ss": {"type": "array", "items": {"type": "string"}}, "o": {"type": "object", "properties": {"t": {"type": "integer"}}}, "high": {"enum": ["x", "y"]}, "any": {}}, "additionalProperties": false}}],
  ` + rest + `}`
}

// typesStep is the plan with one step.
func typesStep(step string) string {
	return typesPlan(`"nodes": [{"id": "a", ` + step + `}]`)
}

func TestTypes(t *testing.T) {
	t.Parallel()
	set := func(bindings string) string {
		return typesStep(`"type": "set", "output": {` + bindings + `}, "next": "__end__"`)
	}
	ask := func(check string) string {
		return typesStep(`"type": "condition", "check": ` + check + `, "on": {"true": "__end__", "false": "__end__"}`)
	}
	take := func(input string) string {
		return typesStep(`"node": "t.take", "input": {` + input + `}, "next": "__end__"`)
	}
	body := func(over, binding string) string {
		return typesPlan(`"nodes": [{"id": "each", "type": "foreach", "over": "input.` + over + `", "as": "x", "on": {"item": "a", "done": "__end__"}},
			{"id": "a", "node": "t.take", "input": {` + binding + `}, "next": "__continue__"}]`)
	}
	const write = "type_mismatch /nodes/0/output/0/source/path"
	tests := []struct{ name, plan, want string }{
		{"an input", take(`"i": "input.s"`), "type_mismatch /nodes/0/input/0/path"},
		{"values, not types", take(`"high": "input.low"`), "type_mismatch /nodes/0/input/0/path"},
		{"a member that must be there", take(`"o": "input.o"`), "type_mismatch /nodes/0/input/0/path"},
		{"inside a composed object", take(`"o": {"object": {"t": "input.s"}}`), "type_mismatch /nodes/0/input/0/object/t/path"},
		{"inside a list", take(`"ss": ["input.s", "input.i"]`), "type_mismatch /nodes/0/input/0/list/1/path"},
		{"a default does not help a source that never fits", take(`"i": {"path": "input.s", "default": 1}`), "type_mismatch /nodes/0/input/0/path"},
		{"what may fit, or is not known", take(`"i": "input.n", "s": "input.sn", "ss": "input.any", "any": "input.o"`), ""},
		{"arrays of different elements can both be empty", take(`"ss": "input.os"`), ""},
		{"arrays that are never empty", take(`"ss": "input.ii"`), "type_mismatch /nodes/0/input/0/path"},
		{"a step's output", typesPlan(`"nodes": [{"id": "m", "node": "t.make", "next": "a"}, {"id": "a", "node": "t.take", "input": {"i": "steps.m.s", "s": "steps.m.s"}, "next": "__end__"}]`),
			"type_mismatch /nodes/1/input/0/path"},
		{"an own output", typesStep(`"node": "t.make", "output": {"s": "state.count", "i": "state.text", "ss": "state.list"}, "next": "__end__"`),
			"type_mismatch /nodes/0/output/0/source, type_mismatch /nodes/0/output/1/source, type_mismatch /nodes/0/output/2/source"},
		{"an own output that fits", typesStep(`"node": "t.make", "output": {"s": "state.list", "i": "state.sum", "ss": "state.more"}, "next": "__end__"`), ""},
		{"a narrowed output", typesStep(`"node": "t.make", "output_schema": {"type": "object", "properties": {"s": {"type": "integer"}}}, "output": {"s": "state.text"}, "next": "__end__"`),
			"type_mismatch /nodes/0/output/0/source"},
		{"items", body("ss", `"i": "item.x"`), "type_mismatch /nodes/1/input/0/path"},
		{"parts of items", body("os", `"i": "item.x.t", "s": "item.x.t"`), "type_mismatch /nodes/1/input/0/path"},
		{"parts that an output may have and does not keep", `{"name": "p", "node_defs": [{"name": "t.o", "output_schema": {"type": "object", "properties": {"r": {"type": "object"}}}}, {"name": "t.p", "output_schema": {"type": "object"}},
			{"name": "t.q", "output_schema": {"type": "object", "properties": {"r": {}}, "additionalProperties": {}}}],
			"nodes": [{"id": "o", "node": "t.o", "output": {"body": "state.b", "r": "state.r"}, "next": "m"}, {"id": "m", "node": "t.p", "output": {"body": "state.b"}, "next": "q"}, {"id": "q", "node": "t.q", "output": {"body": "state.b"}, "next": "s"},
			{"id": "s", "type": "set", "output": {"state.x": "steps.o.output.r", "state.y": "steps.o.r.any", "state.z": "steps.m.any", "state.q": "steps.q.any"}, "next": "__end__"}]}`,
			"output_unknown /nodes/0/output/0/source, step_output_unknown /nodes/3/output/1/source/path"},
		{"items of items", `{"name": "p", "input_schema": {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "object", "properties": {"cells": {"type": "array", "items": {"type": "string"}}}}}}},
			"node_defs": [{"name": "t.n", "input_schema": {"type": "object", "properties": {"i": {"type": "integer"}}}}],
			"nodes": [{"id": "r", "type": "foreach", "over": "input.rows", "as": "row", "on": {"item": "c", "done": "__end__"}},
			{"id": "c", "type": "foreach", "over": "item.row.cells", "as": "cell", "on": {"item": "n", "done": "__continue__"}},
			{"id": "n", "node": "t.n", "input": {"i": "item.cell"}, "next": "__continue__"}]}`, "type_mismatch /nodes/2/input/0/path"},
		{"items that differ by position", body("pair", `"i": "item.x"`), ""},
		{"the context", take(`"any": "context", "i": "context.now", "s": "context.visit"`), "type_mismatch /nodes/0/input/1/path, type_mismatch /nodes/0/input/2/path"},
		{"what a foreach offers", typesPlan(`"nodes": [{"id": "each", "type": "foreach", "over": "input.ss", "as": "x", "result": "context.index.x", "output": {"count": "state.text", "results": "state.list", "failed": "state.sum"}, "on": {"item": "__continue__", "done": "a"}},
			{"id": "a", "node": "t.take", "input": {"s": "steps.each.errors", "ss": "steps.each.results"}, "next": "__end__"}]`),
			"type_mismatch /nodes/0/output/0/source, type_mismatch /nodes/0/output/2/source, type_mismatch /nodes/1/input/0/path"},
		{"replace", set(`"state.count": "input.s"`), write},
		{"inside a replaced field", set(`"state.deep.n": "input.s"`), write},
		{"a field that only additionalProperties describe", set(`"state.else": "input.s"`), write},
		{"append", set(`"state.list": "input.i"`), write},
		{"extend with what is no array", set(`"state.more": "input.s"`), write},
		{"extend with elements of another type", set(`"state.more": "input.ii"`), write},
		{"extend with what may be empty", set(`"state.more": "input.os"`), ""},
		{"set_union", set(`"state.set": "input.s"`), write},
		{"add", set(`"state.sum": "input.s"`), write},
		{"max of numbers", set(`"state.top": "input.s"`), write},
		{"min of strings", set(`"state.last": "input.i"`), write},
		{"max of what may be anything", set(`"state.best": "input.o", "state.top": "input.sn"`), ""},
		{"merge_object", set(`"state.all": "input.ss"`), write},
		{"deep_merge", set(`"state.tree": "input.s"`), write},
		{"reducers that fit", set(`"state.list": "input.s", "state.more": "input.ss", "state.set": "input.ii", "state.sum": "input.i", "state.top": "input.n", "state.last": "input.low", "state.best": "input.sn", "state.all": "input.o", "state.tree": "input.any"`), ""},
		{"the whole state is an object", set(`"state.all": "state", "state.text": "state"`), "type_mismatch /nodes/0/output/1/source/path"},
		{"literals that reducers cannot take", set(`"state.list": 5, "state.sum": {"text": "x"}, "state.more": {"list": [1]}`),
			"literal_invalid /nodes/0/output/0/source/value, literal_invalid /nodes/0/output/1/source/list/0/value, literal_invalid /nodes/0/output/2/source/text"},
		{"a part of a text", set(`"state.text": {"text": "{input.ss} {input.i} {input.sn}"}`), "type_mismatch /nodes/0/output/0/source/text/0/path"},
		{"the workflow's output", typesPlan(`"output_schema": {"type": "object", "properties": {"n": {"type": "integer"}}}, "output": {"n": "state.text"}, "nodes": [{"id": "a", "type": "set", "output": {"state.text": "input.s"}, "next": "__end__"}]`),
			"type_mismatch /output/0/path"},
		{"an end's output", typesPlan(`"output_schema": {"type": "object", "properties": {"n": {"type": "integer"}}}, "nodes": [{"id": "a", "type": "set", "output": {"state.text": "input.s"}, "next": "b"}, {"id": "b", "type": "end", "outcome": "ok", "output": {"n": "state.text"}}]`),
			"type_mismatch /nodes/1/output/0/path"},
		{"an output taken by name", typesPlan(`"output_schema": {"type": "object", "properties": {"text": {"type": "integer"}, "sum": {"type": "integer"}}}, "nodes": [{"id": "a", "type": "set", "output": {"state.text": "input.s"}, "next": "__end__"}]`),
			"type_mismatch /output_schema/properties/text"},
		{"an input that fills a field", `{"name": "p", "input_schema": {"type": "object", "properties": {"x": {"type": "string"}, "y": {"type": "integer"}}}, "state_schema": {"$ref": "#/$defs/s", "$defs": {"s": {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "number"}}}}},
			"nodes": [{"id": "a", "type": "wait", "seconds": 1, "next": "__end__"}]}`, "type_mismatch /input_schema/properties/x"},
		{"a subgraph's input", `{"name": "p", "input_schema": {"type": "object", "properties": {"s": {"type": "string"}}}, "nodes": [{"id": "a", "type": "subgraph", "workflow": "in", "input": {"n": "input.s"}, "next": "__end__"}],
			"workflows": {"in": {"name": "in", "input_schema": {"type": "object", "properties": {"n": {"type": "integer"}}}, "nodes": [{"id": "a", "type": "wait", "seconds": 1, "next": "__end__"}]}}}`,
			"type_mismatch /nodes/0/input/0/path"},
		{"a request and its answer", typesStep(`"type": "interrupt", "kind": "choice", "outcomes": ["ok"], "request_schema": {"type": "object", "properties": {"s": {"type": "string"}}}, "request": {"s": "input.i"},
			"resume_schema": {"type": "object", "properties": {"n": {"type": "integer"}}}, "resume": {"n": "state.text"}, "next": "__end__"`),
			"type_mismatch /nodes/0/request/0/path, type_mismatch /nodes/0/resume/0/source"},
		{"waiting", typesPlan(`"nodes": [{"id": "a", "type": "wait", "seconds": "input.s", "next": "b"}, {"id": "b", "type": "wait", "until": "input.i", "next": "c"}, {"id": "c", "type": "wait", "until": "input.s", "next": "__end__"}]`),
			"type_mismatch /nodes/0/seconds/path, type_mismatch /nodes/1/until/path"},

		{"order of a string and a number", ask(`{"gt": ["input.s", 5]}`), "condition_mismatch /nodes/0/check"},
		{"order of what has none", ask(`{"le": ["input.o", "input.o"]}`), "condition_mismatch /nodes/0/check"},
		{"order that can be", ask(`{"and": [{"gt": ["input.sn", {"value": "x"}]}, {"lt": ["input.any", 5]}, {"ge": [{"length": "input.ss"}, "input.i"]}, {"gt": [{"path": "input.s", "default": 1}, 0]}]}`), ""},
		{"matches", ask(`{"or": [{"matches": ["input.i", "^a"]}, {"matches": ["input.sn", "^a"]}]}`), "condition_mismatch /nodes/0/check/args/0/left"},
		{"length", ask(`{"eq": [{"length": "input.i"}, {"length": "input.sn"}]}`), "condition_mismatch /nodes/0/check/left/length"},
		{"any", ask(`{"or": [{"any": {"over": "input.s", "as": "x", "check": {"gt": ["item.x", 1]}}}, {"all": {"over": "input.ss", "as": "x", "check": {"gt": ["item.x", 1]}}}]}`), "condition_mismatch /nodes/0/check/args/0/over, condition_mismatch /nodes/0/check/args/1/check"},
		{"containing", ask(`{"or": [{"contains": ["input.i", 1]}, {"in": [1, "input.s"]}, {"in": [1, "input.ii"]}, {"in": ["input.s", "input.o"]}, {"contains": ["input.s", "input.low"]}]}`),
			"condition_mismatch /nodes/0/check/args/0/left, condition_mismatch /nodes/0/check/args/1/right"},
		{"equality asks for no types", ask(`{"or": [{"eq": ["input.i", "input.s"]}, {"is": ["input.i", "string"]}]}`), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := parsed(t, test.plan)
			found := Validate(w, nil)
			checkFound(t, w, found)
			if got := strings.Join(findings(found), ", "); got != test.want {
				t.Errorf("got  %s\nwant %s\n%v", got, test.want, found)
			}
		})
	}
}

// TestTypesWords holds how the findings read.
func TestTypesWords(t *testing.T) {
	t.Parallel()
	tests := []struct{ plan, message, hint, expected, actual, related, fix string }{
		{typesStep(`"node": "t.take", "input": {"i": "input.s"}, "next": "__end__"`),
			"input.s is always a string; the target takes an integer", "bind a value of the target's type, or change one of the two schemas",
			`["integer"]`, `["string"]`, "/input_schema/properties/s", ""},
		{typesStep(`"node": "t.take", "input": {"s": "input.i"}, "next": "__end__"`),
			"input.i is always an integer; the target takes a string", `make it text: {"text": "{input.i}"}`, `["string"]`, `["integer"]`, "/input_schema/properties/i", ""},
		{typesStep(`"node": "t.take", "input": {"s": "input.ss"}, "next": "__end__"`),
			"input.ss is always an array; the target takes a string", "name one element, for example input.ss[0], or go through them all by a foreach",
			`["string"]`, `["array"]`, "/input_schema/properties/ss", ""},
		{typesStep(`"node": "t.take", "input": {"o": "input.o"}, "next": "__end__"`),
			"input.o never fits: its t is always a string; the target takes an integer", "bind a value of the target's type, or change one of the two schemas",
			`{"properties":{"t":{"type":"integer"}},"type":"object"}`, `{"properties":{"t":{"type":"string"}},"required":["t"],"type":"object"}`, "/input_schema/properties/o", ""},
		{typesStep(`"node": "t.make", "output": {"ss": "state.list"}, "next": "__end__"`),
			"local.ss is always an array; the target takes a string", `append adds the array as one element; "extend" adds its elements`,
			`["string"]`, `["array"]`, "/node_defs/0/output_schema", `Let the field have the reducer "extend"`},
		{typesStep(`"type": "condition", "check": {"gt": ["input.s", 5]}, "on": {"true": "__end__", "false": "__end__"}`),
			`"gt" compares two numbers or two strings; input.s is of type string, 5 is of type number`,
			`compare values of one type; a length is a number: {"length": …}`, "", "", "", ""},
	}
	for _, test := range tests {
		found := Validate(parsed(t, test.plan), nil)
		if len(found) != 1 {
			t.Errorf("found %v", found)
			continue
		}
		d, related, fix := found[0], "", ""
		for _, r := range d.Related {
			related += r.Path
		}
		for _, f := range d.Fixes {
			fix += f.Title
		}
		got := fmt.Sprint([]string{d.Message, d.RepairHint, string(d.Expected), string(d.Actual), related, fix})
		if want := fmt.Sprint([]string{test.message, test.hint, test.expected, test.actual, test.related, test.fix}); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
