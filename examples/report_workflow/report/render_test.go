package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func render(t *testing.T, r Report) string {
	t.Helper()
	out, err := RenderMarkdownReport(t.Context(), RenderInput{Report: r})
	if err != nil {
		t.Fatal(err)
	}
	return out.Markdown
}

func TestRenderMarkdownReport(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		in   Report
		want string
	}{
		{name: "empty", want: "# Untitled notes\n\n## Action items\n\nNone.\n\n## Risks\n\nNone.\n\n## Followups\n\nNone.\n"},
		{name: "all", in: Report{
			Title: "W", Summary: "One.\n\n- a\n- b\n", Risks: []string{"Rain"}, Followups: []string{"Call", "Write"},
			ActionItems: []ActionItem{{Task: "a"}, {"b", "Maya", ""}, {"c", "", "Friday"}, {"d", "Maya, Luis", "2026-05-01"}},
		}, want: `# W

## Summary

One.

- a
- b

## Action items

- a
- b (owner: Maya)
- c (due: Friday)
- d (owner: Maya, Luis; due: 2026-05-01)

## Risks

- Rain

## Followups

- Call
- Write
`},
		{name: "texts of several lines", in: Report{Title: " a\nb\t\n", ActionItems: []ActionItem{{Task: "c\n\n# d"}}, Risks: []string{"e\r\nf"}},
			want: "# a b\n\n## Action items\n\n- c # d\n\n## Risks\n\n- e f\n\n## Followups\n\nNone.\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, render(t, tt.in)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRenderedReportReadsBack(t *testing.T) {
	t.Parallel()
	want := report(Report{
		Title: "Weekly", Summary: "One.\n\n- a\n- b",
		ActionItems: []ActionItem{{"Update docs", "Maya, Luis", "May 1, 2026"}, {"Ship", "", ""}},
		Risks:       []string{"Rain (heavy)"},
	})
	if diff := cmp.Diff(want, extract(t, render(t, want))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
