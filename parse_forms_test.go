package wf

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// formCases are ways to write one thing: the first is canonical.
var formCases = []struct {
	name string
	in   string // a plan with %s where the form stands
	ways []string
}{
	{"path operand", stepWith(`"input": [{"target": {"root": "local", "parts": ["x"]}, %s}]`), []string{
		`"path": {"root": "state", "parts": ["items", 0, "odd name"]}`,
		`"path": "state.items[0][\"odd name\"]"`,
	}},
	{"input", stepWith(`%s`), []string{
		`"input": [{"target": {"root": "local", "parts": ["a", "b"]}, "path": {"root": "state", "parts": ["x"]}},
			{"target": {"root": "local", "parts": ["n"]}, "value": 5}]`,
		`"input": {"a.b": "state.x", "n": 5}`,
		`"input": {"local.a.b": "state.x", "n": {"value": 5}}`,
		`"input": [{"target": "a.b", "path": "state.x"}, {"target": "local.n", "value": 5.0}]`,
		`"in_map": {"state.x": "a.b"}, "input_values": {"n": 5}`,
		`"in_map": {"a.b": "state.x"}, "input_values": {"n": 5}`,
	}},
	{"whole input", stepWith(`%s`), []string{
		`"input": [{"target": {"root": "local", "parts": []}, "path": {"root": "state", "parts": []}}]`,
		`"input": "state"`,
		`"input": {".": "state"}`,
		`"input": {"local": {"path": "state"}}`,
	}},
	{"output", stepWith(`%s`), []string{
		`"output": [{"source": {"root": "local", "parts": ["text"]}, "target": {"root": "state", "parts": ["text"]}}]`,
		`"output": {"text": "state.text"}`,
		`"output": [{"source": "text", "target": "state.text"}]`,
		`"output": [{"source": "local.text", "target": "state.text"}]`,
		`"output": [{"path": "local.text", "target": "state.text"}]`,
		`"out_map": {"text": "state.text"}`,
	}},
	{"whole output", stepWith(`%s`), []string{
		`"output": [{"source": {"root": "local", "parts": []}, "target": {"root": "state", "parts": ["report"]}}]`,
		`"output": "state.report"`,
		`"output": {".": "state.report"}`,
	}},
	{"set", planWith(`{"id": "a", "type": "set", %s}`), []string{
		`"output": [{"source": {"value": 0}, "target": {"root": "state", "parts": ["n"]}},
			{"source": {"path": {"root": "input", "parts": ["x"]}}, "target": {"root": "state", "parts": ["x"]}}]`,
		`"output": {"state.n": 0, "state.x": "input.x"}`,
		`"output": [{"value": 0, "target": "state.n"}, {"source": "input.x", "target": "state.x"}]`,
	}},
	{"text", stepWith(`"input": {"x": %s}`), []string{
		`{"text": [{"value": "Repos-"}, {"path": {"root": "item", "parts": ["repo"]}}, {"value": "{}"}]}`,
		`{"text": "Repos-{item.repo}{{}}"}`,
		`{"text": [{"value": "Repos-"}, "item.repo", {"value": "{}"}]}`,
	}},
	{"list", stepWith(`"input": {"x": %s}`), []string{
		`{"list": [{"value": 1}, {"path": {"root": "state", "parts": ["x"]}}, {"list": []}, {"value": null}]}`,
		`[1, "state.x", [], null]`,
	}},
	{"object", stepWith(`"input": {"x": %s}`), []string{
		`{"object": {"a": {"path": {"root": "state", "parts": ["x"]}}, "b": {"value": true}}, "default": {}}`,
		`{"object": {"a": "state.x", "b": true}, "default": {}}`,
	}},
	{"comparison", conditionWith(`%s`), []string{
		`{"op": "ge", "left": {"path": {"root": "state", "parts": ["n"]}}, "right": {"value": 2}}`,
		`{"ge": ["state.n", 2]}`,
		`{"op": "ge", "left": "state.n", "right": 2}`,
	}},
	{"exists", conditionWith(`%s`), []string{
		`{"op": "exists", "path": {"root": "state", "parts": ["x"]}}`,
		`{"exists": "state.x"}`,
		`{"exists": {"path": "state.x"}}`,
		`{"exists": {"root": "state", "parts": ["x"]}}`,
	}},
	{"logic", conditionWith(`%s`), []string{
		`{"op": "and", "args": [{"op": "not", "arg": {"op": "exists", "path": {"root": "state", "parts": ["x"]}}},
			{"op": "or", "args": [{"op": "is", "left": {"path": {"root": "state", "parts": ["y"]}}, "type": "string"},
				{"op": "matches", "left": {"path": {"root": "state", "parts": ["y"]}}, "pattern": "^a"}]}]}`,
		`{"and": [{"not": {"exists": "state.x"}}, {"or": [{"is": ["state.y", "string"]}, {"matches": ["state.y", "^a"]}]}]}`,
	}},
	{"any", conditionWith(`%s`), []string{
		`{"op": "any", "over": {"path": {"root": "state", "parts": ["xs"]}}, "as": "x",
			"check": {"op": "gt", "left": {"length": {"path": {"root": "item", "parts": ["x"]}}}, "right": {"value": 3}}}`,
		`{"any": {"over": "state.xs", "as": "x", "check": {"gt": [{"length": "item.x"}, 3]}}}`,
	}},
	{"branches", planWith(`{"id": "f", "type": "fork", "join": "j", %s}`), []string{
		`"branches": [{"outcome": "a"}, {"outcome": "b", "when": {"op": "exists", "path": {"root": "state", "parts": ["x"]}}}]`,
		`"branches": ["a", {"outcome": "b", "when": {"exists": "state.x"}}]`,
	}},
	{"defaults", `{%s "name": "p", "nodes": [{"id": "e", "type": "foreach", "over": "state.xs", "as": "x"}, {"id": "z", "type": "end"}]}`, []string{
		`"format": "wf/1", "start": "e", "outcomes": ["ok"], "edges": [],`,
		``, `"start": "", "limits": {},`, "\r\n",
	}},
	{"edges", `{"name": "p", "node_defs": [{"name": "x.ask", "outcomes": ["answered"]}], "nodes": [
			{"id": "a", "node": "x.ask"%s`, []string{
		`}, {"id": "b", "node": "x.y"}], "edges": [{"from": "b", "outcome": "ok", "to": "__end__"}, {"from": "a", "outcome": "answered", "to": "b"}]}`,
		`, "next": "b"}, {"id": "b", "node": "x.y", "next": "__end__"}]}`,
		`, "on": {"answered": {"to": "b"}}}, {"id": "b", "node": "x.y", "on": {"ok": "__end__"}}], "edges": []}`,
		`}, {"id": "b", "node": "x.y"}], "edges": [{"from": "a", "to": "b"}, {"from": "b", "to": "__end__"}]}`,
	}},
	{"state schema", `{"name": "p", "nodes": [], "state_schema": %s}`, []string{
		`{"type": "object", "properties": {"log": {"type": "array", "x-reducer": "wf.std.append"}, "n": {"type": "number", "x-reducer": "my.sum"}}}`,
		`{"type": "object", "properties": {"log": {"type": "array", "x-reducer": "append"}, "n": {"type": "number", "x-reducer": "my.sum"}}}`,
		`{"type": "object", "properties": {"log": {"type": "array", "merge_strategy": "append"}, "n": {"type": "number", "x-reducer": "my.sum"}}}`,
		`[{"path": "state.log", "schema": {"type": "array"}, "reducer": "append"}, {"path": "n", "type": "number", "merge_strategy": "my.sum"}]`,
	}},
	{"property called merge_strategy", `{"name": "p", "nodes": [], "state_schema": %s}`, []string{
		`{"properties": {"merge_strategy": {"properties": {"merge_strategy": {"type": "string"}}, "type": "object"}}}`,
	}},
}

