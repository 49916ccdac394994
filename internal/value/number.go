package value

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unsafe"
)

// ErrNumberRange says that a number has more digits or a greater exponent than the limits allow. See [Limits].
var ErrNumberRange = errors.New("number out of range")

// Uint gives a number.
func Uint(u uint64) Value {
	if u <= math.MaxInt64 {
		return Int(int64(u))
	}
	return literalValue(strconv.FormatUint(u, 10))
}

// Float gives the number with the fewest digits that reads back as f. It refuses NaN and the infinities.
func Float(f float64) (Value, error) { return shortest(f, 64) }

// shortest gives the number with the fewest digits that reads back as f in a float of that many bits.
func shortest(f float64, bits int) (Value, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Value{}, fmt.Errorf("found %v, expected a finite number", f)
	}
	var room [32]byte
	return readDecimal(viewString(strconv.AppendFloat(room[:0], f, 'e', -1, bits))).value()
}

// Number gives the number that the literal, in the grammar of JSON, stands for, and keeps the literal as it is written. A
// literal beyond [DefaultLimits] is refused with an error that wraps [ErrNumberRange].
func Number(literal string) (Value, error) {
	end, expected := scanNumber(literal, 0)
	if expected == "" && end < len(literal) {
		expected = "the end of the number"
	}
	if expected != "" {
		return Value{}, fmt.Errorf("%.40q is not a JSON number: found %s, expected %s", literal, describe(literal, end), expected)
	}
	v, err := readNumber(literal, &DefaultLimits)
	if err == nil && !v.isInt() {
		v = literalValue(strings.Clone(literal))
	}
	return v, err
}

// readNumber gives the value of a literal that follows the grammar. It does not copy the literal.
func readNumber(lit string, l *Limits) (Value, error) {
	if len(lit) > l.NumberLen {
		return Value{}, fmt.Errorf("found a number of %d characters, expected at most %d: %w", len(lit), l.NumberLen, ErrNumberRange)
	}
	if i, ok := readInt(lit); ok {
		return Int(i), nil
	}
	d := readDecimal(lit)
	if !d.inRange(l.Exponent) {
		return Value{}, fmt.Errorf("found the number %.40s, expected its first digit between 1e%+d and 1e%+d: %w", lit, -(l.Exponent + subnormal), l.Exponent, ErrNumberRange)
	}
	if n := d.canonicalLen(); n > l.NumberLen {
		return Value{}, fmt.Errorf("found a number of %d characters in canonical form, expected at most %d: %w", n, l.NumberLen, ErrNumberRange)
	}
	return literalValue(lit), nil
}

// subnormal is how much further than upward the exponent may go downward: as in float64, whose least number is 5e-324.
const subnormal = 16

func (d decimal) inRange(exponent int) bool {
	return d.isZero() || d.exp <= exponent && d.exp >= -(exponent+subnormal)
}

// readInt reads a literal that is exactly how an int64 is written.
func readInt(lit string) (int64, bool) {
	neg := lit[0] == '-'
	digits := lit
	if neg {
		digits = lit[1:]
	}
	if len(digits) > 19 || neg && digits == "0" {
		return 0, false
	}
	var size uint64
	for i := 0; i < len(digits); i++ {
		c := digits[i] - '0'
		if c > 9 {
			return 0, false
		}
		size = size*10 + uint64(c)
	}
	switch {
	case neg && size <= 1<<63:
		return -int64(size), true
	case !neg && size < 1<<63:
		return int64(size), true
	}
	return 0, false
}

// scanNumber follows the JSON grammar of numbers from s[i] on, which is a minus or a digit. It gives the end, or the place
// of the mistake and what was expected there.
func scanNumber(s string, i int) (end int, expected string) {
	if i < len(s) && s[i] == '-' {
		i++
	}
	switch {
	case !isDigit(s, i):
		return i, "a digit"
	case s[i] == '0' && isDigit(s, i+1):
		return i + 1, "no digit after a leading 0"
	}
	i = skipDigits(s, i)
	if i < len(s) && s[i] == '.' {
		if i++; !isDigit(s, i) {
			return i, "a digit after '.'"
		}
		i = skipDigits(s, i)
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !isDigit(s, i) {
			return i, "a digit in the exponent"
		}
		i = skipDigits(s, i)
	}
	return i, ""
}

func isDigit(s string, i int) bool { return i < len(s) && s[i]-'0' <= 9 }

func skipDigits(s string, i int) int {
	for isDigit(s, i) {
		i++
	}
	return i
}

// literal gives the literal of a number that is not held as an int64.
func (v Value) literal() string {
	if p, ok := v.ref.(numberRef); ok {
		return unsafe.String((*byte)(p), int(v.num))
	}
	return ""
}

// viewString reads bytes as a string without copying them; they must not change while it is in use.
func viewString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// AsInt gives v as an int64 if it is a number that is one exactly, however it is written: 1.0 and 1e3 too.
func (v Value) AsInt() (int64, bool) {
	if v.isInt() {
		return int64(v.num), true
	}
	if lit := v.literal(); lit != "" {
		return readDecimal(lit).asInt()
	}
	return 0, false
}

// IsInteger reports whether v is a number without a fraction: 1, 1.0 and 1e300 are, as JSON Schema 2020-12 section 6.1.1
// (type "integer") has it.
func (v Value) IsInteger() bool {
	if v.isInt() {
		return true
	}
	lit := v.literal()
	return lit != "" && readDecimal(lit).isInteger()
}

// AsFloat gives the float64 nearest to v; ok is false if v is not a number, or beyond the greatest float64.
func (v Value) AsFloat() (float64, bool) {
	if v.isInt() {
		return float64(int64(v.num)), true
	}
	if lit := v.literal(); lit != "" {
		f, err := strconv.ParseFloat(lit, 64)
		if err == nil {
			return f, true
		}
	}
	return 0, false
}

// NumberText gives a number's literal as it was written, and "" for another kind.
func (v Value) NumberText() string {
	if v.isInt() {
		return strconv.FormatInt(int64(v.num), 10)
	}
	return v.literal()
}
