package report

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// segment is a stretch of an action item between two marks.
type segment struct {
	lead    string // the mark before it: "(", ")", ",", ";", "|", a dash with its spaces, "" where a known word begins or ends
	text    string
	grouped bool // it stands in parentheses or after a dash
	mention bool // it is an "@name"
	owner   string
	due     string
}

func (s segment) known() bool { return s.owner != "" || s.due != "" }

// atoms are stretches that no mark divides: links, addresses, code.
var atoms = regexp.MustCompile("\\[[^\\[\\]]*\\]\\((?:[^()\\s]|\\([^()\\s]*\\))*\\)|https?://[^\\s()\\[\\]]+|`[^`]*`")

// split takes an action item apart.
func split(s string) []segment {
	whole := atoms.FindAllStringIndex(s, -1)
	var out []segment
	depth, dashed := 0, false
	cur := segment{}
	begin := 0
	// cut ends the segment that goes on until `at`; the next one begins after the mark.
	cut := func(at int, mark string) {
		cur.text = s[begin:at]
		begin = at + len(mark)
		out = append(out, cur)
		cur = segment{lead: mark, grouped: depth > 0 || dashed}
	}
	for i := 0; i < len(s); {
		if len(whole) > 0 && i == whole[0][0] {
			i, whole = whole[0][1], whole[1:]
			continue
		}
		mark := markAt(s, i)
		switch {
		case mark == "":
		case mark == "(" || mark == "[":
			depth++
			cut(i, mark)
		case mark == ")" || mark == "]":
			depth, dashed = max(depth-1, 0), false
			cut(i, mark)
		default:
			dashed = dashed || strings.TrimSpace(mark) != mark
			cut(i, mark)
		}
		if mark != "" {
			i += len(mark)
			continue
		}
		if i == 0 || !isWord(s[:i][lastRune(s[:i]):]) {
			if n := mentionLen(s[i:]); n > 0 {
				cut(i, "")
				cur.mention = true
				cut(i+n, "")
				i += n
				continue
			}
			if n, ok := keyAt(s[i:]); ok {
				cut(i, "")
				if n > 0 {
					cut(i+n, "")
				}
				i += max(n, 1)
				continue
			}
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	cut(len(s), "")
	return out
}

// markAt returns the mark that divides segments at a place of s, or "".
func markAt(s string, i int) string {
	switch s[i] {
	case '(', ')', '[', ']', ';', '|':
		return s[i : i+1]
	case ',':
		if !yearAfter.MatchString(s[i:min(len(s), i+8)]) { // May 1, 2026
			return ","
		}
	case ' ':
		if dash := spacedDash.FindString(s[i:min(len(s), i+12)]); dash != "" {
			return dash
		}
	}
	return ""
}

var (
	yearAfter  = regexp.MustCompile(`^,\s*[0-9]{4}(?:[^0-9-]|$)`)
	spacedDash = regexp.MustCompile(`^ (?:[-–—]{1,2} |[–—])`)
)

// keyWords are the first words of what gives an owner or a date.
var keyWords = []string{
	"owner", "owners", "assignee", "assignees", "responsible", "who", "dri", "lead", "assigned", "owned",
	"due", "deadline", "when", "eta", "target", "by", "before", "until", "no", "📅",
}

// keyAt reports whether something that gives an owner or a date begins at s. If it ends before the next mark, which a date
// does, n is its length.
func keyAt(s string) (n int, ok bool) {
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '📅' })
	if end < 0 {
		end = len(s)
	}
	if end > 11 || !slices.Contains(keyWords, strings.ToLower(s[:end])) {
		return 0, false
	}
	head := s[:min(len(s), longest)]
	if key := dueWords.FindString(head); key != "" {
		if date := dateAt(s[len(key):]); date > 0 {
			return len(key) + date, true
		}
	}
	return 0, ownerKeys.MatchString(head) || dueKeys.MatchString(head)
}

// lastRune returns where the last character of s begins.
func lastRune(s string) int {
	_, size := utf8.DecodeLastRuneInString(s)
	return len(s) - size
}
