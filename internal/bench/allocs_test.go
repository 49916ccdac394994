//go:build !race

// The race detector makes sync.Pool forget at random, so that counts mean nothing under it.

package main

import "testing"

// What a run allocates is counted, so that it cannot grow unnoticed: once for the run, and for each step. The floor of
// a step is the output that the node itself makes.
func TestAllocations(t *testing.T) {
	for name, c := range map[string]struct {
		work  work
		limit float64 // a unit
	}{
		"run of 3 typed nodes": {engineReport(), 40},
		"step in a loop":       {engineLoop(1000), 2.5},
		"step in a long loop":  {engineLoop(20_000), 2.3},
		"step in a chain":      {engineChain(1000), 2.5},
		"ten-way routing":      {engineRouting(1000), 3.6},
	} {
		if got := testing.AllocsPerRun(5, c.work.run) / float64(c.work.units); got > c.limit {
			t.Errorf("%s: %.2f allocations, allowed are %.2f", name, got, c.limit)
		}
	}
}
