package wf

import (
	"context"
	"time"

	"lda.chat/wf/internal/kernel"
)

// claim takes up one run if nobody else has it, with events of the caller's, and gives its handle; nil if somebody has it,
// or it has ended.
func (k *keeper) claim(ctx context.Context, runID string, more ...posted) (*RunHandle, error) {
	if err := k.arrive(1); err != nil {
		return nil, err
	}
	defer k.arrived(1)
	c := ClaimRequest{Max: 1, Only: runID}
	if !cancels(more) {
		c.Except = k.except()
	}
	heads, err := k.ask(ctx, c)
	if err != nil || len(heads) == 0 {
		return nil, err
	}
	return k.takeUp(ctx, heads[0], more...)
}

// ask claims runs for this runtime.
func (k *keeper) ask(ctx context.Context, c ClaimRequest) ([]RunHead, error) {
	c.Owner, c.TTL, c.MaxKernel = k.owner, k.ttl, kernel.Version
	asked := k.rt.clock.Now()
	heads, err := k.journal.Claim(ctx, c)
	if err == nil && len(heads) > 0 {
		k.compare(asked, heads[0].LeaseUntil.Add(-k.ttl))
	}
	return heads, err
}

// mostSkew is how far clocks may be apart before it is minded.
const mostSkew = time.Second

// compare compares the clocks: the store has told its time, which it looked at after asked. Whether a run's time has come is
// judged by the store; if that is early, the run would be claimed and given back over and over.
func (k *keeper) compare(asked, told time.Time) {
	now := k.rt.clock.Now()
	skew := time.Duration(0)
	switch {
	case told.After(now.Add(mostSkew)):
		skew = told.Sub(now)
	case told.Before(asked.Add(-mostSkew)):
		skew = told.Sub(asked)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.skew = skew
}

// byStore gives a time of the runtime's clock as the store's clock will tell it.
func (k *keeper) byStore(t time.Time) time.Time {
	k.mu.Lock()
	defer k.mu.Unlock()
	return t.Add(k.skew)
}

// arrive notes that runs are claimed or started, and may be driven here soon. When that is so, or not, arrived is told.
func (k *keeper) arrive(n int) error {
	k.watch()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed || k.draining > 0 {
		return errClosed
	}
	k.coming += n
	return nil
}

func (k *keeper) arrived(n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.coming -= n; k.coming == 0 {
		k.heard = nil
	}
	k.calm()
}
