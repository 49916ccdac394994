package wf

// nameCodes are the problems of names and edges.
var nameCodes = []CodeInfo{
	{
		Code: "name_invalid", Severity: SeverityError, Title: "A name has characters that it may not have",
		Text: "Ids, outcomes and the names of items have letters, digits, _ and - of ASCII, at most 128; names of capabilities, codes and workflows may have dots too. They stand in paths, in edges and in the places of a run, and must read the same everywhere. A step's id does not begin with two underscores.",
		Bad:  `{"name": "report", "nodes": [{"id": "read notes", "node": "files.read"}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read_notes", "node": "files.read"}]}`,
	},
	{
		Code: "name_duplicate", Severity: SeverityError, Title: "A name stands twice in a list",
		Text: "Outcomes, codes and state fields are sets: each stands there once.",
		Bad:  `{"name": "report", "outcomes": ["ok", "ok"], "nodes": []}`,
		Good: `{"name": "report", "outcomes": ["ok"], "nodes": []}`,
	},
	{
		Code: "code_reserved", Severity: SeverityError, Title: "A failure's code belongs to the engine",
		Text: "A fail step names a failure in the plan's own terms. The engine's codes tell what went wrong in running it; a catch could no longer tell the two apart.",
		Bad:  `{"name": "report", "nodes": [{"id": "stop", "type": "fail", "code": "timeout"}]}`,
		Good: `{"name": "report", "nodes": [{"id": "stop", "type": "fail", "code": "no_stock"}]}`,
	},
	{
		Code: "next_ambiguous", Severity: SeverityError, Title: "One target stands for several outcomes",
		Text: `"next", or an edge without an outcome, is for a step with one outcome. Where there are more, each is routed by name, so that none is taken by accident.`,
		Bad:  `{"name": "report", "nodes": [{"id": "big", "type": "condition", "check": {"gt": ["input.n", 5]}, "next": "__end__"}]}`,
		Good: `{"name": "report", "nodes": [{"id": "big", "type": "condition", "check": {"gt": ["input.n", 5]}, "on": {"true": "__end__", "false": "__end__"}}]}`,
	},
}

// operandCodes are the problems of paths, operands and conditions.
var operandCodes = []CodeInfo{
	{
		Code: "not_a_path", Severity: SeverityError, Title: "A text or an object stands where an operand is read",
		Text: `A text is a path and begins with a root: input, state, steps, item, context or local. A literal text is never guessed: it is written {"value": "urgent"}. An object is an operand with one of path, value, text, object, list and length.`,
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "input": {"mode": "fast"}}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "input": {"mode": {"value": "fast"}}}]}`,
	},
	{
		Code: "path_invalid", Severity: SeverityError, Title: "A path cannot be read",
		Text: `A path is a root, then members (.title, ["odd name"]) and elements ([0]). It computes nothing and addresses one value.`,
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "input": {"x": "state.items.0"}}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "input": {"x": "state.items[0]"}}]}`,
	},
	{
		Code: "path_root", Severity: SeverityError, Title: "A path begins with the wrong root",
		Text: "What a step writes goes below state; a binding's own side is below local, whose root may be left out.",
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "output": {"text": "notes"}}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "output": {"text": "state.notes"}}]}`,
	},
	{
		Code: "template_invalid", Severity: SeverityError, Title: "A template cannot be read",
		Text: "A template is a text with paths in single braces. A brace that is meant as such is doubled.",
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "input": {"title": {"text": "For {{input.name}}"}}}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "input": {"title": {"text": "For {input.name}"}}}]}`,
	},
	{
		Code: "operand_kind", Severity: SeverityError, Title: "An operand is not exactly one thing that may stand there",
		Text: "An operand has exactly one of path, value, text, object, list and length, and beside it at most a default for when it is absent. A text joins strings, numbers and booleans; a length stands in conditions.",
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "input": {"n": {"path": "input.n", "value": 5}}}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "input": {"n": {"path": "input.n", "default": 5}}}]}`,
	},
	{
		Code: "operator_unknown", Severity: SeverityError, Title: "A condition has no such operator",
		Text: "The language of conditions is small and stays so. What it cannot say, a capability computes.",
		Bad:  `{"name": "report", "nodes": [{"id": "big", "type": "condition", "check": {"starts_with": ["input.name", {"value": "a"}]}}]}`,
		Good: `{"name": "report", "nodes": [{"id": "big", "type": "condition", "check": {"matches": ["input.name", "^a"]}}]}`,
	},
	{
		Code: "condition_arguments", Severity: SeverityError, Title: "A condition has the wrong number of arguments",
		Text: `A comparison takes two arguments in a list: {"ge": ["state.n", 2]}.`,
		Bad:  `{"name": "report", "nodes": [{"id": "big", "type": "condition", "check": {"gt": ["input.n"]}}]}`,
		Good: `{"name": "report", "nodes": [{"id": "big", "type": "condition", "check": {"gt": ["input.n", 5]}}]}`,
	},
}

// habitCodes are what other systems' languages make one write.
var habitCodes = []CodeInfo{
	{
		Code: "path_wrapped", Severity: SeverityError, Title: "A path has another language's marks around it",
		Text: "A path is written as it is, without braces, dollar or equals signs. What JSONPath calls $ is one of the roots here.",
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "input": {"path": "{{input.path}}"}}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "input": {"path": "input.path"}}]}`,
	},
	{
		Code: "binding_reversed", Severity: SeverityError, Title: "The two sides of a binding are exchanged",
		Text: "An input map reads target: source, an output map source: target. The side with a root of the graph stood where the step's own field belongs.",
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "output": {"state.text": "text"}}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "output": {"text": "state.text"}}]}`,
	},
	{
		Code: "edge_ends", Severity: SeverityError, Title: "An edge has a source and a target",
		Text: `An edge goes "from" a step, for one "outcome", "to" another.`,
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read"}], "edges": [{"source": "read", "outcome": "ok", "target": "__end__"}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read"}], "edges": [{"from": "read", "outcome": "ok", "to": "__end__"}]}`,
	},
	{
		Code: "operator_alias", Severity: SeverityError, Title: "An operator has its name from another language",
		Text: "The operators of conditions are words: eq, ne, gt, ge, lt, le, in, contains, matches, is, exists, and, or, not, any, all.",
		Bad:  `{"name": "report", "nodes": [{"id": "big", "type": "condition", "check": {">=": ["input.n", 5]}}]}`,
		Good: `{"name": "report", "nodes": [{"id": "big", "type": "condition", "check": {"ge": ["input.n", 5]}}]}`,
	},
	{
		Code: "condition_text", Severity: SeverityError, Title: "A condition is written as an expression",
		Text: "Conditions are structured: nothing in a plan is a text to be evaluated. The fix holds the structured form where the expression is simple.",
		Bad:  `{"name": "report", "nodes": [{"id": "big", "type": "condition", "check": "input.n > 5"}]}`,
		Good: `{"name": "report", "nodes": [{"id": "big", "type": "condition", "check": {"gt": ["input.n", 5]}}]}`,
	},
	{
		Code: "duration_text", Severity: SeverityError, Title: "A span of time is not a number of seconds",
		Text: "Spans of time are numbers of seconds in fields whose names end in _seconds.",
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "timeout_seconds": "30s"}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "timeout_seconds": 30}]}`,
	},
	{
		Code: "max_retries", Severity: SeverityError, Title: "Retries are counted instead of attempts",
		Text: "A retry counts all attempts, the first included: one more than the retries.",
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "retry": {"max_retries": 2}}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "retry": {"max_attempts": 3}}]}`,
	},
}
