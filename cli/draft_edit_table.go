package cli

var stepFlag = editFlag{name: "step", member: "step", kind: isText, doc: "the `STEP` that is meant", required: true}

// ofStep is a flag for a step that may be left out, with what that means.
func ofStep(without string) editFlag {
	return editFlag{name: "step", member: "step", kind: isText, doc: "the `STEP` that is meant; without it, " + without}
}

var replaceFlag = editFlag{name: "replace", member: "replace", kind: isSet, doc: "what is not named is taken away"}

// operandFlags bind places to paths, literals and texts.
func operandFlags(places *flagKind, doc string) []editFlag {
	return []editFlag{
		{name: "map", member: "bind", kind: places, doc: doc},
		{name: "value", member: "bind", kind: isValue, doc: "bind a place to a literal, as in n=5; may be given several times"},
		{name: "text", member: "bind", kind: isTemplate, doc: "bind a place to a text with paths in braces, as in 'subject=Re: {input.subject}'; may be given several times"},
	}
}

var defaultFlag = editFlag{name: "default", member: "bind", kind: isDefault, doc: "a literal for when what the place is bound to is absent, as in n=5; may be given several times"}

// declarationFlags declare fields of a schema.
var declarationFlags = []editFlag{
	{name: "field", member: "fields", kind: isFields, doc: "declare a field, as in topic=string, count=integer?, 'tags=string[] append = []', or by its schema; may be given several times"},
	{name: "optional", member: "optional", kind: isTexts, doc: "the `FIELD` may be missing; may be given several times"},
	{name: "remove", member: "remove", kind: isTexts, doc: "the `FIELD` is not declared any more; may be given several times"},
	{name: "schema", member: "schema", kind: isJSON, doc: "the whole schema, in the place of what is there"},
	replaceFlag,
}

func allFlags(parts ...any) (all []editFlag) {
	for _, part := range parts {
		switch part := part.(type) {
		case editFlag:
			all = append(all, part)
		case []editFlag:
			all = append(all, part...)
		}
	}
	return all
}

