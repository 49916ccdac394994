package wf

// typeCodes are findings about values that can never be of the type which the place they go to asks for.
var typeCodes = []CodeInfo{
	{
		Code: "type_mismatch", Severity: SeverityError, Title: "A value that can never fit its target",
		Text: "Every value that the source's schema allows is refused by the place that it goes to: a step's input, what the reducer of a state field takes, the workflow's output. Bind a value of the right type, or change one of the schemas. Where a schema does not say, or only some values clash, nothing is reported.",
		Bad: `{"name": "p", "input_schema": {"type": "object", "properties": {"limit": {"type": "string"}}},
  "node_defs": [{"name": "local.read", "input_schema": {"type": "object", "properties": {"limit": {"type": "integer"}}}}],
  "nodes": [{"id": "a", "node": "local.read", "input": {"limit": "input.limit"}, "next": "__end__"}]}`,
		Good: `{"name": "p", "input_schema": {"type": "object", "properties": {"limit": {"type": "integer"}}},
  "node_defs": [{"name": "local.read", "input_schema": {"type": "object", "properties": {"limit": {"type": "integer"}}}}],
  "nodes": [{"id": "a", "node": "local.read", "input": {"limit": "input.limit"}, "next": "__end__"}]}`,
	},
	{
		Code: "condition_mismatch", Severity: SeverityError, Title: "A condition about values of the wrong type",
		Text: "The condition would always fail: an order compares two numbers or two strings, a pattern matches a string, any and all go through an array, and only strings, arrays and objects have a length or contain something.",
		Bad: `{"name": "p", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
  "nodes": [{"id": "a", "type": "condition", "check": {"gt": ["input.path", 5]}, "on": {"true": "__end__", "false": "__end__"}}]}`,
		Good: `{"name": "p", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
  "nodes": [{"id": "a", "type": "condition", "check": {"gt": [{"length": "input.path"}, 5]}, "on": {"true": "__end__", "false": "__end__"}}]}`,
	},
}
