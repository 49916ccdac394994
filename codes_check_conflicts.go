package wf

// conflictCodes are findings about what parallel items and branches write.
var conflictCodes = []CodeInfo{
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
}
