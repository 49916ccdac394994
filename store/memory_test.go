package store_test

import (
	"testing"
	"time"

	"lda.chat/wf/store"
	"lda.chat/wf/store/drivetest"
	"lda.chat/wf/store/storetest"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(_ string, now func() time.Time) (store.Store, error) {
		return store.NewMemory(&store.MemoryOptions{Now: now}), nil
	}, nil)
}

func BenchmarkMemory(b *testing.B) {
	storetest.Bench(b, func(string, func() time.Time) (store.Store, error) { return store.NewMemory(nil), nil })
}

func TestMemoryRuns(t *testing.T) {
	t.Parallel()
	drivetest.Run(t, func(_ string, now func() time.Time) (store.Store, error) {
		return store.NewMemory(&store.MemoryOptions{Now: now}), nil
	}, nil)
}