func stepWith(fields string) string { return planWith(`{"id": "a", "node": "x.y", ` + fields + `}`) }
func planWith(step string) string   { return `{"name": "p", "nodes": [` + step + `]}` }
func conditionWith(check string) string {
	return planWith(`{"id": "c", "type": "condition", "check": ` + check + `}`)
}
func filled(plan, form string) []byte { return []byte(strings.Replace(plan, "%s", form, 1)) }
func withMark(plan []byte) []byte     { return append([]byte("\ufeff"), plan...) }
func withCRLF(plan []byte) []byte     { return []byte(strings.ReplaceAll(string(plan), "\n", "\r\n")) }

func TestFormsMeanTheSame(t *testing.T) {
	t.Parallel()
	for _, c := range formCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			want := parsePlan(t, filled(c.in, c.ways[0]))
			for _, way := range c.ways {
				text := filled(c.in, way)
				for _, text := range [][]byte{text, withMark(text), withCRLF(text)} {
					got := parsePlan(t, text)
					if diff := cmp.Diff(want, got, ignoreFuncs); diff != "" {
						t.Errorf("%s reads differently:\n%s", way, diff)
					}
					if got.Digest() != want.Digest() {
						t.Errorf("%s has another digest", way)
					}
				}
			}
		})
	}
}

func TestCanonicalFile(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/plan/report.short.json")
	if err != nil {
		t.Fatal(err)
	}
	w := parsePlan(t, text)
	golden(t, "testdata/plan/report.canonical.json", w.Indented())
	golden(t, "testdata/plan/report.short.json", w.Short())
	if short, long := len(w.Short()), len(w.Indented()); short*3 > long*2 {
		t.Errorf("the short form has %d bytes, the canonical one %d", short, long)
	}
	if got, want := w.Digest(), "sha256:"; !strings.HasPrefix(got, want) || len(got) != len(want)+64 {
		t.Errorf("digest %q", got)
	}
	marshalled, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	var back Workflow
	if err := json.Unmarshal(marshalled, &back); err != nil || back.Digest() != w.Digest() {
		t.Errorf("encoding/json: %v, %s", err, back.Digest())
	}
	if err := json.Unmarshal([]byte(`{"name": "p", "nodes": [], "zzz": 1}`), &back); err == nil || len(DiagnosticsOf(err)) != 1 {
		t.Errorf("an unknown field: %v", err)
	}
}

// golden compares with a file, or rewrites it when WF_UPDATE is set.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if os.Getenv("WF_UPDATE") != "" {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

func ExampleWorkflow_Short() {
	w, diags := ParseWorkflow([]byte(`{"name": "hello", "nodes": [
		{"id": "greet", "node": "texts.greet", "input": {"name": "input.name"}, "output": {"text": "state.text"}, "next": "__end__"}]}`))
	if diags.HasErrors() {
		fmt.Println(diags)
		return
	}
	fmt.Printf("%s", w.Short())
	// Output:
	// {
	//   "name": "hello",
	//   "nodes": [
	//     {
	//       "id": "greet",
	//       "node": "texts.greet",
	//       "input": {"name": "input.name"},
	//       "output": {"text": "state.text"},
	//       "next": "__end__"
	//     }
	//   ]
	// }
}
