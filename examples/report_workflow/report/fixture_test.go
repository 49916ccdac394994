package report

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fixture runs the three functions on the example's notes.
func fixture(t *testing.T) (Notes, Report, string) {
	t.Helper()
	notes, err := ReadNotes(t.Context(), ReadInput{Path: "../notes.md"})
	if err != nil {
		t.Fatal(err)
	}
	r := extract(t, notes.Text)
	return notes, r, render(t, r)
}

func TestFixtureReport(t *testing.T) {
	t.Parallel()
	_, got, _ := fixture(t)
	want := Report{
		Title: "Weekly Project Update",
		Summary: "The workflow engine now runs the report pipeline from notes to Markdown without a language model. " +
			"Saved plans are checked before they run, and every step can be read back from the trace.",
		ActionItems: []ActionItem{
			{"Draft the evaluation chapter", "Maya", "2026-05-01"},
			{"Record a trace of the report workflow for the appendix", "Luis", "2026-05-04"},
			{"Review source bindings before the demo", "Priya", "2026-05-06"},
		},
		Risks: []string{"The Google Drive MCP quota may run out during the live demo; a local copy of the notes is the fallback."},
		Followups: []string{
			"Improve the Markdown rendering of long action items.",
			"Run the baseline comparison against the hand-written script.",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFixtureMarkdown(t *testing.T) {
	t.Parallel()
	_, _, got := fixture(t)
	if !strings.HasPrefix(got, "# Weekly Project Update\n") {
		t.Errorf("the Markdown begins %.40q", got)
	}
	golden(t, "testdata/report.md", got)
}

// cap-input.json is the input that `wf cap call local.report.extract_report` is shown with: the same notes.
func TestCapInputHoldsTheNotes(t *testing.T) {
	t.Parallel()
	notes, _, _ := fixture(t)
	text, err := json.MarshalIndent(notes, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "../cap-input.json", string(text)+"\n")
}

func TestRunInputNamesTheNotes(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../run-input.json")
	if err != nil {
		t.Fatal(err)
	}
	var in ReadInput
	if err := json.Unmarshal(data, &in); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("../../../" + in.Path); err != nil { // from the top of the repository, where commands are run
		t.Errorf("run-input.json names %q: %v", in.Path, err)
	}
}

// golden compares a text with a file, or writes the file if WF_UPDATE is 1.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("WF_UPDATE") == "1" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; WF_UPDATE=1 rewrites it):\n%s", file, diff)
	}
}
