//go:build !race

// Under the race detector everything takes more memory.

package wf_test

import (
	"context"
	"encoding/json"
	"runtime"
	"testing"

	"lda.chat/wf"
)

const askPlan = `{"format":"wf/1","name":"ask","state_schema":{"type":"object","properties":{"n":{"type":"integer","default":0}}},
"start":"ask","nodes":[{"id":"ask","type":"interrupt","kind":"approval","outcomes":["yes"],
"request":[{"target":{"root":"local","parts":["n"]},"path":{"root":"input","parts":["n"]}}],
"resume":[{"source":{"root":"local","parts":["n"]},"target":{"root":"state","parts":["n"]}}]}],
"edges":[{"from":"ask","outcome":"yes","to":"__end__"}]}`

// A run that waits for an answer holds no goroutine, and little memory.
func TestParkedRunsAreSmall(t *testing.T) {
	const runs, most = 10000, 1500 // bytes each
	rt := newRuntime(t, nil)
	w := parsePlan(t, askPlan)
	parked := make([]*wf.RunHandle, runs)
	start := func() *wf.RunHandle {
		r, err := rt.Start(context.Background(), w, json.RawMessage(`{"n":1}`), nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	start() // compiles
	goroutines := runtime.NumGoroutine()
	before := heap()
	for i := range parked {
		parked[i] = start()
	}
	each := (heap() - before) / runs
	t.Logf("%d bytes for a run that waits", each)
	if each > most {
		t.Errorf("a run that waits takes %d bytes, expected at most %d", each, most)
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("%d goroutines for %d runs that wait", n-goroutines, runs)
	}
	for _, r := range parked {
		if r.Status() != wf.StatusInterrupted {
			t.Fatalf("status %s", r.Status())
		}
	}
}

// heap is what is in use after a collection.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
