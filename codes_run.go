package wf

// The codes of failures of runs.
const (
	CodeInputInvalid      Code = "input_invalid"
	CodeBindingMissing    Code = "binding_missing"
	CodeOutputInvalid     Code = "output_invalid"
	CodeStateInvalid      Code = "state_invalid"
	CodeUndeclaredOutcome Code = "undeclared_outcome"
	CodeUnwiredOutcome    Code = "unwired_outcome"
	CodeTimeout           Code = "timeout"
	CodeTransport         Code = "transport"
	CodeProviderError     Code = "provider_error"
	CodeHandlerError      Code = "handler_error"
	CodeHandlerPanic      Code = "handler_panic"
	CodeMergeConflict     Code = "merge_conflict"
	CodeReducerError      Code = "reducer_error"
	CodeConditionType     Code = "condition_type"
	CodeConditionMissing  Code = "condition_missing"
	CodeNotAnArray        Code = "not_an_array"
	CodeLimitExceeded     Code = "limit_exceeded"
	CodeCapabilityMissing Code = "capability_missing"
	CodeCrashLoop         Code = "crash_loop"
	CodeValueTooLarge     Code = "value_too_large"
	CodeCancelled         Code = "cancelled"
	CodeInDoubt           Code = "in_doubt"

	// The codes of answers that are refused.
	CodePayloadInvalid     Code = "payload_invalid"
	CodeInterruptUnknown   Code = "interrupt_unknown"
	CodeInterruptAmbiguous Code = "interrupt_ambiguous"
	CodeInterruptClosed    Code = "interrupt_closed"
	CodeAlreadyResumed     Code = "already_resumed"
	CodeRunEnded           Code = "run_ended"

	// The codes of decisions that are refused.
	CodeDoubtUnknown    Code = "doubt_unknown"
	CodeDoubtAmbiguous  Code = "doubt_ambiguous"
	CodeDecisionInvalid Code = "decision_invalid"

	// CodeOutcomeUndeclared is for a plan's copy of a contract that lacks an outcome of the live one.
	CodeOutcomeUndeclared Code = "contract_outcome_missing"

	// CodeWorkflowUnavailable is for workflows of which a plan holds only the name and that the runtime cannot get.
	CodeWorkflowUnavailable Code = "workflow_unavailable"
)

