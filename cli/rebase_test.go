package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

// plansWithFindings are the bad examples of all codes and the test plans of the root package, each as it is, short and canonical.
func plansWithFindings(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	add := func(name string, text []byte) {
		all[name] = text
		if w, _ := wf.ParseWorkflow(text); w != nil {
			all[name+", short"], all[name+", canonical"] = w.Short(), w.Indented()
		}
	}
	for _, c := range wf.Codes() {
		if strings.HasPrefix(c.Bad, "{") {
			add(string(c.Code), []byte(c.Bad))
		}
	}
	files, err := filepath.Glob("../testdata/*/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no plans: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		add(file, text)
	}
	return all
}

// Every place that is shown is one of the file, and every fix that is offered can be applied to it. A safe one removes its
// finding and brings no error.
func TestFindingsAreAboutTheFile(t *testing.T) {
	t.Parallel()
	offered, lost := 0, map[string]int{}
	for name, text := range plansWithFindings(t) {
		p := parsePlan("p.json", text)
		if p.doc == nil {
			continue
		}
		fixes := 0
		if p.workflow != nil {
			found := wf.Validate(p.workflow, nil)
			for _, d := range found {
				fixes += len(d.Fixes)
			}
			for _, d := range p.diags {
				fixes += len(d.Fixes)
			}
			p.check(found)
		}
		for _, d := range p.diags {
			places := []string{d.Path}
			for _, r := range d.Related {
				places = append(places, r.Path)
			}
			for _, place := range places {
				if _, _, ok := p.doc.Position(place); !ok {
					t.Errorf("%s: the file has no %s: %v", name, place, d)
				}
			}
			for _, fix := range d.Fixes {
				fixes--
				offered++
				checkFix(t, name, text, d, fix)
			}
		}
		if p.workflow != nil && fixes > 0 {
			lost[name] = fixes
		}
	}
	if offered < 200 || len(lost) > 0 {
		t.Errorf("%d fixes were offered; these plans have others, too: %v", offered, lost)
	}
}

func checkFix(t *testing.T, name string, text []byte, d wf.Diagnostic, fix wf.Fix) {
	t.Helper()
	patch, err := jsonpatch.ParseText(fix.Patch)
	if err != nil {
		t.Fatalf("%s: %v: %s", name, err, fix.Patch)
	}
	if first, _ := value.Parse(fix.Patch); first.Index(0).Get("op").String() != `"test"` {
		t.Errorf("%s: a patch that does not begin with a test: %s", name, fix.Patch)
	}
	repaired, err := jsonpatch.ApplyText(text, patch, nil, nil)
	if err != nil {
		t.Errorf("%s: the fix %q of %v: %v\n%s\n%s", name, fix.Title, d, err, fix.Patch, text)
		return
	}
	if fix.Applicability != wf.FixSafe || d.Code == "too_many_findings" {
		return
	}
	count := func(text []byte) map[string]int {
		p := parsePlan("p.json", text)
		if p.workflow != nil {
			p.check(wf.Validate(p.workflow, nil))
		}
		n := map[string]int{}
		for _, x := range p.diags {
			n[fmt.Sprint(x.Code, x.Step, x.Message)]++
		}
		return n
	}
	before, after := count(text), count(repaired)
	if key := fmt.Sprint(d.Code, d.Step, d.Message); after[key] >= before[key] {
		t.Errorf("%s: the safe fix %q does not remove %v\n%s\n%s", name, fix.Title, d, fix.Patch, repaired)
	}
}
