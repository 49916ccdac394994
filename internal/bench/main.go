// Command bench measures the engine beside a plain program by hand that does the same work, in one run, turn by turn, and
// prints the ratios. Times are CPU time where the system tells it. Absolute times depend on the machine and on what else
// it does; the ratios much less.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"
)

// row is one goal of the engine: a workload, what it is measured against, and what it may take.
type row struct {
	name, what string
	engine     func() work
	floor      func() work
	goal       string
}

func rows() []row {
	loop := func(n int) (engine, floor func() work) {
		return func() work { return engineLoop(n) }, func() work { return floorLoop(n) }
	}
	short, shortFloor := loop(100)
	middle, middleFloor := loop(1000)
	long, longFloor := loop(100_000)
	return []row{
		{"P1", "run of 3 typed nodes", engineReport, floorReport, "3x the floor"},
		{"P10", "the same without the plan's schemas", unchecked, floorReport, "1/1.3 of the above"},
		{"P2", "one step in a loop of 100", short, shortFloor, ""},
		{"P2", "one step in a loop of 1,000", middle, middleFloor, "0.65x the floor, 1 allocation of the engine"},
		{"P2", "one step in a loop of 100,000", long, longFloor, "1.25x the loop of 100"},
		{"P3", "one step in a chain of 10,000", func() work { return engineChain(10_000) }, nil, "1.5x the loop of 1,000"},
		{"P3", "checking and compiling that chain", func() work { return compiling(10_000) }, nil, "50 ms"},
		{"P4", "one of 10,000 items, 16 side by side", func() work { return engineForeach(10_000) }, func() work { return floorForeach(10_000) }, "1.4x the floor"},
		{"P4", "one of 100,000 items", func() work { return engineForeach(100_000) }, func() work { return floorForeach(100_000) }, "1.25x the one of 10,000"},
		{"P5", "one iteration of ten-way routing", func() work { return engineRouting(1000) }, func() work { return floorRouting(1000) }, "0.94x the floor"},
	}
}

func main() {
	rounds := flag.Int("rounds", 5, "measurements of each side; the median counts")
	only := flag.String("only", "", "the rows of this name only, such as P2")
	each := flag.Duration("each", 200*time.Millisecond, "time of one measurement")
	flag.Parse()
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "\twork\tengine\tallocations\tbytes\tfloor\tratio\tgoal")
	for _, r := range rows() {
		if *only != "" && r.name != *only {
			continue
		}
		engine := r.engine()
		var floor work
		if r.floor != nil {
			floor = r.floor()
		}
		var times, floors, ratios, allocs, bytes []float64
		for range *rounds {
			c := measure(engine, *each)
			times, allocs, bytes = append(times, c.ns), append(allocs, c.allocs), append(bytes, c.bytes)
			if r.floor != nil {
				base := measure(floor, *each).ns
				floors, ratios = append(floors, base), append(ratios, c.ns/base)
			}
		}
		base, ratio := "", ""
		if r.floor != nil {
			base, ratio = nanoseconds(median(floors)), fmt.Sprintf("%.2f", median(ratios))
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%.2f\t%.0f\t%s\t%s\t%s\n", r.name, r.what, nanoseconds(median(times)), median(allocs), median(bytes), base, ratio, r.goal)
	}
	out.Flush()
}

// cost is what a unit of work takes.
type cost struct{ ns, allocs, bytes float64 }

// measure runs w for about the time given, after one run that does not count.
func measure(w work, about time.Duration) cost {
	w.run()
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began, cpu := time.Now(), cpuTime()
	runs := 0
	for time.Since(began) < about || runs == 0 {
		w.run()
		runs++
	}
	spent := cpuTime() - cpu
	runtime.ReadMemStats(&after)
	units := float64(runs * w.units)
	return cost{
		ns:     float64(spent.Nanoseconds()) / units,
		allocs: float64(after.Mallocs-before.Mallocs) / units,
		bytes:  float64(after.TotalAlloc-before.TotalAlloc) / units,
	}
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

func nanoseconds(ns float64) string {
	if ns > 1e6 {
		return fmt.Sprintf("%.1f ms", ns/1e6)
	}
	return fmt.Sprintf("%.0f ns", ns)
}