// runCodes are the failures of runs.
var runCodes = []CodeInfo{
	{CodeInputInvalid, SeverityError, "An input does not fit its schema",
		"The value that a step or a run was given breaks the input schema it was promised to keep. The details list each place with the keyword that found it. Bind a value of the right shape, or give a default.",
		`{"limit": "ten"} for {"properties": {"limit": {"type": "integer"}}}`, `{"limit": 10}`},
	{CodeBindingMissing, SeverityError, "A required value is missing at run time",
		"A binding reads a place that holds nothing, and its target is required. Missing is not null. Give the binding a default, make sure that a step before it writes the place, or make the target optional.",
		`{"target": "local.text", "path": "state.text"} before any step wrote state.text`, `the same with "default": ""`},
	{CodeOutputInvalid, SeverityError, "An output does not fit its schema",
		"A step, or the workflow itself, gave an output that breaks the output schema it declares. The state stays as it was before the step. Repair the function, or the schema.",
		`{"count": "3"} from a node that promises {"count": {"type": "integer"}}`, `{"count": 3}`},
	{CodeStateInvalid, SeverityError, "A write does not fit its state field",
		"The field would hold something that its schema does not allow. Nothing of the step was written. Map another value, or widen the field.",
		`writing "none" to a field of type integer`, `writing 0`},
	{CodeUndeclaredOutcome, SeverityError, "A step returned an outcome at run time that it does not declare",
		"Only declared outcomes can be routed. Declare it in the node's contract, or return one of those that are declared.",
		`"maybe" from a decision that declares "approved" and "rejected"`, `declare "maybe" too, and wire it`},
	{CodeUnwiredOutcome, SeverityError, "An outcome leads nowhere at run time",
		"No edge says where the plan goes on. Nothing of the step was written. Add the edge.",
		`a decision with outcomes "yes" and "no" and one edge, for "yes"`, `an edge for "no" too`},
	{CodeTimeout, SeverityError, "A step or a run took too long",
		"No result came within the time allowed: of one attempt (timeout_seconds), of all attempts (total_seconds) or of the run (limits.timeout_seconds). A result that comes later is dropped. Allow more time, retry, or catch the code.",
		`"timeout_seconds": 1 for a call that takes a minute`, `"timeout_seconds": 120`},
	{CodeTransport, SeverityError, "The connection to a source broke",
		"The call may or may not have arrived. It is retried by default where a retry is set and calling twice is harmless.",
		`a server that closes the connection`, `"retry": {"max_attempts": 3}`},
	{CodeProviderError, SeverityError, "A source reported an error of its own",
		"The provider behind the capability answered with an error. Its message says more. Retry if it may pass, or catch the code.",
		`an API that answers 503`, `"catch": [{"codes": ["provider_error"], "outcome": "unavailable"}]`},
	{CodeHandlerError, SeverityError, "A node's function failed",
		"The function returned an error without a code of its own. Expected business results should be outcomes; a function can return an Error with a code to be more exact.",
		`return out, errors.New("no such file")`, `return &wf.Error{Code: "no_file", Message: "…"}`},
	{CodeHandlerPanic, SeverityError, "A node's function panicked",
		"The panic was caught; the step failed and wrote nothing. The stack is in the trace.",
		`a nil map written to`, `make the map first`},
	{CodeMergeConflict, SeverityError, "Two parallel writers changed one field",
		"Two branches or items wrote the same place, and its reducer does not say how to merge them. Give the field a reducer that does, or write different fields.",
		`two branches that replace state.x`, `"x-reducer": "wf.std.append"`},
	{CodeReducerError, SeverityError, "A reducer could not merge a value",
		"What was written does not fit what the field's reducer works on. The state stays as it was.",
		`"add" given a string`, `"add" given a number`},
	{CodeConditionType, SeverityError, "A condition compares what cannot be compared",
		"Order needs two numbers or two strings; contains, matches and length need the kinds they work on. Ask with \"is\" first.",
		`{"gt": ["state.kind", 3]} where state.kind is "abc"`, `{"and": [{"is": ["state.kind", "number"]}, {"gt": ["state.kind", 3]}]}`},
	{CodeConditionMissing, SeverityError, "A condition reads a value that is missing",
		"A missing value is never quietly false. Ask \"exists\" first, or give the operand a default.",
		`{"gt": ["state.n", 1]} before anything wrote state.n`, `{"and": [{"exists": "state.n"}, {"gt": ["state.n", 1]}]}`},
	{CodeNotAnArray, SeverityError, "A foreach goes over something that is no array at run time",
		"Only arrays can be gone over. Bind an array, or turn an object into its entries first.",
		`"over": "state.report"`, `"over": "state.report.items"`},
	{CodeLimitExceeded, SeverityError, "A limit was reached",
		"The run took as many steps as it may (limits.max_steps), or an edge was taken as often as it may (max_visits) and says nothing about where to go then. The details hold the limit.",
		`a loop whose edge has "max_visits": 5 and no "exhausted"`, `"max_visits": 5, "exhausted": "give_up"`},
	{CodeCapabilityMissing, SeverityError, "No source offers a capability that the plan needs",
		"The plan calls a capability that the sources at hand do not have, or not the one that the deployment binds. Add the source, or name one that exists.",
		`"node": "local.report.extract_reports"`, `"node": "local.report.extract_report"`},
	{CodeCrashLoop, SeverityError, "A call was delivered again and again without a result",
		"The process died five times while this call was out. It is not made again by itself.",
		`a call that kills its process`, `repair the call, then run the step again`},
	{CodeValueTooLarge, SeverityError, "A value is larger than allowed",
		"A value would grow beyond its limit: 16 MiB of JSON, nested 200 deep; or the state of a workflow beyond 64 MiB, or what one step writes at once beyond 32 MiB. The details hold what was found and the limit. Keep large data outside and pass a reference.",
		`a file of 100 MB as a string`, `the file's path`},
	{CodeCancelled, SeverityError, "The run was cancelled",
		"Somebody cancelled the run, or the context it was run with ended. Cancelling cannot be caught.",
		`a context that is cancelled while the run waits`, `let the run finish`},
	{CodeInDoubt, SeverityError, "It is not known whether a call happened",
		"A call that must not be made twice has no known result. Look whether it happened, then decide.",
		`a payment whose connection broke`, `an effect of "keyed", if the tool honours our key`},
	{CodeOutcomeUndeclared, SeverityWarning, "A definition lacks an outcome of the capability",
		"The plan's node_defs hold an older or shorter contract than the capability has now. The outcome that is missing cannot be routed: a run that gets it fails.",
		`"outcomes": ["ok"] for a function that also returns "bad"`, `"outcomes": ["ok", "bad"], and an edge for "bad"`},
	{CodePayloadInvalid, SeverityError, "An answer does not fit what the interrupt asks for",
		"The payload breaks the schema of the outcome it was given with. The details list each place. The interrupt stays open: answer it again.",
		`{"approved": "yes"} for {"properties": {"approved": {"type": "boolean"}}}`, `{"approved": true}`},
	{CodeInterruptUnknown, SeverityError, "An answer names an interrupt that the run never had",
		"The id is made of the frame's path and the step, as the run's open interrupts tell it. Take it from there.",
		`"approve" for the interrupt "/each[1]/approve"`, `"/each[1]/approve"`},
	{CodeInterruptAmbiguous, SeverityError, "An answer does not say which interrupt it is for",
		"Several are open. The details list them. Nothing was answered.",
		`an answer without an id while "/each[0]/approve" and "/each[1]/approve" are open`, `{"interrupt": "/each[1]/approve", "outcome": "approved"}`},
	{CodeAlreadyResumed, SeverityError, "An interrupt was answered before",
		"The first answer counts, and what is behind it was done once. Nothing has changed.",
		`a second answer to "/approve"`, `look at the run's trace for what was answered`},
	{CodeInterruptClosed, SeverityError, "An answer comes to an interrupt that is closed",
		"Its time was over, or the frame that asked has ended: its item was cancelled, or its region went on without it.",
		`an answer to "/each[2]/approve" when two of three items were enough`, `look at the run's trace for how the plan went on`},
	{CodeRunEnded, SeverityError, "The run has ended",
		"A run that has completed, failed or was cancelled takes nothing any more. Start another one.",
		`an answer to a cancelled run`, `start the workflow again`},
	{CodeDoubtUnknown, SeverityError, "A decision is about a call that is not in doubt",
		"Nothing waits for this decision: somebody has decided before, the frame has ended, or the id is another. Take it from the run's doubts.",
		`a second decision about "/pay"`, `look at the run's trace for what was decided`},
	{CodeDoubtAmbiguous, SeverityError, "A decision does not say which call it is about",
		"Several calls are in doubt. The details list them. Nothing was decided.",
		`{"verdict": "again"} while "/each[0]/pay" and "/each[1]/pay" are in doubt`, `{"step": "/each[1]/pay", "verdict": "again"}`},
	{CodeDecisionInvalid, SeverityError, "A decision has no verdict",
		"It says whether the call happened (result, with its outcome and output), is to be made again (again), or its step fails (fail).",
		`{"verdict": "yes"}`, `{"verdict": "result", "outcome": "ok", "output": {"receipt": "r-17"}}`},
	{CodeWorkflowUnavailable, SeverityError, "A saved workflow is not available here",
		"A subgraph step names a saved workflow by artifact@version, and the runtime that is to run the plan has no place where saved workflows are. Put a copy of it into the plan's workflows, and name that.",
		`{"id": "case", "type": "subgraph", "workflow": "report_case_study@1"}`, `{"id": "case", "type": "subgraph", "workflow": "report_case_study"}, with "report_case_study" in workflows`},
}
