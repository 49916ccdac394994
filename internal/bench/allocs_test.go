//go:build !race

// The race detector makes sync.Pool forget at random, so that counts mean nothing under it.

package main

import (
	"runtime"
	"testing"
)

// What a run allocates is counted, so that it cannot grow unnoticed: once for the run, and for each step. A step in a loop
// allocates the output that the node makes, 48 bytes; the rest is what is kept of it, in slabs: two entries of 72 bytes, the
// head of their record, 16, and the context of the call, 48.
func TestAllocations(t *testing.T) {
	for name, c := range map[string]struct {
		work          work
		allocs, bytes float64 // a unit, at most
	}{
		"run of 3 typed nodes": {engineReport(), 37, 4700},
		"step in a loop":       {engineLoop(1000), 1.25, 290},
		"step in a long loop":  {engineLoop(20_000), 1.2, 275},
		"step in a chain":      {engineChain(1000), 1.25, 295},
		"ten-way routing":      {engineRouting(1000), 1.4, 550},
	} {
		allocs, bytes := allocated(c.work)
		if allocs > c.allocs {
			t.Errorf("%s: %.2f allocations, allowed are %.2f", name, allocs, c.allocs)
		}
		if bytes > c.bytes {
			t.Errorf("%s: %.0f bytes, allowed are %.0f", name, bytes, c.bytes)
		}
	}
}

// allocated counts what a unit of work allocates, on one processor and after a run that does not count.
func allocated(w work) (allocs, bytes float64) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	w.run()
	const runs = 5
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		w.run()
	}
	runtime.ReadMemStats(&after)
	units := float64(runs * w.units)
	return float64(after.Mallocs-before.Mallocs) / units, float64(after.TotalAlloc-before.TotalAlloc) / units
}
