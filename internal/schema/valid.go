package schema

import (
	"unicode/utf8"

	"lda.chat/wf/internal/value"
)

// startFuel is for one check: a schema applied to a value costs one unit. A recursive schema with two branches that both go
// down can cost 2^depth, so a check that uses it up gets, once, what its value's size can explain, and is given up after that.
const startFuel = 1 << 18

// accepts checks a value and gives up in time.
func (n *node) accepts(v value.Value) bool {
	left, ok := n.valid(v, startFuel)
	if left == 0 {
		_, ok = n.valid(v, moreFuel(v))
	}
	return ok
}

func moreFuel(v value.Value) int { return 1<<22 + 8*value.Size(v) }

// valid checks a value against the node, except for the keywords that only the library evaluates. It returns the fuel that is
// left and never allocates, unless uniqueItems meets a long array. When the fuel is gone it returns 0, false.
func (n *node) valid(v value.Value, fuel int) (int, bool) {
	if fuel--; fuel <= 0 {
		return 0, false
	}
	if n.truth != ordinary {
		return fuel, n.truth == always
	}
	if n.literals == nil {
		if fuel -= len(n.enum) / 16; fuel <= 0 {
			return 0, false
		}
	}
	if n.types != 0 && !n.types.admits(v) || !n.oneOfValues(v) {
		return fuel, false
	}
	ok := true
	switch v.Kind() {
	case value.KindNumber:
		ok = n.number == nil || n.number.valid(v)
	case value.KindString:
		if n.str != nil {
			s, _ := v.AsString()
			if fuel -= fuelOf(n.str.states, s); fuel <= 0 {
				return 0, false
			}
			ok = n.str.valid(s)
		}
	case value.KindArray:
		if n.array != nil {
			fuel, ok = n.array.valid(v, fuel)
		}
	case value.KindObject:
		if n.object != nil {
			fuel, ok = n.object.valid(v, fuel)
		}
	}
	if !ok {
		return fuel, false
	}
	if n.ref != nil {
		if fuel, ok = n.ref.valid(v, fuel); !ok {
			return fuel, false
		}
	}
	if n.allOf != nil || n.anyOf != nil || n.oneOf != nil || n.not != nil || n.cond != nil {
		return n.combined(v, fuel)
	}
	return fuel, true
}

func (n *node) oneOfValues(v value.Value) bool {
	if !n.constant.IsAbsent() && !value.Equal(v, n.constant) {
		return false
	}
	if n.enum == nil {
		return true
	}
	if n.literals != nil {
		s, ok := v.AsString()
		return ok && n.literals[s]
	}
	for _, e := range n.enum {
		if value.Equal(v, e) {
			return true
		}
	}
	return false
}

func (n *node) combined(v value.Value, fuel int) (int, bool) {
	ok := false
	for _, c := range n.allOf {
		if fuel, ok = c.valid(v, fuel); !ok {
			return fuel, false
		}
	}
	if n.anyOf != nil {
		ok = false
		for _, c := range n.anyOf {
			if fuel, ok = c.valid(v, fuel); ok || fuel == 0 {
				break
			}
		}
		if !ok {
			return fuel, false
		}
	}
	if n.oneOf != nil {
		matches := 0
		for _, c := range n.oneOf {
			if fuel, ok = c.valid(v, fuel); ok {
				matches++
			}
			if fuel == 0 || matches > 1 {
				return fuel, false
			}
		}
		if matches == 0 {
			return fuel, false
		}
	}
	if n.not != nil {
		if fuel, ok = n.not.valid(v, fuel); ok || fuel == 0 {
			return fuel, false
		}
	}
	if n.cond == nil {
		return fuel, true
	}
	next := n.cond.then
	if fuel, ok = n.cond.test.valid(v, fuel); !ok {
		next = n.cond.otherwise
	}
	if next == nil || fuel == 0 {
		return fuel, fuel > 0
	}
	return next.valid(v, fuel)
}

func (r *stringRules) valid(s string) bool {
	if r.min > 0 || r.max != unbounded {
		// A code point takes at most four bytes, so the bytes often settle it.
		if len(s) < r.min || len(s) > r.max || len(s) < r.min*4 {
			if n := utf8.RuneCountInString(s); n < r.min || n > r.max {
				return false
			}
		}
	}
	return r.pattern == nil || r.pattern.MatchString(s)
}
