package edit_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/internal/golden"
	"lda.chat/wf/lifecycle/edit"
)

// TestAuthoring writes whole drafts, one edit after the other, from a name or a capability to a plan without findings.
func TestAuthoring(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join("testdata", "authoring", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no drafts", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			was, opts := golden.Parse(string(text)), known(t)
			var told strings.Builder
			var doc *edit.Doc
			switch first := was.Files[0]; first.Name {
			case "name":
				doc, err = edit.New(strings.TrimSpace(first.Data))
			default:
				def, _ := opts.Nodes(strings.TrimSpace(first.Data))
				var report *edit.Report
				doc, report, err = edit.FromCapability(def, "")
				told.WriteString(story(report, err))
			}
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(was.Files[1].Data) {
				told.WriteString("\n" + line)
				edits, err := edit.Parse([]byte(line))
				if err != nil {
					t.Fatalf("%s%v", line, err)
				}
				next, report, err := doc.Apply(edits, opts)
				if err != nil {
					t.Fatalf("%s%v", line, err)
				}
				told.WriteString(story(report, nil))
				_, found := next.Check(opts)
				fmt.Fprintf(&told, "now %d errors, %d findings\n", found.Errors(), len(found))
				doc = next
			}
			w, found := doc.Check(opts)
			if len(found) > 0 {
				t.Errorf("the plan has findings: %v", found)
			}
			if w == nil {
				t.Fatalf("it is no plan:\n%s", doc.JSON())
			}
			now := &golden.Archive{Comment: was.Comment, Files: append(was.Files[:2:2],
				golden.File{Name: "plan", Data: string(w.Short())}, golden.File{Name: "draft", Data: string(doc.JSON())}, golden.File{Name: "told", Data: told.String()})}
			golden.Compare(t, path, now.String())
		})
	}
}

// Every edit of every draft is as good on the canonical form: what comes out means the same.
func TestAuthoringInCanonicalForm(t *testing.T) {
	t.Parallel()
	paths, _ := filepath.Glob(filepath.Join("testdata", "authoring", "*.txtar"))
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		archive, opts := golden.Parse(string(text)), known(t)
		first := archive.Files[0]
		doc, err := edit.New(strings.TrimSpace(first.Data))
		if first.Name == "capability" {
			def, _ := opts.Nodes(strings.TrimSpace(first.Data))
			doc, _, err = edit.FromCapability(def, "")
		}
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(archive.Files[1].Data) {
			edits, err := edit.Parse([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			var w *wf.Workflow
			if w, _ = wf.ParseWorkflow(doc.JSON()); w == nil {
				t.Fatalf("before %s the draft cannot be read:\n%s", line, doc.JSON())
			}
			canonical, err := edit.FromPlan(w.Indented())
			if err != nil {
				t.Fatal(err)
			}
			if doc, _, err = doc.Apply(edits, opts); err != nil {
				t.Fatalf("%s%v", line, err)
			}
			if canonical, _, err = canonical.Apply(edits, opts); err != nil {
				t.Fatalf("on the canonical form: %s%v", line, err)
			}
			if one, other := meaning(t, doc), meaning(t, canonical); one != other {
				t.Errorf("%s: %s\nthe short form becomes\n%s\nthe canonical one\n%s", filepath.Base(path), line, doc.JSON(), canonical.JSON())
			}
		}
	}
}

// meaning is a draft's plan, its bindings in the order in which a map of them is read.
func meaning(t *testing.T, d *edit.Doc) string {
	t.Helper()
	w, found := wf.ParseWorkflow(d.JSON())
	if w == nil {
		t.Fatalf("%v\n%s", found, d.JSON())
	}
	return sorted(w)
}
