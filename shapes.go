package wf

import (
	"encoding/json"

	"lda.chat/wf/internal/value"
)

// shapeTable lists the shapes that an author writes, each with an example in the short form.
var shapeTable = []struct {
	name    string
	example string
	write   func(example string) (canonical, short json.RawMessage)
}{
	{"workflow", `{
		"name": "mail_reply",
		"input_schema": {"type": "object", "required": ["mail"], "properties": {"mail": {"type": "string"}}},
		"state_schema": {"type": "object", "properties": {"draft": {"type": "string"}, "feedback": {"type": "string"}, "log": {"type": "array", "x-reducer": "append"}}},
		"outcomes": ["ok", "gave_up"],
		"output": {"draft": "state.draft"},
		"nodes": [
			{"id": "draft", "node": "llm.draft_reply", "input": {"feedback": {"path": "state.feedback", "default": ""}, "mail": "input.mail"},
				"output": {"text": "state.draft"}, "next": "approve"},
			{"id": "approve", "type": "interrupt", "kind": "approval", "request": {"draft": "state.draft"},
				"outcomes": ["approved", "rejected"], "resume": {"feedback": "state.feedback"},
				"on": {"approved": "__end__", "rejected": {"to": "draft", "max_visits": 5, "exhausted": "gave_up"}}},
			{"id": "gave_up", "type": "end", "outcome": "gave_up"}]}`, writeWorkflow},
	{"node_step", `{"id": "extract", "node": "local.report.extract_report", "input": {"language": {"value": "en"}, "limit": 5, "text": "steps.read.text"},
		"output": "state.report", "timeout_seconds": 30, "retry": {"max_attempts": 3},
		"catch": [{"codes": ["timeout", "transport"], "outcome": "unavailable", "error": "state.problem"}]}`, writeStep},
	{"set_step", `{"id": "count", "type": "set", "output": {"state.round": 0, "state.title": {"text": "Report for {input.name}"}}, "unset": ["state.errors"]}`, writeStep},
	{"condition_step", `{"id": "size", "type": "condition", "cases": [{"when": {"gt": ["state.n", 100]}, "outcome": "big"},
		{"when": {"exists": "state.n"}, "outcome": "small"}], "default": "empty"}`, writeStep},
	{"foreach_step", `{"id": "each", "type": "foreach", "over": "state.repos", "as": "repo", "mode": "parallel", "on_item_error": "collect",
		"max_concurrency": 4, "result": "steps.fetch.count", "output": {"errors": "state.errors", "results": "state.counts"}}`, writeStep},
	{"fork_step", `{"id": "ask_all", "type": "fork", "branches": ["legal", {"outcome": "finance", "when": {"gt": ["input.amount", 1000]}}],
		"join": "asked", "complete": 1, "timeout_seconds": 86400}`, writeStep},
	{"join_step", `{"id": "asked", "type": "join"}`, writeStep},
	{"interrupt_step", `{"id": "approve", "type": "interrupt", "kind": "approval", "request": {"draft": "state.draft"}, "outcomes": ["approved", "rejected"],
		"resume": {"feedback": "state.feedback"}, "resume_schema": {"type": "object", "properties": {"feedback": {"type": "string"}}},
		"timeout_seconds": 259200, "timeout_outcome": "expired"}`, writeStep},
	{"wait_step", `{"id": "pause", "type": "wait", "seconds": 60}`, writeStep},
	{"subgraph_step", `{"id": "summarise", "type": "subgraph", "workflow": "summary@1", "input": {"text": "state.text"}, "output": {"summary": "state.summary"}}`, writeStep},
	{"fail_step", `{"id": "sold_out", "type": "fail", "code": "no_stock", "message": {"text": "No {item.product.name} left"}}`, writeStep},
	{"end_step", `{"id": "gave_up", "type": "end", "outcome": "gave_up", "output": {"reason": {"value": "too many rounds"}}}`, writeStep},
	{"edge", `{"from": "approve", "outcome": "rejected", "to": "draft", "max_visits": 5, "exhausted": "gave_up"}`, writeEdge},
	{"path", `"state.items[0][\"odd name\"]"`, writeWith((*reader).path, writer.path)},
	{"operand", `{"text": "Repos-{item.repo}"}`, writeWith(readOperand, writer.operand)},
	{"input_binding", `{"target": "options.limit", "path": "input.limit", "default": 10}`,
		writeWith((*reader).inputBinding, func(wr writer, b InputBinding) any { return wr.inputBinding(b) })},
	{"output_binding", `{"source": "next_cursor", "target": "state.cursor", "if_absent": "keep"}`,
		writeWith(readOutputBinding, func(wr writer, b OutputBinding) any { return wr.outputBinding(b) })},
	{"condition", `{"and": [{"exists": "state.n"}, {"ge": ["state.n", 2]}, {"not": {"in": ["state.kind", {"value": ["a", "b"]}]}}]}`,
		writeWith(readCondition, writer.condition)},
	{"catch", `{"codes": ["*"], "outcome": "failed", "error": "state.problem"}`, writeCatch},
	{"retry", `{"max_attempts": 3, "initial_interval_seconds": 1, "backoff": 2, "max_interval_seconds": 60, "total_seconds": 300, "on": ["transport", "timeout"]}`, writeRetry},
	{"limits", `{"max_steps": 10000, "max_depth": 16, "timeout_seconds": 3600}`, writeLimits},
	{"node_def", `{"name": "local.report.extract_report", "description": "Takes a report apart",
		"input_schema": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}},
		"output_schema": {"type": "object", "properties": {"title": {"type": "string"}}}, "outcomes": ["ok", "not_a_report"], "effect": "pure", "timeout_seconds": 30}`,
		writeWith(func(r *reader, v value.Value, at string) *NodeDef { return r.nodeDef(v, at) }, func(wr writer, d *NodeDef) any { return wr.nodeDef(d) })},
	{"diagnostic", "", writeDiagnostic},
	{"run", `{"run_id": "run_20261130T090000.000_k3v5m2q7xa", "workflow": "weekly_report", "kernel_version": 1,
		"digest": "sha256:3b9c1f0e5d7a8246b1c0f9e8d7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d1e0f9a8", "status": "completed", "outcome": "ok",
		"input": {"path": "notes.md"}, "state": {"text": "# Weekly"}, "output": {"text": "# Weekly"},
		"frames": [{"path": "/", "status": "closed"}], "prior_step": "read", "prior_outcome": "ok", "steps": 1, "records": 2,
		"started_at": "2026-11-30T09:00:00Z", "updated_at": "2026-11-30T09:00:01Z",
		"trace": [{"seq": 2, "step": "read", "frame": "/", "visit": 1, "type": "node", "started_at": "2026-11-30T09:00:00Z",
			"ended_at": "2026-11-30T09:00:01Z", "input": {"path": "notes.md"}, "attempts": 1, "outcome": "ok", "output": {"text": "# Weekly"},
			"writes": [{"path": "state.text", "op": "set", "value": "# Weekly"}], "next": "__end__"}]}`, writeData},
}

