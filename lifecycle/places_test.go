package lifecycle_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"lda.chat/wf/lifecycle"
	"lda.chat/wf/store"
)

// meeting is a store at which two who look at the places of a deployment see the same.
type meeting struct {
	store.Store
	mu    sync.Mutex
	here  int
	begin chan struct{}
}

func (m *meeting) GetRecord(ctx context.Context, kind, key string) (store.Record, error) {
	r, err := m.Store.GetRecord(ctx, kind, key)
	if kind != "deployment_runs" {
		return r, err
	}
	m.mu.Lock()
	m.here++
	if m.here == 2 {
		close(m.begin)
	}
	m.mu.Unlock()
	<-m.begin
	return r, err
}

// Of two starts that see the last place free, one takes it.
func TestLastPlace(t *testing.T) {
	t.Parallel()
	st := &meeting{Store: store.NewMemory(nil), begin: make(chan struct{})}
	api := on(t, st, selling(t, buy(nil)))
	one := 1
	deploy(t, api, askedBuying, "weekly", func(p *lifecycle.SaveDeployment) { p.MaxRuns = &one })
	errs := make(chan error, 2)
	for range 2 {
		go func() {
			_, err := api.StartRun(t.Context(), &lifecycle.StartRun{Deployment: "weekly", Input: json.RawMessage(`{"id":5}`), Wait: true})
			errs <- err
		}()
	}
	first, other := <-errs, <-errs
	if (first == nil) == (other == nil) {
		t.Errorf("%v and %v: expected one to begin", first, other)
	}
}
