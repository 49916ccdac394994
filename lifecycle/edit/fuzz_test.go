package edit_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lda.chat/wf/internal/golden"
	"lda.chat/wf/lifecycle/edit"
)

// FuzzApply: no text of edits panics, on no document; what they make is a JSON object, and can be edited on; what fails says why and
// changes nothing; what was read is written so that it reads the same.
func FuzzApply(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(paths) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		var doc string
		for _, file := range golden.Parse(string(text)).Files {
			if strings.HasSuffix(file.Name, ".doc") {
				doc = file.Data
			}
			if strings.HasSuffix(file.Name, ".edits") {
				f.Add([]byte(doc), []byte(file.Data))
			}
		}
	}
	f.Add([]byte(`{"nodes": [{"id": "a", "on": 3, "catch": {}}, 5], "edges": [[]], "workflows": {"n": []}, "output": "x"}`), []byte(`{"op": "branch", "step": "a", "outcome": "x", "to": "a"}`))
	opts := known(f)
	f.Fuzz(func(t *testing.T, text, edits []byte) {
		doc, err := edit.FromPlan(text)
		if err != nil {
			return
		}
		list, err := edit.Parse(edits)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without a message")
			}
			return
		}
		written, err := edit.Marshal(list)
		if err != nil {
			t.Fatalf("%s was read and cannot be written: %v", edits, err)
		}
		again, err := edit.Parse(written)
		if err != nil || len(again) != len(list) {
			t.Fatalf("%s is written as %s: %v", edits, written, err)
		}
		before := string(doc.JSON())
		next, _, err := doc.Apply(list, opts)
		if string(doc.JSON()) != before {
			t.Error("the document changed")
		}
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without a message")
			}
			return
		}
		var object map[string]any
		after := next.JSON()
		if err := json.Unmarshal([]byte(strings.TrimPrefix(string(after), "\uFEFF")), &object); err != nil {
			t.Fatalf("%s is no object: %v", after, err)
		}
		if _, err := edit.FromPlan(after); err != nil {
			t.Errorf("%s cannot be edited: %v", after, err)
		}
	})
}
