package lifecycle

import (
	"context"
	"sync"
	"time"

	"lda.chat/wf"
)

// How a worker deletes runs whose time is over: so many at a time, and with pauses, since nobody waits for it.
const (
	retainEvery = 10 * time.Minute
	retainMost  = 1000
	retainPause = time.Second // where there are more of them
)

// Work drives the runs of the store that need it, as [wf.Runtime.Work] does, and deletes meanwhile the runs whose time is over, as
// RetainRuns does: when it begins, and then every ten minutes. Any number of workers may do so at once. opts may be nil.
func (s *Service) Work(ctx context.Context, opts *wf.WorkOptions) error {
	aside, stop := context.WithCancel(ctx)
	var retaining sync.WaitGroup
	retaining.Go(func() { s.retainAgain(aside) })
	err := s.rt.Work(ctx, opts)
	stop()
	retaining.Wait()
	return err
}

// retainAgain deletes runs whose time is over, until ctx ends. What fails is tried again later.
func (s *Service) retainAgain(ctx context.Context) {
	for {
		pause := retainEvery
		done, err := s.RetainRuns(ctx, &RetainRuns{Limit: retainMost})
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			s.logger.Warn("runs whose time is over could not be deleted; it is tried again", "reason", err)
		case done.Deleted > 0:
			s.logger.Info("runs whose time was over were deleted", "runs", done.Deleted)
		}
		if err == nil && done.More {
			pause = retainPause
		}
		over := make(chan struct{})
		cancel := s.clock.AfterFunc(pause, func() { close(over) })
		select {
		case <-over:
		case <-ctx.Done():
			cancel()
			return
		}
	}
}

// realClock is package time.
type realClock struct{}

func (realClock) Now() time.Time                                  { return time.Now() }
func (realClock) AfterFunc(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }
