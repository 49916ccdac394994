package edit_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/internal/golden"
	"lda.chat/wf/lifecycle/edit"
)

// known are the capabilities of testdata/contracts.json.
func known(t testing.TB) *edit.Options {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "contracts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var defs []*wf.NodeDef
	if err := json.Unmarshal(text, &defs); err != nil {
		t.Fatal(err)
	}
	byName := map[string]*wf.NodeDef{}
	for _, def := range defs {
		byName[def.Name] = def
	}
	return &edit.Options{Nodes: func(ref string) (*wf.NodeDef, bool) { def, ok := byName[ref]; return def, ok }}
}

// story writes what a list of edits does: the document, or the error, and the report.
func story(report *edit.Report, err error) string {
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	var b strings.Builder
	for _, c := range report.Changes {
		b.WriteString(string(c.Kind) + " " + c.Path + ": ")
		if c.Step != "" {
			b.WriteString(c.Step + ": ")
		}
		b.WriteString(c.Message + "\n")
	}
	for _, d := range report.Open {
		b.WriteString("open " + string(d.Severity) + " " + string(d.Code) + " " + d.Path + ": ")
		if d.Step != "" {
			b.WriteString(d.Step + ": ")
		}
		b.WriteString(d.Message + "\n")
	}
	return b.String()
}

// TestEdits plays the cases of testdata: archives of documents, edits and what comes of them. The files NAME.doc and NAME.edits are
// given; a case without a document has that of the case before. NAME.result and NAME.report follow.
func TestEdits(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			was := golden.Parse(string(text))
			now := &golden.Archive{Comment: was.Comment}
			var doc string
			for _, file := range was.Files {
				name, kind, _ := strings.Cut(file.Name, ".")
				switch kind {
				case "doc":
					doc = file.Data
					now.Files = append(now.Files, file)
				case "edits":
					now.Files = append(now.Files, file)
					now.Files = append(now.Files, played(t, name, doc, file.Data)...)
				}
			}
			golden.Compare(t, path, now.String())
		})
	}
}

func played(t *testing.T, name, text, edits string) []golden.File {
	t.Helper()
	doc, err := edit.FromPlan([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var next *edit.Doc
	var report *edit.Report
	list, err := edit.Parse([]byte(edits))
	if err == nil {
		next, report, err = doc.Apply(list, known(t))
	}
	if err != nil {
		if next != nil || report != nil {
			t.Errorf("%s: an error, and a document", name)
		}
		return []golden.File{{Name: name + ".report", Data: story(nil, err)}}
	}
	return []golden.File{{Name: name + ".result", Data: string(next.JSON())}, {Name: name + ".report", Data: story(report, nil)}}
}
