package main

import (
	"strings"
	"testing"
)

// Benchmark runs the rows one by one, for benchstat.
func Benchmark(b *testing.B) {
	for _, r := range rows() {
		name := r.name + " " + strings.ReplaceAll(r.what, ",", "")
		for side, make := range map[string]func() work{"engine": r.engine, "floor": r.floor} {
			if make == nil {
				continue
			}
			b.Run(name+"/"+side, func(b *testing.B) {
				w := make()
				w.run()
				b.ReportAllocs()
				for b.Loop() {
					w.run()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*w.units), "ns/unit")
			})
		}
	}
}
