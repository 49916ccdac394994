package wf

import (
	"slices"
	"strings"
	"testing"
)

// flowCodesOnly are the findings about what is read before it is there.
func flowCodesOnly(ds Diagnostics) (ours []string, other Diagnostics) {
	for _, d := range ds {
		if slices.ContainsFunc(flowCodes, func(info CodeInfo) bool { return info.Code == d.Code }) {
			ours = append(ours, string(d.Code)+" "+d.Path+" "+string(d.Severity)+": "+d.Message)
		} else {
			other = append(other, d)
		}
	}
	return ours, other
}

// assignedHead is around the steps of a test: HEAD stands for what the test adds before them.
const assignedHead = `{"name": "p", "outcomes": ["ok", "bad"],
  "input_schema": {"type": "object", "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}, "kind": {"type": "string", "default": "a"}, "docs": {"type": "array"}}, "required": ["path", "docs"], "additionalProperties": false},
  "node_defs": [
    {"name": "t.make", "output_schema": {"type": "object", "properties": {"v": {"type": "string"}, "w": {"type": "string"}}, "required": ["v"], "additionalProperties": false}},
    {"name": "t.pick", "outcomes": ["ok", "no"], "output_schema": {"type": "object", "properties": {"v": {"type": "string"}}, "required": ["v"], "additionalProperties": false}},
    {"name": "t.use", "input_schema": {"type": "object", "properties": {"v": {}, "opt": {}}, "required": ["v"], "additionalProperties": false}},
    {"name": "t.any"}],
  "limits": {"max_steps": 100}, HEAD "nodes": [`

func assignedPlan(head, nodes string) string {
	return strings.Replace(assignedHead, "HEAD", head, 1) + nodes + `]}`
}

type assignedTest struct{ name, head, nodes, want string }

func runAssigned(t *testing.T, tests []assignedTest) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := parsed(t, assignedPlan(test.head, test.nodes))
			found := Validate(w, nil)
			checkFound(t, w, found)
			ours, other := flowCodesOnly(found)
			if got := strings.Join(ours, "\n"); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			if other.HasErrors() {
				t.Errorf("the plan has other errors: %v", other)
			}
		})
	}
}

