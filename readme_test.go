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

// The README's first Go code stands in Example, which is compiled and run, and its workflow in the test below.
func TestReadmeExampleIsCompiled(t *testing.T) {
	t.Parallel()
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	read := func(file string) string {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return squeeze(string(code))
	}
	functions, body, _ := strings.Cut(fenced(t, "go")[0], "\n\n")
	whole := read("example_test.go")
	for line := range strings.Lines(functions) {
		line, _, _ = strings.Cut(line, "{ …")
		if line = squeeze(line); !strings.Contains(whole, line) {
			t.Errorf("example_test.go does not have the README's line %q", line)
		}
	}
	if !strings.Contains(whole, squeeze(body)) {
		t.Errorf("example_test.go does not have the README's code:\n%s", body)
	}
	chain, _, _ := strings.Cut(body, "if err")
	if !strings.Contains(read("readme_test.go"), squeeze(chain)) {
		t.Errorf("readme_test.go checks another workflow than the README's:\n%s", chain)
	}
}

// The README's test of a workflow is one of package wftest.
func TestReadmeTestIsRun(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("wftest/reply_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range fenced(t, "go") {
		if strings.Contains(block, "wftest.New") && !strings.Contains(string(text), block) {
			t.Errorf("wftest/reply_test.go does not have the README's test:\n%s", block)
		}
	}
}

// Nothing is wrong with the README's workflow, not even a warning, which Build does not tell.
func TestReadmeExampleHasNoWarnings(t *testing.T) {
	t.Parallel()
	report, err := wf.Define[Request, State, Report]("weekly_report").
		Step("read", wf.Node("read_notes", readNotes)).
		Step("extract", wf.Node("extract_report", extract)).
		Step("review", wf.Decision("review", review, "approved", "rejected")).
		Loop("rejected", "read", 3, "gave_up"). // back three times, then give up
		Fail("gave_up", "no_good_report").
		Build()
	if err != nil {
		t.Fatal(wf.DiagnosticsOf(err))
	}
	for _, d := range newRuntime(t, nil).Check(report) {
		t.Error(d)
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
