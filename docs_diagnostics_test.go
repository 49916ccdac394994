package wf

import (
	"fmt"
	"strings"
	"testing"
)

// TestDiagnosticsPage writes docs/diagnostics.md from the one table of codes.
func TestDiagnosticsPage(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`# Diagnostics

Every code that a finding about a plan, or a failure of a run, can have. This page is made of the table that ` + "`wf explain CODE`" + ` reads;
each example is run by a test.

`)
	parts := []struct {
		title string
		codes []CodeInfo
	}{
		{"Reading a plan", parseCodes}, {"Checking a plan", checkCodes}, {"Completing a plan", inferCodes},
		{"Building a workflow in Go", buildCodes}, {"Deploying", deployCodes}, {"Running", runCodes},
	}
	listed := 0
	for _, part := range parts {
		fmt.Fprintf(&b, "- [%s](#%s)\n", part.title, strings.ReplaceAll(strings.ToLower(part.title), " ", "-"))
	}
	for _, part := range parts {
		fmt.Fprintf(&b, "\n## %s\n", part.title)
		for _, info := range part.codes {
			listed++
			fmt.Fprintf(&b, "\n### %s\n\n*%s.* %s. %s\n", info.Code, info.Severity, info.Title, info.Text)
			writeExample(&b, "With it", info.Bad)
			writeExample(&b, "Without", info.Good)
		}
	}
	if listed != len(Codes()) {
		t.Errorf("the page has %d codes, the table %d", listed, len(Codes()))
	}
	golden(t, "docs/diagnostics.md", []byte(b.String()))
}

func writeExample(b *strings.Builder, title, example string) {
	if example == "" {
		return
	}
	fmt.Fprintf(b, "\n%s:\n\n    %s\n", title, strings.ReplaceAll(example, "\n", "\n    "))
}
