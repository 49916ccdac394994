package wf

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// chain is a workflow of n node steps, one after the other.
func chain(n int) *Workflow {
	w := &Workflow{
		Name: "chain", Start: "s0",
		InputSchema: Schema(`{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]}`),
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

// toolChain is a workflow of n calls of one tool with an input and an output of many properties, each filled from the state and
// written back to it.
func toolChain(n int) *Workflow {
	var properties, outputs strings.Builder
	var in []InputBinding
	var out []OutputBinding
	for i, s := range []string{`"string"`, `"integer","minimum":1`, `"boolean"`, `"array","items":{"type":"string","minLength":1},"maxItems":100`,
		`"string","enum":["open","closed","all"]`, `"object","properties":{"path":{"type":"string"},"line":{"type":["integer","null"]}},"required":["path"]`,
		`"string","pattern":"^[0-9a-f]{40}$"`, `"number","maximum":100`, `"string","maxLength":256`, `"integer"`} {
		fmt.Fprintf(&properties, `,"p%d":{"type":%s,"description":"What it is"}`, i, s)
		fmt.Fprintf(&outputs, `,"p%d":{"type":%s,"title":"What comes back"}`, i, s)
		local, state := Path{RootLocal, []Part{namePart(fmt.Sprintf("p%d", i))}}, Path{RootState, []Part{namePart(fmt.Sprintf("p%d", i))}}
		in = append(in, InputBinding{Target: local, Operand: Operand{Path: &state}})
		out = append(out, OutputBinding{Source: &local, Target: state})
	}
	w := &Workflow{
		Name: "tools", Start: "s0", StateSchema: Schema(`{"type":"object","properties":{` + properties.String()[1:] + `}}`),
	}
	for i := range n {
		def := fmt.Sprintf("local.tool%d", i)
		w.NodeDefs = append(w.NodeDefs, &NodeDef{
			Name: def, InputSchema: Schema(fmt.Sprintf(`{"type":"object","title":"of %d","properties":{%s},"additionalProperties":false}`, i, properties.String()[1:])),
			OutputSchema: Schema(fmt.Sprintf(`{"type":"object","title":"of %d","properties":{%s}}`, i, outputs.String()[1:])),
		})
		id, to := fmt.Sprintf("s%d", i), ToEnd
		if i < n-1 {
			to = fmt.Sprintf("s%d", i+1)
		}
		w.Nodes = append(w.Nodes, &NodeStep{StepCommon: StepCommon{ID: id}, Node: def, Input: in, Output: out})
		w.Edges = append(w.Edges, Edge{From: id, Outcome: OK, To: to})
	}
	return w
}

// BenchmarkValidateTools is for what comparing types costs: no two tools share a schema, so that 20 pairs a step are compared.
func BenchmarkValidateTools(b *testing.B) {
	w := toolChain(1_000)
	for b.Loop() {
		if ds := Validate(w, nil); len(ds) > 0 {
			b.Fatal(ds[0])
		}
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
