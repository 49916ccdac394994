package report

import (
	"context"
	"strings"
)

// RenderMarkdownReport writes a report as Markdown: the title as the first line, then a section for each part, with
// "None." where a list is empty. The summary is Markdown and stands as it is; all other texts become one line each.
func RenderMarkdownReport(ctx context.Context, in RenderInput) (Rendered, error) {
	if err := ctx.Err(); err != nil {
		return Rendered{}, err
	}
	r := in.Report
	var b strings.Builder
	title := oneLine(r.Title)
	if title == "" {
		title = DefaultTitle
	}
	b.WriteString("# " + title + "\n")
	if summary := strings.TrimSpace(r.Summary); summary != "" {
		b.WriteString("\n## Summary\n\n" + summary + "\n")
	}
	actions := make([]string, len(r.ActionItems))
	for i, a := range r.ActionItems {
		actions[i] = actionLine(a)
	}
	section(&b, "Action items", actions)
	section(&b, "Risks", r.Risks)
	section(&b, "Followups", r.Followups)
	return Rendered{Markdown: b.String()}, nil
}

func section(b *strings.Builder, name string, items []string) {
	b.WriteString("\n## " + name + "\n\n")
	if len(items) == 0 {
		b.WriteString("None.\n")
	}
	for _, item := range items {
		b.WriteString("- " + oneLine(item) + "\n")
	}
}

func actionLine(a ActionItem) string {
	var known []string
	if a.Owner != "" {
		known = append(known, "owner: "+a.Owner)
	}
	if a.DueDate != "" {
		known = append(known, "due: "+a.DueDate)
	}
	if len(known) == 0 {
		return a.Task
	}
	return a.Task + " (" + strings.Join(known, "; ") + ")"
}

// oneLine makes one line of a text, with single spaces.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
