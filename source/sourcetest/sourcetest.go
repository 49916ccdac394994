// Package sourcetest is what every [source.Source] must keep, as a test suite. A family of sources, a host's own too,
// passes it in one line.
package sourcetest

import (
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"sync"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/source"
)

// Sample is a call that a source can answer at any time, as often as the suite likes.
type Sample struct {
	Ref     string          // of a capability of the source
	Input   json.RawMessage // an object
	Outcome wf.Outcome      // what it must return; "": any that it declares
}

var (
	idForm   = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$`)
	nameForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,128}$`)
)

// Run tests a source: its id, its inventory and its contracts, also when several goroutines ask at once, and that each
// sample, called through a workflow, gives an outcome that the contract declares.
func Run(t *testing.T, src source.Source, samples ...Sample) {
	t.Run("id", func(t *testing.T) {
		if id := src.ID(); !idForm.MatchString(id) || len(id) > 128 || id != src.ID() {
			t.Errorf("id %q: expected names of letters, digits, _ and - with dots between them, the same each time", id)
		}
	})
	t.Run("inventory", func(t *testing.T) { testInventory(t, src) })
	t.Run("at once", func(t *testing.T) { testAtOnce(t, src) })
	for _, s := range samples {
		t.Run(s.Ref, func(t *testing.T) { testCall(t, src, s) })
	}
}

func inventoryOf(t *testing.T, src source.Source) *source.Inventory {
	t.Helper()
	inventory, err := src.Inventory(t.Context())
	if err != nil {
		t.Fatalf("inventory: %v", err)
	}
	return inventory
}

func testInventory(t *testing.T, src source.Source) {
	seen := map[string]bool{}
	for _, f := range inventoryOf(t, src).Nodes {
		def := f.Contract()
		prefix := src.ID() + "."
		if len(def.Name) <= len(prefix) || def.Name[:len(prefix)] != prefix || !nameForm.MatchString(def.Name[len(prefix):]) {
			t.Errorf("capability %q: expected %q and a name of letters, digits, _ and -", def.Name, prefix)
		}
		if seen[def.Name] {
			t.Errorf("capability %q is there twice", def.Name)
		}
		seen[def.Name] = true
		if err := f.Problems().Err(); err != nil {
			t.Errorf("capability %q: %v", def.Name, err)
		}
		if diags := wf.Validate(calling(def), nil); diags.HasErrors() {
			t.Errorf("capability %q: a plan that calls it is not valid: %v", def.Name, diags.Err())
		}
	}
	if _, err := source.NewSet(t.Context(), src); err != nil {
		t.Errorf("it cannot be in a set: %v", err)
	}
}

func testAtOnce(t *testing.T, src source.Source) {
	want := contracts(inventoryOf(t, src))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			inventory, err := src.Inventory(context.Background())
			if err != nil {
				t.Errorf("inventory: %v", err)
				return
			}
			if got := contracts(inventory); !maps.Equal(got, want) {
				t.Errorf("two inventories differ: %v and %v", got, want)
			}
		})
	}
	all.Wait()
}

func contracts(inventory *source.Inventory) map[string]string {
	out := map[string]string{}
	for _, f := range inventory.Nodes {
		def := f.Contract()
		text, err := json.Marshal(def)
		if err != nil {
			text = []byte(err.Error())
		}
		out[def.Name] = string(text)
	}
	return out
}

func testCall(t *testing.T, src source.Source, s Sample) {
	set, err := source.NewSet(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	f, ok := set.Node(s.Ref)
	if !ok {
		t.Fatalf("the source has no %q", s.Ref)
	}
	rt, err := wf.NewRuntime(&wf.RuntimeOptions{Nodes: set})
	if err != nil {
		t.Fatal(err)
	}
	w := calling(f.Contract())
	for range 2 {
		r, err := rt.Run(t.Context(), w, s.Input)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Err(); err != nil {
			t.Fatalf("the call failed: %v", err)
		}
		trace, err := r.Trace()
		if err != nil {
			t.Fatal(err)
		}
		if got := trace[0].Outcome; s.Outcome != "" && got != s.Outcome || !slices.Contains(outcomes(f.Contract()), got) {
			t.Errorf("outcome %q, expected %q or one that is declared", got, s.Outcome)
		}
	}
}

func outcomes(def *wf.NodeDef) []wf.Outcome {
	if len(def.Outcomes) == 0 {
		return []wf.Outcome{wf.OK}
	}
	return def.Outcomes
}

// calling is a workflow that calls one capability with its own input.
func calling(def *wf.NodeDef) *wf.Workflow {
	w := &wf.Workflow{Name: "call", InputSchema: def.InputSchema, NodeDefs: []*wf.NodeDef{def}, Start: "call",
		Outcomes: []wf.Outcome{wf.OK},
		Nodes: []wf.Step{&wf.NodeStep{StepCommon: wf.StepCommon{ID: "call"}, Node: def.Name,
			Input: []wf.InputBinding{{Target: wf.Path{Root: wf.RootLocal}, Operand: wf.Operand{Path: &wf.Path{Root: wf.RootInput}}}}}}}
	for _, o := range outcomes(def) {
		w.Edges = append(w.Edges, wf.Edge{From: "call", Outcome: o, To: wf.ToEnd})
	}
	return w
}
