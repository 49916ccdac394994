package lifecycle

import "slices"

// Methods lists the operations, group by group.
func Methods() []Method { return slices.Clone(methods) }

var methods = []Method{
	unary(Method{Name: "runs.start", Command: "run start", Summary: "Start a run"}, API.StartRun),
	unary(Method{Name: "runs.list", Command: "run list", Summary: "List runs, newest first", ReadOnly: true}, API.ListRuns),
	unary(Method{Name: "runs.inspect", Command: "run inspect", Summary: "Show where a run stands", ReadOnly: true}, API.InspectRun),
	unary(Method{Name: "runs.trace", Command: "run trace", Summary: "Show what a run did, step by step", ReadOnly: true}, API.TraceRun),
	unary(Method{Name: "runs.explain", Command: "run explain", Summary: "Explain why a run failed, or what it waits for", ReadOnly: true}, API.ExplainRun),
	streaming(Method{Name: "runs.watch", Command: "run watch", Summary: "Follow a run until it stops", ReadOnly: true}, API.WatchRun),
	unary(Method{Name: "runs.resume", Command: "run resume", Summary: "Answer what a run asks"}, API.ResumeRun),
	unary(Method{Name: "runs.decide", Command: "run decide", Summary: "Decide about a call of which nobody knows whether it happened"}, API.DecideRun),
	unary(Method{Name: "runs.step", Command: "run step", Summary: "Let a run that goes step by step take one step"}, API.StepRun),
	unary(Method{Name: "runs.cancel", Command: "run cancel", Summary: "Cancel a run", Idempotent: true, Destructive: true}, API.CancelRun),
	unary(Method{Name: "runs.replay", Command: "run replay", Summary: "Show where a run stood after one of its events", ReadOnly: true}, API.ReplayRun),
	unary(Method{Name: "runs.diff", Command: "run diff", Summary: "Compare two runs, or one run at two points", ReadOnly: true}, API.DiffRuns),
	unary(Method{Name: "runs.fork", Command: "run fork", Summary: "Go on from a point of a run with a run of its own"}, API.ForkRun),
	unary(Method{Name: "runs.backtest", Command: "run backtest", Summary: "Play past runs by another plan, without calling anything", ReadOnly: true}, API.BacktestRuns),
	unary(Method{Name: "runs.delete", Command: "run delete", Summary: "Delete a run that has ended", Destructive: true}, API.DeleteRun),
}
