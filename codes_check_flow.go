package wf

// flowCodes are findings about values that are read where nothing, or not every way, has brought them.
var flowCodes = []CodeInfo{
	{
		Code: "state_never_written", Severity: SeverityError, Title: "A state field that is read and never written",
		Text: "On no way to the read is there anything in the field: it has no default, no input of its name fills it at the start, and no step writes it before. Write it in a step before, give it a default, or read the value where it is. It is a warning where the read itself says what happens without a value: it has a default, its target is optional, or it only asks whether the field exists.",
		Bad: `{"name": "p", "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}},
  "nodes": [{"id": "copy", "type": "set", "output": {"state.draft": "input.text"}, "next": "send"},
  {"id": "send", "type": "wait", "seconds": "state.delay", "next": "__end__"}]}`,
		Good: `{"name": "p", "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}},
  "nodes": [{"id": "copy", "type": "set", "output": {"state.draft": "input.text", "state.delay": 5}, "next": "send"},
  {"id": "send", "type": "wait", "seconds": "state.delay", "next": "__end__"}]}`,
	},
	{
		Code: "state_maybe_unwritten", Severity: SeverityWarning, Title: "A state field that not every way has written",
		Text: "On at least one way to the read, which the message names, nothing has written the field, or it has been unset: by a step, or by an output that may be absent. Then the step fails, or goes on without the value. Write the field on that way too, give the read a default, or ask first whether the field exists. What an optional input fills counts as perhaps written, and so does what only the items of a foreach write, since there may be none.",
		Bad: `{"name": "p", "input_schema": {"type": "object", "properties": {"urgent": {"type": "boolean"}}, "required": ["urgent"]}, "nodes": [
  {"id": "ask", "type": "condition", "check": {"eq": ["input.urgent", true]}, "on": {"true": "send", "false": "delay"}},
  {"id": "delay", "type": "set", "output": {"state.delay": 60}, "next": "send"},
  {"id": "send", "type": "wait", "seconds": "state.delay", "next": "__end__"}]}`,
		Good: `{"name": "p", "input_schema": {"type": "object", "properties": {"urgent": {"type": "boolean"}}, "required": ["urgent"]}, "nodes": [
  {"id": "ask", "type": "condition", "check": {"eq": ["input.urgent", true]}, "on": {"true": "send", "false": "delay"}},
  {"id": "delay", "type": "set", "output": {"state.delay": 60}, "next": "send"},
  {"id": "send", "type": "wait", "seconds": {"path": "state.delay", "default": 0}, "next": "__end__"}]}`,
	},
	{
		Code: "step_never_ran", Severity: SeverityError, Title: "A step output that is read before the step can have run",
		Text: "steps.<id> is the step's latest output, which is there once the step has run: no way leads from that step to the read, or its output does not get there. What the steps of a foreach's body put out stays inside its items: give the foreach a result. What a fork's branch puts out is seen behind the join. It is a warning where the read itself says what happens without a value.",
		Bad: `{"name": "p", "node_defs": [{"name": "local.read"}], "nodes": [
  {"id": "keep", "type": "set", "output": {"state.text": "steps.read.text"}, "next": "read"},
  {"id": "read", "node": "local.read", "next": "__end__"}]}`,
		Good: `{"name": "p", "node_defs": [{"name": "local.read"}], "nodes": [
  {"id": "read", "node": "local.read", "next": "keep"},
  {"id": "keep", "type": "set", "output": {"state.text": "steps.read.text"}, "next": "__end__"}]}`,
	},
	{
		Code: "step_maybe_not_run", Severity: SeverityWarning, Title: "A step output that not every way to the read has",
		Text: "On at least one way to the read, which the message names, the step has not run, or it has failed and the failure was caught, so that there is no output. Lead every way through the step, give the read a default, or ask first whether the output exists.",
		Bad: `{"name": "p", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}, "node_defs": [{"name": "local.read"}], "nodes": [
  {"id": "ask", "type": "condition", "check": {"exists": "input.path"}, "on": {"true": "read", "false": "keep"}},
  {"id": "read", "node": "local.read", "next": "keep"},
  {"id": "keep", "type": "set", "output": {"state.text": "steps.read.text"}, "next": "__end__"}]}`,
		Good: `{"name": "p", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}, "node_defs": [{"name": "local.read"}], "nodes": [
  {"id": "ask", "type": "condition", "check": {"exists": "input.path"}, "on": {"true": "read", "false": "keep"}},
  {"id": "read", "node": "local.read", "next": "keep"},
  {"id": "keep", "type": "set", "output": {"state.text": {"path": "steps.read.text", "default": ""}}, "next": "__end__"}]}`,
	},
	{
		Code: "errors_unread", Severity: SeverityWarning, Title: "Errors that are collected and never read",
		Text: "With \"collect\" a foreach or fork goes on past failed items or branches and keeps their errors, but nothing reads them: the workflow ends as if all had gone well. Read steps.<id>.failed or steps.<id>.errors, or write one of them to the state. If failed items do not matter, let the foreach \"skip\" them.",
		Bad: `{"name": "p", "node_defs": [{"name": "local.send"}], "nodes": [
  {"id": "each", "type": "foreach", "over": "input.mails", "as": "mail", "on_item_error": "collect", "on": {"item": "send", "done": "__end__"}},
  {"id": "send", "node": "local.send", "next": "__continue__"}]}`,
		Good: `{"name": "p", "node_defs": [{"name": "local.send"}], "nodes": [
  {"id": "each", "type": "foreach", "over": "input.mails", "as": "mail", "on_item_error": "collect", "output": {"errors": "state.errors"}, "on": {"item": "send", "done": "__end__"}},
  {"id": "send", "node": "local.send", "next": "__continue__"}]}`,
	},
}
