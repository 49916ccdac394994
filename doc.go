// Package wf is an embeddable, typed workflow engine. The planner plans, the executor runs, sources do the work, stores
// remember.
//
// A [Workflow] is data: an outcome-routed graph of typed steps that people, agents and programs write as JSON
// ([ParseWorkflow]) or build in Go ([Define]); docs/plan.md is the language. It is checked before it runs ([Validate],
// [Runtime.Check]): every mistake at once, each a [Diagnostic] with a stable code, its place, and where possible a repair that
// a machine can apply. Values are checked when they are there: every input, output and write against its schema.
//
// A [Runtime] runs it. [Run] gives its output, [Runtime.Run] and [Runtime.Start] a [RunHandle] that tells everything: the
// status, the state, the trace step by step. The steps do what Go functions do, made into callables with [Node] and
// [Decision], whose types become the JSON Schemas that bind them together; a plan read from JSON finds them in the
// sources that it names ([Nodes]; package source keeps a set of them, package plugin makes one of Go functions).
//
// Two channels stay apart. An outcome is a label that a step returns and an edge consumes: expected results of business
// are outcomes, and each must be wired. Output is data: bindings carry it from step to step, or into the state, where each
// field says how writes merge (its reducer). What fails is neither: a failure has a code, is retried if the plan says so,
// caught if the plan says so, and otherwise ends the run with the state as it was before the step.
//
// The same events in the same order make the same run: the machine that runs a plan has no clock, no I/O and no goroutine.
// All that happened stands in its records, from which a run can be rebuilt, read and gone through again.
package wf
