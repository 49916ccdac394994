package report

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzExtractReport(f *testing.F) {
	for _, seed := range []string{
		"", "# W\n\n## Action items\n- [ ] a (Owner: B, due: 2026-05-01)\n", "Title: x\nRisks: y\n", "---\ntitle: x\n---\n", "a\n===\nRisks\n---\n* b",
		"## Actions\n| a | who | due |\n|---|---|---|\n| b | c | d |\n", "```\n", "- Summary:\n  - a\n\t- b @c by Friday — D (e) [f](g)\n", "\ufeff\r\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := extract(t, text)
		markdown := render(t, r)
		if !utf8.ValidString(markdown) {
			t.Errorf("the Markdown is not valid UTF-8: %q", markdown)
		}
		if first, _, _ := strings.Cut(markdown, "\n"); first != "# "+r.Title || r.Title == "" {
			t.Errorf("the first line is %q, the title %q", first, r.Title)
		}
		for _, a := range r.ActionItems {
			if a.Task == "" {
				t.Errorf("an action item without a task: %+v", a)
			}
		}
	})
}

func TestExtractReportOfTwoMegabytes(t *testing.T) {
	t.Parallel()
	const n = 1000
	item := "- [ ] Update docs (Owner: Maya, due: 2026-05-01)\n  and more of it\n"
	talk := "## Discussion\n" + strings.Repeat("We spoke of the quota, and of the demo by Friday.\n", 1<<20/50)
	got := extract(t, "# W\n"+talk+"## Action items\n"+strings.Repeat(item, n)+talk).ActionItems
	if want := (ActionItem{"Update docs and more of it", "Maya", "2026-05-01"}); len(got) != n || got[n-1] != want {
		t.Errorf("%d items, the last %+v; want %d like %+v", len(got), got[len(got)-1], n, want)
	}
}
