package wf_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"lda.chat/wf"
)

func fenced(t *testing.T, language string) []string {
	t.Helper()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(readme), -1) {
		blocks = append(blocks, m[1])
	}
	if len(blocks) == 0 {
		t.Fatalf("README.md has no %s", language)
	}
	return blocks
}

// The README's first Go code stands in Example, line by line and in its order, which is compiled and run.
func TestReadmeExampleIsCompiled(t *testing.T) {
	t.Parallel()
	code, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	functions, body, _ := strings.Cut(fenced(t, "go")[0], "\n\n")
	whole := squeeze(string(code))
	for line := range strings.Lines(functions) {
		line, _, _ = strings.Cut(line, "{ …")
		if line = squeeze(line); !strings.Contains(whole, line) {
			t.Errorf("example_test.go does not have the README's line %q", line)
		}
	}
	if !strings.Contains(whole, squeeze(body)) {
		t.Errorf("example_test.go does not have the README's code:\n%s", body)
	}
}

// The README's plan reads, and nothing is wrong with it, not even a warning, once its capability is known.
func TestReadmePlanIsValid(t *testing.T) {
	t.Parallel()
	plans := 0
	for _, text := range fenced(t, "json") {
		if !strings.Contains(text, `"nodes"`) {
			continue
		}
		plans++
		w := parsePlan(t, text)
		files := nodes{"files.list": wf.RawNode(open("list"), (&script{}).call).OfSource("files")}
		for _, d := range newRuntime(t, files).Check(w) {
			t.Error(d)
		}
	}
	if plans == 0 {
		t.Error("README.md has no plan")
	}
}

// Nothing is wrong with the README's example either, not even a warning, which Build does not tell.
func TestExampleHasNoWarnings(t *testing.T) {
	t.Parallel()
	w, err := wf.Define[Request, State, Report]("weekly_report").
		Step("read", wf.Node("read_notes", readNotes)).
		Step("extract", wf.Node("extract_report", extract)).
		Step("review", wf.Decision("review", review, "approved", "rejected")).
		Loop("rejected", "read", 3, "gave_up").
		Fail("gave_up", "no_good_report").
		Build()
	if err != nil {
		t.Fatal(wf.DiagnosticsOf(err))
	}
	for _, d := range newRuntime(t, nil).Check(w) {
		t.Error(d)
	}
}
