package wf

// inferCodes are what inferring adds to a plan, or leaves out. They are told as information.
var inferCodes = []CodeInfo{
	{
		Code: "contract_inferred", Severity: SeverityInfo, Title: "A capability's contract was added",
		Text: "The plan calls a capability that it does not define. Its contract was taken from the source that has it, so that the plan says by itself what it relies on.",
		Bad:  `{"name": "p", "nodes": [{"id": "a", "node": "local.read", "next": "__end__"}]}`,
		Good: `{"name": "p", "node_defs": [{"name": "local.read"}], "nodes": [{"id": "a", "node": "local.read", "next": "__end__"}]}`,
	},
	{
		Code: "schema_inferred", Severity: SeverityInfo, Title: "A schema was added",
		Text: "The plan does not say what an input, a state field or an output is, but those who write and read it do. What they say was added. What the plan says itself is never changed.",
		Bad: `{"name": "p", "node_defs": [{"name": "local.read", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}}],
  "nodes": [{"id": "a", "node": "local.read", "input": {"path": "input.path"}, "next": "__end__"}]}`,
		Good: `{"name": "p", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
  "node_defs": [{"name": "local.read", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}}],
  "nodes": [{"id": "a", "node": "local.read", "input": {"path": "input.path"}, "next": "__end__"}]}`,
	},
	{
		Code: "schema_unclear", Severity: SeverityInfo, Title: "A schema could not be inferred",
		Text: "Those who write and read an input, a state field or an output do not agree on what it is, or one of them does not say. Nothing was added: write the schema yourself.",
		Bad: `{"name": "p", "nodes": [{"id": "a", "type": "set", "output": {"state.x": {"value": "text"}}, "next": "b"},
  {"id": "b", "type": "set", "output": {"state.x": {"value": 5}}, "next": "__end__"}]}`,
		Good: `{"name": "p", "state_schema": {"type": "object", "properties": {"x": {"type": ["string", "integer"]}}},
  "nodes": [{"id": "a", "type": "set", "output": {"state.x": {"value": "text"}}, "next": "b"},
  {"id": "b", "type": "set", "output": {"state.x": {"value": 5}}, "next": "__end__"}]}`,
	},
}
