// Command bench measures the engine beside a plain program by hand that does the same work, in one run, and prints the
// ratios. Absolute times depend on the machine and on what else it does; the ratios much less.
package main

import (
	"flag"
	"fmt"
	"os"
	"testing"
	"text/tabwriter"
)

// row is one goal of the engine: a workload, what it is measured against, and how many times that it may take.
type row struct {
	goal, work string
	engine     func(*testing.B)
	floor      func(*testing.B)
	limit      string
}

func rows() []row {
	return []row{
		{"P1", "run of 3 typed nodes", benchReport, floorReport, "3x floor"},
		{"P2", "one step in a loop of 1,000", benchLoop(1000), floorLoop(1000), "300 ns"},
		{"P2", "the same, of 100", benchLoop(100), floorLoop(100), ""},
		{"P2", "the same, of 100,000", benchLoop(100000), floorLoop(100000), "1.25x the loop of 100"},
		{"P3", "one step in a chain of 10,000", benchChain(10000), floorLoop(10000), "1.5x the loop"},
		{"P3", "checking and compiling that chain", benchCompile(10000), nil, "50 ms"},
		{"P5", "ten-way routing, one iteration", benchRouting(1000), floorRouting(1000), "600 ns"},
	}
}

func main() {
	testing.Init()
	flag.Parse()
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "goal\twork\tengine\tallocs\tfloor\tratio\tgoal")
	for _, r := range rows() {
		engine := testing.Benchmark(r.engine)
		unit := engine.Extra["ns/unit"]
		units := float64(engine.NsPerOp()) / unit
		floorText, ratio := "", ""
		if r.floor != nil {
			floor := testing.Benchmark(r.floor)
			per := floor.Extra["ns/unit"]
			if per == 0 {
				per = float64(floor.NsPerOp())
			}
			floorText, ratio = fmt.Sprintf("%.0f ns", per), fmt.Sprintf("%.2f", unit/per)
		}
		fmt.Fprintf(out, "%s\t%s\t%.0f ns\t%.2f\t%s\t%s\t%s\n", r.goal, r.work, unit, float64(engine.AllocsPerOp())/units, floorText, ratio, r.limit)
	}
	out.Flush()
}
