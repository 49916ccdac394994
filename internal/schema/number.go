package schema

import (
	"math/big"

	"lda.chat/wf/internal/value"
)

// bound is a limit on numbers, exact; the zero bound limits nothing.
type bound struct {
	exact value.Value
	small int64 // the same, where it is an int64
	fits  bool
}

func newBound(v value.Value) bound {
	n, ok := v.AsInt()
	return bound{exact: v, small: n, fits: ok}
}

func (b *bound) set() bool { return !b.exact.IsAbsent() }

// compare orders a number against the bound.
func (b *bound) compare(v value.Value) int {
	if b.fits {
		if n, ok := v.AsInt(); ok {
			switch {
			case n < b.small:
				return -1
			case n > b.small:
				return 1
			}
			return 0
		}
	}
	c, _ := value.Compare(v, b.exact)
	return c
}

func (r *numberRules) valid(v value.Value) bool {
	return (!r.min.set() || r.min.compare(v) >= 0) &&
		(!r.max.set() || r.max.compare(v) <= 0) &&
		(!r.above.set() || r.above.compare(v) > 0) &&
		(!r.below.set() || r.below.compare(v) < 0) &&
		(r.multipleOf.IsAbsent() || isMultiple(v, r.multipleOf))
}

// isInteger tells whether a number has no fraction, however it is written: 1.0 and 1e3 are integers.
func isInteger(v value.Value) bool {
	if _, ok := v.AsInt(); ok {
		return true
	}
	return wholeLiteral(v.NumberText())
}

// wholeLiteral decides on the digits, for numbers beyond int64.
func wholeLiteral(text string) bool {
	exponent, digits := 0, text
	for i := 0; i < len(text); i++ {
		if c := text[i]; c == 'e' || c == 'E' {
			digits = text[:i]
			exponent = smallInt(text[i+1:])
			break
		}
	}
	// Count the trailing zeros of all digits, and the digits after the point.
	zeros, fraction, point, nonzero := 0, 0, false, false
	for i := 0; i < len(digits); i++ {
		switch c := digits[i]; {
		case c == '.':
			point = true
			continue
		case c == '0':
			zeros++
		case c >= '1' && c <= '9':
			zeros, nonzero = 0, true
		default:
			continue
		}
		if point {
			fraction++
		}
	}
	return !nonzero || fraction-zeros <= exponent
}

// smallInt reads an exponent; the limits on numbers keep it small.
func smallInt(s string) int {
	n, sign := 0, 1
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '-':
			sign = -1
		case c >= '0' && c <= '9' && n < 1<<20:
			n = n*10 + int(c-'0')
		}
	}
	return sign * n
}

// isMultiple decides exactly: 0.3 is a multiple of 0.1.
func isMultiple(v, of value.Value) bool {
	if a, ok := v.AsInt(); ok {
		if b, ok := of.AsInt(); ok {
			return a%b == 0
		}
	}
	x, ok := new(big.Rat).SetString(v.NumberText())
	y, ok2 := new(big.Rat).SetString(of.NumberText())
	return ok && ok2 && x.Quo(x, y).IsInt()
}
