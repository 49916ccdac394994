package store

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"lda.chat/wf"
)

// RetainOptions say which runs [Retain] looks at. A nil *RetainOptions and the zero value mean all.
type RetainOptions struct {
	Deployment string // only its runs; "": any
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
	for {
		page, err := runs.List(ctx, q)
		if err != nil {
			return deleted, err
		}
		for some := range slices.Chunk(page.Runs, abreast) {
			n, err := deleteAll(ctx, runs, some)
			if deleted += n; err != nil {
				return deleted, err
			}
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			return deleted, nil
		}
	}
}

// abreast is how many runs are deleted at a time, since a store takes many changes into one commit; few enough that nobody waits long
// for such a commit.
const abreast = 64

func deleteAll(ctx context.Context, runs wf.Runs, heads []wf.RunHead) (deleted int, err error) {
	errs := make([]error, len(heads))
	var all sync.WaitGroup
	for i, h := range heads {
		all.Go(func() { errs[i] = runs.DeleteRun(ctx, h.RunID) })
	}
	all.Wait()
	for _, e := range errs {
		if e == nil {
			deleted++
		} else if _, gone := errors.AsType[*wf.NotFoundError](e); !gone && err == nil {
			err = e
		}
	}
	return deleted, err
}
