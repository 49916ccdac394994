package report

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is what a line of notes is.
type kind uint8

const (
	blank   kind = iota
	text         // part of a paragraph or of the item above
	heading      // "# Risks", "Risks" over a row of = or -, "Risks:", "**Risks**"
	item         // "- x", "* x", "• x", "1. x", "- [ ] x"
	row          // "| a | b |"
)

// labelLevel is the level of a heading that is no Markdown heading: below all of those.
const labelLevel = 7

// line is a line of notes without its marks.
type line struct {
	kind   kind
	level  int  // of a heading: 1 to 6, or labelLevel
	indent int  // columns before an item or text; a tab is four
	box    bool // of an item: it had a checkbox
	text   string
}

// scan takes notes apart into lines. Code blocks, comments and rules are left out. It also returns the title that
// the front matter gives, if there is any.
func scan(notes string) (lines []line, title string) {
	notes = strings.TrimPrefix(notes, "\ufeff")
	notes = strings.ToValidUTF8(notes, string(utf8.RuneError))
	notes = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(notes)
	raw := strings.Split(notes, "\n")
	title, raw = frontMatter(raw)

	fences := 0
	for _, s := range raw {
		if isFence(s) {
			fences++
		}
	}
	seen, inCode := 0, false
	for i, s := range raw {
		if isFence(s) {
			seen++
			inCode = !inCode && seen < fences // the last fence of an odd number opens nothing
			continue
		}
		if inCode || isComment(s) {
			continue
		}
		begins := len(lines) == 0 || lines[len(lines)-1].kind != text
		next := ""
		if i+1 < len(raw) {
			next = raw[i+1]
		}
		lines = append(lines, classify(s, next, begins))
	}
	return lines, title
}

var (
	atx       = regexp.MustCompile(`^ {0,3}(#{1,6})([ \t].*)?$`)
	atxTight  = regexp.MustCompile(`^ {0,3}(#{2,6})([^#\s].*)$`)
	ruled     = regexp.MustCompile(`^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,}|=+)$`)
	bullet    = regexp.MustCompile(`^(?:[-*+–—·][ \t]|[•◦‣▪●○∙]|[0-9]{1,9}[.)][ \t])`)
	checkbox  = regexp.MustCompile(`^(?:\[[ xX✓✔-]?\](?:\s|$)|[☐☑☒✅])`)
	boldLine  = regexp.MustCompile(`^(?:\*\*|__)([^*_]+)(?:\*\*|__)\s*[:：]?$`)
	quoteMark = regexp.MustCompile(`^ {0,3}(?:> ?)+`)
)

// classify says what a line is, given the line below and whether a paragraph can begin here.
func classify(s, next string, begins bool) line {
	body := strings.TrimSpace(s)
	if strings.HasPrefix(body, ">") {
		s = quoteMark.ReplaceAllString(s, "")
		body = strings.TrimSpace(s)
	}
	if body == "" || strings.ContainsAny(body[:1], "-*_=") && ruled.MatchString(body) {
		return line{kind: blank}
	}
	if body[0] == '#' {
		for _, form := range []*regexp.Regexp{atx, atxTight} {
			if m := form.FindStringSubmatch(s); m != nil {
				return line{kind: heading, level: len(m[1]), text: headingText(m[2])}
			}
		}
	}
	indent := indentOf(s)
	if l, ok := classifyItem(body, indent); ok {
		return l
	}
	if strings.HasPrefix(body, "|") {
		return line{kind: row, text: body}
	}
	if level := underline(next); level > 0 && begins && !endsSentence(body) {
		return line{kind: heading, level: level, text: headingText(body)}
	}
	if m := boldOnly(body); m != "" {
		return line{kind: heading, level: labelLevel, text: headingText(m)}
	}
	if name, ok := label(body); ok && (sectionOf(name, labelLevel) != other || begins && indent < 2 && strings.Count(name, " ") < 3) {
		return line{kind: heading, level: labelLevel, text: headingText(name)}
	}
	return line{kind: text, indent: indent, text: body}
}

