package wf

import (
	"fmt"
	"strings"
	"testing"

	archive "lda.chat/wf/internal/golden"
)

// TestValidateArchives shows all findings of the plans in testdata/regions/*.txtar: NAME.txt says what is found in NAME.json.
// The name, which every plan has, is added.
func TestValidateArchives(t *testing.T) {
	t.Parallel()
	archive.Derive(t, "testdata/regions/*.txtar", func(t *testing.T, stem string, file archive.File) []archive.File {
		w, ds := ParseWorkflow([]byte(`{"name": "p", ` + strings.TrimPrefix(strings.TrimSpace(file.Data), "{")))
		if w == nil {
			t.Fatalf("%s cannot be read: %v", file.Name, ds)
		}
		found := Validate(w, nil)
		checkFound(t, w, found)
		return []archive.File{{Name: stem + ".txt", Data: findingsText(found)}}
	})
}

// findingsText writes findings with their fixes.
func findingsText(found Diagnostics) string {
	var b strings.Builder
	for _, d := range found {
		fmt.Fprintln(&b, d)
		for _, fix := range d.Fixes {
			fmt.Fprintf(&b, "  fix (%s): %s\n", fix.Applicability, fix.Title)
		}
	}
	return b.String()
}
