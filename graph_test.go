package wf

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestDiagrams(t *testing.T) {
	t.Parallel()
	plans, err := filepath.Glob("testdata/graph/*.json")
	if err != nil || len(plans) == 0 {
		t.Fatal("no plans", err)
	}
	for _, name := range plans {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		w := parsed(t, string(text))
		golden(t, strings.TrimSuffix(name, ".json")+".mmd", []byte(w.Mermaid()))
		golden(t, strings.TrimSuffix(name, ".json")+".dot", []byte(w.DOT()))
	}
}

func TestDiagramsOfBrokenPlans(t *testing.T) {
	t.Parallel()
	w := &Workflow{
		Name: `"]`, Start: "none",
		Nodes: []Step{nil, &ForeachStep{StepCommon: StepCommon{ID: `a"]--> b`}}, &ForkStep{Join: "x"}},
		Edges: []Edge{{From: `a"]--> b`, Outcome: "item\n", To: "nowhere"}, {From: "y", To: "z"}},
	}
	quoted := regexp.MustCompile(`"(\\.|[^"\\\n])*"`)
	for _, text := range []string{w.Mermaid(), w.DOT()} {
		if bare := quoted.ReplaceAllString(text, "''"); strings.Contains(bare, `"`) || strings.Contains(bare, "> b") {
			t.Errorf("a text broke out of its quotes:\n%s", bare)
		}
	}
	if text := (&Workflow{}).Mermaid(); text != "flowchart TD\n" {
		t.Errorf("an empty workflow: %q", text)
	}
}
