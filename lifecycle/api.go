package lifecycle

import (
	"context"
	"iter"
)

// API is all operations, in groups. Every implementation passes the suite of package apitest. It is safe for concurrent use. What
// fails is an [*Error]. Parameters and results are JSON by their tags, and lose nothing by it.
type API interface {
	Runs
}

// Runs are the operations on runs. All but ListRuns fail with [NotFound] for a run that is not there.
type Runs interface {
	// StartRun starts a run of a plan. Starting the same under the id of a run that is there gives that run.
	StartRun(ctx context.Context, p *StartRun) (*Run, error)
	// ListRuns lists runs, newest first, in pages.
	ListRuns(ctx context.Context, p *ListRuns) (*RunList, error)
	// InspectRun tells where a run stands.
	InspectRun(ctx context.Context, p *InspectRun) (*Run, error)
	// TraceRun tells what a run did, step by step.
	TraceRun(ctx context.Context, p *TraceRun) (*Trace, error)
	// ExplainRun tells why a run failed, or what it waits for.
	ExplainRun(ctx context.Context, p *ExplainRun) (*Explanation, error)
	// WatchRun follows a run until it stops. It may be taken up again where it was left: see [WatchRun]. When ctx ends, so
	// does the stream, with an error.
	WatchRun(ctx context.Context, p *WatchRun) iter.Seq2[*RunEvent, error]
	// ResumeRun answers interrupts, each answer judged alone: what is taken is taken, also if the error tells that
	// another one was refused.
	ResumeRun(ctx context.Context, p *ResumeRun) (*Run, error)
	// DecideRun ends a doubt about a call.
	DecideRun(ctx context.Context, p *DecideRun) (*Run, error)
	// StepRun lets a run that was started step by step take one step.
	StepRun(ctx context.Context, p *StepRun) (*Run, error)
	// CancelRun ends a run as cancelled. A run that has ended stays as it is.
	CancelRun(ctx context.Context, p *CancelRun) (*Run, error)
	// ReplayRun tells where a run stood after one of its events.
	ReplayRun(ctx context.Context, p *ReplayRun) (*Run, error)
	// DiffRuns compares two runs, or one at two points.
	DiffRuns(ctx context.Context, p *DiffRuns) (*RunsDiff, error)
	// ForkRun starts a run that shares the events of another one up to a point, and goes on from there.
	ForkRun(ctx context.Context, p *ForkRun) (*Run, error)
	// BacktestRuns tells what another plan would have made of past runs. Nothing is called.
	BacktestRuns(ctx context.Context, p *BacktestRuns) (*Backtests, error)
	// DeleteRun removes a run that has ended, with all that belongs to it; others fail with [Conflict].
	DeleteRun(ctx context.Context, p *DeleteRun) (*DeletedRun, error)
}
