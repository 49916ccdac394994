package wf

import (
	"bytes"
	"fmt"
	"testing"
	"time"
)

// chain is a workflow of n node steps, one after the other.
func chain(n int) *Workflow {
	w := &Workflow{
		Name: "chain", Start: "s0",
		StateSchema: Schema(`{"type":"object","properties":{"x":{"type":"integer"}}}`),
		NodeDefs: []*NodeDef{{
			Name:         "local.work",
			InputSchema:  Schema(`{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"],"additionalProperties":false}`),
			OutputSchema: Schema(`{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"],"additionalProperties":false}`),
		}},
	}
	local, state := Path{RootLocal, []Part{namePart("x")}}, Path{RootState, []Part{namePart("x")}}
	for i := range n {
		id := fmt.Sprintf("s%d", i)
		w.Nodes = append(w.Nodes, &NodeStep{
			StepCommon: StepCommon{ID: id}, Node: "local.work",
			Input:  []InputBinding{{Target: local, Operand: Operand{Path: &state}}},
			Output: []OutputBinding{{Source: &local, Target: state}},
		})
		to := ToEnd
		if i < n-1 {
			to = fmt.Sprintf("s%d", i+1)
		}
		w.Edges = append(w.Edges, Edge{From: id, Outcome: OK, To: to})
	}
	return w
}

func BenchmarkValidateChain(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := chain(n)
			for b.Loop() {
				if ds := Validate(w, nil); len(ds) > 0 {
					b.Fatal(ds[0])
				}
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(n)/float64(time.Nanosecond), "ns/step")
		})
	}
}

// TestCheckTextIsLinear counts allocations of a text that cannot be read, so it is not parallel.
func TestCheckTextIsLinear(t *testing.T) {
	allocs := func(n int) float64 {
		text := bytes.Replace(chain(n).Canonical(), []byte(`"outcome":"ok"`), []byte(`"outcome":5`), 1)
		text = bytes.ReplaceAll(text, []byte(`"root":"state","parts":["x"]`), []byte(`"root":"state","parts":["y"]`))
		return testing.AllocsPerRun(1, func() {
			if w, found := CheckText(text, nil); w != nil || len(found) == 0 {
				t.Fatal(found)
			}
		})
	}
	if small, large := allocs(500), allocs(5_000); large > 11*small {
		t.Errorf("%v allocations for 500 steps, %v for 5,000", small, large)
	}
}

// TestValidateIsLinear counts allocations, so it is not parallel. Each schema is compiled once, whatever the length.
func TestValidateIsLinear(t *testing.T) {
	allocs := func(n int) float64 {
		w := chain(n)
		return testing.AllocsPerRun(1, func() {
			if found := Validate(w, nil); len(found) > 0 {
				t.Fatal(found)
			}
		})
	}
	if small, large := allocs(1_000), allocs(10_000); large > 11*small || large > 20*10_000 {
		t.Errorf("%v allocations for 1,000 steps, %v for 10,000", small, large)
	}
}
