package wf

import (
	"strings"
	"testing"
)

func TestAssignedForeach(t *testing.T) {
	t.Parallel()
	const each = `{"id": "each", "type": "foreach", "over": "input.docs", "as": "d", MORE "on": {"item": "work", "done": "use" LEAVE}}, `
	foreach := func(more, leave, rest string) string {
		return strings.NewReplacer("MORE", more, "LEAVE", leave).Replace(each) + rest
	}
	const work = `{"id": "work", "node": "t.make", "output": {"v": "state.v"}, "next": "__continue__"}, `
	const use = `{"id": "use", "node": "t.use", "input": {"v": "state.v"}, "next": "__end__"}`
	const docs = `"state_schema": {"type": "object", "properties": {"docs": {"type": "array", "minItems": 1}}},`
	const around = `state_maybe_unwritten /nodes/2/input/0/path warning: state.v may not be there: by each (done) → use, nothing has written it`
	runAssigned(t, []assignedTest{
		{"there may be no item", ``, foreach(``, ``, work+use), around},
		{"there is one", ``, strings.Replace(foreach(``, ``, work+use), `"input.docs"`, `["input.path"]`, 1), ``},
		{"a literal with one", ``, strings.Replace(foreach(``, ``, work+use), `"input.docs"`, `{"value": [1]}`, 1), ``},
		{"a schema says that there is one", docs, strings.Replace(foreach(``, ``, work+use), `"input.docs"`, `"state.docs"`, 1), ``},
		{"there is one, which may fail and be left out", ``, strings.Replace(foreach(`"on_item_error": "skip",`, ``, work+use), `"input.docs"`, `["input.path"]`, 1), around},
		{"as many must succeed as needed", ``, strings.Replace(foreach(`"on_item_error": "skip", "complete": 1,`, `, "unmet": "__end__"`, work+use), `"input.docs"`, `["input.path"]`, 1), ``},
		{"too few, or too late: what had finished is merged", docs, strings.Replace(foreach(`"complete": 2, "timeout_seconds": 5,`, `, "unmet": "use", "timed_out": "use"`, work+use), `"input.docs"`, `"state.docs"`, 1),
			strings.Replace(around, "(done)", "(timed_out)", 1)},
		{"items may be dropped", ``, strings.Replace(foreach(``, ``, `{"id": "work", "node": "t.pick", "output": {"v": "state.v"}, "on": {"ok": "__continue__", "no": "__discard__"}}, `+use), `"input.docs"`, `["input.path"]`, 1), around},
		{"a serial item sees what the ones before wrote", ``, foreach(``, ``, `{"id": "work", "type": "set", "output": {"state.v": {"list": [{"path": "state.v", "default": 0}, 1]}}, "next": "__continue__"}, {"id": "use", "type": "wait", "seconds": 1, "next": "__end__"}`), ``},
		{"a parallel one does not", `"state_schema": {"type": "object", "properties": {"v": {"type": "array", "x-reducer": "append"}}},`,
			foreach(`"mode": "parallel",`, ``, `{"id": "work", "type": "set", "output": {"state.v": {"list": [{"path": "state.v", "default": 0}, 1]}}, "next": "__continue__"}, {"id": "use", "type": "wait", "seconds": 1, "next": "__end__"}`),
			`state_never_written /nodes/1/output/0/source/list/0/path warning: state.v is read before anything can have written it: only "work" does, and no path leads from there to here`},
		{"what a body's steps put out stays in the item", ``, foreach(`"result": "steps.work.v",`, ``, work+`{"id": "use", "node": "t.use", "input": {"v": "steps.work.v", "opt": "steps.each.results"}, "next": "__end__"}`),
			`step_never_ran /nodes/2/input/1/path error: steps.work: what "work" puts out stays inside the items of foreach "each"`},
		{"nor does the next item see it", ``, foreach(``, ``, `{"id": "work", "node": "t.any", "input": {"before": "steps.work.v"}, "next": "__continue__"}, {"id": "use", "type": "wait", "seconds": 1, "next": "__end__"}`),
			`step_never_ran /nodes/1/input/0/path error: steps.work is the step's own output, which is not there yet when it begins`},
		{"the steps of a body see one another and those around", ``, `{"id": "first", "node": "t.make", "next": "each"}, ` + foreach(`"result": {"list": ["steps.work.v", "steps.last.v"]},`, ``, `{"id": "work", "node": "t.pick", "on": {"ok": "last", "no": "__continue__"}},
			{"id": "last", "node": "t.make", "next": "check"}, {"id": "check", "node": "t.use", "input": {"v": ["steps.work.v", "steps.last.v", "steps.first.v"]}, "next": "__continue__"}, {"id": "use", "type": "wait", "seconds": 1, "next": "__end__"}`),
			`step_maybe_not_run /nodes/1/result/list/1/path warning: steps.last may not be there: by first → each (item) → work (no) → each, "last" has put out nothing`},
		{"its counts are there when it is done, not before, nor when it failed", ``, foreach(`"catch": [{"codes": ["*"], "outcome": "failed", "error": "state.error"}], "output": {"failed": "state.failed"},`, `, "failed": "use"`,
			`{"id": "work", "node": "t.use", "input": {"v": "steps.each.count"}, "next": "__continue__"}, {"id": "use", "node": "t.use", "input": {"v": ["steps.each.count", "state.failed", "state.error"]}, "next": "__end__"}`),
			`step_never_ran /nodes/1/input/0/path error: steps.each is read before the step can have run: no path leads from "each" to here
step_maybe_not_run /nodes/2/input/0/list/0/path warning: steps.each may not be there: by each (failed) → use, "each" has put out nothing
state_maybe_unwritten /nodes/2/input/0/list/1/path warning: state.failed may not be there: by each (failed) → use, nothing has written it
state_maybe_unwritten /nodes/2/input/0/list/2/path warning: state.error may not be there: by each (done) → use, nothing has written it`},
		{"a failed region left nothing behind", ``, `{"id": "s", "type": "set", "output": {"state.u": 1}, "next": "each"}, ` + foreach(`"catch": [{"codes": ["*"], "outcome": "failed"}],`, `, "failed": "other"`,
			`{"id": "work", "type": "set", "output": {"state.v": 1}, "unset": ["state.u"], "next": "__continue__"}, {"id": "use", "type": "wait", "seconds": 1, "next": "__end__"}, {"id": "other", "node": "t.use", "input": {"v": ["state.u", "state.v"]}, "next": "__end__"}`),
			`state_never_written /nodes/4/input/0/list/1/path error: state.v is read before anything can have written it: only "work" does, and no path leads from there to here`},
		{"what over must find is there in the body and behind", ``, `{"id": "p", "node": "t.pick", "on": {"ok": "w", "no": "each"}}, {"id": "w", "type": "set", "output": {"state.v": {"value": []}}, "next": "each"}, ` +
			strings.Replace(foreach(``, ``, `{"id": "work", "node": "t.use", "input": {"v": "state.v"}, "next": "__continue__"}, `+use), "input.docs", "state.v", 1),
			`state_maybe_unwritten /nodes/2/over/path warning: state.v may not be there: by p (no) → each, nothing has written it`},
	})
}

