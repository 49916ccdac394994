package value

import "fmt"

// Add gives the exact sum of two numbers, in canonical form. It refuses what is not a number, and a sum beyond the default
// limits of numbers with an error that wraps [ErrNumberRange].
func Add(a, b Value) (Value, error) {
	if a.isInt() && b.isInt() {
		x, y := int64(a.num), int64(b.num)
		if sum := x + y; (sum > x) == (y > 0) {
			return Int(sum), nil
		}
	}
	for _, v := range [...]Value{a, b} {
		if v.Kind() != KindNumber {
			return Value{}, fmt.Errorf("found %s, expected a number to add", v.Kind().phrase())
		}
	}
	var roomA, roomB intText
	return a.decimalOf(&roomA).add(b.decimalOf(&roomB))
}

// add adds digit by digit on a strip that reaches from the highest digit of both to the lowest.
func (d decimal) add(e decimal) (Value, error) {
	if d.compareSize(e) < 0 {
		d, e = e, d
	}
	if e.isZero() {
		return d.value()
	}
	low := min(d.exp-d.count(), e.exp-e.count()) + 1
	width := d.exp - low + 1
	if width > DefaultLimits.NumberLen {
		return Value{}, fmt.Errorf("the sum has %d digits, at most %d are allowed: %w", width, DefaultLimits.NumberLen, ErrNumberRange)
	}
	strip := make([]byte, width+1) // the first is for the carry
	carry := 0
	for i := width; i >= 1; i-- {
		// Column i of the strip has the exponent d.exp+1-i.
		x, y := int(d.digit(i-1)), 0
		if j := e.exp - d.exp + i - 1; j >= 0 {
			y = int(e.digit(j))
		}
		if d.neg != e.neg {
			y = -y
		}
		sum := x + y + carry
		carry = 0
		switch {
		case sum > 9:
			sum, carry = sum-10, 1
		case sum < 0:
			sum, carry = sum+10, -1
		}
		strip[i] = '0' + byte(sum)
	}
	strip[0] = '0' + byte(carry) // d is the greater one, so nothing is left to borrow
	return fromDigits(d.neg, viewString(strip), d.exp+1).value()
}

// fromDigits gives the decimal of the digits, the first of which has the exponent exp.
func fromDigits(neg bool, digits string, exp int) decimal {
	first, last := 0, len(digits)
	for first < last && digits[first] == '0' {
		first++
	}
	if first == last {
		return decimal{}
	}
	for digits[last-1] == '0' {
		last--
	}
	return decimal{neg: neg, whole: digits[first:last], exp: exp - first}
}

// value gives the number in canonical form.
func (d decimal) value() (Value, error) {
	if i, ok := d.asInt(); ok {
		return Int(i), nil
	}
	if !d.inRange(DefaultLimits.Exponent) {
		return Value{}, fmt.Errorf("the result is as large or small as 1e%+d: %w", d.exp, ErrNumberRange)
	}
	n := d.canonicalLen()
	if n > DefaultLimits.NumberLen {
		return Value{}, fmt.Errorf("the result takes %d characters, at most %d are allowed: %w", n, DefaultLimits.NumberLen, ErrNumberRange)
	}
	return literalValue(viewString(d.appendCanonical(make([]byte, 0, n)))), nil
}