// focusedEdits are the commands that make one kind of edit, each.
var focusedEdits = []focusedEdit{
	{op: "set-name", flags: []editFlag{
		{name: "name", member: "name", kind: isText, doc: "the workflow's `NAME`"},
		{name: "description", member: "description", kind: isText, doc: "what it is for"},
	}, example: "wf draft set-name report --name report_case_study --store file:runs"},
	{op: "set-workflow", flags: []editFlag{
		{name: "set", member: "set", kind: isMembers, doc: "a member of the workflow; may be given several times"},
		{name: "remove", member: "remove", kind: isTexts, doc: "take the `MEMBER` away; may be given several times"},
		{name: "nested", member: "nested", kind: isText, doc: "put a workflow of this `NAME` into the plan"},
		{name: "plan", member: "plan", kind: isJSON, doc: "with --nested, what it is; without it, it has no steps yet"},
	}, example: `wf draft set-workflow mail --set 'outcomes=["ok", "gave_up"]' --store file:runs`},
	{op: "set-input", text: `With --step, binds what the step is given: places of its input to paths, literals and texts. The places to[0], to[1] make a list. Of an
interrupt, it is the request. Without --step, declares what the workflow is given.`, flags: allFlags(ofStep("what the workflow is given is declared, with --field"),
		operandFlags(isMap, "bind a place of the step's input, as in input.text=text; \".\" is the whole; may be given several times"), defaultFlag, declarationFlags),
		example: "wf draft set-input report --step extract --map state.text=text --store file:runs\nwf draft set-input report --field path=string --store file:runs"},
	{op: "set-output", text: `With --step, writes what the step returns to the state. Of an interrupt, it is the answer; of a set step, places of the state; of an end,
the workflow's output. Without --step, declares what the workflow returns.`, flags: allFlags(ofStep("what the workflow returns is declared, with --field"),
		operandFlags(isMapOut, "write what the step returns to the state, as in title=state.title; \".\" is the whole; may be given several times"), declarationFlags),
		example: "wf draft set-output report --step extract --map .=state.report --store file:runs"},
	{op: "set-state", flags: declarationFlags,
		example: `wf draft set-state report --field 'seen=string[] append = []' --store file:runs`},
	{op: "set-workflow-output", flags: allFlags(
		operandFlags(isMap, "bind a place of what the workflow returns, as in state.report=report; \".\" is the whole; may be given several times"), defaultFlag, replaceFlag),
		example: "wf draft set-workflow-output report --map state.report=report --map state.markdown=markdown --store file:runs"},
	{op: "set-schema", takes: "of", text: `Writes a schema, as a whole or field by field. OF says which: input, state or output of the workflow; with --step request or resume of an
interrupt, or output of another step; with --node input or output of a capability's contract.`, flags: allFlags(
		ofStep("a schema of the workflow or of a capability's contract"),
		editFlag{name: "node", member: "node", kind: isText, doc: "the capability `REF`, whose contract the plan then holds"},
		editFlag{name: "outcome", member: "outcome", kind: isText, doc: "of an interrupt: the schema of the answers with this `OUTCOME` alone"},
		editFlag{name: "def", member: "def", kind: isText, doc: "the definition of this `NAME` under $defs"},
		declarationFlags),
		example: `wf draft set-schema mail resume --step approve --field 'feedback=string?' --store file:runs`},
	{op: "add-step", flags: []editFlag{
		{name: "id", member: "step/id", kind: isText, doc: "the step's `ID`", required: true},
		{name: "capability", member: "step/node", kind: isText, doc: "the step calls the capability `REF`, or runs the saved workflow of that NAME@VERSION"},
		{name: "workflow", member: "step/workflow", kind: isText, doc: "the step runs this `WORKFLOW`: one inside the plan, or an artifact, NAME@VERSION"},
		{name: "type", member: "step/type", kind: isText, doc: "the step's `TYPE`, if it neither calls nor runs something: condition, interrupt, foreach, fork, join, set, wait, end or fail"},
		{name: "kind", member: "step/kind", kind: isText, doc: "of an interrupt: what `KIND` of question it is, such as approval"},
		{name: "outcome", member: "step/outcomes", kind: isTexts, doc: "an `OUTCOME` that the step can have; may be given several times; of an end, the workflow's"},
		{name: "set", member: "step/set", kind: isMembers, doc: "another member of the step; may be given several times"},
		{name: "after", member: "after", kind: isText, doc: "put it behind this `STEP`, between it and where it led"},
		{name: "on", member: "outcome", kind: isText, doc: "with --after, the `OUTCOME` of that step, where several could be meant"},
		{name: "before", member: "before", kind: isText, doc: "put it before this `STEP`: what led there leads to the new one"},
	}, example: "wf draft add-step report --id extract --capability local.report.extract_report --after read --store file:runs\nwf draft add-step mail --id approve --type interrupt --kind approval --outcome approved --outcome rejected --after draft --store file:runs"},
	{op: "set-step", flags: []editFlag{
		stepFlag,
		{name: "set", member: "set", kind: isMembers, doc: "a member of the step; may be given several times"},
		{name: "remove", member: "remove", kind: isTexts, doc: "take the `MEMBER` away; may be given several times"},
		{name: "replace", member: "replace", kind: isJSON, doc: "the whole step anew; routes that it does not have stay"},
	}, example: "wf draft set-step mail --step approve --set timeout_seconds=259200 --set timeout_outcome=expired --store file:runs"},
	{op: "remove-step", flags: []editFlag{
		stepFlag,
		{name: "to", member: "to", kind: isText, doc: "lead what led to it to this `STEP`"},
	}, example: "wf draft remove-step report --step render --store file:runs"},
	{op: "rename-step", flags: []editFlag{
		stepFlag,
		{name: "id", member: "to", kind: isText, doc: "the new `ID`", required: true},
	}, example: "wf draft rename-step report --step call --id read --store file:runs"},
	{op: "branch", flags: []editFlag{
		stepFlag,
		{name: "outcome", member: "outcome", kind: isText, doc: "the `OUTCOME` that is led somewhere; may be left out if the step has only one"},
		{name: "to", member: "to", kind: isText, doc: "where it leads: a `STEP`, __end__, __continue__ or __discard__"},
		{name: "max-visits", member: "max_visits", kind: isNumber, doc: "how many times the edge is taken at most"},
		{name: "exhausted", member: "exhausted", kind: isText, doc: "the `STEP` where it leads after that"},
		{name: "when", member: "when", kind: isJSON, doc: "a condition: a new case of a condition step, or branch of a fork"},
		{name: "remove", member: "remove", kind: isSet, doc: "take the edge away"},
	}, example: "wf draft branch mail --step approve --outcome rejected --to draft --max-visits 5 --exhausted gave_up --store file:runs"},
	{op: "handle", flags: []editFlag{
		stepFlag,
		{name: "code", member: "codes", kind: isTexts, doc: "the `CODE` of a failure, or \"*\" for all that can be caught; may be given several times", required: true},
		{name: "outcome", member: "outcome", kind: isText, doc: "the `OUTCOME` that they become", required: true},
		{name: "to", member: "to", kind: isText, doc: "where that leads: a `STEP`, or __end__"},
		{name: "error", member: "error", kind: isText, doc: "the state's `PATH` that receives the error"},
	}, example: "wf draft handle mail --step send --code timeout --code transport --outcome unavailable --to gave_up --store file:runs"},
	{op: "bind", flags: []editFlag{
		ofStep("a place of what the workflow returns is bound"),
		{name: "to", member: "to", kind: isText, doc: "the `PLACE` that is bound, of the input or output (\".\" is the whole), or a path of the state", required: true},
		{name: "from", member: "from", kind: isText, doc: "the `PATH` it is bound to; to the state, also a place of what the step returns"},
		{name: "value", member: "value", kind: isJSON, doc: "a literal instead"},
		{name: "text", member: "text", kind: isText, doc: "a text with paths in braces instead"},
		{name: "default", member: "default", kind: isJSON, doc: "a literal for when the path is absent"},
		{name: "if-absent", member: "if_absent", kind: isText, doc: "what a write to the state does when there is nothing, a `WORD`: unset, keep or fail"},
	}, example: "wf draft bind report --step extract --from action_items --to state.items --store file:runs"},
	{op: "unbind", flags: []editFlag{
		ofStep("what the workflow returns"),
		{name: "input", member: "input", kind: isTexts, doc: "the `PLACE` of the step's input is not bound any more; may be given several times"},
		{name: "output", member: "output", kind: isTexts, doc: "the `PLACE` of the output, or the path of the state that is written, is not bound any more; may be given several times"},
	}, example: "wf draft unbind report --step extract --output state.items --store file:runs"},
}
