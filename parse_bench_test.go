package wf

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// largePlan has n steps, as many contracts and twice as many edges.
func largePlan(n int, step string) []byte {
	var nodes, defs []string
	for i := range n {
		nodes = append(nodes, fmt.Sprintf(step, i, i, i+1))
		defs = append(defs, fmt.Sprintf(`{"name": "x.c%d", "outcomes": ["fine"]}`, i))
	}
	return []byte(`{"name": "large", "node_defs": [` + strings.Join(defs, ",") + `], "nodes": [` + strings.Join(nodes, ",") + `]}`)
}

func BenchmarkParseWorkflow(b *testing.B) {
	text := largePlan(1000, `{"id": "s%d", "node": "x.c%d", "input": {"a": "state.a", "b": {"text": "x {input.b}"}}, "output": {"c": "state.c"}, "next": "s%d"}`)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if w, diags := ParseWorkflow(text); w == nil {
			b.Fatal(diags)
		}
	}
}

func BenchmarkCanonical(b *testing.B) {
	w, _ := ParseWorkflow(largePlan(1000, `{"id": "s%d", "node": "x.c%d", "input": {"a": "state.a", "b": {"text": "x {input.b}"}}, "next": "s%d"}`))
	b.ReportAllocs()
	for b.Loop() {
		w.Canonical()
	}
}

// TestCostGrowsWithThePlan: ten times the plan costs nothing like a hundred times the time, read, written, or refused.
func TestCostGrowsWithThePlan(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second or two")
	}
	for name, step := range map[string]string{
		"valid":    `{"id": "s%d", "node": "x.c%d", "next": "s%d"}`,
		"mistakes": `{"id": "s%d", "nod": "x.c%d", "input": {"a": "hello"}, "nexxt": "s%d", "type": "node"}`,
	} {
		cost := func(n int) time.Duration {
			text := largePlan(n, step)
			best := time.Hour
			for range 3 {
				start := time.Now()
				if w, _ := ParseWorkflow(text); w != nil {
					w.Short()
					w.Digest()
				}
				best = min(best, time.Since(start))
			}
			return best
		}
		small, large := cost(1000), cost(10000)
		if large > 40*small+50*time.Millisecond {
			t.Errorf("%s: 1,000 steps take %v, 10,000 take %v", name, small, large)
		}
	}
}
