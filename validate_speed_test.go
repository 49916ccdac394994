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

// TestAssignedIsLinear counts how often points of the graph are looked at: in proportion to the steps where reads are not
// far from what they read, and where all ask for the same; a lot of 64 facts at a time otherwise.
func TestAssignedIsLinear(t *testing.T) {
	t.Parallel()
	field := func(name string) *Path { return &Path{RootState, []Part{namePart(name)}} }
	shapes := []struct {
		name    string
		perStep int
		adapt   func(w *Workflow, i int)
	}{
		{"one field", 10, func(*Workflow, int) {}},
		{"each reads the one before", 10, func(w *Workflow, i int) {
			s := w.Nodes[i].(*NodeStep)
			s.Input = append(s.Input, InputBinding{Target: Path{RootLocal, nil}, Operand: Operand{Path: &Path{RootSteps, []Part{namePart(fmt.Sprintf("s%d", max(i-1, 0)))}}}})
		}},
		{"a field each, read by the next", 10, func(w *Workflow, i int) {
			s := w.Nodes[i].(*NodeStep)
			s.Input = append(s.Input, InputBinding{Target: Path{RootLocal, nil}, Operand: Operand{Path: field(fmt.Sprint("f", max(i-1, 0)))}})
			s.Output = append(s.Output, OutputBinding{Source: &Path{RootLocal, nil}, Target: *field(fmt.Sprint("f", i))})
		}},
		{"loops over ten steps", 20, func(w *Workflow, i int) {
			if i%10 == 9 {
				w.Nodes[i].common().Catch = []Catch{{Codes: []Code{"*"}, Outcome: "again", Error: field("x")}}
				w.Edges = append(w.Edges, Edge{From: w.Nodes[i].StepID(), Outcome: "again", To: w.Nodes[i-9].StepID(), MaxVisits: 3})
			}
		}},
	}
	for _, shape := range shapes {
		for _, n := range []int{1_000, 10_000} {
			w := chain(n)
			for i := range n {
				shape.adapt(w, i)
			}
			if a := assignedOf(w); a == nil || a.work > shape.perStep*n || a.work < n {
				t.Errorf("%s: %d looks at points for %d steps", shape.name, a.work, n)
			}
		}
	}
	w := chain(10_000)
	first, last := w.Nodes[0].(*NodeStep), w.Nodes[9_999].(*NodeStep)
	for i := range 640 {
		first.Output = append(first.Output, OutputBinding{Source: &Path{RootLocal, nil}, Target: *field(fmt.Sprint("f", i))})
		last.Input = append(last.Input, InputBinding{Target: Path{RootLocal, []Part{namePart(fmt.Sprint("f", i))}}, Operand: Operand{Path: field(fmt.Sprint("f", i))}})
	}
	if a := assignedOf(w); a.work > 6*11*10_000 {
		t.Errorf("640 fields from end to end: %d looks at points", a.work)
	}
}

// assignedOf solves the question of a workflow, as its check does.
func assignedOf(w *Workflow) *assigned {
	a := asked(w)
	if a != nil {
		a.solve(a.judge)
	}
	return a
}

// asked is the question about a workflow, before it is answered.
func asked(w *Workflow) *assigned {
	sh := &checkShared{opts: &ValidateOptions{}, schemas: make(map[string]judged), inside: make(map[member]inside), near: make(map[member]string),
		failCodes: make(map[Code]bool), subcalls: make(map[*Workflow][]subcall), suggestions: suggestionBudget}
	c := newChecker(w, sh, nil, nil)
	c.checkEdges()
	return newAssigned(c)
}
