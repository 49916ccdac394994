package value

import (
	"strconv"
	"strings"
)

// decimal is a number read for its value: ±d.ddd × 10^exp. The digits are those of whole followed by those of frac, both
// cut from the literal; the first and the last digit are not zero. Zero has no digits and no sign.
type decimal struct {
	neg         bool
	whole, frac string
	exp         int
}

// exponentCap is where a written exponent stops counting: far above any limit, far below overflow.
const exponentCap = 100_000_000

// readDecimal reads a literal that follows the JSON grammar.
func readDecimal(lit string) decimal {
	d := decimal{neg: lit[0] == '-'}
	if d.neg {
		lit = lit[1:]
	}
	exp := 0
	if e := strings.IndexAny(lit, "eE"); e >= 0 {
		exp = readExponent(lit[e+1:])
		lit = lit[:e]
	}
	d.whole, d.frac, _ = strings.Cut(lit, ".")
	d.whole = strings.TrimLeft(d.whole, "0")
	d.frac = strings.TrimRight(d.frac, "0")
	if d.whole != "" {
		d.exp = exp + len(d.whole) - 1
	} else {
		written := len(d.frac)
		d.frac = strings.TrimLeft(d.frac, "0")
		d.exp = exp - (written - len(d.frac)) - 1
	}
	if d.frac == "" {
		d.whole = strings.TrimRight(d.whole, "0")
	}
	if d.isZero() {
		return decimal{}
	}
	return d
}

// readExponent reads the signed digits after the letter e.
func readExponent(s string) int {
	neg := s[0] == '-'
	exp := 0
	for i := 0; i < len(s); i++ {
		if s[i] >= '0' && exp < exponentCap {
			exp = exp*10 + int(s[i]-'0')
		}
	}
	exp = min(exp, exponentCap)
	if neg {
		return -exp
	}
	return exp
}

// intText is room for the literal of an int64.
type intText [20]byte

// decimalOf reads a number. The room keeps an integer's digits off the heap.
func (v Value) decimalOf(room *intText) decimal {
	if v.isInt() {
		return readDecimal(viewString(strconv.AppendInt(room[:0], int64(v.num), 10)))
	}
	return readDecimal(v.literal())
}

func (d decimal) isZero() bool { return d.whole == "" && d.frac == "" }

// count is the number of digits.
func (d decimal) count() int { return len(d.whole) + len(d.frac) }

// digit gives the i-th digit as 0 to 9, and 0 beyond the last.
func (d decimal) digit(i int) byte {
	if i < len(d.whole) {
		return d.whole[i] - '0'
	}
	if i -= len(d.whole); i < len(d.frac) {
		return d.frac[i] - '0'
	}
	return 0
}

// compareSize compares without the signs.
func (d decimal) compareSize(e decimal) int {
	switch {
	case d.isZero() || e.isZero():
		return d.count() - e.count()
	case d.exp != e.exp:
		return d.exp - e.exp
	}
	for i := range max(d.count(), e.count()) {
		if c := int(d.digit(i)) - int(e.digit(i)); c != 0 {
			return c
		}
	}
	return 0
}

func (d decimal) compare(e decimal) int {
	switch {
	case d.neg && !e.neg:
		return -1
	case !d.neg && e.neg:
		return 1
	case d.neg:
		return e.compareSize(d)
	}
	return d.compareSize(e)
}

// isInteger reports whether the last digit stands before the point.
func (d decimal) isInteger() bool { return d.isZero() || d.exp >= d.count()-1 }

// asInt gives the number as an int64 if it is one exactly.
func (d decimal) asInt() (int64, bool) {
	if d.isZero() {
		return 0, true
	}
	if !d.isInteger() || d.exp > 18 {
		return 0, false
	}
	var size uint64 // 19 digits fit
	for i := range d.exp + 1 {
		size = size*10 + uint64(d.digit(i))
	}
	switch {
	case d.neg && size <= 1<<63:
		return -int64(size), true
	case !d.neg && size < 1<<63:
		return int64(size), true
	}
	return 0, false
}

// The canonical form of numbers is the form that ECMAScript gives to numbers (and RFC 8785 to JSON), with all digits
// instead of those of a float64: plain digits from 1e-7 up to below 1e21, otherwise d.ddde±x; no zero at the end of a
// fraction, no fraction of zeros, no minus before zero. It is exact, and equal numbers have the same.
const (
	plainAbove = -8 // exclusive exponents of the first digit
	plainBelow = 21
)

func (d decimal) appendCanonical(dst []byte) []byte {
	if d.isZero() {
		return append(dst, '0')
	}
	if d.neg {
		dst = append(dst, '-')
	}
	n := d.count()
	switch {
	case d.exp >= 0 && d.exp < plainBelow:
		dst = d.appendDigits(dst, 0, d.exp+1)
		if n > d.exp+1 {
			dst = append(dst, '.')
			dst = d.appendDigits(dst, d.exp+1, n)
		}
	case d.exp < 0 && d.exp > plainAbove:
		dst = append(dst, "0.000000"[:1-d.exp]...)
		dst = d.appendDigits(dst, 0, n)
	default:
		dst = d.appendDigits(dst, 0, 1)
		if n > 1 {
			dst = append(dst, '.')
			dst = d.appendDigits(dst, 1, n)
		}
		dst = append(dst, 'e')
		if d.exp > 0 {
			dst = append(dst, '+')
		}
		dst = strconv.AppendInt(dst, int64(d.exp), 10)
	}
	return dst
}

// canonicalLen is the length of what appendCanonical appends.
func (d decimal) canonicalLen() int {
	n := d.count()
	switch {
	case d.isZero():
		return 1
	case d.exp >= 0 && d.exp < plainBelow:
		if n > d.exp+1 {
			n += len(".")
		} else {
			n = d.exp + 1
		}
	case d.exp < 0 && d.exp > plainAbove:
		n += 1 - d.exp
	default:
		if n > 1 {
			n += len(".")
		}
		n += len("e+")
		for e := d.exp; e != 0; e /= 10 {
			n++
		}
	}
	if d.neg {
		n += len("-")
	}
	return n
}

func (d decimal) appendDigits(dst []byte, from, to int) []byte {
	for i := from; i < to; i++ {
		dst = append(dst, '0'+d.digit(i))
	}
	return dst
}
