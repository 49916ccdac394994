package main

import (
	"strings"
	"testing"
)

// Benchmark runs the rows one by one, for benchstat.
func Benchmark(b *testing.B) {
	for _, r := range rows() {
		name := r.goal + " " + strings.ReplaceAll(r.work, ",", "")
		b.Run(name+"/engine", r.engine)
		if r.floor != nil {
			b.Run(name+"/floor", r.floor)
		}
	}
}
