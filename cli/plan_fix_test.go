package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lda.chat/wf/internal/golden"
)

// TestBrokenPlansByCommand repairs the broken plans of the library's test by the command: with the same result, and what is left
// is told with its place in the file.
func TestBrokenPlansByCommand(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("../testdata/fix/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	s := demo(t)
	plans := 0
	for _, name := range archives {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for _, f := range golden.Parse(string(text)).Files {
			files[f.Name] = f.Data
		}
		for name, broken := range files {
			stem, isPlan := strings.CutSuffix(name, ".json")
			if !isPlan || strings.HasSuffix(stem, ".fixed") || stem == "no_json" {
				continue
			}
			plans++
			want, ok := files[stem+".fixed.json"]
			if !ok {
				want = broken
			}
			r := s.run(t.Context(), nil, []byte(broken), "plan", "fix", "-", "--safe")
			if r.stdout != want {
				t.Errorf("%s was repaired to\n%s\nexpected\n%s", name, r.stdout, want)
			}
			for line := range strings.Lines(files[stem+".txt"]) {
				isError := strings.HasPrefix(line, "left: ") && strings.Contains(line, ": error: ")
				if code := line[strings.LastIndex(line, "["):]; isError && (r.exit != ExitDiagnostics || !strings.Contains(r.stderr, strings.TrimSpace(code))) {
					t.Errorf("%s: exit %d, expected to be told %s\n%s", name, r.exit, line, r.stderr)
				}
			}
		}
	}
	if plans < 60 {
		t.Errorf("%d broken plans, expected 60 at least", plans)
	}
}
