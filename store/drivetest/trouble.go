package drivetest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"lda.chat/wf"
)

// A store that keeps nothing for a while, or does not say whether it did, loses nothing and does nothing twice: the run goes on
// when the cause is gone.
func (s *suite) trouble(t *testing.T) {
	for name, fail := range map[string]func(call func() error) error{
		"disk full":         func(func() error) error { return errors.New("no space left on device") },
		"connection lost":   func(func() error) error { return context.DeadlineExceeded },
		"unknown, not kept": func(func() error) error { return &wf.AmbiguousError{Err: errAway} },
		"unknown, but kept": func(call func() error) error { return &wf.AmbiguousError{Err: errors.Join(errAway, call())} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := s.world(t)
			w.do("t.flaky", flaky)
			r := w.runtime(nil)
			var n, failed atomic.Int64
			r.fail = func(op string, call func() error) error {
				if op == "append" && n.Add(1)%3 != 0 { // two of three
					failed.Add(1)
					return fail(call)
				}
				return call()
			}
			run := r.start(journey, journeyInput, nil)
			if !r.tend(run.ID()) {
				t.Fatal("it died")
			}
			if got, want := ending(t, r.load(run.ID())), s.undisturbed(t); got != want {
				t.Errorf("it ended so:\n%s\nundisturbed so:\n%s", got, want)
			}
			w.once(run.ID())
			for _, c := range w.made("t.work") {
				times := 0
				for _, other := range w.made("t.work") {
					if c == other {
						times++
					}
				}
				same(t, "calls of "+c.step, times, 1)
			}
			if failed.Load() < 10 {
				t.Errorf("the store failed only %d times", failed.Load())
			}
		})
	}
	t.Run("who waits is not held", func(t *testing.T) {
		t.Parallel()
		w := s.world(t)
		r := w.runtime(nil)
		var back atomic.Bool
		tried := make(chan struct{}, 1000)
		r.fail = func(op string, call func() error) error {
			if op == "append" && !back.Load() {
				tried <- struct{}{}
				return errAway
			}
			return call()
		}
		run := r.start(one, `{}`, nil)
		<-tried
		limited, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
		defer cancel()
		if err := run.Wait(limited); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("wait: %v", err)
		}
		if err := run.Cancel(limited, "enough"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("cancel: %v", err)
		}
		back.Store(true)
		w.await("it ends", func() bool { return w.head(run.ID()).Status.Ended() })
		check(t, "wait", run.Wait(ctx))
		same(t, "calls", len(w.made("t.a")), 1)
	})
	t.Run("closing does not wait for it", func(t *testing.T) {
		t.Parallel()
		w := s.world(t)
		r := w.runtime(nil)
		tried := make(chan struct{}, 1000)
		r.fail = func(op string, call func() error) error {
			if op == "append" {
				tried <- struct{}{}
				return errAway
			}
			return call()
		}
		run := r.start(one, `{}`, nil)
		<-tried
		limited, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
		defer cancel()
		check(t, "close", r.Close(limited))
		w.clock.jump(lease)
		next := w.runtime(nil)
		next.work(nil)
		w.wait(next.load(run.ID()), wf.StatusCompleted)
		same(t, "calls", len(w.made("t.a")), 2) // its result was nowhere
	})
}

// A store that has closed itself is said to whoever waits, and to whoever works; what was kept is taken up by the next.
func (s *suite) closed(t *testing.T) {
	w := s.world(t)
	letGo := w.hold("t.a")
	r := w.runtime(nil)
	run := r.start(one, `{}`, nil)
	w.await("it is called", func() bool { return len(w.made("t.a")) == 1 })
	waiting := make(chan error, 1)
	go func() { waiting <- run.Wait(ctx) }()
	gone := fmt.Errorf("after a failed sync: %w", wf.ErrJournalClosed)
	r.mu.Lock()
	r.fail = func(string, func() error) error { return gone }
	r.mu.Unlock()
	letGo()
	if err := <-waiting; !errors.Is(err, wf.ErrJournalClosed) {
		t.Errorf("wait: %v", err)
	}
	if err := r.Work(ctx, nil); !errors.Is(err, wf.ErrJournalClosed) {
		t.Errorf("work: %v", err)
	}
	if _, err := r.Start(ctx, r.plan(one), nil, nil); !errors.Is(err, wf.ErrJournalClosed) {
		t.Errorf("start: %v", err)
	}
	w.clock.jump(lease)
	next := w.runtime(nil)
	next.work(nil)
	w.wait(next.load(run.ID()), wf.StatusCompleted)
	w.once(run.ID())
}
