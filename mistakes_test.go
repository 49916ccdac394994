package wf

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestMistakes shows every finding of plans with mistakes, with hints and fixes: testdata/mistakes/*.json next to *.txt.
func TestMistakes(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/mistakes/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			w, diags := ParseWorkflow(text)
			if w != nil {
				t.Error("it reads without an error")
			}
			checkFindings(t, diags, w == nil)
			checkSafeFixes(t, text, diags)
			var b bytes.Buffer
			for _, d := range diags {
				fmt.Fprintln(&b, d)
				for _, fix := range d.Fixes {
					fmt.Fprintf(&b, "  fix (%s): %s %s\n", fix.Applicability, fix.Title, fix.Patch)
				}
			}
			golden(t, file[:len(file)-len("json")]+"txt", b.Bytes())
		})
	}
}
