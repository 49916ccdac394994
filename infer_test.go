package wf

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	archive "lda.chat/wf/internal/golden"
	"lda.chat/wf/internal/value"
)

// inventory is what there is beside the plans of these tests.
func inventory() *ValidateOptions {
	return &ValidateOptions{Nodes: func(ref string) (*NodeDef, bool) {
		return &NodeDef{Name: ref, InputSchema: Schema(`{"properties":{"path":{"type":"string"}},"required":["path"],"type":"object"}`),
			OutputSchema: Schema(`{"properties":{"text":{"type":"string"}},"required":["text"],"type":"object"}`)}, ref == "local.read"
	}}
}

// TestInfer shows what is inferred of the plans of testdata/infer/*.txtar: NAME.json becomes NAME.inferred.json, and NAME.txt says why.
func TestInfer(t *testing.T) {
	t.Parallel()
	archive.Derive(t, "testdata/infer/*.txtar", func(t *testing.T, stem string, file archive.File) []archive.File {
		w, said := inferred(t, parsed(t, file.Data), inventory())
		var b strings.Builder
		for _, d := range said {
			fmt.Fprintln(&b, d.headline())
			for _, r := range d.Related {
				fmt.Fprintf(&b, "  %s %s\n", r.Path, r.Message)
			}
		}
		return []archive.File{{Name: stem + ".inferred.json", Data: string(w.Short())}, {Name: stem + ".txt", Data: b.String()}}
	})
}

// inferred infers, and checks what must hold of any plan: nothing that was there changes, no error comes, the given plan stays as it
// is, and a second time there is nothing to add.
func inferred(t *testing.T, w *Workflow, opts *ValidateOptions) (*Workflow, Diagnostics) {
	t.Helper()
	before := w.Canonical()
	filled, said := Infer(w, opts)
	if !bytes.Equal(w.Canonical(), before) {
		t.Errorf("the given plan changed: %s", w.Canonical())
	}
	was, _ := value.Parse(before)
	is, err := value.Parse(filled.Canonical())
	if err != nil {
		t.Fatal(err)
	}
	if lost := lostIn(was, is, ""); lost != "" {
		t.Errorf("%s: %s is not what the plan said\n%s\n%s", w.Name, lost, before, filled.Canonical())
	}
	if again, diags := ParseWorkflow(filled.Canonical()); again == nil || again.Digest() != filled.Digest() {
		t.Errorf("what is inferred cannot be read: %v", diags)
	}
	counts := errorCounts(Validate(w, opts))
	for key, n := range errorCounts(Validate(filled, opts)) {
		if n > counts[key] {
			t.Errorf("%s: a new error: %s\n%s", w.Name, key, filled.Indented())
		}
	}
	for _, d := range said {
		if d.Severity != SeverityInfo || d.Message == "" || d.RepairHint == "" {
			t.Errorf("an incomplete finding: %+v", d)
		}
	}
	if again, more := Infer(filled, opts); again.Digest() != filled.Digest() || slices.ContainsFunc(more, func(d Diagnostic) bool { return d.Code != "schema_unclear" }) {
		t.Errorf("%s: a second time there is more: %v\n%s", w.Name, more, again.Indented())
	}
	return filled, said
}

// lostIn is a place where something that was there is not any more; node definitions may have moved.
func lostIn(was, is value.Value, at string) string {
	switch {
	case was.Kind() == value.KindObject && is.Kind() == value.KindObject:
		for key, x := range was.Members() {
			if lost := lostIn(x, is.Get(key), at+"/"+key); lost != "" {
				return lost
			}
		}
	case strings.HasSuffix(at, "/node_defs"):
		for _, x := range was.Items() {
			found := false
			for _, y := range is.Items() {
				found = found || value.Equal(x, y)
			}
			if !found {
				return at
			}
		}
	case strings.HasSuffix(at, "/required"):
		for i, x := range was.Items() {
			if !value.Equal(x, is.Index(i)) {
				return at
			}
		}
	case !value.Equal(was, is):
		return at
	}
	return ""
}

// TestInferOfEveryPlan: what holds of any plan holds of all that there are.
func TestInferOfEveryPlan(t *testing.T) {
	t.Parallel()
	texts := []string{soundPlan}
	for _, info := range slices.Concat(parseCodes, checkCodes) {
		texts = append(texts, info.Bad, info.Good)
	}
	for _, pattern := range []string{"examples/*/*.json", "testdata/*/*.json", "testdata/*/*.txtar"} {
		files, _ := filepath.Glob(pattern)
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, ".json") {
				texts = append(texts, string(text))
				continue
			}
			for _, f := range archive.Parse(string(text)).Files {
				texts = append(texts, f.Data)
			}
		}
	}
	plans := 0
	for _, text := range texts {
		if w, _ := ParseWorkflow([]byte(text)); w != nil {
			plans++
			inferred(t, w, inventory())
			inferred(t, w, nil)
		}
	}
	if plans < 200 {
		t.Errorf("only %d plans", plans)
	}
	if w, said := Infer(nil, nil); w != nil || said != nil {
		t.Error("of nothing something is inferred")
	}
}

// TestInferCodeExamples: each code is found of its bad example, and not of the good one.
func TestInferCodeExamples(t *testing.T) {
	t.Parallel()
	for _, info := range inferCodes {
		has := func(text string) bool {
			_, said := Infer(parsed(t, text), inventory())
			return slices.ContainsFunc(said, func(d Diagnostic) bool { return d.Code == info.Code })
		}
		if !has(info.Bad) || has(info.Good) {
			t.Errorf("%s: of the bad example %v, of the good one %v", info.Code, has(info.Bad), has(info.Good))
		}
	}
}
