package value

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The kinds of a [SyntaxError].
const (
	SyntaxGeneral       = "syntax"
	SyntaxDuplicateKey  = "key_duplicate"
	SyntaxTrailingData  = "trailing_data"
	SyntaxUnicode       = "unicode_invalid" // bytes that are not UTF-8, or half a surrogate pair
	SyntaxTooDeep       = "too_deep"
	SyntaxTooLarge      = "too_large"
	SyntaxNumberOutside = "number_out_of_range"
)

// SyntaxError says why a text was refused, and where.
type SyntaxError struct {
	Kind    string // one of the constants above
	Msg     string // what was found and what was expected
	Offset  int    // in bytes, from 0
	Line    int    // from 1
	Column  int    // in code points, from 1; a byte order mark does not count
	Pointer string // JSON Pointer of the value or member in which the mistake is; the array or object where it is between two
}

func (e *SyntaxError) Error() string {
	if e.Pointer == "" {
		return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Msg)
	}
	return fmt.Sprintf("line %d, column %d (at %s): %s", e.Line, e.Column, e.Pointer, e.Msg)
}

const byteOrderMark = "\uFEFF"

// position gives the line and column of an offset. Lines end with a line feed, whether or not a carriage return precedes it.
func position(text string, offset int) (line, column int) {
	before := text[:min(offset, len(text))]
	line = 1 + strings.Count(before, "\n")
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i+1:]
	} else {
		before = strings.TrimPrefix(before, byteOrderMark)
	}
	return line, 1 + utf8.RuneCountInString(before)
}

// describe tells a person what stands at an offset.
func describe(text string, i int) string {
	if i >= len(text) {
		return "the end of the text"
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	switch {
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf("the byte 0x%02x", text[i])
	case isWord(r):
		word := text[i:]
		if end := strings.IndexFunc(word, func(r rune) bool { return !isWord(r) }); end >= 0 {
			word = word[:end]
		}
		if runes := []rune(word); len(runes) > 20 {
			word = string(runes[:20]) + "…"
		}
		return word
	case r == '\'':
		return `a single quote`
	case r == '"':
		return "a string"
	case strings.HasPrefix(text[i:], "//"), strings.HasPrefix(text[i:], "/*"):
		return "a comment"
	case strings.HasPrefix(text[i:], byteOrderMark):
		return "a byte order mark"
	case unicode.IsPrint(r):
		return fmt.Sprintf("'%c'", r)
	}
	return fmt.Sprintf("the character U+%04X", r)
}

func isWord(r rune) bool {
	return r == '_' || r == '$' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
