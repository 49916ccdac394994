package store

import (
	"cmp"
	"context"
	"errors"
	"math"
	"sync"
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
	most := cmp.Or(opts.Most, math.MaxInt)
	q.Limit = min(q.Limit, most)
	for {
		page, err := runs.List(ctx, q)
		if err != nil {
			return deleted, err
		}
		for list := page.Runs; len(list) > 0; {
			some := list[:min(len(list), abreast, most-deleted)]
			list = list[len(some):]
			n, err := deleteAll(ctx, runs, some)
			if deleted += n; err != nil || deleted == most {
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
