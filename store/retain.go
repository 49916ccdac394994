package store

import (
	"context"
	"errors"
	"time"

	"lda.chat/wf"
)

// RetainOptions say which runs [Retain] looks at. A nil *RetainOptions and the zero value mean all.
type RetainOptions struct {
	Deployment string // only its runs; "": any
	Most       int    // no more than so many are deleted; 0: all
}

// Retain deletes the runs that have ended and whose last event is older than before, and returns how many. It may run beside
// everything else, and twice at a time; a run that is needed again meanwhile is not touched, since it cannot have ended. opts may be nil.
func Retain(ctx context.Context, runs wf.Runs, before time.Time, opts *RetainOptions) (deleted int, err error) {
	if opts == nil {
		opts = &RetainOptions{}
	}
	q := wf.RunQuery{
		Status:        []wf.RunStatus{wf.StatusCompleted, wf.StatusFailed, wf.StatusCancelled},
		UpdatedBefore: before,
		Deployment:    opts.Deployment,
		Limit:         1000,
	}
	if opts.Most > 0 {
		q.Limit = min(q.Limit, opts.Most)
	}
	for {
		page, err := runs.List(ctx, q)
		if err != nil {
			return deleted, err
		}
		for _, h := range page.Runs {
			err := runs.DeleteRun(ctx, h.RunID)
			if _, gone := errors.AsType[*wf.NotFoundError](err); gone {
				continue
			}
			if err != nil {
				return deleted, err
			}
			if deleted++; deleted == opts.Most {
				return deleted, nil
			}
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			return deleted, nil
		}
	}
}
