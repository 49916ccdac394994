package wf

// regionCodes are findings about the bodies of foreach steps and the branches of forks.
var regionCodes = []CodeInfo{
	{
		Code: "region_leak", Severity: SeverityError, Title: "An edge that leaves its region",
		Text: "What a foreach does for one item ends at __continue__, a branch at its fork's join; what comes after is wired from the foreach's \"done\", or from the join. An edge from inside to a step outside would run that step once for each item or branch. End the region instead.",
		Bad: `{"name": "p", "nodes": [
  {"id": "each", "type": "foreach", "over": "input.files", "as": "file", "on": {"item": "work", "done": "sum"}},
  {"id": "work", "type": "wait", "seconds": 1, "next": "sum"},
  {"id": "sum", "type": "wait", "seconds": 1, "next": "__end__"}]}`,
		Good: `{"name": "p", "nodes": [
  {"id": "each", "type": "foreach", "over": "input.files", "as": "file", "on": {"item": "work", "done": "sum"}},
  {"id": "work", "type": "wait", "seconds": 1, "next": "__continue__"},
  {"id": "sum", "type": "wait", "seconds": 1, "next": "__end__"}]}`,
	},
	{
		Code: "region_entered", Severity: SeverityError, Title: "An edge that leads into a region from outside",
		Text: "A body or a branch begins by the edge of its foreach or fork, with an item or a branch of its own; no other edge leads into it. Lead to the foreach or fork itself, or move the shared step out.",
		Bad: `{"name": "p", "nodes": [
  {"id": "ask", "type": "condition", "check": {"exists": "input.x"}, "on": {"true": "each", "false": "work"}},
  {"id": "each", "type": "foreach", "over": "input.files", "as": "file", "on": {"item": "work", "done": "__end__"}},
  {"id": "work", "type": "wait", "seconds": 1, "next": "__continue__"}]}`,
		Good: `{"name": "p", "nodes": [
  {"id": "ask", "type": "condition", "check": {"exists": "input.x"}, "on": {"true": "each", "false": "__end__"}},
  {"id": "each", "type": "foreach", "over": "input.files", "as": "file", "on": {"item": "work", "done": "__end__"}},
  {"id": "work", "type": "wait", "seconds": 1, "next": "__continue__"}]}`,
	},
	{
		Code: "region_overlap", Severity: SeverityError, Title: "A step in two regions",
		Text: "Two branches, or two bodies, share a step, so nobody can say in which of them it runs. Let both end, and put the shared step after the join; or give each a step of its own.",
		Bad: `{"name": "p", "nodes": [
  {"id": "split", "type": "fork", "branches": ["a", "b"], "join": "meet", "on": {"a": "left", "b": "right"}},
  {"id": "left", "type": "wait", "seconds": 1, "next": "both"}, {"id": "right", "type": "wait", "seconds": 1, "next": "both"},
  {"id": "both", "type": "wait", "seconds": 1, "next": "meet"}, {"id": "meet", "type": "join", "next": "__end__"}]}`,
		Good: `{"name": "p", "nodes": [
  {"id": "split", "type": "fork", "branches": ["a", "b"], "join": "meet", "on": {"a": "left", "b": "right"}},
  {"id": "left", "type": "wait", "seconds": 1, "next": "meet"}, {"id": "right", "type": "wait", "seconds": 1, "next": "meet"},
  {"id": "meet", "type": "join", "next": "both"}, {"id": "both", "type": "wait", "seconds": 1, "next": "__end__"}]}`,
	},
	{
		Code: "end_in_region", Severity: SeverityError, Title: "The workflow ended inside a region",
		Text: "An item ends at __continue__ and a branch at its join; the workflow cannot end while others are still at work. To stop early, let the item fail, or note it in the state and look at it after the region.",
		Bad: `{"name": "p", "nodes": [
  {"id": "each", "type": "foreach", "over": "input.files", "as": "file", "on": {"item": "work", "done": "__end__"}},
  {"id": "work", "type": "wait", "seconds": 1, "next": "__end__"}]}`,
		Good: `{"name": "p", "nodes": [
  {"id": "each", "type": "foreach", "over": "input.files", "as": "file", "on": {"item": "work", "done": "__end__"}},
  {"id": "work", "type": "wait", "seconds": 1, "next": "__continue__"}]}`,
	},
	{
		Code: "continue_outside_body", Severity: SeverityError, Title: "__continue__ outside a body",
		Text: "__continue__ ends one item of a foreach. Outside a body there is no item; a branch ends at its join, a workflow at __end__.",
		Bad:  `{"name": "p", "nodes": [{"id": "a", "type": "wait", "seconds": 1, "next": "__continue__"}]}`,
		Good: `{"name": "p", "nodes": [{"id": "a", "type": "wait", "seconds": 1, "next": "__end__"}]}`,
	},
	{
		Code: "discard_outside_region", Severity: SeverityError, Title: "__discard__ outside a region",
		Text: "__discard__ ends an item or a branch without merging what it wrote. Outside of them there is nothing to discard.",
		Bad:  `{"name": "p", "nodes": [{"id": "a", "type": "wait", "seconds": 1, "next": "__discard__"}]}`,
		Good: `{"name": "p", "nodes": [{"id": "a", "type": "wait", "seconds": 1, "next": "__end__"}]}`,
	},
	{
		Code: "region_endless", Severity: SeverityError, Title: "An item or branch that cannot end",
		Text: "The steps of the body or branch only lead to one another: no item would reach __continue__, no branch its join. Wire an outcome out of the cycle.",
		Bad: `{"name": "p", "nodes": [
  {"id": "each", "type": "foreach", "over": "input.files", "as": "file", "on": {"item": "work", "done": "__end__"}},
  {"id": "work", "type": "wait", "seconds": 1, "next": "again"}, {"id": "again", "type": "wait", "seconds": 1, "next": "work"}]}`,
		Good: `{"name": "p", "nodes": [
  {"id": "each", "type": "foreach", "over": "input.files", "as": "file", "on": {"item": "work", "done": "__end__"}},
  {"id": "work", "type": "wait", "seconds": 1, "next": "again"}, {"id": "again", "type": "wait", "seconds": 1, "next": "__continue__"}]}`,
	},
	{
		Code: "region_unmerged", Severity: SeverityWarning, Title: "An item or branch that is never kept",
		Text: "Every way through the body or branch ends by __discard__ or fails. So no success is counted, and nothing that it writes reaches the state around it. Let the way that succeeds end at __continue__, or at the join.",
		Bad: `{"name": "p", "nodes": [
  {"id": "each", "type": "foreach", "over": "input.files", "as": "file", "on": {"item": "work", "done": "__end__"}},
  {"id": "work", "type": "wait", "seconds": 1, "next": "__discard__"}]}`,
		Good: `{"name": "p", "nodes": [
  {"id": "each", "type": "foreach", "over": "input.files", "as": "file", "on": {"item": "work", "done": "__end__"}},
  {"id": "work", "type": "wait", "seconds": 1, "next": "__continue__"}]}`,
	},
	{
		Code: "join_unknown", Severity: SeverityError, Title: "A fork without a join",
		Text: `A fork names, in "join", the step of type "join" at which its branches meet. It tells where the branches end, and carries on when they have.`,
		Bad: `{"name": "p", "nodes": [
  {"id": "split", "type": "fork", "branches": ["a", "b"], "join": "met", "on": {"a": "left", "b": "right"}},
  {"id": "left", "type": "wait", "seconds": 1, "next": "meet"}, {"id": "right", "type": "wait", "seconds": 1, "next": "meet"},
  {"id": "meet", "type": "join", "next": "__end__"}]}`,
		Good: `{"name": "p", "nodes": [
  {"id": "split", "type": "fork", "branches": ["a", "b"], "join": "meet", "on": {"a": "left", "b": "right"}},
  {"id": "left", "type": "wait", "seconds": 1, "next": "meet"}, {"id": "right", "type": "wait", "seconds": 1, "next": "meet"},
  {"id": "meet", "type": "join", "next": "__end__"}]}`,
	},
	{
		Code: "join_shared", Severity: SeverityError, Title: "Two forks with one join",
		Text: "A join has the outcomes and the policy of its fork, so it belongs to one. Give each fork a join of its own.",
		Bad: `{"name": "p", "nodes": [
  {"id": "ask", "type": "condition", "check": {"exists": "input.x"}, "on": {"true": "one", "false": "two"}},
  {"id": "one", "type": "fork", "branches": ["a"], "join": "meet", "on": {"a": "left"}}, {"id": "left", "type": "wait", "seconds": 1, "next": "meet"},
  {"id": "two", "type": "fork", "branches": ["a"], "join": "meet", "on": {"a": "right"}}, {"id": "right", "type": "wait", "seconds": 1, "next": "meet"},
  {"id": "meet", "type": "join", "next": "__end__"}]}`,
		Good: `{"name": "p", "nodes": [
  {"id": "ask", "type": "condition", "check": {"exists": "input.x"}, "on": {"true": "one", "false": "two"}},
  {"id": "one", "type": "fork", "branches": ["a"], "join": "meet", "on": {"a": "left"}}, {"id": "left", "type": "wait", "seconds": 1, "next": "meet"},
  {"id": "two", "type": "fork", "branches": ["a"], "join": "met", "on": {"a": "right"}}, {"id": "right", "type": "wait", "seconds": 1, "next": "met"},
  {"id": "meet", "type": "join", "next": "__end__"}, {"id": "met", "type": "join", "next": "__end__"}]}`,
	},
	{
		Code: "join_outside", Severity: SeverityError, Title: "A fork whose join lies in another region",
		Text: "A fork and its join lie in the same body or branch: what waits for the branches is what started them. Put a join beside the fork.",
		Bad: `{"name": "p", "nodes": [
  {"id": "each", "type": "foreach", "over": "input.files", "as": "file", "on": {"item": "split", "done": "meet"}},
  {"id": "split", "type": "fork", "branches": ["a"], "join": "meet", "on": {"a": "left"}},
  {"id": "left", "type": "wait", "seconds": 1, "next": "meet"}, {"id": "meet", "type": "join", "next": "__end__"}]}`,
		Good: `{"name": "p", "nodes": [
  {"id": "each", "type": "foreach", "over": "input.files", "as": "file", "on": {"item": "split", "done": "__end__"}},
  {"id": "split", "type": "fork", "branches": ["a"], "join": "meet", "on": {"a": "left"}},
  {"id": "left", "type": "wait", "seconds": 1, "next": "meet"}, {"id": "meet", "type": "join", "next": "__continue__"}]}`,
	},
	{
		Code: "join_without_fork", Severity: SeverityWarning, Title: "A join that no fork names",
		Text: "A join waits for the branches of the fork that names it. Without one it is done at once, and does nothing.",
		Bad:  `{"name": "p", "nodes": [{"id": "a", "type": "wait", "seconds": 1, "next": "meet"}, {"id": "meet", "type": "join", "next": "__end__"}]}`,
		Good: `{"name": "p", "nodes": [{"id": "a", "type": "wait", "seconds": 1, "next": "__end__"}]}`,
	},
}
