package jsonpatch

import (
	"strings"

	"lda.chat/wf/internal/value"
)

// span is where an element or a member stands in a text, or would.
type span struct {
	holder  int  // the bracket of the array or object around it
	found   bool // else start is the closing bracket
	isFirst bool
	start   int // of the key or the element
	keyEnd  int // of a member
	value   int
	end     int
	prevEnd int // end of the one before
	next    int // start of the next; -1: there is none
}

// closing is the closing bracket of the holder, if this is its last.
func (s span) closing(text string) int { return skipSpace(text, s.end) }

// find finds a place whose holder exists.
func (e *editor) find(p Pointer) span {
	start := skipSpace(e.text, len(e.text)-len(strings.TrimPrefix(e.text, "\uFEFF")))
	s := span{found: true, start: start, value: start, end: skipValue(e.text, start), next: -1}
	for _, token := range p {
		s = e.within(s.value, token)
	}
	return s
}

// within finds the place that a token names in an array or object.
func (e *editor) within(holder int, token string) span {
	isObject := e.text[holder] == '{'
	want, _ := position(token) // "-" is none, and so is the length of the array
	s := span{holder: holder, isFirst: true, prevEnd: holder + 1, next: -1}
	at := skipSpace(e.text, holder+1)
	for i := 0; e.text[at] != '}' && e.text[at] != ']'; i++ {
		s.start, s.value, s.isFirst = at, at, i == 0
		if isObject {
			s.keyEnd = skipString(e.text, at)
			s.value = skipSpace(e.text, skipSpace(e.text, s.keyEnd)+1)
		}
		s.end = skipValue(e.text, s.value)
		after := skipSpace(e.text, s.end)
		isLast := e.text[after] != ','
		if !isLast {
			after = skipSpace(e.text, after+1)
		}
		if isObject && keyOf(e.text[s.start:s.keyEnd]) == token || !isObject && token != "-" && i == want {
			s.found = true
			if !isLast {
				s.next = after
			}
			return s
		}
		s.prevEnd, at = s.end, after
	}
	return span{holder: holder, isFirst: s.prevEnd == holder+1, start: at, prevEnd: s.prevEnd, next: -1}
}

// afterComma is the white space between a comma and what follows it in the array or object around a place.
func (e *editor) afterComma(s span) string {
	first := skipSpace(e.text, s.holder+1)
	before := e.text[s.holder+1 : first]
	end := first
	if e.text[s.holder] == '{' {
		end = skipSpace(e.text, skipSpace(e.text, skipString(e.text, first))+1)
	}
	end = skipSpace(e.text, skipValue(e.text, end))
	switch {
	case e.text[end] == ',':
		return e.text[end+1 : skipSpace(e.text, end+1)]
	case strings.Contains(before, "\n"):
		return before
	}
	return e.afterColon(s)
}

// afterColon is the white space between a key and its value in the object around a place.
func (e *editor) afterColon(s span) string {
	first := skipSpace(e.text, s.holder+1)
	if e.text[s.holder] == '{' && e.text[first] == '"' {
		colon := skipSpace(e.text, skipString(e.text, first))
		return e.text[colon+1 : skipSpace(e.text, colon+1)]
	}
	return " "
}

func keyOf(literal string) string {
	if !strings.Contains(literal, `\`) {
		return literal[1 : len(literal)-1]
	}
	v, _ := value.Parse([]byte(literal))
	key, _ := v.AsString()
	return key
}

func skipSpace(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\r' || s[i] == '\t') {
		i++
	}
	return i
}

// skipString gives the end of the string that begins at i.
func skipString(s string, i int) int {
	for i++; s[i] != '"'; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// skipValue gives the end of the value that begins at i.
func skipValue(s string, i int) int {
	for depth := 0; ; {
		switch s[i] {
		case '"':
			i = skipString(s, i)
		case '[', '{':
			depth++
			i++
			continue
		case ']', '}':
			depth--
			i++
		case ',', ':', ' ', '\n', '\r', '\t':
			i++
			continue
		default:
			for i < len(s) && !strings.ContainsRune(",]}: \n\r\t", rune(s[i])) {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}
