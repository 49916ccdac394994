package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func extract(t *testing.T, text string) Report {
	t.Helper()
	r, err := ExtractReport(t.Context(), Notes{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// report is an expected report; nil lists are empty ones.
func report(r Report) Report {
	if r.Title == "" {
		r.Title = DefaultTitle
	}
	if r.ActionItems == nil {
		r.ActionItems = []ActionItem{}
	}
	if r.Risks == nil {
		r.Risks = []string{}
	}
	if r.Followups == nil {
		r.Followups = []string{}
	}
	return r
}

func TestExtractReport(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		want     Report
	}{
		{name: "nothing", in: ""},
		{name: "only space", in: "\ufeff \r\n\t\r\n"},
		{name: "only a title", in: "# Weekly", want: Report{Title: "Weekly"}},
		{name: "all parts", in: "# Weekly\n\n## Summary\n\nAll\nwell.\n\n## Action items\n- Ship it\n\n## Risks\n- Rain\n\n## Followups\n- Call\n",
			want: Report{Title: "Weekly", Summary: "All well.", ActionItems: []ActionItem{{Task: "Ship it"}}, Risks: []string{"Rain"}, Followups: []string{"Call"}}},
		{name: "any order, twice, CRLF, BOM", in: "\ufeff## RISKS\r\n* Rain\r\n# Weekly\r\n## Follow-ups:\r\n1. Call\r\n## Risks\r\n+ Snow\r\n",
			want: Report{Title: "Weekly", Risks: []string{"Rain", "Snow"}, Followups: []string{"Call"}}},
		{name: "old line ends", in: "# Weekly\r## Risks\r- Rain\r", want: Report{Title: "Weekly", Risks: []string{"Rain"}}},
		{name: "underlined headings", in: "Weekly\n======\n\nRisks\n-----\n- Rain\n", want: Report{Title: "Weekly", Risks: []string{"Rain"}}},
		{name: "labels", in: "Weekly update\n\nSummary:\nFine.\n\nAction items:\n- Ship it\n\nRisks:\n- Rain\n\nAttendees:\n- Ann\n",
			want: Report{Title: "Weekly update", Summary: "Fine.", ActionItems: []ActionItem{{Task: "Ship it"}}, Risks: []string{"Rain"}}},
		{name: "labels with text", in: "Title: Weekly\nSummary: Fine.\nRisk: Rain\nNext steps: call, write\n",
			want: Report{Title: "Weekly", Summary: "Fine.", Risks: []string{"Rain"}, Followups: []string{"call, write"}}},
		{name: "a sentence is no label", in: "# W\nRisk (1st, at 10:30) is low.\n", want: Report{Title: "W", Summary: "Risk (1st, at 10:30) is low."}},
		{name: "bold headings", in: "**Weekly**\n\n**Risks:**\n- **Rain** in __May__\n\n__Follow ups__:\n- Call ~~Ann~~\n",
			want: Report{Title: "Weekly", Risks: []string{"Rain in May"}, Followups: []string{"Call Ann"}}},
		{name: "numbers, emoji and qualifiers in headings", in: "# W\n## 1. TL;DR\nFine.\n## 2) ⚠️ Key Risks & Blockers\n- Rain\n##✅Action Items (this week) ##\n- Ship\n## Next steps for May\n- Call\n",
			want: Report{Title: "W", Summary: "Fine.", ActionItems: []ActionItem{{Task: "Ship"}}, Risks: []string{"Rain"}, Followups: []string{"Call"}}},
		{name: "other sections are left out", in: "# W\n## Risks\n- Rain\n## Discussion\n- Long talk\n### Risky talk\n- more\n", want: Report{Title: "W", Risks: []string{"Rain"}}},
		{name: "headings inside a section", in: "# W\n## Risks\n### Weather\n- Rain\n### Money\n- Rent\n", want: Report{Title: "W", Risks: []string{"Rain", "Rent"}}},
		{name: "an outline", in: "- Summary:\n  - Fine.\n- **Risks**\n\t- Rain\n\t- Snow\n", want: Report{Summary: "- Fine.", Risks: []string{"Rain", "Snow"}}},
		{name: "bullets of many kinds", in: "Risks:\n- a\n* b\n+ c\n• d\n•e\n– f\n— g\n1. h\n2) i\n◦ j\n- [ ] k\n- [x] l\n☐ m\n",
			want: Report{Risks: []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"}}},
		{name: "long items", in: "## Risks\n- The quota\n  may run\nout\n\n  before noon\n- Rain\n\nAnd snow,\nsome say.\n",
			want: Report{Risks: []string{"The quota may run out before noon", "Rain", "And snow, some say."}}},
		{name: "items below items", in: "## Risks\n- Quota\n\t- of the drive\n\t\t- in May\n\t- of the mail\n- Weather:\n  - rain\n  - snow\n",
			want: Report{Risks: []string{"Quota; of the drive; in May; of the mail", "Weather: rain; snow"}}},
		{name: "a tab is four columns", in: "## Risks\n   - a\n\t- b\n", want: Report{Risks: []string{"a; b"}}},
		{name: "a label in an item", in: "Action items:\n- Fix it\n  Details:\n- Ship\n",
			want: Report{ActionItems: []ActionItem{{Task: "Fix it Details:"}, {Task: "Ship"}}}},
		{name: "a rule below a sentence", in: "# W\n\nIt is fine.\n---\n", want: Report{Title: "W", Summary: "It is fine."}},
		{name: "a title with the name of a section in it", in: "# Summary of the risks\n", want: Report{Title: "Summary of the risks"}},
		{name: "a remark in a heading", in: "Risks (open):\n- Rain\n", want: Report{Risks: []string{"Rain"}}},
		{name: "nothing to tell", in: "# W\n## Summary\nNone.\n## Action items\n- n/a\n## Risks\nNone so far\n## Followups\n-\n", want: Report{Title: "W"}},
		{name: "an introduction to a list", in: "## Risks\nWe see these two:\n\n- Rain\n- Snow\n", want: Report{Risks: []string{"Rain", "Snow"}}},
		{name: "a summary of several parts", in: "# W\n## Summary\nOne.\n\nTwo:\n- a\n- b\n\nThree.\n", want: Report{Title: "W", Summary: "One.\n\nTwo:\n\n- a\n- b\n\nThree."}},
		{name: "the beginning as summary", in: "# W\nDate: 2026-04-27\n\nAll is well.\n\n## Risks\n- Rain\n", want: Report{Title: "W", Summary: "All is well.", Risks: []string{"Rain"}}},
		{name: "prose only", in: "We met and talked.\nIt was fine.\n", want: Report{Summary: "We met and talked. It was fine."}},
		{name: "code and comments", in: "# W\n```\n# no title\n- no item\n```\n<!-- no -->\n## Risks\n- Rain\n~~~\n- no\n~~~\n", want: Report{Title: "W", Risks: []string{"Rain"}}},
		{name: "a fence that nobody closed", in: "# W\n```\n## Risks\n- Rain\n", want: Report{Title: "W", Risks: []string{"Rain"}}},
		{name: "front matter", in: "---\ntitle: \"Weekly\"\ntags:\n- a\n---\n## Risks\n- Rain\n", want: Report{Title: "Weekly", Risks: []string{"Rain"}}},
		{name: "a rule is no front matter", in: "---\n# W\n---\n## Risks\n- Rain\n---\n", want: Report{Title: "W", Risks: []string{"Rain"}}},
		{name: "quoted notes", in: "> # W\n> ## Risks\n> - Rain\n", want: Report{Title: "W", Risks: []string{"Rain"}}},
		{name: "a table of risks", in: "## Risks\n| Risk | Answer |\n|:--|--:|\n| Rain | **coats** |\n", want: Report{Risks: []string{"Rain – coats"}}},
		{name: "invalid text", in: "# W\xff\n## Risks\n- R\xc3\n", want: Report{Title: "W\ufffd", Risks: []string{"R\ufffd"}}},
		{name: "the second heading of the first level", in: "# Risks\n- Rain\n# W\n# Annex\n- x\n", want: Report{Title: "W", Risks: []string{"Rain"}}},
		{name: "no first-level heading", in: "## Weekly\n### Risks\n- Rain\n", want: Report{Title: "Weekly", Risks: []string{"Rain"}}},
		{name: "Unicode", in: "# Woche 17 – Überblick 🚀\n## Risks\n• 配额不足\n", want: Report{Title: "Woche 17 – Überblick 🚀", Risks: []string{"配额不足"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(report(tt.want), extract(t, tt.in)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
