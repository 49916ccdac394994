package value

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// string reads a string in double quotes and copies it.
func (p *parser) string() (string, bool) {
	s, plain, ok := p.stringView()
	if ok && plain {
		s = strings.Clone(s)
	}
	return s, ok
}

// key reads a string like [parser.string], but shares it with equal keys that were read before.
func (p *parser) key() (string, bool) {
	s, plain, ok := p.stringView()
	if ok && plain {
		s = p.known.key(s)
	}
	return s, ok
}

// stringView reads a string. A plain one, without escapes, is still a part of the text.
func (p *parser) stringView() (s string, plain, ok bool) {
	start := p.at + 1
	end := plainUntil(p.text, start)
	if !p.checkUTF8(start, end) {
		return "", false, false
	}
	switch {
	case end == len(p.text):
		return "", false, p.unterminated()
	case p.text[end] == '"':
		p.at = end + 1
		return p.text[start:end], true, true
	}
	s, ok = p.escapedString(start, end)
	return s, false, ok
}

func (p *parser) unterminated() bool {
	return p.fail(SyntaxGeneral, len(p.text), "found the end of the text inside a string, expected '\"'")
}

// checkUTF8 refuses a piece of the text with bytes that are not UTF-8.
func (p *parser) checkUTF8(start, end int) bool {
	piece := p.text[start:end]
	if utf8.ValidString(piece) {
		return true
	}
	for i := 0; ; {
		r, size := utf8.DecodeRuneInString(piece[i:])
		if r == utf8.RuneError && size == 1 {
			return p.fail(SyntaxUnicode, start+i, "found the byte 0x%02x, which is not UTF-8 here", piece[i])
		}
		i += size
	}
}

// escapedString reads a string on from i, where its first plain piece ends.
func (p *parser) escapedString(start, i int) (string, bool) {
	buf := append(p.scratch[:0], p.text[start:i]...)
	for i < len(p.text) {
		switch c := p.text[i]; {
		case c == '"':
			p.at = i + 1
			p.scratch = buf
			return string(buf), true
		case c == '\\':
			r, size, ok := p.escape(i)
			if !ok {
				return "", false
			}
			buf = utf8.AppendRune(buf, r)
			i += size
		case c < ' ':
			return "", p.fail(SyntaxGeneral, i, "found %s inside a string, expected it escaped, as %s", describe(p.text, i), appendEscape(nil, c))
		}
		end := plainUntil(p.text, i)
		if !p.checkUTF8(i, end) {
			return "", false
		}
		buf = append(buf, p.text[i:end]...)
		i = end
	}
	return "", p.unterminated()
}

// escape reads the escape at i.
func (p *parser) escape(i int) (r rune, size int, ok bool) {
	if i+1 >= len(p.text) {
		return 0, 0, p.unterminated()
	}
	switch c := p.text[i+1]; c {
	case '"', '\\', '/':
		return rune(c), 2, true
	case 'b':
		return '\b', 2, true
	case 'f':
		return '\f', 2, true
	case 'n':
		return '\n', 2, true
	case 'r':
		return '\r', 2, true
	case 't':
		return '\t', 2, true
	case 'u':
		return p.unicodeEscape(i)
	}
	return 0, 0, p.fail(SyntaxGeneral, i, `found a backslash before %s, expected one of "\/bfnrtu after it`, describeOne(p.text, i+1))
}

// unicodeEscape reads \uXXXX at i, or two of them that are a surrogate pair.
func (p *parser) unicodeEscape(i int) (r rune, size int, ok bool) {
	r, bad := hex4(p.text, i+2)
	if bad >= 0 {
		return 0, 0, p.fail(SyntaxGeneral, bad, `found %s, expected four hexadecimal digits after \u`, describeOne(p.text, bad))
	}
	if !utf16.IsSurrogate(r) {
		return r, 6, true
	}
	if strings.HasPrefix(p.text[i+6:], `\u`) {
		if low, bad := hex4(p.text, i+8); bad < 0 {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, 12, true
			}
		}
	}
	return 0, 0, p.fail(SyntaxUnicode, i, "found %s, which is half of a surrogate pair, expected both halves", p.text[i:i+6])
}

// hex4 reads four hexadecimal digits at i; bad is where one is missing, or -1.
func hex4(s string, i int) (r rune, bad int) {
	for end := i + 4; i < end; i++ {
		if i >= len(s) {
			return 0, i
		}
		switch c := s[i]; {
		case c-'0' <= 9:
			r = r<<4 | rune(c-'0')
		case c|0x20-'a' <= 5:
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, i
		}
	}
	return r, -1
}

// describeOne describes a single character.
func describeOne(text string, i int) string {
	if i >= len(text) {
		return "the end of the text"
	}
	_, size := utf8.DecodeRuneInString(text[i:])
	return describe(text[i:i+size], 0)
}
