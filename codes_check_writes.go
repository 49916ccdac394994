package wf

// writeCodes are findings about what is written to the state side by side, and about what is unset.
var writeCodes = []CodeInfo{
	{
		Code: "write_conflict", Severity: SeverityError, Title: "Two writes side by side to one field",
		Text: "Parallel items and branches do not see one another's writes. Where two that surely happen go to one place of the state, or one into the other, and the field's reducer cannot bring them together, the run would fail with merge_conflict when they are merged. Give each a field of its own, or the field a reducer that can: append, extend, add, set_union, max, min; merge_object and deep_merge where the members differ. What a foreach makes item by item is best collected as its result.",
		Bad: `{"name": "p", "nodes": [
  {"id": "each", "type": "foreach", "over": "input.files", "as": "file", "mode": "parallel", "on": {"item": "work", "done": "__end__"}},
  {"id": "work", "type": "set", "output": {"state.last": "item.file"}, "next": "__continue__"}]}`,
		Good: `{"name": "p", "state_schema": {"type": "object", "properties": {"all": {"type": "array", "x-reducer": "append", "default": []}}}, "nodes": [
  {"id": "each", "type": "foreach", "over": "input.files", "as": "file", "mode": "parallel", "on": {"item": "work", "done": "__end__"}},
  {"id": "work", "type": "set", "output": {"state.all": "item.file"}, "next": "__continue__"}]}`,
	},
	{
		Code: "write_conflict_possible", Severity: SeverityWarning, Title: "Writes side by side that may meet in one field",
		Text: "Two parallel items or branches may both write one place of the state, though not always: a branch has a condition, a way through it does not write, an item may be dropped. If they exclude one another all is well. If they do not, the run fails with merge_conflict when it happens.",
		Bad: `{"name": "p", "nodes": [
  {"id": "split", "type": "fork", "branches": ["a", {"outcome": "b", "when": {"exists": "input.x"}}], "join": "meet", "on": {"a": "left", "b": "right"}},
  {"id": "left", "type": "set", "output": {"state.best": "input.a"}, "next": "meet"}, {"id": "right", "type": "set", "output": {"state.best": "input.x"}, "next": "meet"},
  {"id": "meet", "type": "join", "next": "__end__"}]}`,
		Good: `{"name": "p", "nodes": [
  {"id": "split", "type": "fork", "branches": ["a", {"outcome": "b", "when": {"exists": "input.x"}}], "join": "meet", "on": {"a": "left", "b": "right"}},
  {"id": "left", "type": "set", "output": {"state.left": "input.a"}, "next": "meet"}, {"id": "right", "type": "set", "output": {"state.right": "input.x"}, "next": "meet"},
  {"id": "meet", "type": "join", "next": "__end__"}]}`,
	},
	{
		Code: "unset_position", Severity: SeverityError, Title: "An unset of an array's element",
		Text: "Elements of arrays are never removed by unset: the others would change their places. The path would do nothing. Write the array anew without the element, or unset the whole array.",
		Bad: `{"name": "p", "nodes": [{"id": "a", "type": "set", "output": {"state.all": {"value": [1]}}, "next": "b"},
  {"id": "b", "type": "set", "unset": ["state.all[0]"], "next": "__end__"}]}`,
		Good: `{"name": "p", "nodes": [{"id": "a", "type": "set", "output": {"state.all": {"value": [1]}}, "next": "b"},
  {"id": "b", "type": "set", "unset": ["state.all"], "next": "__end__"}]}`,
	},
	{
		Code: "unset_required", Severity: SeverityError, Title: "An unset of what must be there",
		Text: "The schema of a state field requires the member that is unset, so the step would fail with state_invalid. Unset the whole field, or do not require the member. For a field that the state schema itself requires, and that has no default to go back to, it is a warning: a state is never checked as a whole.",
		Bad: `{"name": "p", "state_schema": {"type": "object", "properties": {"page": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}},
  "nodes": [{"id": "a", "type": "set", "unset": ["state.page.n"], "next": "__end__"}]}`,
		Good: `{"name": "p", "state_schema": {"type": "object", "properties": {"page": {"type": "object", "properties": {"n": {"type": "integer"}}}}},
  "nodes": [{"id": "a", "type": "set", "unset": ["state.page.n"], "next": "__end__"}]}`,
	},
	{
		Code: "unset_unfilled", Severity: SeverityWarning, Title: "An unset of a field that nothing fills",
		Text: "No step writes the field, and the input does not fill it, so the unset does nothing. Perhaps another field is meant.",
		Bad: `{"name": "p", "nodes": [{"id": "a", "type": "set", "output": {"state.text": "input.text"}, "next": "b"},
  {"id": "b", "type": "set", "unset": ["state.txet"], "next": "__end__"}]}`,
		Good: `{"name": "p", "nodes": [{"id": "a", "type": "set", "output": {"state.text": "input.text"}, "next": "b"},
  {"id": "b", "type": "set", "unset": ["state.text"], "next": "__end__"}]}`,
	},
}
