package value

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

const hexDigits = "0123456789abcdef"

// isPlain tells the bytes that stand for themselves in a JSON string.
func isPlain(c byte) bool { return c >= ' ' && c != '"' && c != '\\' }

// plainUntil gives the first place from i on that holds a quote, a backslash or a control character, or the end. It looks at
// eight bytes at a time.
func plainUntil(s string, i int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	bytes := unsafe.Slice(unsafe.StringData(s), len(s))
	for ; i+8 <= len(bytes); i += 8 {
		w := binary.LittleEndian.Uint64(bytes[i:])
		quote, backslash := w^('"'*ones), w^('\\'*ones)
		// The top bit of a byte is set where a subtraction borrows from it. A borrow may spill into the bytes above the
		// first hit, never below it.
		hits := ((w-' '*ones)&^w | (quote-ones)&^quote | (backslash-ones)&^backslash) & tops
		if hits != 0 {
			return i + bits.TrailingZeros64(hits)/8
		}
	}
	for i < len(bytes) && isPlain(bytes[i]) {
		i++
	}
	return i
}

// appendString writes a string with its quotes.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; ; i++ {
		end := plainUntil(s, i)
		dst = append(dst, s[i:end]...)
		if end == len(s) {
			return append(dst, '"')
		}
		dst = appendEscape(dst, s[end])
		i = end
	}
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
	for i := plainUntil(s, 0); i < len(s); i = plainUntil(s, i+1) {
		size += escapeSize(s[i]) - 1
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
