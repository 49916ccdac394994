package wf

// formCodes are what language models, and people who know other systems, write in another form than the plan's.
var formCodes = []CodeInfo{
	{
		Code: "schema_shorthand", Severity: SeverityError, Title: "A schema is written as names with types",
		Text: `A schema is JSON Schema: {"type": "object", "properties": {"text": {"type": "string"}}}. By names and types alone it would say nothing, and check nothing.`,
		Bad:  `{"name": "report", "input_schema": {"text": "string"}, "nodes": []}`,
		Good: `{"name": "report", "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}}, "nodes": []}`,
	},
	{
		Code: "schema_type_name", Severity: SeverityError, Title: "A type has its name from another language",
		Text: "The types of JSON Schema are string, number, integer, boolean, object, array and null. What can be anything has no type; a list says the type of its elements in items.",
		Bad:  `{"name": "report", "input_schema": {"type": "object", "properties": {"n": {"type": "int"}}}, "nodes": []}`,
		Good: `{"name": "report", "input_schema": {"type": "object", "properties": {"n": {"type": "integer"}}}, "nodes": []}`,
	},
	{
		Code: "schema_required", Severity: SeverityError, Title: "A property says itself that it is required",
		Text: `"required" is a list of names in the schema of the object, beside "properties". What it does not list is optional.`,
		Bad:  `{"name": "report", "input_schema": {"type": "object", "properties": {"n": {"type": "integer", "required": true}}}, "nodes": []}`,
		Good: `{"name": "report", "input_schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}, "nodes": []}`,
	},
	{
		Code: "template_bare", Severity: SeverityError, Title: "A text with paths in it is not written as a template",
		Text: `A text that is put together is an operand of its own: {"text": "Report for {input.name}"}, with paths in single braces.`,
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "input": {"title": "Report for {{input.name}}"}}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "input": {"title": {"text": "Report for {input.name}"}}}]}`,
	},
	{
		Code: "list_as_map", Severity: SeverityError, Title: "A list is written as a map",
		Text: "Steps, edges, node definitions and branches stand in lists: their order is that of the text, and each says its own name. A map has no order.",
		Bad:  `{"name": "report", "nodes": {"read": {"node": "files.read", "next": "__end__"}}}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "next": "__end__"}]}`,
	},
	{
		Code: "routes_form", Severity: SeverityError, Title: "The edges of a step are written in another form",
		Text: `A step's own edges are "next", the id of a step, for its only outcome, or "on", a map from outcomes to steps. So the ways on from a condition are its outcomes true and false, and the body of a foreach is the steps from its outcome item to __continue__: they stand beside all others.`,
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "on": [{"outcome": "ok", "to": "__end__"}]}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "on": {"ok": "__end__"}}]}`,
	},
	{
		Code: "end_name", Severity: SeverityError, Title: "The end of the workflow has another name",
		Text: `An edge that ends the workflow leads to "__end__". A step of type end may have any id, and an edge leads to it by that.`,
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "next": "END"}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "next": "__end__"}]}`,
	},
	{
		Code: "start_edge", Severity: SeverityError, Title: "An edge leads to the first step",
		Text: `With which step to begin is said by "start", or by the order of the steps: the first one begins. No edge leads there from nowhere.`,
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "next": "__end__"}], "edges": [{"from": "START", "to": "read"}]}`,
		Good: `{"name": "report", "start": "read", "nodes": [{"id": "read", "node": "files.read", "next": "__end__"}]}`,
	},
}