// indentOf returns the columns before the text of a line.
func indentOf(s string) (indent int) {
	for _, r := range s {
		switch r {
		case '\t':
			indent += 4 - indent%4
		case ' ', '\u00a0', '\u3000':
			indent++
		default:
			return indent
		}
	}
	return indent
}

func classifyItem(body string, indent int) (line, bool) {
	if first, _ := utf8.DecodeRuneInString(body); unicode.IsLetter(first) {
		return line{}, false
	}
	mark := bullet.FindString(body)
	rest := strings.TrimSpace(body[len(mark):])
	box := checkbox.FindString(rest)
	rest, boxed := strings.TrimSpace(rest[len(box):]), box != ""
	if mark == "" && !boxed {
		return line{}, false
	}
	name, ok := label(rest)
	if m := boldOnly(rest); m != "" {
		name, ok = m, true
	}
	if ok && !boxed && sectionOf(headingText(name), 1) != other { // an outline: the sections are items themselves
		return line{kind: heading, level: labelLevel, text: headingText(name)}, true
	}
	return line{kind: item, indent: indent, box: boxed, text: rest}, true
}

// boldOnly returns the text of a line that is bold from end to end, or "".
func boldOnly(s string) string {
	if !strings.HasPrefix(s, "**") && !strings.HasPrefix(s, "__") {
		return ""
	}
	if m := boldLine.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}

// label returns what stands before a colon at the end of a line.
func label(s string) (name string, ok bool) {
	for _, colon := range []string{":", "：", ":**", ":__"} {
		if name, ok := strings.CutSuffix(s, colon); ok && len(name) <= 80 {
			return headingText(name), true
		}
	}
	return "", false
}

// underline returns the level of the heading above a row of = or -, and 0 for any other line.
func underline(s string) int {
	s = strings.TrimSpace(s)
	switch {
	case len(s) < 3:
	case strings.Trim(s, "=") == "":
		return 1
	case strings.Trim(s, "-") == "":
		return 2
	}
	return 0
}

func endsSentence(s string) bool { return strings.HasSuffix(s, ".") }

// headingText takes the marks off a heading: closing #, bold, a colon at the end.
func headingText(s string) string {
	s = strings.TrimSpace(s)
	if cut := strings.TrimRight(s, "#"); cut == "" || strings.HasSuffix(cut, " ") || strings.HasSuffix(cut, "\t") {
		s = strings.TrimSpace(cut)
	}
	return oneLine(strings.TrimRight(unbold(s), ":： "))
}

var bold = regexp.MustCompile(`\*\*([^*]+)\*\*|~~([^~]+)~~|(^|[^\pL\pN_])__([^_]+)__`)

// unbold takes off the marks of bold and struck text; emphasis and code keep theirs.
func unbold(s string) string {
	if !strings.ContainsAny(s, "*~_") {
		return s
	}
	return bold.ReplaceAllString(s, "$1$2$3$4")
}

// isComment reports whether a line is an HTML comment and nothing else.
func isComment(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "<!--") && strings.HasSuffix(s, "-->")
}

func isFence(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "```") && !strings.Contains(s[3:], "```") || strings.HasPrefix(s, "~~~")
}

// frontMatter cuts off a block of settings between two lines of --- at the very top.
func frontMatter(raw []string) (title string, rest []string) {
	const most = 100 // lines; a rule at the top of long notes is no front matter
	if strings.TrimSpace(raw[0]) != "---" {
		return "", raw
	}
	for i := 1; i < min(len(raw), most); i++ {
		s := strings.TrimSpace(raw[i])
		if s == "---" {
			return title, raw[i+1:]
		}
		if v, ok := strings.CutPrefix(s, "title:"); ok {
			title = oneLine(strings.Trim(strings.TrimSpace(v), `"'`))
		} else if !strings.Contains(s, ":") && !strings.HasPrefix(s, "-") {
			break // prose
		}
	}
	return "", raw
}
