package report

import (
	"regexp"
	"strings"
)

// A date as people write it, at the beginning of a text: 2026-05-01, 1.5.2026, May 1, 1 May 2026, next Friday, end of month,
// Q3, tomorrow; a time may follow.
const (
	weekday = `(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?`
	month   = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`
	ordinal = `[0-9]{1,2}(?:st|nd|rd|th)?`
	clock   = `(?:,?\s+(?:at\s+)?[0-9]{1,2}(?::[0-9]{2})?(?:\s?[ap]m)?|T[0-9:.]+Z?)`
	date    = `(?:` +
		`[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}[./][0-9]{1,2}(?:[./](?:[0-9]{4}|[0-9]{2})?)?` +
		`|` + month + `\s+` + ordinal + `(?:,?\s+[0-9]{4})?|` + ordinal + `\s+(?:of\s+)?` + month + `(?:,?\s+[0-9]{4})?` +
		`|(?:the\s+)?end\s+of\s+(?:the\s+|this\s+|next\s+)?(?:day|week|month|quarter|sprint|year|` + month + `)` +
		`|(?:(?:next|this|coming)\s+)?(?:` + weekday + `)(?:\s+` + month + `\s+` + ordinal + `)?` +
		`|(?:next|this)\s+(?:week|month|quarter|sprint|year)|today|tonight|tomorrow|noon|eod|eow|eom|eoq|cob|asap|q[1-4](?:\s+[0-9]{4})?` +
		`|` + month + `(?:\s+[0-9]{4})?` +
		`)(?:` + clock + `)?`
)

var (
	dateAll   = regexp.MustCompile(`(?i)^` + date + `$`)
	dateStart = regexp.MustCompile(`(?i)^` + date)
	longest   = 60 // bytes that a date is looked for in
)

// isDate reports whether s is a date and nothing else.
func isDate(s string) bool { return len(s) <= longest && dateAll.MatchString(s) }

// dateAt returns the length of the date at the beginning of s, and 0 if there is none or it is part of a longer word.
func dateAt(s string) int {
	m := dateStart.FindString(s[:min(len(s), longest)])
	rest := s[len(m):]
	if m == "" || rest != "" && isWord(rest) {
		return 0
	}
	return len(m)
}

// dueWords introduce a date, with or without a colon.
var dueWords = regexp.MustCompile(`(?i)^(?:due(?:\s+date)?|deadline|by|before|until|no later than|📅)(?:\s*[:=]\s*|\s+)(?:(?:on|by|date)\s+)?`)

// dueKeys introduce whatever follows them as the date.
var dueKeys = regexp.MustCompile(`(?i)^(?:due(?:\s+date)?|deadline|when|eta|target(?:\s+date)?)\s*[:=]\s*`)

// dueOf returns the date of a segment that gives one: "due 2026-05-01", "Due: after the demo", "by Friday". Where nothing else
// would stand there, "due" may be followed by any few words: "(due after the demo)".
func dueOf(segment string, grouped bool) string {
	head := segment[:min(len(segment), longest)]
	if key := dueKeys.FindString(head); key != "" {
		return trimEnd(segment[len(key):])
	}
	key := dueWords.FindString(head)
	if key == "" {
		return ""
	}
	rest := trimEnd(segment[len(key):])
	if isDate(rest) {
		return rest
	}
	lower := strings.ToLower(rest)
	if grouped && strings.HasPrefix(strings.ToLower(key), "due") && !strings.HasPrefix(lower, "to ") && rest != "" && strings.Count(rest, " ") < 4 {
		return rest
	}
	return ""
}

func trimEnd(s string) string { return strings.Trim(s, " .!,;:") }