func TestAssignedFork(t *testing.T) {
	t.Parallel()
	fork := func(branches, more, rest string) string {
		return `{"id": "split", "type": "fork", "branches": ` + branches + `, "join": "meet", ` + more + ` "on": {"a": "left", "b": "right"}}, ` + rest
	}
	const both = `{"id": "left", "type": "set", "output": {"state.v": 1}, "next": "meet"}, {"id": "right", "node": "t.make", "next": "meet"}, `
	const join = `{"id": "meet", "type": "join", "next": "use"}, `
	const use = `{"id": "use", "node": "t.use", "input": {"v": "state.v"}, "next": "last"}, {"id": "last", "node": "t.use", "input": {"v": "steps.right.v"}, "next": "__end__"}`
	const notV = `state_maybe_unwritten /nodes/4/input/0/path warning: state.v may not be there: by split → meet (done) → use, nothing has written it`
	const notRun = `step_maybe_not_run /nodes/5/input/0/path warning: steps.right may not be there: by split → meet (done) → use → last, "right" has put out nothing`
	runAssigned(t, []assignedTest{
		{"both branches are merged", ``, fork(`["a", "b"]`, ``, both+join+use), ``},
		{"one may not be taken", ``, fork(`[{"outcome": "a", "when": {"exists": "input.limit"}}, "b"]`, ``, both+join+use), strings.Replace(notV, " (done)", "", 1)},
		{"one may fail", ``, fork(`["a", "b"]`, `"on_branch_error": "collect", "output": {"errors": "state.errors"},`, both+join+use), strings.ReplaceAll(notV+"\n"+notRun, " (done)", "")},
		{"one of them is enough", ``, fork(`["a", "b"]`, `"complete": 1,`, both+`{"id": "meet", "type": "join", "on": {"done": "use", "unmet": "__end__"}}, `+use), notV + "\n" + notRun},
		{"all of them must", ``, fork(`["a", "b"]`, `"complete": 2,`, both+`{"id": "meet", "type": "join", "on": {"done": "use", "unmet": "__end__"}}, `+use), ``},
		{"too few of them", ``, fork(`["a", "b"]`, `"complete": 2,`, both+`{"id": "meet", "type": "join", "on": {"done": "__end__", "unmet": "use"}}, `+use), strings.ReplaceAll(notV+"\n"+notRun, "meet (done)", "meet (unmet)")},
		{"a branch may drop itself", ``, fork(`["a", "b"]`, ``, `{"id": "left", "node": "t.pick", "output": {"v": "state.v"}, "on": {"ok": "meet", "no": "__discard__"}}, {"id": "right", "node": "t.make", "next": "meet"}, `+join+use), strings.Replace(notV, " (done)", "", 1)},
		{"a branch may not write", ``, fork(`["a", "b"]`, ``, `{"id": "left", "node": "t.pick", "on": {"ok": "meet", "no": "w"}}, {"id": "w", "type": "set", "output": {"state.v": 1}, "next": "meet"}, {"id": "right", "node": "t.make", "next": "meet"}, `+join+use),
			`state_maybe_unwritten /nodes/5/input/0/path warning: state.v may not be there: by split → meet → use, nothing has written it`},
		{"branches do not see one another", ``, fork(`["a", "b"]`, ``, `{"id": "left", "node": "t.use", "input": {"v": "steps.right.v"}, "next": "meet"}, {"id": "right", "node": "t.make", "next": "meet"}, `+join+`{"id": "use", "type": "wait", "seconds": 1, "next": "__end__"}`),
			`step_never_ran /nodes/1/input/0/path error: steps.right: "right" runs in another branch of fork "split", which is not merged yet`},
		{"a branch is entered because its condition holds", ``, `{"id": "p", "node": "t.pick", "on": {"ok": "w", "no": "split"}}, {"id": "w", "type": "set", "output": {"state.v": 1}, "next": "split"}, ` +
			fork(`[{"outcome": "a", "when": {"exists": "state.v"}}, "b"]`, ``, `{"id": "left", "node": "t.use", "input": {"v": "state.v"}, "next": "meet"}, {"id": "right", "node": "t.use", "input": {"v": "state.v"}, "next": "meet"}, {"id": "meet", "type": "join", "next": "__end__"}`),
			`state_maybe_unwritten /nodes/4/input/0/path warning: state.v may not be there: by p (no) → split (b) → right, nothing has written it`},
		{"one branch takes away what was there", ``, `{"id": "w", "type": "set", "output": {"state.v": 1}, "next": "split"}, ` + fork(`["a", "b"]`, ``, `{"id": "left", "type": "set", "unset": ["state.v"], "next": "meet"}, {"id": "right", "node": "t.make", "next": "meet"}, `+join+use),
			`state_maybe_unwritten /nodes/5/input/0/path warning: state.v may not be there: by left → meet → use, it is not there since "left" has unset it`},
		{"what a fork catches leaves from its join, with nothing of its branches", ``, fork(`["a", "b"]`, `"catch": [{"codes": ["*"], "outcome": "failed", "error": "state.error"}],`, both+`{"id": "meet", "type": "join", "on": {"done": "use", "failed": "sorry"}}, `+use+
			`, {"id": "sorry", "node": "t.use", "input": {"v": ["state.error", "steps.split.count"]}, "next": "__end__"}`),
			`step_never_ran /nodes/6/input/0/list/1/path error: steps.split is read before the step can have run: no path leads from "split" to here`},
		{"a fork's counts are there behind the join", ``, fork(`["a", "b"]`, `"output": {"failed": "state.failed"},`, both+join+`{"id": "use", "node": "t.use", "input": {"v": ["steps.split.count", "state.failed"]}, "next": "__end__"}`), ``},
		{"a fork in a loop, whose branches write: JF-03", ``, `{"id": "init", "type": "set", "output": {"state.n": 0}, "next": "split"}, ` + fork(`["a", "b"]`, ``, both+`{"id": "meet", "type": "join", "next": "q"},
			{"id": "q", "type": "condition", "check": {"lt": ["state.n", 2]}, "on": {"true": "again", "false": "__end__"}}, {"id": "again", "node": "t.use", "input": {"v": ["state.v", "steps.right.v"]}, "next": "split"}`), ``},
		{"a branch over items", ``, fork(`["a", "b"]`, ``, `{"id": "left", "type": "foreach", "over": ["input.path"], "as": "x", "on": {"item": "w", "done": "meet"}}, {"id": "w", "type": "set", "output": {"state.v": "item.x"}, "next": "__continue__"}, {"id": "right", "node": "t.make", "next": "meet"}, `+join+use), ``},
	})
}