// writeWith reads an example with a method of the reader and writes it with one of the writer.
func writeWith[T any](read func(*reader, value.Value, string) T, write func(writer, T) any) func(string) (canonical, short json.RawMessage) {
	return func(example string) (canonical, short json.RawMessage) {
		return written(func(wr writer) any { return write(wr, read(&reader{}, mustParse(example), "")) })
	}
}

// written writes a shape in both forms.
func written(write func(writer) any) (canonical, short json.RawMessage) {
	return indented(write(writer{})), indented(write(writer{short: true}))
}

// writeData writes a shape that is read by nobody: it has one form.
func writeData(example string) (canonical, short json.RawMessage) {
	return written(func(writer) any { return json.RawMessage(example) })
}

// mustParse reads an example of the table, which the tests read too.
func mustParse(example string) value.Value {
	v, err := value.Parse([]byte(example))
	if err != nil {
		panic(err)
	}
	return v
}

func writeWorkflow(example string) (canonical, short json.RawMessage) {
	w := (&reader{}).workflow(mustParse(example), "", "", nil)
	return w.Indented(), w.Short()
}

func writeStep(example string) (canonical, short json.RawMessage) {
	w := &Workflow{}
	(&reader{}).addStep(w, mustParse(example), "")
	return written(func(wr writer) any { wr.known = newNesting(w, nil); return wr.step(w.Nodes[0], nil) })
}

func writeEdge(example string) (canonical, short json.RawMessage) {
	r := &reader{}
	r.addEdge(mustParse(example), "")
	return written(func(wr writer) any { return wr.edge(r.routes[0].Edge) })
}

// within reads an example as the field of an object.
func within(key, example string) object {
	v := value.Object(value.Member{Key: key, Value: mustParse(example)})
	return object{reader: &reader{}, v: v}
}

func writeCatch(example string) (canonical, short json.RawMessage) {
	c := within("catch", "["+example+"]").catches()[0]
	return written(func(wr writer) any { return wr.catch(c) })
}

func writeRetry(example string) (canonical, short json.RawMessage) {
	retry := within("retry", example).retry()
	return written(func(writer) any { return retryTree(retry) })
}

func writeLimits(example string) (canonical, short json.RawMessage) {
	limits := within("limits", example).limits()
	return written(func(wr writer) any { return wr.limits(limits) })
}

func readOperand(r *reader, v value.Value, at string) Operand {
	return r.operand(v, at, operandPlace{})
}

func readOutputBinding(r *reader, v value.Value, at string) OutputBinding {
	return r.outputBinding(v, at, false)
}

func readCondition(r *reader, v value.Value, at string) *Condition { return r.condition(v, at, 0) }

// writeDiagnostic finds something in a plan with a mistake.
func writeDiagnostic(string) (canonical, short json.RawMessage) {
	info, _ := LookupCode("binding_reversed")
	_, diags := ParseWorkflow([]byte(info.Bad))
	return written(func(writer) any { return json.RawMessage(jsonOf(diags[0])) })
}