func TestAssigned(t *testing.T) {
	t.Parallel()
	runAssigned(t, []assignedTest{
		{"what is at the start: defaults, inputs that must come or have a default, inputs that may", `"state_schema": {"type": "object", "properties": {"n": {"default": 0}, "path": {}, "limit": {}, "kind": {}, "free": {}}},`,
			`{"id": "a", "type": "set", "output": {"state.v1": "state.n", "state.v2": "state.path", "state.v3": "state.limit", "state.v4": "state.kind", "state.v5": "state.free"}, "next": "__end__"}`,
			`state_never_written /nodes/0/output/4/source/path error: state.free is never written: no step writes it, and at the start the state does not have it
state_maybe_unwritten /nodes/0/output/2/source/path warning: state.limit may not be there: where the run begins, nothing has written it`},
		{"an input fills no field that is not declared", ``,
			`{"id": "a", "node": "t.use", "input": {"v": "state.path"}, "next": "__end__"}`,
			`state_never_written /nodes/0/input/0/path error: state.path is never written: no step writes it, and at the start the state does not have it`},
		{"a way around the write", ``,
			`{"id": "q", "type": "condition", "check": {"eq": ["input.path", {"value": "x"}]}, "on": {"true": "a", "false": "b"}},
			{"id": "a", "node": "t.make", "output": {"v": "state.v"}, "next": "b"}, {"id": "b", "node": "t.use", "input": {"v": "state.v"}, "next": "c"},
			{"id": "c", "node": "t.use", "input": {"v": "state.v"}, "next": "__end__"}`,
			`state_maybe_unwritten /nodes/2/input/0/path warning: state.v may not be there: by q (false) → b, nothing has written it`},
		{"it is written on every way", ``,
			`{"id": "q", "type": "condition", "check": {"eq": ["input.path", {"value": "x"}]}, "on": {"true": "a", "false": "b"}},
			{"id": "a", "node": "t.make", "output": {"v": "state.v"}, "next": "c"}, {"id": "b", "type": "set", "output": {"state.v": 1}, "next": "c"},
			{"id": "c", "node": "t.use", "input": {"v": "state.v"}, "next": "__end__"}`, ``},
		{"written later only", ``,
			`{"id": "b", "node": "t.use", "input": {"v": "state.v"}, "next": "a"}, {"id": "a", "node": "t.make", "output": {"v": "state.v"}, "next": "__end__"}`,
			`state_never_written /nodes/0/input/0/path error: state.v is read before anything can have written it: only "a" does, and no path leads from there to here`},
		{"written later in a loop: the first visit counts", ``,
			`{"id": "b", "node": "t.use", "input": {"v": "state.v"}, "next": "a"}, {"id": "a", "node": "t.pick", "output": {"v": "state.v"}, "on": {"ok": "__end__", "no": "b"}}`,
			`state_maybe_unwritten /nodes/0/input/0/path warning: state.v may not be there: where the run begins, nothing has written it`},
		{"an output that may be absent, under replace, under keep, and accumulated", `"state_schema": {"type": "object", "properties": {"all": {"type": "array", "x-reducer": "append"}}},`,
			`{"id": "s", "type": "set", "output": {"state.w": 1, "state.k": 1, "state.all": 1}, "next": "a"},
			{"id": "a", "node": "t.make", "output": [{"source": "w", "target": "state.w"}, {"source": "w", "target": "state.k", "if_absent": "keep"}, {"source": "w", "target": "state.all"}], "next": "b"},
			{"id": "b", "node": "t.use", "input": {"v": ["state.w", "state.k", "state.all"]}, "next": "__end__"}`,
			`state_maybe_unwritten /nodes/2/input/0/list/0/path warning: state.w may not be there: by a → b, "a" unsets it if it has no value for it`},
		{"keep and accumulate do not make it sure", `"state_schema": {"type": "object", "properties": {"all": {"type": "array", "x-reducer": "append"}}},`,
			`{"id": "a", "node": "t.make", "output": [{"source": "w", "target": "state.k", "if_absent": "keep"}, {"source": "w", "target": "state.all"}], "next": "b"},
			{"id": "b", "node": "t.use", "input": {"v": ["state.k", "state.all"]}, "next": "__end__"}`,
			`state_maybe_unwritten /nodes/1/input/0/list/0/path warning: state.k may not be there: by a → b, nothing has written it
state_maybe_unwritten /nodes/1/input/0/list/1/path warning: state.all may not be there: by a → b, nothing has written it`},
		{"if_absent fail makes it sure", ``,
			`{"id": "a", "node": "t.make", "output": [{"source": "w", "target": "state.w", "if_absent": "fail"}], "next": "b"},
			{"id": "b", "node": "t.use", "input": {"v": "state.w"}, "next": "__end__"}`, ``},
		{"unset takes it away, but not from a field with a default", `"state_schema": {"type": "object", "properties": {"n": {"default": 0}}},`,
			`{"id": "s", "type": "set", "output": {"state.v": 1, "state.n": 1}, "next": "u"}, {"id": "u", "type": "set", "unset": ["state.v", "state.n"], "next": "b"},
			{"id": "b", "node": "t.use", "input": {"v": "state.v", "opt": "state.n"}, "next": "__end__"}`,
			`state_never_written /nodes/2/input/1/path error: state.v is never there when it is read: only "s" writes it, and no path leads from there to here but by "u", where it is unset`},
		{"unset on one way", ``,
			`{"id": "s", "type": "set", "output": {"state.v": 1}, "next": "q"}, {"id": "q", "node": "t.pick", "on": {"ok": "u", "no": "b"}},
			{"id": "u", "type": "set", "unset": ["state.v"], "next": "b"}, {"id": "b", "node": "t.use", "input": {"v": "state.v"}, "next": "__end__"}`,
			`state_maybe_unwritten /nodes/3/input/0/path warning: state.v may not be there: by u → b, it is not there since "u" has unset it`},
		{"a caught failure wrote nothing but its error", ``,
			`{"id": "a", "node": "t.make", "output": {"v": "state.v"}, "catch": [{"codes": ["timeout"], "outcome": "late", "error": "state.error"}], "on": {"ok": "b", "late": "b"}},
			{"id": "b", "node": "t.use", "input": {"v": "state.v", "opt": "state.error"}, "next": "c"}, {"id": "c", "node": "t.use", "input": {"v": "state.error"}, "next": "d"},
			{"id": "d", "node": "t.use", "input": {"v": "steps.a.v"}, "next": "__end__"}`,
			`state_maybe_unwritten /nodes/1/input/1/path warning: state.v may not be there: by a (late) → b, nothing has written it
state_maybe_unwritten /nodes/2/input/0/path warning: state.error may not be there: by a (ok) → b → c, nothing has written it
step_maybe_not_run /nodes/3/input/0/path warning: steps.a may not be there: by a (late) → b → c → d, "a" has put out nothing`},
		{"a caught failure leaves the output of the visit before", ``,
			`{"id": "a", "node": "t.pick", "catch": [{"codes": ["timeout"], "outcome": "late"}], "on": {"ok": "again", "no": "again", "late": "__end__"}},
			{"id": "again", "node": "t.use", "input": {"v": "steps.a.v"}, "next": "a"}`, ``},
		{"parts of a field", ``,
			`{"id": "a", "type": "set", "output": {"state.m.k": 1}, "next": "b"}, {"id": "b", "node": "t.use", "input": {"v": ["state.m.k", "state.m", "state.m.j"]}, "next": "u"},
			{"id": "u", "type": "set", "unset": ["state.m.k"], "next": "c"}, {"id": "c", "node": "t.use", "input": {"v": ["state.m", "state.m.k"]}, "next": "__end__"}`,
			`state_never_written /nodes/1/input/0/list/2/path error: state.m.j is never written: no step writes it, and at the start the state does not have it
state_never_written /nodes/3/input/0/list/1/path error: state.m.k is never there when it is read: only "a" writes it, and no path leads from there to here but by "u", where it is unset`},
		{"where nothing may be there: a default, an optional target, a question; all of it is no finding", ``,
			`{"id": "q", "node": "t.pick", "on": {"ok": "a", "no": "b"}}, {"id": "a", "type": "set", "output": {"state.v": 1}, "next": "b"},
			{"id": "b", "node": "t.use", "input": {"v": {"path": "state.v", "default": 1}, "opt": "state.v"}, "next": "c"},
			{"id": "c", "type": "condition", "check": {"exists": "state.v"}, "on": {"true": "d", "false": "__end__"}},
			{"id": "d", "node": "t.any", "input": {"all": "state"}, "next": "__end__"}`, ``},
		{"nothing writes it, and the read says what then is: a warning", ``,
			`{"id": "b", "node": "t.use", "input": {"v": {"path": "state.v", "default": 1}}, "next": "c"}, {"id": "c", "type": "condition", "check": {"exists": "state.w"}, "on": {"true": "__end__", "false": "d"}},
			{"id": "d", "node": "t.use", "input": {"v": 1, "opt": "state.x"}, "next": "__end__"}`,
			`state_never_written /nodes/0/input/0/path warning: state.v is never written: no step writes it, and at the start the state does not have it
state_never_written /nodes/1/check/path warning: state.w is never written: no step writes it, and at the start the state does not have it
state_never_written /nodes/2/input/0/path warning: state.x is never written: no step writes it, and at the start the state does not have it`},
		{"that a step cannot go on without it does not bring it", ``,
			`{"id": "a", "node": "t.use", "input": {"v": "state.v"}, "next": "b"}, {"id": "b", "type": "condition", "check": {"exists": "input.limit"}, "on": {"true": "a", "false": "c"}},
			{"id": "c", "node": "t.use", "input": {"v": {"path": "state.v", "default": 1}}, "next": "__end__"}`,
			`state_never_written /nodes/0/input/0/path error: state.v is never written: no step writes it, and at the start the state does not have it`},
		{"a part that the default has comes back", `"state_schema": {"type": "object", "properties": {"m": {"default": {"k": 1}}}},`,
			`{"id": "u", "type": "set", "unset": ["state.m"], "next": "a"}, {"id": "a", "node": "t.make", "output": {"w": "state.m"}, "next": "b"}, {"id": "b", "node": "t.use", "input": {"v": ["state.m.k", "state.m.j"]}, "next": "__end__"}`,
			`state_maybe_unwritten /nodes/2/input/0/list/1/path warning: state.m.j may not be there: by a → b, "a" unsets it if it has no value for it`},
		{"an output of a step that nothing reaches", ``,
			`{"id": "a", "node": "t.use", "input": {"v": "steps.b.v"}, "next": "__end__"}, {"id": "b", "node": "t.make", "next": "__end__"}`,
			`step_never_ran /nodes/0/input/0/path error: steps.b is never there: no path from the start leads to step "b"`},
		{"steps that nothing reaches are not asked", ``,
			`{"id": "a", "type": "wait", "seconds": 1, "next": "__end__"}, {"id": "b", "node": "t.use", "input": {"v": "state.nothing"}, "next": "__end__"}`, ``},
		{"a misspelt write is told there only", `"state_schema": {"type": "object", "properties": {"report": {}}},`,
			`{"id": "a", "type": "set", "output": {"state.reprot": 1}, "next": "b"}, {"id": "b", "node": "t.use", "input": {"v": "state.report"}, "next": "__end__"}`, ``},
	})
}

