package lifecycle

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"time"

	"lda.chat/wf"
)

// WatchRun are the parameters of runs.watch.
type WatchRun struct {
	RunID string `json:"run_id" jsonschema_description:"which run"`
	After int64  `json:"after,omitempty" jsonschema_description:"what happened up to this event, the seq of what was told last, is not told again"`
}

// RunEvent is something that happened to a run.
type RunEvent struct {
	Seq       int64          `json:"seq"`  // of the run's last event that this one knows of: where to go on watching
	Type      string         `json:"type"` // "step": a visit of a step ended; "interrupt", "doubt": the run asks; "stopped": the last one
	Step      *wf.TraceEntry `json:"step,omitempty"`
	Interrupt *wf.Interrupt  `json:"interrupt,omitempty"`
	Doubt     *wf.Doubt      `json:"doubt,omitempty"`
	Run       *Run           `json:"run,omitempty"` // how it stands now that it has stopped
}

// lookAgain is how often a run is looked at of which nobody tells news.
const lookAgain = 500 * time.Millisecond

// WatchRun implements [Runs].
func (s *Service) WatchRun(ctx context.Context, p *WatchRun) iter.Seq2[*RunEvent, error] {
	return func(yield func(*RunEvent, error) bool) {
		if p.After < 0 {
			yield(nil, badParam("after", "after is %d: expected 0 or more", p.After))
			return
		}
		if err := named(p.RunID); err != nil {
			yield(nil, err)
			return
		}
		w := &watcher{service: s, runID: p.RunID, after: p.After, told: map[string]bool{}}
		if err := w.follow(ctx, yield); err != nil {
			yield(nil, err)
		}
	}
}

// watcher follows one run.
type watcher struct {
	service *Service
	runID   string
	after   int64           // events up to this one were told
	told    map[string]bool // interrupts and doubts
}

// follow tells what happens until the run stops, the caller has enough, or ctx ends.
func (w *watcher) follow(ctx context.Context, yield func(*RunEvent, error) bool) error {
	news := make(chan struct{}, 1)
	if watched, ok := w.service.store.(wf.JournalWatcher); ok {
		stop := watched.Watch(func(runID string) {
			if runID == w.runID || runID == "" {
				select {
				case news <- struct{}{}:
				default:
				}
			}
		})
		defer stop()
	}
	var seen wf.Revision
	for {
		head, err := w.service.store.Head(ctx, w.runID)
		if err != nil {
			return w.service.missing(errorOf(err))
		}
		if head.Revision != seen || head.Status != wf.StatusRunning {
			seen = head.Revision
			over, err := w.look(ctx, yield)
			if over || err != nil {
				return err
			}
		}
		again := time.NewTimer(lookAgain)
		select {
		case <-news:
			again.Stop()
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			return goesOn(ctx, w.runID, ctx.Err())
		}
	}
}

// look tells what has happened since the last look; over means that nothing more will be told.
func (w *watcher) look(ctx context.Context, yield func(*RunEvent, error) bool) (over bool, _ error) {
	r, head, err := w.service.picture(ctx, w.runID, 0)
	if err != nil {
		return false, err
	}
	info := r.Info()
	trace, err := r.Trace()
	if err != nil {
		return false, errorOf(err)
	}
	ended := slices.DeleteFunc(trace, func(e wf.TraceEntry) bool { return e.Unfinished || e.Seq <= w.after })
	slices.SortStableFunc(ended, func(a, b wf.TraceEntry) int { return cmp.Compare(a.Seq, b.Seq) })
	for i := range ended {
		e := &ended[i]
		if w.after = e.Seq; i+1 < len(ended) && ended[i+1].Seq == e.Seq {
			w.after-- // who goes on from here has not seen all of it
		}
		if !yield(&RunEvent{Seq: w.after, Type: "step", Step: e}, nil) {
			return true, nil
		}
	}
	w.after = max(w.after, info.Records)
	for i := range info.Interrupts {
		if open := &info.Interrupts[i]; !w.told[open.ID] {
			w.told[open.ID] = true
			if !yield(&RunEvent{Seq: w.after, Type: "interrupt", Interrupt: open}, nil) {
				return true, nil
			}
		}
	}
	for i := range info.Doubts {
		if open := &info.Doubts[i]; !w.told["?"+open.ID] {
			w.told["?"+open.ID] = true
			if !yield(&RunEvent{Seq: w.after, Type: "doubt", Doubt: open}, nil) {
				return true, nil
			}
		}
	}
	if info.Status == wf.StatusRunning {
		return false, nil
	}
	if head.Pending > 0 && !head.Status.Ended() { // somebody has answered meanwhile
		return false, nil
	}
	run, err := w.service.shown(ctx, r, &head, View{}, "")
	if err != nil {
		return false, err
	}
	yield(&RunEvent{Seq: w.after, Type: "stopped", Run: run}, nil)
	return true, nil
}
