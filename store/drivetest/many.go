package drivetest

import (
	"fmt"
	goruntime "runtime"
	"sync"
	"testing"

	"lda.chat/wf"
)

// inParallel does something n times, several at a time.
func inParallel(n int, do func(i int)) {
	var all sync.WaitGroup
	next := make(chan int)
	for range min(n, 32) {
		all.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	all.Wait()
}

// A run that waits for an answer is a row: the process keeps no goroutine for it and next to no memory, and all go on when answered.
// It is counted in a process of its own.
func (s *suite) parked(t *testing.T) {
	p := s.start(t, order{Role: "park", Dir: t.TempDir(), Runs: s.Runs})
	var bytes, goroutines int
	if line := p.line(); !scan(line, "parked %d bytes %d goroutines", &bytes, &goroutines) {
		t.Fatalf("the process says %q", line)
	}
	t.Logf("a parked run takes %d bytes; %d goroutines more for %d of them", bytes, goroutines, s.Runs)
	if goroutines > 10 {
		t.Errorf("%d goroutines more for %d parked runs", goroutines, s.Runs)
	}
	if bytes > 200 && s.at(t, t.TempDir(), newClock()).Caps().MultiProcess { // others have the runs in memory
		t.Errorf("a parked run takes %d bytes", bytes)
	}
	same(t, "in the end", p.line(), "all have ended")
	p.end()
}

func park(w *world, o *order) {
	r := w.runtime(nil)
	plan := r.plan(`{"name": "parked", "nodes": [{"id": "ask", "type": "interrupt", "kind": "k", "outcomes": ["yes"], "next": "__end__"}]}`)
	ids := make([]string, o.Runs)
	start := func(i int) {
		run, err := r.Start(ctx, plan, nil, nil)
		if err != nil {
			w.t.Errorf("start: %v", err)
			return
		}
		ids[i] = run.ID()
	}
	inParallel(min(100, o.Runs), start) // what is made once is made
	goroutines, before := goruntime.NumGoroutine(), memory()
	inParallel(len(ids), start)
	after := memory()
	fmt.Printf("parked %d bytes %d goroutines\n", max(after-before, 0)/len(ids), goruntime.NumGoroutine()-goroutines)
	inParallel(len(ids), func(i int) {
		run, err := r.Load(ctx, ids[i])
		if err == nil {
			err = run.Resume(ctx, wf.Answer{})
		}
		if err == nil {
			err = run.Wait(ctx)
		}
		if err != nil || run.Status() != wf.StatusCompleted {
			w.t.Errorf("run %d: %v", i, err)
		}
	})
	if !w.t.Failed() {
		fmt.Println("all have ended")
	}
}

// memory is what the process holds.
func memory() int {
	var m goruntime.MemStats
	for range 3 {
		goruntime.GC()
	}
	goruntime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
