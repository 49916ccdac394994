package wf

import (
	"fmt"
	"strings"
	"testing"
)

// TestRules holds what the examples of the codes do not show: the other side of a rule, and where it stops.
func TestRules(t *testing.T) {
	t.Parallel()
	const defs = `"node_defs": [{"name": "local.read", "output_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "additionalProperties": false}}]`
	tests := []struct{ name, plan, want string }{
		{"__end__ needs the outcome ok", `{"name": "p", "outcomes": ["sent", "gave_up"], "nodes": [
			{"id": "a", "type": "wait", "seconds": 1, "on": {"done": {"to": "b", "max_visits": 2, "exhausted": "__end__"}}}, {"id": "b", "type": "wait", "seconds": 1, "next": "__end__"}]}`,
			"end_outcome_undeclared /edges/0/exhausted, end_outcome_undeclared /edges/1/to"},
		{"a subgraph's defaults fill its required input, a node's do not", `{"name": "p", "node_defs": [{"name": "local.read", "input_schema": {"type": "object", "properties": {"n": {"type": "integer", "default": 1}}, "required": ["n"]}}],
			"nodes": [{"id": "a", "type": "subgraph", "workflow": "in", "next": "b"}, {"id": "b", "node": "local.read", "next": "__end__"}],
			"workflows": {"in": {"name": "in", "input_schema": {"type": "object", "properties": {"n": {"type": "integer", "default": 1}}, "required": ["n"]}, "nodes": [{"id": "a", "type": "wait", "seconds": 1, "next": "__end__"}]}}}`,
			"input_unbound /nodes/1"},
		{"waiting", `{"name": "p", "nodes": [{"id": "a", "type": "wait", "seconds": {"value": "soon"}, "next": "b"}, {"id": "b", "type": "wait", "until": {"value": "tomorrow"}, "next": "c"},
			{"id": "c", "type": "wait", "until": {"value": "2030-01-31T08:00:00Z"}, "next": "d"}, {"id": "d", "type": "wait", "seconds": {"list": []}, "next": "__end__"}]}`,
			"literal_invalid /nodes/0/seconds/value, literal_invalid /nodes/1/until/value, literal_invalid /nodes/3/seconds"},
		{"points in time that nanoseconds cannot name", `{"name": "p", "nodes": [
			{"id": "a", "type": "wait", "until": {"value": "2326-01-31T08:00:00Z"}, "next": "b"}, {"id": "b", "type": "wait", "until": {"value": "1600-01-31T08:00:00Z"}, "next": "c"},
			{"id": "c", "type": "wait", "until": {"value": "2261-12-31T23:59:59Z"}, "next": "d"}, {"id": "d", "type": "wait", "until": {"value": "1678-01-01T00:00:00Z"}, "next": "e"},
			{"id": "e", "type": "wait", "until": {"value": "2262-01-01T00:00:00Z"}, "next": "__end__"}]}`,
			"timer_out_of_range /nodes/0/until/value, timer_out_of_range /nodes/1/until/value, timer_out_of_range /nodes/4/until/value"},
		{"the result of an item reads the item", `{"name": "p", "nodes": [
			{"id": "a", "type": "foreach", "over": "input.list", "as": "x", "result": {"list": ["item.x", "context.index.x", "item.y"]}, "on": {"item": "__continue__", "done": "__end__"}}]}`,
			"item_unknown /nodes/0/result/list/2/path"},
		{"subgraphs that run one another too deep, by the default and by a limit of their own", deepCalls(17, 3),
			"depth_exceeded /nodes/0/workflow, depth_exceeded /workflows/w5/nodes/0/workflow"},
		{"as deep as allowed", deepCalls(16, 11), ""},
		{"a workflow that runs itself by way of a sibling", `{"name": "p", "nodes": [{"id": "a", "type": "subgraph", "workflow": "x", "next": "__end__"}], "workflows": {
			"x": {"name": "x", "nodes": [{"id": "a", "type": "subgraph", "workflow": "y", "next": "__end__"}]},
			"y": {"name": "y", "nodes": [{"id": "a", "type": "subgraph", "workflow": "x", "next": "__end__"}]},
			"z": {"name": "z", "nodes": [{"id": "a", "type": "subgraph", "workflow": "z", "next": "__end__"}]}}}`,
			"workflow_recursive /workflows/y/nodes/0/workflow, workflow_recursive /workflows/z/nodes/0/workflow"},
		{"several writes to one field are fine where they accumulate, and stop being so with an unset", `{"name": "p", "state_schema": {"type": "object", "properties": {"all": {"type": "array", "x-reducer": "append"}}},
			"nodes": [{"id": "a", "type": "set", "output": [{"source": {"value": 1}, "target": "state.all"}, {"source": {"value": 2}, "target": "state.all"}], "next": "b"},
			{"id": "b", "type": "set", "output": [{"source": {"value": 1}, "target": "state.x"}], "unset": ["state.x"], "next": "c"},
			{"id": "c", "type": "set", "output": [{"source": {"value": 1}, "target": "state.x.y"}, {"source": {"value": 2}, "target": "state.x"}], "next": "__end__"}]}`,
			"write_duplicate /nodes/1/unset/0, write_duplicate /nodes/2/output/1/target"},
		{"a saved workflow may fail with codes of its own", `{"name": "p", "nodes": [{"id": "a", "type": "subgraph", "workflow": "other@1",
			"catch": [{"codes": ["no_budget"], "outcome": "broke"}], "on": {"ok": "__end__", "broke": "__end__"}}]}`, ""},
		{"a fail step's code can be caught around it", `{"name": "p", "nodes": [{"id": "a", "type": "subgraph", "workflow": "in",
			"catch": [{"codes": ["no_budget"], "outcome": "broke"}], "on": {"ok": "__end__", "broke": "__end__"}}],
			"workflows": {"in": {"name": "in", "nodes": [{"id": "q", "type": "condition", "check": {"exists": "input.x"}, "on": {"true": "__end__", "false": "f"}}, {"id": "f", "type": "fail", "code": "no_budget"}]}}}`, ""},
		{"a field that nothing can fill exists never", `{"name": "p", "input_schema": {"type": "object", "properties": {"m": {"type": "integer"}}}, "state_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
			"nodes": [{"id": "a", "type": "condition", "check": {"exists": "state.n"}, "on": {"true": "__end__", "false": "__end__"}}]}`, "state_never_written /nodes/0/check/path"},
		{"a field that an input fills, or a default, may exist", `{"name": "p", "input_schema": {"type": "object", "properties": {"m": {"type": "integer"}}}, "state_schema": {"type": "object", "properties": {"n": {"type": "integer", "default": 1}, "m": {"type": "integer"}}},
			"nodes": [{"id": "a", "type": "condition", "check": {"and": [{"exists": "state.n"}, {"exists": "state.m"}]}, "on": {"true": "__end__", "false": "__end__"}}]}`, ""},
		{"steps that only a missing edge would reach are told with it, others are not", `{"name": "p", "nodes": [
			{"id": "q", "type": "fork", "branches": ["b", "c"], "join": "j"}, {"id": "b", "type": "wait", "seconds": 1, "next": "j"}, {"id": "c", "type": "wait", "seconds": 1, "next": "d"},
			{"id": "d", "type": "wait", "seconds": 1, "next": "j"}, {"id": "j", "type": "join", "next": "__end__"}, {"id": "e", "type": "wait", "seconds": 1, "next": "d"}]}`,
			"outcome_unwired /nodes/0, step_unreachable /nodes/5"},
		{"nobody knows the items around a step that nothing reaches", `{"name": "p", "nodes": [{"id": "a", "type": "wait", "seconds": 1, "next": "__end__"},
			{"id": "b", "type": "set", "output": {"state.x": "item.page"}, "next": "__end__"}]}`, "step_unreachable /nodes/1"},
		{"context", `{"name": "p", "nodes": [
			{"id": "each", "type": "foreach", "over": "input.files", "as": "file", "result": "context.index.file", "on": {"item": "a", "done": "b"}},
			{"id": "a", "type": "set", "output": {"state.x": "context.index.file", "state.y": "context.now.year", "state.z": "context.index"}, "next": "__continue__"},
			{"id": "b", "type": "set", "output": {"state.x": "context.index.file", "state.y": "context.run_id", "state.z": "steps.each.results"}, "next": "__end__"}]}`,
			"path_invalid /nodes/1/output/1/source/path, path_invalid /nodes/1/output/2/source/path, item_unknown /nodes/2/output/0/source/path"},
		{"any and all name their items, and have no index", `{"name": "p", "nodes": [{"id": "q", "type": "condition", "check": {"and": [
			{"any": {"over": "input.files", "as": "file", "check": {"eq": ["item.file.name", "context.index.file"]}}}, {"exists": "item.file"}]}, "on": {"true": "__end__", "false": "__end__"}}]}`,
			"item_unknown /nodes/0/check/args/0/check/right/path, item_unknown /nodes/0/check/args/1/path"},
		{"what a fork catches, and how it may end early, leaves from its join", `{"name": "p", "nodes": [
			{"id": "split", "type": "fork", "branches": ["a", "b"], "join": "meet", "complete": 1, "timeout_seconds": 5, "catch": [{"codes": ["*"], "outcome": "failed"}], "on": {"a": "meet", "b": "meet", "failed": "__end__"}},
			{"id": "meet", "type": "join", "on": {"done": "__end__"}}]}`,
			"outcome_unknown /edges/2/outcome, outcome_unwired /nodes/1"},
		{"the join of such a fork", `{"name": "p", "nodes": [
			{"id": "split", "type": "fork", "branches": ["a", "b"], "join": "meet", "complete": 1, "timeout_seconds": 5, "catch": [{"codes": ["*"], "outcome": "failed"}], "on": {"a": "meet", "b": "meet"}},
			{"id": "meet", "type": "join", "on": {"done": "__end__", "unmet": "__end__", "timed_out": "__end__", "failed": "__end__"}}]}`, ""},
		{"a foreach that may end early", `{"name": "p", "nodes": [
			{"id": "each", "type": "foreach", "over": "input.files", "as": "file", "complete": 2, "timeout_seconds": 5, "on": {"item": "__continue__", "done": "__end__"}}]}`,
			"outcome_unwired /nodes/0"},
		{"both ways of one edge out of a body", `{"name": "p", "nodes": [
			{"id": "each", "type": "foreach", "over": "input.files", "as": "file", "on": {"item": "a", "done": "__end__"}},
			{"id": "a", "type": "wait", "seconds": 1, "on": {"done": {"to": "__continue__", "max_visits": 2, "exhausted": "__end__"}}}]}`,
			"end_in_region /edges/2/exhausted"},
		{"max_visits on the way into an item", `{"name": "p", "nodes": [
			{"id": "each", "type": "foreach", "over": "input.files", "as": "file", "on": {"item": {"to": "__continue__", "max_visits": 2}, "done": "__end__"}}]}`,
			"max_visits_invalid /edges/1/max_visits"},
		{"outputs of steps", `{"name": "p", ` + defs + `, "nodes": [{"id": "a", "node": "local.read", "output_schema": {"type": "object", "properties": {"title": {}}, "additionalProperties": false}, "output": {"text": "state.a"}, "next": "b"},
			{"id": "b", "node": "local.read", "next": "ask"},
			{"id": "ask", "type": "interrupt", "kind": "choice", "outcomes": ["ok"], "resume_schema": {"type": "object", "properties": {"n": {}}, "additionalProperties": false}, "resume": {"m": "state.n"}, "next": "c"},
			{"id": "c", "type": "set", "output": {"state.x": "steps.b.txt", "state.y": "steps.b.text", "state.z": "steps.ask.m"}, "next": "__end__"}]}`,
			"output_unknown /nodes/0/output/0/source, output_unknown /nodes/2/resume/0/source, step_output_unknown /nodes/3/output/0/source/path, step_output_unknown /nodes/3/output/2/source/path"},
		{"literals inside objects and lists, and defaults", `{"name": "p", "node_defs": [{"name": "local.mail", "input_schema": {"type": "object", "properties": {
			"mail": {"type": "object", "properties": {"n": {"type": "integer"}}}, "to": {"type": "array", "items": {"type": "string"}}, "s": {"type": "string"}}}}],
			"nodes": [{"id": "a", "node": "local.mail", "input": {"mail": {"object": {"n": {"value": "x"}}}, "to": [1, "input.to"], "s": {"path": "input.s", "default": 5}}, "next": "b"},
			{"id": "b", "node": "local.mail", "input": {"mail": {"text": "x"}}, "next": "__end__"}]}`,
			"literal_invalid /nodes/0/input/0/object/n/value, literal_invalid /nodes/0/input/1/default, literal_invalid /nodes/0/input/2/list/0/value, literal_invalid /nodes/1/input/0/text"},
		{"whole values", `{"name": "p", ` + defs + `, "output_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}, "output": "state.all",
			"nodes": [{"id": "a", "node": "local.read", "output": "state.all", "next": "__end__"}]}`, ""},
		{"an output taken by name that the state cannot have", `{"name": "p", "state_schema": {"type": "object", "properties": {}, "additionalProperties": false},
			"output_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}, "nodes": [{"id": "a", "type": "wait", "seconds": 1, "next": "__end__"}]}`,
			"result_unbound /output_schema"},
		{"a cycle with a person in it, and one under a limit of the plan", `{"name": "p", "nodes": [
			{"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["yes", "no"], "on": {"yes": "__end__", "no": "again"}}, {"id": "again", "type": "wait", "seconds": 1, "next": "ask"}]}`, ""},
		{"an unused loop is one finding", `{"name": "p", "nodes": [{"id": "a", "type": "wait", "seconds": 1, "next": "__end__"},
			{"id": "b", "type": "wait", "seconds": 1, "next": "c"}, {"id": "c", "type": "wait", "seconds": 1, "next": "b"}]}`, "step_unreachable /nodes/1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := parsed(t, test.plan)
			found := Validate(w, nil)
			checkFound(t, w, found)
			if got := strings.Join(findings(found), ", "); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// deepCalls is a plan whose workflows run one another, n deep; w5 may have only so many below it.
func deepCalls(n, below int) string {
	call := func(i int) string {
		if i > n {
			return `{"id": "a", "type": "wait", "seconds": 1, "next": "__end__"}`
		}
		return fmt.Sprintf(`{"id": "a", "type": "subgraph", "workflow": "w%d", "next": "__end__"}`, i)
	}
	var nested []string
	for i := 1; i <= n; i++ {
		limits := ""
		if i == 5 {
			limits = fmt.Sprintf(`"limits": {"max_depth": %d}, `, below)
		}
		nested = append(nested, fmt.Sprintf(`"w%d": {"name": "w%d", %s"nodes": [%s]}`, i, i, limits, call(i+1)))
	}
	return fmt.Sprintf(`{"name": "p", "nodes": [%s], "workflows": {%s}}`, call(1), strings.Join(nested, ", "))
}

// TestWaitsOutOfRange: 300 years, more than nanoseconds can hold, are refused wherever a time is given; 30 and 50 days, more than
// milliseconds hold in 31 or 32 bits, are fine.
func TestWaitsOutOfRange(t *testing.T) {
	t.Parallel()
	const day = 24 * 60 * 60
	for seconds, want := range map[float64]bool{-1: false, 0: true, 30 * day: true, 50 * day: true, 100 * 365 * day: true, 300 * 365 * day: false, 1e300: false} {
		literal := Operand{Value: []byte(formatNumber(seconds))}
		w := &Workflow{
			Name: "p", Start: "a", Limits: &Limits{TimeoutSeconds: seconds},
			Nodes: []Step{
				&WaitStep{StepCommon: StepCommon{ID: "a"}, Seconds: &literal},
				&InterruptStep{StepCommon: StepCommon{ID: "b"}, Kind: "k", Outcomes: []Outcome{OK}, TimeoutSeconds: seconds, TimeoutOutcome: "late"},
				&ForeachStep{StepCommon: StepCommon{ID: "c"}, Over: Operand{Value: []byte("[]")}, As: "x", TimeoutSeconds: seconds,
					Retry: &Retry{InitialIntervalSeconds: seconds, MaxIntervalSeconds: seconds, TotalSeconds: seconds}},
			},
		}
		found := 0
		for _, d := range Validate(w, nil) {
			if d.Code == "timer_out_of_range" {
				found++
			}
		}
		if all := 7; want && found > 0 || !want && found != all {
			t.Errorf("%v seconds: %d of %d places are refused", seconds, found, all)
		}
	}
}
