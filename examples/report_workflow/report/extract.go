package report

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ExtractReport finds the title, the summary, the action items, the risks and the follow-ups in notes as people write
// them. It never fails on a text: what is missing is empty, sections may come in any order and more than once, and
// those that have no place in a report are left out. Its time grows with the length of the text and not faster.
//
// The title is the first heading of the first level that names no section; without one, the title of the front
// matter, a line "Title: …", the first other heading, a short first line, and at last [DefaultTitle]. The summary is
// the summary section or else what stands before the first section. An action item may carry its owner as "Owner: X",
// "@x", "(X)" or "— X", and its date as "due 2026-05-01", "by Friday" or "Due: …", in the line or in an item below it;
// a done item counts like an open one.
func ExtractReport(ctx context.Context, in Notes) (Report, error) {
	if err := ctx.Err(); err != nil {
		return Report{}, err
	}
	lines, title := scan(in.Text)
	n := gather(lines)
	r := Report{
		Title:       n.title(title),
		Summary:     prose(n.parts[summary]),
		ActionItems: actionItems(n.parts[actions]),
		Risks:       points(n.parts[risks]),
		Followups:   points(n.parts[followups]),
	}
	if r.Summary == "" {
		r.Summary = prose(n.introduction())
	}
	return r, nil
}

// entry is a paragraph, an item or a row of a table, with the lines that continue it.
type entry struct {
	line
	more []string
}

// whole is the text of an entry in one line.
func (e *entry) whole() string {
	if len(e.more) == 0 {
		return unbold(e.text)
	}
	return unbold(e.text + " " + strings.Join(e.more, " "))
}

// notes are lines sorted into parts.
type notes struct {
	parts      [other + 1][]*entry
	first      string // the first heading of the first level that is no section
	labelled   string // "Title: …"
	other      string // the first other heading before any section
	firstIsAll bool   // the first line is a paragraph of its own
}

func gather(lines []line) *notes {
	n := new(notes)
	at, level := preamble, 0
	var open *entry
	gap := false
	for i, l := range lines {
		if l.kind == text && (open == nil || open.kind != item || l.indent < 2) {
			if name, rest, ok := inlineLabel(l.text); ok {
				if p := sectionOf(name, labelLevel); p != other {
					at, level, open = p, labelLevel, nil
					l = line{kind: text, text: rest}
				} else if at == preamble && strings.EqualFold(name, "title") && n.labelled == "" {
					n.labelled = oneLine(unbold(rest))
					continue
				}
			}
		}
		switch l.kind {
		case blank:
			gap = true
			continue
		case heading:
			was := at
			at, level = n.heading(l, at, level)
			open = nil
			if at == summary && was == summary && sectionOf(l.text, l.level) == other { // a heading inside it
				n.parts[at] = append(n.parts[at], &entry{line: line{kind: text, text: l.text + ":"}})
			}
		case text:
			if open != nil && open.kind != row && (!gap || open.kind == item && l.indent >= 2) {
				open.more = append(open.more, l.text)
				break
			}
			open = &entry{line: l}
			n.parts[at] = append(n.parts[at], open)
			if at == preamble && len(n.parts[at]) == 1 {
				n.firstIsAll = i+1 == len(lines) || lines[i+1].kind != text || isLabelled(lines[i+1].text)
			}
		case item, row:
			open = &entry{line: l}
			n.parts[at] = append(n.parts[at], open)
		}
		gap = false
	}
	return n
}

// heading returns the part that goes on after a heading, and the level of the heading that began it.
func (n *notes) heading(l line, at part, level int) (part, int) {
	if p := sectionOf(l.text, l.level); p != other {
		return p, l.level
	}
	switch {
	case l.text == "":
		return at, level
	case l.level == 1 && n.first == "":
		n.first = l.text
		return preamble, 1
	case at == preamble && n.first == "" && n.other == "":
		n.other = l.text
		return preamble, l.level
	case at != preamble && l.level > level:
		return at, level // a heading inside the section
	}
	return other, l.level
}

func (n *notes) title(fromSettings string) string {
	for _, t := range []string{n.first, fromSettings, n.labelled, n.other, n.firstLine()} {
		if t != "" {
			return t
		}
	}
	return DefaultTitle
}

// firstLine returns the first line of the notes if it looks like a title.
func (n *notes) firstLine() string {
	const most = 100 // characters
	if !n.firstIsAll {
		return ""
	}
	t := oneLine(unbold(n.parts[preamble][0].text))
	if utf8.RuneCountInString(t) > most || endsSentence(t) {
		return ""
	}
	return t
}

// introduction is what stands before the first section, without the title and lines such as "Date: 2026-04-27".
func (n *notes) introduction() []*entry {
	all := n.parts[preamble]
	if n.first == "" && n.labelled == "" && n.other == "" && len(all) > 0 && n.firstLine() != "" {
		all = all[1:]
	}
	var out []*entry
	for _, e := range all {
		if !isLabelled(e.text) {
			out = append(out, e)
		}
	}
	return out
}

// inlineLabel splits "Risks: the quota" at its colon. The label is at most three words, begins with a capital and holds
// no digits or marks.
func inlineLabel(s string) (name, rest string, ok bool) {
	s = unbold(s)
	if first, _ := utf8.DecodeRuneInString(s); !unicode.IsUpper(first) {
		return "", "", false
	}
	name, rest, ok = strings.Cut(s, ":")
	rest = strings.TrimSpace(rest)
	if !ok || rest == "" || strings.HasPrefix(rest, "//") || len(name) > 60 || strings.Count(name, " ") > 2 || strings.ContainsAny(name, "0123456789()[],.;`\"") {
		return "", "", false
	}
	return name, rest, true
}

func isLabelled(s string) bool {
	_, _, ok := inlineLabel(s)
	return ok
}

// prose writes entries as Markdown paragraphs and lists.
func prose(entries []*entry) string {
	var b strings.Builder
	for i, e := range entries {
		s := oneLine(e.whole())
		if s == "" || isNone(s) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
			if e.kind == text || entries[i-1].kind == text {
				b.WriteByte('\n')
			}
		}
		if e.kind == item {
			b.WriteString("- ")
		}
		b.WriteString(s)
	}
	return b.String()
}
