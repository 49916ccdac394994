package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/internal/golden"
	"lda.chat/wf/internal/value"
)

// addFiles gives the files of all transcripts whose names end so to a fuzz target.
func addFiles(f *testing.F, suffix string) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range golden.Parse(string(text)).Files {
			if strings.HasSuffix(file.Name, suffix) {
				f.Add(file.Data)
			}
		}
	}
}

// Any text is a configuration, or has findings that say where.
func FuzzConfig(f *testing.F) {
	addFiles(f, ".json")
	f.Fuzz(func(t *testing.T, text string) {
		a := newApp(testHost())
		file := parseFile("c.json", []byte(text))
		sources := a.configured(file.config(a.stores()), file)
		for _, d := range file.diags {
			if d.Line == 0 || d.Message == "" {
				t.Errorf("no place, or no message: %+v", d)
			}
		}
		if len(file.diags) > 0 {
			return
		}
		for _, s := range sources {
			if _, err := s.Inventory(context.Background()); err != nil {
				t.Error(err)
			}
		}
	})
}

// The places of findings are places of the text, whatever the form of the plan.
func FuzzPlace(f *testing.F) {
	addFiles(f, ".plan.json")
	rt, err := wf.NewRuntime(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(olderForms)
	f.Add(conditions)
	for _, c := range wf.Codes() {
		f.Add(c.Bad)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := parsePlan("p.json", []byte(text))
		p.examine(rt)
		lines := strings.Count(text, "\n") + 1
		for _, d := range p.diags {
			if d.Doc != "p.json" || d.Line > lines || d.Line > 0 && d.Column < 1 {
				t.Errorf("%d lines, and a finding at %d:%d: %s", lines, d.Line, d.Column, d.Message)
			}
			if p.doc == nil {
				continue
			}
			if _, _, ok := p.doc.Position(d.Path); !ok {
				t.Errorf("the text has no %s: %s", d.Path, d.Message)
			}
			for _, fix := range d.Fixes {
				patch, err := value.Parse(fix.Patch)
				if _, ok := applied(p.doc.Root, patch); err != nil || !ok {
					t.Errorf("the fix %q does not apply: %s", fix.Title, fix.Patch)
				}
			}
		}
	})
}
