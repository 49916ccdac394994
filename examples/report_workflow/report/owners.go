package report

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ownerKeys introduce whatever follows them as the owner.
var ownerKeys = regexp.MustCompile(`(?i)^(?:(?:owners?|assignees?|responsible|who|dri|lead)\s*[:=]\s*|(?:assigned\s+to|owned\s+by)\s*:?\s+)`)

// ownerOf returns the owner of a segment that says so: "Owner: Maya", "assigned to Maya".
func ownerOf(segment string) string {
	key := ownerKeys.FindString(segment[:min(len(segment), longest)])
	if key == "" {
		return ""
	}
	return ownerNames(segment[len(key):])
}

// ownerNames takes the marks off names: "@maya, @luis" is "maya, luis".
func ownerNames(s string) string {
	names := strings.FieldsFunc(s, func(r rune) bool { return r == ',' })
	for i, name := range names {
		names[i] = strings.TrimPrefix(trimEnd(name), "@")
	}
	return strings.Join(slices.DeleteFunc(names, func(s string) bool { return s == "" }), ", ")
}

// mentionLen returns the length of the "@name" at the beginning of s, or 0.
func mentionLen(s string) int {
	name, ok := strings.CutPrefix(s, "@")
	if !ok {
		return 0
	}
	n := strings.IndexFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
	})
	if n < 0 {
		n = len(name)
	}
	n = len(strings.TrimRight(name[:n], ".-_"))
	if n == 0 {
		return 0
	}
	return n + 1
}

// notNames are words with a capital that often stand where a name would.
var notNames = []string{
	"high", "medium", "low", "urgent", "critical", "optional", "done", "open", "closed", "blocked", "draft", "new", "tbd", "tba", "todo",
	"phase", "part", "see", "note", "everyone's", "wip", "i", "we", "it", "this", "the", "a", "an",
}

// particles stand in names with a small letter.
var particles = []string{"von", "van", "der", "den", "de", "da", "di", "del", "la", "le", "al", "bin", "ibn", "und", "and", "&", "y", "e", "+", "/"}

// isName reports whether s looks like the name of a person or a few: up to four words with capitals, no digits. A text
// in a script without capitals is a name if it is short.
func isName(s string) bool {
	if strings.HasPrefix(s, "@") {
		return mentionLen(s) == len(s)
	}
	const most = 60 // bytes
	words := strings.Fields(strings.ReplaceAll(s[:min(len(s), most+1)], "/", " / "))
	if len(s) > most || len(words) == 0 || len(words) > 5 {
		return false
	}
	for i, w := range words {
		if i > 0 && i < len(words)-1 && slices.Contains(particles, w) {
			continue
		}
		if !isNameWord(w) || slices.Contains(notNames, strings.ToLower(w)) {
			return false
		}
	}
	return true
}

func isNameWord(w string) bool {
	first, _ := utf8.DecodeRuneInString(w)
	caseless := unicode.Is(unicode.Lo, first)
	if !unicode.IsUpper(first) && !unicode.IsTitle(first) && (!caseless || utf8.RuneCountInString(w) > 6) {
		return false
	}
	upper := 0
	for _, r := range w {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune("'’.-·", r) {
			return false
		}
		if unicode.IsUpper(r) {
			upper++
		}
	}
	return upper < 3 || upper < utf8.RuneCountInString(w) // MCP, API
}

// isWord reports whether s goes on with a letter or digit.
func isWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
