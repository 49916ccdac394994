package value

const hexDigits = "0123456789abcdef"

// isPlain tells the bytes that stand for themselves in a JSON string.
var isPlain = func() (plain [256]bool) {
	for c := range plain {
		plain[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return plain
}()

// appendString writes a string with its quotes.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	done := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if isPlain[c] {
			continue
		}
		dst = append(dst, s[done:i]...)
		dst = appendEscape(dst, c)
		done = i + 1
	}
	dst = append(dst, s[done:]...)
	return append(dst, '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// stringSize is the length of what appendString writes.
func stringSize(s string) int {
	size := len(s) + len(`""`)
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isPlain[c] {
			size += escapeSize(c) - 1
		}
	}
	return size
}

func escapeSize(c byte) int {
	switch c {
	case '"', '\\', '\b', '\f', '\n', '\r', '\t':
		return len(`\n`)
	}
	return len(`\u0000`)
}
