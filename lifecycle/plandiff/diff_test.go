package plandiff_test

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf"
	"lda.chat/wf/internal/golden"
	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/lifecycle/plandiff"
)

func parse(t *testing.T, text []byte) *wf.Workflow {
	t.Helper()
	w, found := wf.ParseWorkflow(text)
	if w == nil {
		t.Fatal(found)
	}
	return w
}

// patched is a plan with a patch applied to its canonical form.
func patched(t *testing.T, w *wf.Workflow, text string) *wf.Workflow {
	t.Helper()
	operations, err := value.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	patch, err := jsonpatch.Parse(operations)
	if err != nil {
		t.Fatal(err)
	}
	canonical, err := value.Parse(w.Canonical())
	if err != nil {
		t.Fatal(err)
	}
	changed, err := jsonpatch.Apply(canonical, patch, nil)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, changed.JSON())
}

func TestChanges(t *testing.T) {
	t.Parallel()
	var base *wf.Workflow
	golden.Derive(t, "testdata/changes.txt", func(t *testing.T, stem string, file golden.File) []golden.File {
		if stem == "base" {
			base = parse(t, []byte(file.Data))
			return nil
		}
		now := patched(t, base, file.Data)
		d := plandiff.Compare(base, now)
		checkPlaces(t, stem, base, now, d)
		if diff := cmp.Diff(d, plandiff.Compare(base, now)); diff != "" {
			t.Errorf("%s: the second time it is another:\n%s", stem, diff)
		}
		if back := plandiff.Compare(now, base); (len(back.Changes) == 0) != (len(d.Changes) == 0) {
			t.Errorf("%s: the other way round: %s", stem, back)
		}
		return []golden.File{{Name: stem + ".txt", Data: d.String()}}
	})
}

// checkPlaces: every place of a change stands in the canonical form of the plan that it is in.
func checkPlaces(t *testing.T, name string, old, new *wf.Workflow, d *plandiff.Diff) {
	t.Helper()
	stands := func(w *wf.Workflow, pointer string) bool {
		canonical, err := value.Parse(w.Canonical())
		if err != nil {
			t.Fatal(err)
		}
		p, err := jsonpatch.ParsePointer(pointer)
		return err == nil && !p.Find(canonical).IsAbsent()
	}
	for _, c := range d.Changes {
		inNew, inOld := stands(new, c.Path), stands(old, c.Path)
		if c.OldPath != "" {
			inOld = stands(old, c.OldPath)
		}
		if !inNew && !inOld {
			t.Errorf("%s: nothing stands at %q and %q of %+v", name, c.Path, c.OldPath, c)
		}
	}
}

func TestDiffAsJSON(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/changes.txt")
	if err != nil {
		t.Fatal(err)
	}
	base := parse(t, []byte(golden.Parse(string(text)).Files[0].Data))
	d := plandiff.Compare(base, patched(t, base, `[{"op": "replace", "path": "/nodes/0/id", "value": "load"}, {"op": "replace", "path": "/start", "value": "load"},
		{"op": "replace", "path": "/edges/0/from", "value": "load"}, {"op": "replace", "path": "/edges/1/to", "value": "load"}, {"op": "replace", "path": "/input_schema/properties/path/maxLength", "value": 70}, {"op": "replace", "path": "/edges/1/max_visits", "value": 5}]`))
	written, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.Parse(written)
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "testdata/diff.json", string(value.Indent(v))+"\n")
}

func ExampleCompare() {
	var plans []*wf.Workflow
	for _, text := range []string{
		`{"name": "p", "nodes": [{"id": "read", "node": "a.read", "input": {"path": "input.path"}, "next": "__end__"}]}`,
		`{"name": "p", "nodes": [{"id": "read", "node": "a.read", "input": {"path": "input.file"}, "next": "send"}, {"id": "send", "node": "a.send", "next": "__end__"}]}`,
	} {
		w, found := wf.ParseWorkflow([]byte(text))
		if w == nil {
			log.Fatal(found)
		}
		plans = append(plans, w)
	}
	fmt.Print(plandiff.Compare(plans[0], plans[1]))
	// Output:
	// ~  step read input path: was "input.path", is "input.file"
	// +  step send: calls a.send
	// ~  route read ok: to was "__end__", is "send"
	// +  route send ok: leads to __end__
}
