package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseAction(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in              string
		task, owner, on string
	}{
		{"Update docs", "Update docs", "", ""},
		{"Update docs.", "Update docs.", "", ""},
		{"Update docs (Owner: Maya, due: 2026-05-01)", "Update docs", "Maya", "2026-05-01"},
		{"Update docs (Maya)", "Update docs", "Maya", ""},
		{"Update docs (Maya, due Friday).", "Update docs.", "Maya", "Friday"},
		{"Update docs [Maya; by end of May]", "Update docs", "Maya", "end of May"},
		{"Update docs (Maya) (2026-05-01)", "Update docs", "Maya", "2026-05-01"},
		{"Update docs (2026-05-01) (Maya)", "Update docs", "Maya", "2026-05-01"},
		{"Update docs (Owner: Maya) (Luis)", "Update docs (Luis)", "Maya", ""},
		{"a) Update docs (Maya)", "a) Update docs", "Maya", ""},
		{"Update docs (Maya, Luis)", "Update docs", "Maya, Luis", ""},
		{"Update docs (Maya and Luis)", "Update docs", "Maya and Luis", ""},
		{"Update docs (Jürgen von Ω'Neill-Łoś)", "Update docs", "Jürgen von Ω'Neill-Łoś", ""},
		{"更新文档 (张伟)", "更新文档", "张伟", ""},
		{"Update docs — Maya", "Update docs", "Maya", ""},
		{"Update docs – Maya – due 2026-05-01", "Update docs", "Maya", "2026-05-01"},
		{"Update docs - Maya, May 1, 2026", "Update docs", "Maya", "May 1, 2026"},
		{"Update docs -- Maya", "Update docs", "Maya", ""},
		{"Update docs, owner: Maya, due: Friday", "Update docs", "Maya", "Friday"},
		{"Update docs Owner: Maya Due: Friday", "Update docs", "Maya", "Friday"},
		{"Owner: Maya. Update docs", "", "Maya. Update docs", ""},
		{"Owner: Maya; update docs", "update docs", "Maya", ""},
		{"Update docs, assigned to Maya Lind, Luis", "Update docs", "Maya Lind, Luis", ""},
		{"Update docs @maya", "Update docs", "maya", ""},
		{"Update docs @maya @luis.k", "Update docs", "maya, luis.k", ""},
		{"@maya update docs", "update docs", "maya", ""},
		{"@maya: update docs by Friday", "update docs", "maya", "Friday"},
		{"@maya to update docs", "update docs", "maya", ""},
		{"Ask @maya for access", "Ask @maya for access", "maya", ""},
		{"Ask @maya for access (Luis)", "Ask @maya for access", "Luis", ""},
		{"Write to maya@example.org", "Write to maya@example.org", "", ""},
		{"Update docs by Friday", "Update docs", "", "Friday"},
		{"Update docs by Friday.", "Update docs.", "", "Friday"},
		{"Update by next Monday 5pm the docs", "Update the docs", "", "next Monday 5pm"},
		{"Update docs due 2026-05-01", "Update docs", "", "2026-05-01"},
		{"Update docs due on 1 May 2026", "Update docs", "", "1 May 2026"},
		{"Update docs (due after the demo)", "Update docs", "", "after the demo"},
		{"Update docs 📅 2026-05-01", "Update docs", "", "2026-05-01"},
		{"Update docs, 2026-05-01", "Update docs", "", "2026-05-01"},
		{"Due: Friday", "", "", "Friday"},
		{"owner — Maya", "owner", "Maya", ""},

		{"Due diligence report", "Due diligence report", "", ""},
		{"Fix it, due to the quota", "Fix it, due to the quota", "", ""},
		{"Sort by date", "Sort by date", "", ""},
		{"Lead the meeting", "Lead the meeting", "", ""},
		{"Check the quota (MCP)", "Check the quota (MCP)", "", ""},
		{"Check the quota (see ticket 12)", "Check the quota (see ticket 12)", "", ""},
		{"Check the quota (High)", "Check the quota (High)", "", ""},
		{"Buy milk, Eggs, and bread", "Buy milk, Eggs, and bread", "", ""},
		{"Read [the plan](https://example.org/a_(b),c) (Maya)", "Read [the plan](https://example.org/a_(b),c)", "Maya", ""},
		{"Read https://example.org/a,b;c (Maya)", "Read https://example.org/a,b;c", "Maya", ""},
		{"Run `wf try (Maya)` again", "Run `wf try (Maya)` again", "", ""},
		{"Run -race, .gitignore and f(x, y)", "Run -race, .gitignore and f(x, y)", "", ""},
		{"a) unbalanced ( text", "a) unbalanced ( text", "", ""},
		{"Maya (due Friday)", "Maya", "", "Friday"},
		{"Update docs, (Maya), then ship (see plan, Maya)", "Update docs, (Maya), then ship (see plan)", "Maya", ""},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			t.Parallel()
			want := ActionItem{Task: tt.task, Owner: tt.owner, DueDate: tt.on}
			if diff := cmp.Diff(want, parseAction(tt.in)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestActionItems(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		want     []ActionItem
	}{
		{name: "owner and date below", in: "- Update docs\n  - Owner: **Maya**\n  - Due: Friday\n- Ship\n",
			want: []ActionItem{{"Update docs", "Maya", "Friday"}, {"Ship", "", ""}}},
		{name: "on the next line", in: "- Update docs\n  Owner: Maya\n  Due: Friday\n", want: []ActionItem{{"Update docs", "Maya", "Friday"}}},
		{name: "after an empty line", in: "- Update docs\n\nOwner: Maya\n", want: []ActionItem{{"Update docs", "Maya", ""}}},
		{name: "details below", in: "- Update docs (Maya)\n  - see ticket 12\n    - and 13\n", want: []ActionItem{{"Update docs; see ticket 12; and 13", "Maya", ""}}},
		{name: "tasks below", in: "- Backend:\n  - Fix it (Maya)\n  - Test it by Friday\n  - [ ] Ship it\n",
			want: []ActionItem{{"Backend:", "", ""}, {"Fix it", "Maya", ""}, {"Test it", "", "Friday"}, {"Ship it", "", ""}}},
		{name: "a table", in: "| Task | Who | Due |\n|---|---|---|\n| Update docs | @maya | 2026-05-01 |\n| Ship | – | |\n",
			want: []ActionItem{{"Update docs", "maya", "2026-05-01"}, {"Ship", "", ""}}},
		{name: "a table without known names", in: "| a | b |\n|---|---|\n| Update | docs |\n", want: []ActionItem{{"Update; docs", "", ""}}},
		{name: "an owner of nothing", in: "- Owner: Maya\n", want: []ActionItem{}},
		{name: "a very long item", in: "- " + strings.Repeat("x(", longestAction) + "\n", want: []ActionItem{{strings.Repeat("x(", longestAction), "", ""}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, extract(t, "## Action items\n"+tt.in).ActionItems); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