func TestAssignedOthers(t *testing.T) {
	t.Parallel()
	runAssigned(t, []assignedTest{
		{"an answer in time, and none", ``,
			`{"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["yes"], "resume_schema": {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"]}, "timeout_seconds": 5, "timeout_outcome": "late",
				"resume": {"a": "state.a", "b": "state.b"}, "on": {"yes": "use", "late": "sorry"}},
			{"id": "use", "node": "t.use", "input": {"v": ["state.a", "state.b", "steps.ask.a"]}, "next": "__end__"}, {"id": "sorry", "node": "t.use", "input": {"v": ["state.a", "steps.ask.a"]}, "next": "__end__"}`,
			`state_never_written /nodes/2/input/0/list/0/path error: state.a is read before anything can have written it: only "ask" does, and no path leads from there to here
step_never_ran /nodes/2/input/0/list/1/path error: steps.ask is read before the step can have run: no path leads from "ask" to here
state_maybe_unwritten /nodes/1/input/0/list/1/path warning: state.b may not be there: by ask (yes) → use, nothing has written it`},
		{"answers of several shapes", ``,
			`{"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["yes", "no"], "resume_schemas": {"yes": {"type": "object", "properties": {"a": {}}, "required": ["a"]}, "no": {"type": "object", "properties": {"a": {}}}},
				"resume": {"a": "state.a"}, "on": {"yes": "use", "no": "sorry"}},
			{"id": "use", "node": "t.use", "input": {"v": "state.a"}, "next": "__end__"}, {"id": "sorry", "node": "t.use", "input": {"v": "state.a"}, "next": "__end__"}`,
			`state_maybe_unwritten /nodes/2/input/0/path warning: state.a may not be there: by ask (no) → sorry, nothing has written it`},
		{"an interrupt keeps what the answer does not say", ``,
			`{"id": "s", "type": "set", "output": {"state.a": 1}, "next": "ask"}, {"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["yes"], "resume_schema": {"type": "object", "properties": {"a": {}}}, "resume": {"a": "state.a"}, "on": {"yes": "use"}},
			{"id": "use", "node": "t.use", "input": {"v": "state.a"}, "next": "__end__"}`, ``},
		{"a workflow inside another has a state of its own, filled from its input", `"workflows": {"in": {"name": "in", "input_schema": {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"], "additionalProperties": false},
			"state_schema": {"type": "object", "properties": {"a": {}, "b": {}}}, "output_schema": {"type": "object", "properties": {"r": {}, "s": {}}, "required": ["r"]}, "output": {"r": "state.a", "s": "state.outer"}, "nodes": [{"id": "x", "type": "wait", "seconds": "state.b", "next": "__end__"}]}},`,
			`{"id": "s", "type": "set", "output": {"state.outer": 1}, "next": "sub"}, {"id": "sub", "type": "subgraph", "workflow": "in", "input": {"a": "input.path"}, "output": {"r": "state.r", "s": "state.s"}, "next": "use"},
			{"id": "use", "node": "t.use", "input": {"v": ["state.r", "state.s"]}, "next": "__end__"}`,
			`state_maybe_unwritten /nodes/2/input/0/list/1/path warning: state.s may not be there: by sub → use, "sub" unsets it if it has no value for it
state_maybe_unwritten /workflows/in/nodes/0/seconds/path warning: state.b may not be there: where the run begins, nothing has written it
state_never_written /workflows/in/output/1/path warning: state.outer is never written: no step writes it, and at the start the state does not have it`},
		{"an output by name, and one of an end", `"output_schema": {"type": "object", "properties": {"v": {}, "w": {}}, "required": ["v"]},`,
			`{"id": "q", "node": "t.pick", "on": {"ok": "a", "no": "stop"}}, {"id": "a", "type": "set", "output": {"state.w": 1}, "next": "__end__"}, {"id": "stop", "type": "end", "outcome": "bad", "output": {"v": "state.u"}}`,
			`state_never_written /nodes/2/output/0/path error: state.u is never written: no step writes it, and at the start the state does not have it
state_never_written /output_schema/properties/v error: state.v is never written: no step writes it, and at the start the state does not have it`},
		{"an output by name on two ways", `"output_schema": {"type": "object", "properties": {"v": {}, "w": {}}, "required": ["v"]},`,
			`{"id": "q", "node": "t.pick", "on": {"ok": "a", "no": "stop"}}, {"id": "a", "type": "set", "output": {"state.v": 1, "state.w": 1}, "next": "__end__"}, {"id": "stop", "type": "end", "outcome": "bad"}`,
			`state_maybe_unwritten /output_schema/properties/v warning: state.v may not be there: by q (no) → stop → the end, nothing has written it`},
		{"outputs whose absence nobody forbids", `"output": {"v": "state.v"},`,
			`{"id": "q", "node": "t.pick", "on": {"ok": "a", "no": "__end__"}}, {"id": "a", "type": "set", "output": {"state.v": 1}, "next": "__end__"}`, ``},
		{"a name that was meant", ``, `{"id": "a", "type": "set", "output": {"state.report": 1}, "next": "b"}, {"id": "b", "node": "t.use", "input": {"v": "state.reprot"}, "next": "__end__"}`,
			`state_never_written /nodes/1/input/0/path error: state.reprot is never written: no step writes it, and at the start the state does not have it`},
		{"a text, a wait, the message of a failure", ``, `{"id": "q", "node": "t.pick", "on": {"ok": "a", "no": "t"}}, {"id": "a", "type": "set", "output": {"state.a": 1, "state.b": 1, "state.c": 1}, "next": "t"},
			{"id": "t", "node": "t.use", "input": {"v": {"text": "x {state.a}"}}, "next": "w"}, {"id": "w", "type": "wait", "seconds": "state.b", "next": "f"}, {"id": "f", "type": "fail", "code": "no_stock", "message": {"text": "x {state.c} {state.a}"}}`,
			`state_maybe_unwritten /nodes/2/input/0/text/1/path warning: state.a may not be there: by q (no) → t, nothing has written it
state_maybe_unwritten /nodes/3/seconds/path warning: state.b may not be there: by q (no) → t → w, nothing has written it
state_maybe_unwritten /nodes/4/message/text/1/path warning: state.c may not be there: by q (no) → t → w → f, nothing has written it`},
		{"a copy of what may be missing may be missing", ``, `{"id": "a", "type": "set", "output": {"state.l": "input.limit"}, "next": "b"}, {"id": "b", "node": "t.use", "input": {"v": "state.l"}, "next": "__end__"}`,
			`state_maybe_unwritten /nodes/1/input/0/path warning: state.l may not be there: by a → b, "a" unsets it if it has no value for it`},
		{"errors that nobody reads, and those that somebody does", ``, `{"id": "x", "type": "foreach", "over": "input.docs", "as": "d", "on_item_error": "collect", "on": {"item": "__continue__", "done": "y"}},
			{"id": "y", "type": "foreach", "over": "input.docs", "as": "d", "on_item_error": "collect", "on": {"item": "__continue__", "done": "z"}}, {"id": "z", "type": "condition", "check": {"gt": ["steps.y.failed", 0]}, "on": {"true": "k", "false": "k"}},
			{"id": "k", "type": "fork", "branches": ["a"], "join": "m", "on_branch_error": "collect", "on": {"a": "m"}}, {"id": "m", "type": "join", "next": "n"},
			{"id": "n", "type": "foreach", "over": "input.docs", "as": "d", "on_item_error": "collect", "output": {"local": "state.all"}, "on": {"item": "__continue__", "done": "o"}},
			{"id": "o", "type": "foreach", "over": "input.docs", "as": "d", "on_item_error": "collect", "complete": 1, "on": {"item": "__continue__", "done": "__end__", "unmet": "__end__"}}`,
			`errors_unread /nodes/0/on_item_error warning: the errors of failed items are collected, and nothing reads them
errors_unread /nodes/3/on_branch_error warning: the errors of failed branches are collected, and nothing reads them`},
	})
}