func TestAssignedConditions(t *testing.T) {
	t.Parallel()
	const perhaps = `{"id": "p", "node": "t.pick", "on": {"ok": "w", "no": "q"}}, {"id": "w", "type": "set", "output": {"state.v": 1, "state.u": 1}, "next": "q"}, `
	runAssigned(t, []assignedTest{
		{"behind exists it is there", ``, perhaps + `{"id": "q", "type": "condition", "check": {"exists": "state.v"}, "on": {"true": "use", "false": "no"}},
			{"id": "use", "node": "t.use", "input": {"v": "state.v"}, "next": "__end__"}, {"id": "no", "node": "t.use", "input": {"v": "state.v"}, "next": "__end__"}`,
			`state_maybe_unwritten /nodes/4/input/0/path warning: state.v may not be there: by p (no) → q (false) → no, nothing has written it`},
		{"exists and more: RT-03", ``, perhaps + `{"id": "q", "type": "condition", "check": {"and": [{"exists": "state.v"}, {"gt": ["state.v", 1]}, {"exists": "state.u"}]}, "on": {"true": "use", "false": "q2"}},
			{"id": "use", "node": "t.use", "input": {"v": ["state.v", "state.u"]}, "next": "__end__"}, {"id": "q2", "type": "condition", "check": {"gt": ["state.v", 1]}, "on": {"true": "__end__", "false": "__end__"}}`,
			`state_maybe_unwritten /nodes/4/check/left/path warning: state.v may not be there: by p (no) → q (false) → q2, nothing has written it`},
		{"not exists, or something else", ``, perhaps + `{"id": "q", "type": "condition", "check": {"or": [{"not": {"exists": "state.v"}}, {"lt": ["state.v", 1]}]}, "on": {"true": "__end__", "false": "use"}},
			{"id": "use", "node": "t.use", "input": {"v": "state.v"}, "next": "__end__"}`, ``},
		{"what is asked must be there, and is there afterwards, whatever the answer", ``, perhaps + `{"id": "q", "type": "condition", "check": {"gt": ["state.v", {"path": "state.u", "default": 1}]}, "on": {"true": "use", "false": "use"}},
			{"id": "use", "node": "t.use", "input": {"v": ["state.v", "state.u"]}, "next": "__end__"}`,
			`state_maybe_unwritten /nodes/2/check/left/path warning: state.v may not be there: by p (no) → q, nothing has written it
state_maybe_unwritten /nodes/3/input/0/list/1/path warning: state.u may not be there: by p (no) → q (true) → use, nothing has written it`},
		{"the second part of an and is not always asked", ``, perhaps + `{"id": "q", "type": "condition", "check": {"and": [{"eq": ["input.path", {"value": "x"}]}, {"exists": "state.v"}, {"gt": ["state.v", 1]}]}, "on": {"true": "use", "false": "use"}},
			{"id": "use", "node": "t.use", "input": {"v": "state.v"}, "next": "__end__"}`,
			`state_maybe_unwritten /nodes/3/input/0/path warning: state.v may not be there: by p (no) → q (false) → use, nothing has written it`},
		{"cases, one after the other", ``, perhaps + `{"id": "q", "type": "condition", "cases": [{"when": {"not": {"exists": "state.v"}}, "outcome": "none"}, {"when": {"gt": ["state.v", 5]}, "outcome": "big"}, {"when": {"exists": "state.u"}, "outcome": "big"}], "default": "small",
				"on": {"none": "__end__", "big": "big", "small": "small"}},
			{"id": "big", "node": "t.use", "input": {"v": ["state.v", "state.u"]}, "next": "__end__"}, {"id": "small", "node": "t.use", "input": {"v": "state.v"}, "next": "__end__"}`,
			`state_maybe_unwritten /nodes/3/input/0/list/1/path warning: state.u may not be there: by p (no) → q (big) → big, nothing has written it`},
		{"any and all: what they go through is there, what they ask of each is not shown", ``, perhaps + `{"id": "q", "type": "condition", "check": {"any": {"over": "state.v", "as": "x", "check": {"eq": ["item.x", "state.u"]}}}, "on": {"true": "use", "false": "use"}},
			{"id": "use", "node": "t.use", "input": {"v": ["state.v", "state.u"]}, "next": "__end__"}`,
			`state_maybe_unwritten /nodes/2/check/check/right/path warning: state.u may not be there: by p (no) → q, nothing has written it
state_maybe_unwritten /nodes/2/check/over/path warning: state.v may not be there: by p (no) → q, nothing has written it`},
		{"a paging loop: RT-09", `"state_schema": {"type": "object", "properties": {"items": {"type": "array", "x-reducer": "append"}}},`,
			`{"id": "page", "node": "t.make", "input": {"token": {"path": "state.token", "default": ""}}, "output": {"v": "state.items", "w": "state.token"}, "next": "more"},
			{"id": "more", "type": "condition", "check": {"exists": "state.token"}, "on": {"true": "page", "false": "use"}}, {"id": "use", "node": "t.use", "input": {"v": "state.items"}, "next": "__end__"}`, ``},
	})
}
