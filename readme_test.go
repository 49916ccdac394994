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

// The README's Go code stands in Example, which is compiled and run.
func TestReadmeExampleIsCompiled(t *testing.T) {
	t.Parallel()
	code, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	whole := squeeze(string(code))
	for _, line := range strings.Split(fenced(t, "go")[0], "\n") {
		line, _, _ = strings.Cut(line, "{ …")
		if line = squeeze(line); !strings.Contains(whole, line) {
			t.Errorf("example_test.go does not have the README's line %q", line)
		}
	}
}

// The README's plan reads, and nothing is wrong with it once its capability is known.
func TestReadmePlanIsValid(t *testing.T) {
	t.Parallel()
	for _, text := range fenced(t, "json") {
		w := parsePlan(t, text)
		ref, f := local("list", &script{answers: []string{`{}`}})
		if diags := newRuntime(t, nodes{ref: f, "files.list": wf.RawNode(open("list"), (&script{}).call).OfSource("files")}).Check(w); diags.HasErrors() {
			t.Error(diags.Err())
		}
	}
}