// TestCaughtErrorFits: the error value of a catch and the field that it goes to.
func TestCaughtErrorFits(t *testing.T) {
	t.Parallel()
	for field, want := range map[string]string{
		`{"type": "object"}`: "", `{}`: "", `{"type": "array", "x-reducer": "append"}`: "",
		`{"type": "array", "items": {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]}, "x-reducer": "append"}`: "",
		`{"type": "object", "x-reducer": "merge_object"}`: "",
		`{"type": "string"}`:                              "type_mismatch /nodes/0/catch/0/error", `{"type": "array"}`: "type_mismatch /nodes/0/catch/0/error",
		`{"type": "array", "x-reducer": "extend"}`: "type_mismatch /nodes/0/catch/0/error", `{"type": "number", "x-reducer": "add"}`: "type_mismatch /nodes/0/catch/0/error",
		`{"type": "array", "items": {"type": "string"}, "x-reducer": "append"}`:                                       "type_mismatch /nodes/0/catch/0/error",
		`{"type": "object", "properties": {"reason": {}}, "required": ["reason"]}`:                                    "type_mismatch /nodes/0/catch/0/error",
		`{"type": "object", "properties": {"attempts": {"type": "integer", "maximum": 3}}, "required": ["attempts"]}`: "",
	} {
		w := parsed(t, assignedPlan(`"state_schema": {"type": "object", "properties": {"e": `+field+`}},`,
			`{"id": "a", "node": "t.any", "catch": [{"codes": ["timeout"], "outcome": "late", "error": "state.e"}], "on": {"ok": "__end__", "late": "__end__"}}`))
		found := Validate(w, nil)
		checkFound(t, w, found)
		if got := strings.Join(findings(found), ", "); got != want {
			t.Errorf("%s: got %v, want %q", field, found, want)
		}
	}
}
