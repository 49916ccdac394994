package wf

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// ring is a workflow of n steps in one circle, each of which reads what another one has written.
func ring(n int) *Workflow {
	w := &Workflow{Name: "ring", Start: "s0"}
	field := func(i int) Path { return Path{RootState, []Part{namePart(fmt.Sprintf("f%d", i))}} }
	for i := range n {
		source := field((i*7919 + 1) % n)
		w.Nodes = append(w.Nodes, &SetStep{StepCommon: StepCommon{ID: fmt.Sprintf("s%d", i)}, Output: []OutputBinding{{Operand: &Operand{Path: &source}, Target: field(i)}}})
		w.Edges = append(w.Edges, Edge{From: fmt.Sprintf("s%d", i), Outcome: outcomeDone, To: fmt.Sprintf("s%d", (i+1)%n)})
	}
	return w
}

// TestAssignedRing: what is open over a whole circle is followed for 64 fields together; where that is too much, the rest is left
// to run time, and said to be.
func TestAssignedRing(t *testing.T) {
	t.Parallel()
	const n = 2_000
	w := ring(n)
	a := assignedOf(w)
	if lots := n/64 + 1; a.work > 8*2*n*lots {
		t.Errorf("%d looks at points for %d steps", a.work, n)
	}
	a = asked(w)
	a.most = 0
	a.c.proof = &prover{}
	judged := 0
	a.solve(func(_ int, lot []fact) { judged += len(lot) })
	left := a.c.proof.proof(nil).Left
	if judged != 64 || len(left) != 1 || left[0].Subject != "reads_open" || left[0].Count != n-64 || left[0].Places[0] == "" {
		t.Errorf("%d judged, left %v", judged, left)
	}
}

// TestPathSet compares with every pair.
func TestPathSet(t *testing.T) {
	t.Parallel()
	g := newPlanGen(4)
	for range 500 {
		var set pathSet
		var all []Path
		for id := range 12 {
			p := Path{Root: roots[g.IntN(2)]}
			for range g.IntN(4) {
				p.Parts = append(p.Parts, []Part{namePart("a"), namePart("0"), indexPart(0)}[g.IntN(3)])
			}
			want := slices.IndexFunc(all, func(q Path) bool { return p.Root == q.Root && (isBelow(p.Parts, q.Parts) || isBelow(q.Parts, p.Parts)) })
			first, taken := set.add(&p, id)
			if taken != (want >= 0) || taken && !(isBelow(all[first].Parts, p.Parts) || isBelow(p.Parts, all[first].Parts)) {
				t.Fatalf("%v after %v: %d, %v", p, all, first, taken)
			}
			all = append(all, p)
		}
	}
}

// TestLongListsAreLinear: what is allocated for long paths, many catches of one step and many codes grows with the plan. It counts
// allocated bytes, so it is not parallel.
func TestLongListsAreLinear(t *testing.T) {
	for name, text := range map[string]func(n int) string{
		"parts of a path": func(n int) string {
			path := "state" + strings.Repeat(".a", n)
			return `{"name": "p", "nodes": [{"id": "a", "type": "set", "output": {"` + path + `": 1}, "next": "__end__"}]}`
		},
		"catches": func(n int) string {
			var catches, on []string
			for i := range n {
				catches = append(catches, fmt.Sprintf(`{"codes": ["x%d"], "outcome": "o%d"}`, i, i))
				on = append(on, fmt.Sprintf(`"o%d": "b"`, i))
			}
			return `{"name": "p", "nodes": [{"id": "a", "node": "t.x", "catch": [` + strings.Join(catches, ",") + `], "on": {"ok": "b", ` + strings.Join(on, ",") + `}},
				{"id": "b", "type": "set", "output": {"state.y": "state.x"}, "next": "__end__"}]}`
		},
		"codes": func(n int) string {
			var steps []string
			for i := range n {
				steps = append(steps, fmt.Sprintf(`{"id": "s%d", "type": "fail", "code": "abc%d", "catch": [{"codes": ["zqx%d"], "outcome": "late"}], "on": {"late": "s%d"}}`, i, i, i, (i+1)%n))
			}
			return `{"name": "p", "nodes": [` + strings.Join(steps, ",") + `]}`
		},
	} {
		bytes := func(n int) uint64 {
			w := parsed(t, text(n))
			return allocated(func() { Validate(w, nil) })
		}
		if small, large := bytes(500), bytes(5_000); large > 20*small {
			t.Errorf("%s: %d bytes for 500, %d for 5,000", name, small, large)
		}
	}
}

// allocated counts the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
