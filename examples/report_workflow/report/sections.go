package report

import (
	"strings"
	"unicode"
)

// part is the part of a report that a section of the notes belongs to.
type part uint8

const (
	preamble part = iota // what stands before the first section
	summary
	actions
	risks
	followups
	other // attendees, discussion: not in the report
)

// sectionNames are the names under which people write the parts, as [normalName] leaves them.
var sectionNames = map[string]part{
	"summary": summary, "executive summary": summary, "tldr": summary, "overview": summary, "abstract": summary,
	"recap": summary, "highlights": summary,
	"action items": actions, "action item": actions, "actions": actions, "action": actions, "action points": actions,
	"todo": actions, "todos": actions, "to do": actions, "to dos": actions, "tasks": actions, "next actions": actions,
	"risks": risks, "risk": risks, "issues": risks, "blockers": risks, "concerns": risks, "problems": risks,
	"risks and issues": risks, "risks issues": risks, "risks and blockers": risks, "risks blockers": risks,
	"followups": followups, "followup": followups, "follow ups": followups, "follow up": followups,
	"next steps": followups, "open questions": followups, "open points": followups, "parking lot": followups,
}

// strongNames also name a section with a few words around them: "Key risks", "Action items for May".
var strongNames = []string{"summary", "action items", "action points", "todos", "risks", "blockers", "followups", "follow ups", "next steps"}

// sectionOf returns the part that a heading begins, or other. A heading of the first level or a label must be the
// name and nothing else: "Summary of the risks" may be a title.
func sectionOf(title string, level int) part {
	if len(title) > 120 {
		return other
	}
	name := normalName(title)
	if p, ok := sectionNames[name]; ok {
		return p
	}
	if level == 1 || level == labelLevel || strings.Count(name, " ") > 4 {
		return other
	}
	for _, strong := range strongNames {
		if strings.HasPrefix(name, strong+" ") || strings.HasSuffix(name, " "+strong) {
			return sectionNames[strong]
		}
	}
	return other
}

// normalName reduces a heading to lower-case words: no numbers, emoji or marks, nothing in parentheses.
func normalName(s string) string {
	if open := strings.IndexByte(s, '('); open > 0 {
		s = s[:open]
	}
	var b strings.Builder
	for _, r := range strings.ReplaceAll(s, "&", " and ") {
		switch {
		case unicode.IsLetter(r):
			b.WriteRune(unicode.ToLower(r))
		case r == ';' || r == '\'' || r == '’': // TL;DR
		default:
			b.WriteByte(' ')
		}
	}
	return oneLine(b.String())
}
