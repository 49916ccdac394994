package wf

// stepCodes are findings about single steps.
var stepCodes = []CodeInfo{
	{
		Code: "retry_invalid", Severity: SeverityError, Title: "A retry whose numbers contradict each other",
		Text: "Pauses grow from initial_interval_seconds up to max_interval_seconds, so the longest must not be shorter than the first.",
		Bad: `{"name": "p", "node_defs": [{"name": "local.read"}], "nodes": [{"id": "a", "node": "local.read", "next": "__end__",
  "retry": {"max_attempts": 3, "initial_interval_seconds": 10, "max_interval_seconds": 5}}]}`,
		Good: `{"name": "p", "node_defs": [{"name": "local.read"}], "nodes": [{"id": "a", "node": "local.read", "next": "__end__",
  "retry": {"max_attempts": 3, "initial_interval_seconds": 5, "max_interval_seconds": 10}}]}`,
	},
	{
		Code: "failure_unknown", Severity: SeverityError, Title: "A failure that the plan does not know",
		Text: "A catch or a retry names a code that neither the engine nor a fail step of the plan fails with. If it is nearly one that exists it is an error. Otherwise it is an info: a function may give its failures codes of its own, and then all is well.",
		Bad: `{"name": "p", "node_defs": [{"name": "local.read"}], "nodes": [{"id": "a", "node": "local.read",
  "catch": [{"codes": ["time_out"], "outcome": "late"}], "on": {"ok": "__end__", "late": "__end__"}}]}`,
		Good: `{"name": "p", "node_defs": [{"name": "local.read"}], "nodes": [{"id": "a", "node": "local.read",
  "catch": [{"codes": ["timeout"], "outcome": "late"}], "on": {"ok": "__end__", "late": "__end__"}}]}`,
	},
	{
		Code: "failure_uncatchable", Severity: SeverityError, Title: "A failure that cannot be caught or retried",
		Text: "Cancelling a run reaches everything: no step catches it, and no retry starts again. A doubt about a call can be caught but is never retried by itself.",
		Bad: `{"name": "p", "node_defs": [{"name": "local.read"}], "nodes": [{"id": "a", "node": "local.read",
  "catch": [{"codes": ["timeout", "cancelled"], "outcome": "late"}], "on": {"ok": "__end__", "late": "__end__"}}]}`,
		Good: `{"name": "p", "node_defs": [{"name": "local.read"}], "nodes": [{"id": "a", "node": "local.read",
  "catch": [{"codes": ["timeout"], "outcome": "late"}], "on": {"ok": "__end__", "late": "__end__"}}]}`,
	},
	{
		Code: "catch_outcome_taken", Severity: SeverityError, Title: "A failure caught into an outcome that enters a region",
		Text: `A caught failure leaves the foreach or fork; its "item" and its branches' outcomes lead inside. Catch into an outcome of its own.`,
		Bad: `{"name": "p", "nodes": [
  {"id": "each", "type": "foreach", "over": "input.files", "as": "file", "catch": [{"codes": ["*"], "outcome": "item"}], "on": {"item": "work", "done": "__end__"}},
  {"id": "work", "type": "wait", "seconds": 1, "next": "__continue__"}]}`,
		Good: `{"name": "p", "nodes": [
  {"id": "each", "type": "foreach", "over": "input.files", "as": "file", "catch": [{"codes": ["*"], "outcome": "failed"}], "on": {"item": "work", "done": "__end__", "failed": "__end__"}},
  {"id": "work", "type": "wait", "seconds": 1, "next": "__continue__"}]}`,
	},
	{
		Code: "catch_shadowed", Severity: SeverityWarning, Title: "A code caught twice",
		Text: "The first catch of a step that names a code wins, so the second never applies to it. Remove one.",
		Bad: `{"name": "p", "node_defs": [{"name": "local.read"}], "nodes": [{"id": "a", "node": "local.read",
  "catch": [{"codes": ["timeout"], "outcome": "late"}, {"codes": ["timeout"], "outcome": "gone"}], "on": {"ok": "__end__", "late": "__end__", "gone": "__end__"}}]}`,
		Good: `{"name": "p", "node_defs": [{"name": "local.read"}], "nodes": [{"id": "a", "node": "local.read",
  "catch": [{"codes": ["timeout"], "outcome": "late"}, {"codes": ["transport"], "outcome": "gone"}], "on": {"ok": "__end__", "late": "__end__", "gone": "__end__"}}]}`,
	},
	{
		Code: "complete_beyond", Severity: SeverityWarning, Title: "More successes asked for than there are branches",
		Text: "complete counts at most the branches that were started, so a larger number means all of them. Write a number that can be reached.",
		Bad: `{"name": "p", "nodes": [{"id": "split", "type": "fork", "branches": ["a"], "join": "meet", "complete": 2, "on": {"a": "left"}},
  {"id": "left", "type": "wait", "seconds": 1, "next": "meet"}, {"id": "meet", "type": "join", "on": {"done": "__end__", "unmet": "__end__"}}]}`,
		Good: `{"name": "p", "nodes": [{"id": "split", "type": "fork", "branches": ["a"], "join": "meet", "complete": 1, "on": {"a": "left"}},
  {"id": "left", "type": "wait", "seconds": 1, "next": "meet"}, {"id": "meet", "type": "join", "on": {"done": "__end__", "unmet": "__end__"}}]}`,
	},
	{
		Code: "item_name_taken", Severity: SeverityError, Title: "An item with the name of an outer item",
		Text: `A body reads its own item and those of the loops around it by their "as" names, so the names differ.`,
		Bad: `{"name": "p", "nodes": [
  {"id": "outer", "type": "foreach", "over": "input.files", "as": "file", "on": {"item": "inner", "done": "__end__"}},
  {"id": "inner", "type": "foreach", "over": "item.file.pages", "as": "file", "on": {"item": "__continue__", "done": "__continue__"}}]}`,
		Good: `{"name": "p", "nodes": [
  {"id": "outer", "type": "foreach", "over": "input.files", "as": "file", "on": {"item": "inner", "done": "__end__"}},
  {"id": "inner", "type": "foreach", "over": "item.file.pages", "as": "page", "on": {"item": "__continue__", "done": "__continue__"}}]}`,
	},
	{
		Code: "over_not_array", Severity: SeverityError, Title: "A foreach over something that is no array",
		Text: "A foreach goes through the elements of an array. Name the array inside the value; wf.std.entries turns an object into one.",
		Bad: `{"name": "p", "input_schema": {"type": "object", "properties": {"file": {"type": "string"}}}, "nodes": [
  {"id": "each", "type": "foreach", "over": "input.file", "as": "file", "on": {"item": "__continue__", "done": "__end__"}}]}`,
		Good: `{"name": "p", "input_schema": {"type": "object", "properties": {"files": {"type": "array"}}}, "nodes": [
  {"id": "each", "type": "foreach", "over": "input.files", "as": "file", "on": {"item": "__continue__", "done": "__end__"}}]}`,
	},
	{
		Code: "timeout_outcome_resumable", Severity: SeverityError, Title: "A timeout with the outcome of an answer",
		Text: "The timeout's outcome says that nobody answered, so a person cannot choose it. Give it a name of its own.",
		Bad: `{"name": "p", "nodes": [{"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["yes", "no"],
  "timeout_seconds": 60, "timeout_outcome": "no", "on": {"yes": "__end__", "no": "__end__"}}]}`,
		Good: `{"name": "p", "nodes": [{"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["yes", "no"],
  "timeout_seconds": 60, "timeout_outcome": "expired", "on": {"yes": "__end__", "no": "__end__", "expired": "__end__"}}]}`,
	},
	{
		Code: "pattern_invalid", Severity: SeverityError, Title: "A pattern that is no RE2 expression",
		Text: "Patterns are RE2 regular expressions: they have no look-around and no back-references, and take linear time.",
		Bad:  `{"name": "p", "nodes": [{"id": "ask", "type": "condition", "check": {"matches": ["input.name", "(?!tmp)"]}, "on": {"true": "__end__", "false": "__end__"}}]}`,
		Good: `{"name": "p", "nodes": [{"id": "ask", "type": "condition", "check": {"matches": ["input.name", "^tmp"]}, "on": {"true": "__end__", "false": "__end__"}}]}`,
	},
}
