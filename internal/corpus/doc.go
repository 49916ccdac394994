// Package corpus holds cases of what a run must mean, one text file each, and plays them on anything that can drive a run:
// the bare kernel, the runtime, an engine that is durable. Whoever drives, the calls, the trace and the end are the same.
//
// A case is an archive (see package golden) of
//
//	a comment       what it shows
//	plan.json       the plan, in the short form or the canonical
//	input.json      the run's input; {} if it is left out
//	script          how the capabilities answer, what happens to the run, and what must hold: see [Script]
//	diagnostics     what keeps the plan from running, one finding a line: severity, code, place
//	end             status, outcome, output, state and error of the run
//	ledger          the calls, in order: when, capability, visit, input
//	trace           one line a step: frame, step, visit, outcome, where to
//
// The last four are expectations that are rewritten with WF_UPDATE=1. What a script expects is not.
package corpus
