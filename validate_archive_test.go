package wf

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	archive "lda.chat/wf/internal/golden"
)

// TestValidateArchives shows all findings of the plans in testdata/regions/*.txtar: NAME.txt says what is found in NAME.json.
// The name, which every plan has, is added.
func TestValidateArchives(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/regions/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no plans", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			was := archive.Parse(string(text))
			now := &archive.Archive{Comment: was.Comment}
			for _, file := range was.Files {
				stem, isPlan := strings.CutSuffix(file.Name, ".json")
				if !isPlan {
					continue
				}
				w, ds := ParseWorkflow([]byte(`{"name": "p", ` + strings.TrimPrefix(strings.TrimSpace(file.Data), "{")))
				if w == nil {
					t.Fatalf("%s cannot be read: %v", file.Name, ds)
				}
				found := Validate(w, nil)
				checkFound(t, w, found)
				if t.Failed() {
					t.Fatal(file.Name)
				}
				now.Files = append(now.Files, file, archive.File{Name: stem + ".txt", Data: findingsText(found)})
			}
			archive.Compare(t, name, now.String())
		})
	}
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
