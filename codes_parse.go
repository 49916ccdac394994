package wf

import (
	"slices"
	"strings"
)

// parseCodes are the problems of reading a plan.
var parseCodes = slices.Concat(textCodes, shapeCodes, nameCodes, operandCodes, habitCodes, formCodes)

// textCodes are the problems of a text that is not yet a plan.
var textCodes = []CodeInfo{
	{
		Code: "json_syntax", Severity: SeverityError, Title: "The text is not JSON",
		Text: "A plan is one JSON document as RFC 8259 has it: no comments, no comma after the last element, no single quotes. Nothing else can be said about the text until it is one.",
		Bad:  `{"name": "report", "nodes": [],}`,
		Good: `{"name": "report", "nodes": []}`,
	},
	{
		Code: "key_duplicate", Severity: SeverityError, Title: "An object has a key twice",
		Text: "Readers disagree on which of the two counts, so the plan would mean different things in different places. Keep one.",
		Bad:  `{"name": "report", "name": "weekly", "nodes": []}`,
		Good: `{"name": "report", "nodes": []}`,
	},
	{
		Code: "trailing_data", Severity: SeverityError, Title: "Something follows the JSON document",
		Text: "A file holds one plan. What follows its closing brace would be ignored; remove it, or put it into a file of its own.",
		Bad:  `{"name": "report", "nodes": []} }`,
		Good: `{"name": "report", "nodes": []}`,
	},
	{
		Code: "unicode_invalid", Severity: SeverityError, Title: "A string is not valid Unicode",
		Text: "Invalid UTF-8, or half of a surrogate pair, would be replaced on the way and change the text. Write UTF-8.",
		Bad:  `{"name": "report", "description": "\ud800", "nodes": []}`,
		Good: `{"name": "report", "description": "\ud83d\ude00", "nodes": []}`,
	},
	{
		Code: "number_out_of_range", Severity: SeverityError, Title: "A number is too large or too long",
		Text: "Numbers keep their exact digits. One beyond the range of a double, or with hundreds of digits, cannot be carried through every store and tool. Write a smaller one, or a string.",
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "input": {"n": 1e400}}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "input": {"n": 1e300}}]}`,
	},
	{
		Code: "too_deep", Severity: SeverityError, Title: "Something is nested too deep",
		Text: "A document has at most 200 levels, a literal or a schema in it 64, operands and conditions 24 in one another, workflows 8. Compute parts in steps of their own, or save inner workflows as artifacts.",
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "input": {"x": {"value": ` + strings.Repeat("[", 65) + strings.Repeat("]", 65) + `}}}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "input": {"x": {"value": [[]]}}}]}`,
	},
	{
		Code: "too_large", Severity: SeverityError, Title: "The plan is too large",
		Text: "A plan's text, and its canonical form, have at most 16 MiB. A plan says what to do; data belongs into the run's input or behind a capability.",
		Bad:  "a plan with a literal of 20 MiB",
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "input": {"path": "input.path"}}]}`,
	},
	{
		Code: "too_many_findings", Severity: SeverityError, Title: "There are more mistakes than are shown",
		Text: "After a hundred findings the rest is left out. Repair what is shown and read the plan again.",
		Bad:  "a plan with two hundred unknown fields",
		Good: `{"name": "report", "nodes": []}`,
	},
	{
		Code: "format_unsupported", Severity: SeverityError, Title: "The plan has a format that cannot be read",
		Text: `The member "format" names the version of the plan's shape. Write "wf/1", or leave it out.`,
		Bad:  `{"format": "wf/9", "name": "report", "nodes": []}`,
		Good: `{"format": "wf/1", "name": "report", "nodes": []}`,
	},
}

// shapeCodes are the problems of fields and their types.
var shapeCodes = []CodeInfo{
	{
		Code: "type_wrong", Severity: SeverityError, Title: "A value is of the wrong kind",
		Text: "The field holds another kind of JSON value than the one it needs. A field that has no value is left out, not null.",
		Bad:  `{"name": "report", "description": ["weekly"], "nodes": []}`,
		Good: `{"name": "report", "description": "weekly", "nodes": []}`,
	},
	{
		Code: "field_unknown", Severity: SeverityError, Title: "There is no such field",
		Text: "Nothing in a plan is silently ignored: a field that is not one of those listed is a mistake, most often of spelling.",
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "inptu": {}}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "input": {}}]}`,
	},
	{
		Code: "field_name", Severity: SeverityError, Title: "A field is called differently here",
		Text: "The field has the name that another system gives it. Rename it as the fix says.",
		Bad:  `{"name": "report", "steps": [{"id": "read", "node": "files.read"}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read"}]}`,
	},
	{
		Code: "field_missing", Severity: SeverityError, Title: "A field is missing",
		Text: "The object cannot be understood without this field. Of a workflow only name and nodes are required.",
		Bad:  `{"name": "report", "nodes": [{"id": "each", "type": "foreach", "over": "state.items"}]}`,
		Good: `{"name": "report", "nodes": [{"id": "each", "type": "foreach", "over": "state.items", "as": "item"}]}`,
	},
	{
		Code: "field_conflict", Severity: SeverityError, Title: "Two fields exclude each other",
		Text: "Both say the same thing in different ways, and only one can count. Keep the one that is meant.",
		Bad:  `{"name": "report", "nodes": [{"id": "rest", "type": "wait", "seconds": 5, "until": "input.until"}]}`,
		Good: `{"name": "report", "nodes": [{"id": "rest", "type": "wait", "seconds": 5}]}`,
	},
	{
		Code: "word_unknown", Severity: SeverityError, Title: "A word is not one of those allowed",
		Text: "The field takes one of a few words. The finding lists them.",
		Bad:  `{"name": "report", "nodes": [{"id": "each", "type": "foreach", "over": "state.items", "as": "item", "mode": "concurrent"}]}`,
		Good: `{"name": "report", "nodes": [{"id": "each", "type": "foreach", "over": "state.items", "as": "item", "mode": "parallel"}]}`,
	},
	{
		Code: "step_type_unknown", Severity: SeverityError, Title: "There is no such type of step",
		Text: "A step is a node, set, condition, foreach, fork, join, interrupt, wait, subgraph, fail or end. What another system calls a task or a tool is a node.",
		Bad:  `{"name": "report", "nodes": [{"id": "read", "type": "task", "node": "files.read"}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "type": "node", "node": "files.read"}]}`,
	},
	{
		Code: "out_of_range", Severity: SeverityError, Title: "A number is outside its range",
		Text: "The field counts something, from the least to the greatest number that the finding names. A field that is left out has its default.",
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "retry": {"max_attempts": 0}}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "retry": {"max_attempts": 3}}]}`,
	},
	{
		Code: "timer_out_of_range", Severity: SeverityError, Title: "A span of time is outside its range",
		Text: "Spans of time are numbers of seconds, not negative and at most a hundred years. A retry's intervals are more than 0: a field of 0 would mean its default. A point in time that is waited for lies between the years 1678 and 2261.",
		Bad:  `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "timeout_seconds": -1}]}`,
		Good: `{"name": "report", "nodes": [{"id": "read", "node": "files.read", "timeout_seconds": 30}]}`,
	},
}
