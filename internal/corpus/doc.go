// Package corpus holds cases of what a run must mean, one text file each, and plays them on anything that can drive a run:
// the bare kernel, the runtime, an engine that is durable. Whoever drives, the calls, the trace and the end are the same.
//
// A case is an archive (see package golden) of
//
//	a comment       what it shows
//	plan.json       the plan, in the short form or the canonical
//	input.json      the run's input; {} if it is left out
//	script          how the capabilities answer, what happens to the run, and what must hold
//	diagnostics     what keeps the plan from running, one finding a line: severity, code, place
//	end             status, outcome, output, state and error of the run
//	ledger          the calls, in order: when, capability, visit, attempt, input
//	trace           one line a step: frame, step, visit, attempts, failure, outcome, where to
//
// The last four are rewritten with WF_UPDATE=1. What a script expects is not.
//
// # Scripts
//
// A script is read line by line; # begins a comment. First, how capabilities answer. TARGET is a capability's ref (t.work), a
// step (work) or a visit (/each[2]/work#2); what is nearest to the call counts. Calls of one target take its answers in
// order, and the last again and again; without any it is ok {}. An answer takes a millisecond if nothing else is said.
//
//	answer TARGET [after 10ms] [late] ok {"n": 1}        outcome and output
//	answer TARGET [after 10ms] [late] echo               ok, with the input as the output
//	answer TARGET [after 10ms] fail transport [unsent] "message"
//	answer TARGET hang                                   until it is cancelled
//
// late is a call that ignores its cancellation. Then what happens, in order. The run starts before the first of these, and
// after the last it goes on until it stops. At one moment, answers come before timers, and each in the order of their making.
//
//	wait                                  until the run stops
//	until /each[2]/work                   until that call is answered
//	advance 30d                           let time pass, with all that falls due meanwhile
//	resume /ask yes {"note": "x"}         answer an interrupt, by - the only one
//	resume /ask yes {} refused already_resumed
//	cancel "reason"
//
// And, between these, what must hold:
//
//	expect status completed                       or outcome, output, state.items[0], error.code, error.details.writers, …
//	expect state.token absent                     the value is JSON, or text without quotes; absent: there is none
//	expect error.message has "two words"          part of a text
//	expect calls TARGET 3                         how often it was called so far
//	expect starts TARGET 0s 2s 6s                 when, since the beginning
//	expect order STEP STEP …                      the steps of all calls so far
//	expect input VISIT {…}                        what the latest of its calls was given
//	expect visits STEP 3                          how often the trace has it
//	expect open ID …                              the open interrupts; none: no ID
//	expect request ID {…}                         what an open interrupt asks
//	expect out VISIT …                            the calls that are out; none: no VISIT
//	expect cancelled VISIT …                      a call of each was cancelled
//	expect same_key VISIT                         its calls had one idempotency key, and no other call had it
//	expect now 30d                                the time since the beginning
//	expect finding CODE PATH                      among those about the plan
//	expect refused CODE                           the run did not start
package corpus
