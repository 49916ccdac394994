package wf

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// FuzzParseWorkflow: whatever the text, no panic; what can be read is written to bytes that read back as the same
// plan, in every form; what cannot be read has a finding that names a place and a code of the table.
func FuzzParseWorkflow(f *testing.F) {
	files, err := filepath.Glob("testdata/plan/*.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, info := range parseCodes {
		f.Add([]byte(info.Bad))
		f.Add([]byte(info.Good))
	}
	for seed := range uint64(20) {
		w := newPlanGen(seed).workflow(1)
		f.Add(w.Canonical())
		f.Add(w.Short())
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		w, diags := ParseWorkflow(text)
		checkFindings(t, diags, w == nil)
		if w == nil {
			checkSafeFixes(t, text, diags)
			return
		}
		canonical := w.Canonical()
		for form, written := range map[string][]byte{"canonical": canonical, "short": w.Short(), "indented": w.Indented(), "clone": w.Clone().Canonical()} {
			back, diags := ParseWorkflow(written)
			if back == nil {
				t.Fatalf("the %s form does not read back: %v\n%s", form, diags, written)
			}
			if again := back.Canonical(); !bytes.Equal(again, canonical) {
				t.Fatalf("the %s form reads back as another plan:\n%s\n%s", form, canonical, again)
			}
		}
	})
}

// FuzzCheckText: what reading finds is found again, each once; nothing is found about what could not be read.
func FuzzCheckText(f *testing.F) {
	f.Add([]byte(soundPlan))
	for _, info := range slices.Concat(parseCodes, checkCodes) {
		f.Add([]byte(info.Bad))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		w, reading := ParseWorkflow(text)
		checked, found := CheckText(text, nil)
		if (w == nil) != (checked == nil) {
			t.Fatalf("read: %v and %v", w != nil, checked != nil)
		}
		for _, d := range reading {
			if !slices.ContainsFunc(found, func(x Diagnostic) bool { return x.Code == d.Code && x.Path == d.Path && x.Message == d.Message }) {
				t.Errorf("lost: %v", d)
			}
		}
		if w == nil {
			checkTextFindings(t, text, found)
		}
	})
}

// FuzzParsePath: a path that can be read is written as the same text's meaning.
func FuzzParsePath(f *testing.F) {
	for _, text := range []string{"state", "state.items[0].title", `state["odd name"]`, "steps.a", "item.x[2147483647]", "state.0", "input[-1]", `local["\u00e9\ud83d\ude00"]`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := ParsePath(text); err == nil {
			if back, err := ParsePath(p.String()); err != nil || !back.Equal(p) {
				t.Fatalf("%q reads as %q, which reads as %q, %v", text, p, back, err)
			}
		}
		if p, err := parseLocalPath(text); err == nil {
			if back, err := parseLocalPath(relativeText(p.Parts)); err != nil || !back.Equal(p) {
				t.Fatalf("%q below local reads as %q, which reads as %q, %v", text, relativeText(p.Parts), back, err)
			}
		}
		if o, err := ParseTemplate(text); err == nil && len(o.Text) > 0 {
			written, ok := templateText(o.Text)
			if back, err := ParseTemplate(written); !ok || err != nil || !equalOperands(back.Text, o.Text) {
				t.Fatalf("template %q is written as %q (%v), which reads as %v, %v", text, written, ok, back, err)
			}
		}
	})
}

// checkFindings checks what every finding of reading has.
func checkFindings(t *testing.T, diags Diagnostics, failed bool) {
	t.Helper()
	if diags.HasErrors() != failed {
		t.Fatalf("errors %v, but a plan %v", diags, !failed)
	}
	for _, d := range diags {
		if _, ok := LookupCode(d.Code); !ok {
			t.Errorf("the table has no code %q: %v", d.Code, d)
		}
		if d.Message == "" || d.Severity == "" || d.RepairHint == "" && d.Code != "too_many_findings" {
			t.Errorf("an incomplete finding: %#v", d)
		}
	}
}
