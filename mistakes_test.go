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
	eachFile(t, "testdata/mistakes/*.json", func(t *testing.T, file string, text []byte) {
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

// eachFile runs a test for each file that glob names; there must be one.
func eachFile(t *testing.T, glob string, test func(t *testing.T, file string, text []byte)) {
	t.Helper()
	files, err := filepath.Glob(glob)
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases %s: %v", glob, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			test(t, file, text)
		})
	}
}
