package wf

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// A call's context ends once, for all who watch it, whether they came before the end or after.
func TestCallContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		early, late := &call{by: &announcer{run: &RunHandle{base: t.Context()}}}, &call{by: &announcer{run: &RunHandle{base: t.Context()}}}
		if early.Err() != nil {
			t.Fatal("ended before its end")
		}
		done := early.Done()
		child, cancel := context.WithCancel(early)
		defer cancel()
		var calls atomic.Int32
		early.AfterFunc(func() { calls.Add(1) })
		stopped := early.AfterFunc(func() { t.Error("stopped, but called") })
		if !stopped() || stopped() {
			t.Error("what waits can be stopped once")
		}
		for _, c := range []*call{early, late} {
			c.end(false)
			c.end(false)
			<-c.Done()
			if c.Err() != context.Canceled {
				t.Errorf("got %v", c.Err())
			}
			if stop := c.AfterFunc(func() { calls.Add(1) }); stop() {
				t.Error("what was called cannot be stopped")
			}
		}
		<-done
		<-child.Done()
		synctest.Wait()
		if calls.Load() != 3 {
			t.Errorf("%d functions were called, want 3", calls.Load())
		}
	})
}
