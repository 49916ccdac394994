package value

import "strings"

// Equal reports whether v and w are equal; see the function [Equal].
func (v Value) Equal(w Value) bool { return Equal(v, w) }

// pair is two arrays or two objects of one length that are being compared.
type pair struct {
	a, b []Value
}

// Equal reports whether two values are the same JSON: numbers by their exact value (1 equals 1.0, and no digit is lost
// beyond 2^53), arrays element by element, objects whatever the order they were written in. Absent equals only absent.
func Equal(a, b Value) bool {
	same, inside := equalOutside(a, b)
	if !same || len(inside.a) == 0 {
		return same
	}
	return inside.equal()
}

// equal compares what is inside, with a stack of its own: values may nest deeper than the goroutine's stack allows.
func (p pair) equal() bool {
	var room [8]pair
	open := append(room[:0], p)
	for {
		for len(open) > 0 && len(open[len(open)-1].a) == 0 {
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			return true
		}
		top := &open[len(open)-1]
		same, inside := equalOutside(top.a[0], top.b[0])
		if !same {
			return false
		}
		top.a, top.b = top.a[1:], top.b[1:]
		if len(inside.a) > 0 {
			open = append(open, inside)
		}
	}
}

// equalOutside compares all but what is inside arrays and objects, which it gives back if it is still to be compared.
func equalOutside(a, b Value) (same bool, inside pair) {
	switch x := a.ref.(type) {
	case nil:
		return b.ref == nil, pair{}
	case scalar:
		if y, ok := b.ref.(scalar); ok {
			return x == y && a.num == b.num, pair{}
		}
		return x == scalarInt && equalNumbers(a, b), pair{}
	case numberRef:
		return equalNumbers(a, b), pair{}
	case stringRef:
		s, _ := a.AsString()
		t, ok := b.AsString()
		return ok && s == t, pair{}
	case *array:
		y, ok := b.ref.(*array)
		if !ok || a.num != b.num {
			return false, pair{}
		}
		if x == y {
			return true, pair{}
		}
		return true, pair{x.buf[:a.num], y.buf[:b.num]}
	case objectRef:
		y, ok := b.ref.(objectRef)
		if !ok || a.num != b.num {
			return false, pair{}
		}
		if x == y {
			return true, pair{}
		}
		if !shapeOf(x).equal(shapeOf(y)) {
			return false, pair{}
		}
		return true, pair{valuesOf(x, a.num), valuesOf(y, b.num)}
	}
	return false, pair{}
}

func (s *Shape) equal(t *Shape) bool {
	if s == t {
		return true
	}
	if len(s.keys) != len(t.keys) {
		return false
	}
	for i, key := range s.keys {
		if key != t.keys[i] {
			return false
		}
	}
	return true
}

// equalNumbers compares two values of which the first is a number and at most one is held as an int64.
func equalNumbers(a, b Value) bool {
	if lit := b.literal(); lit != "" && lit == a.literal() {
		return true
	}
	if b.Kind() != KindNumber {
		return false
	}
	c, _ := Compare(a, b)
	return c == 0
}

// Compare orders two numbers by their exact value, or two strings by code points: negative if a is less than b, 0 if they
// are equal, positive if a is greater. Nothing else has an order: ok is false.
func Compare(a, b Value) (order int, ok bool) {
	if a.isInt() && b.isInt() {
		x, y := int64(a.num), int64(b.num)
		switch {
		case x < y:
			return -1, true
		case x > y:
			return 1, true
		}
		return 0, true
	}
	if s, isString := a.AsString(); isString {
		t, ok := b.AsString()
		if !ok {
			return 0, false
		}
		return strings.Compare(s, t), true // the byte order of UTF-8 is that of the code points
	}
	if a.Kind() != KindNumber || b.Kind() != KindNumber {
		return 0, false
	}
	var roomA, roomB intText
	return a.decimalOf(&roomA).compare(b.decimalOf(&roomB)), true
}
