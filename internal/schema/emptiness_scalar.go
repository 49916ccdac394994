package schema

import "lda.chat/wf/internal/value"

// enumeration is a list of values of which the goal's value must be one; nil if nothing says so.
func (g *goal) enumeration() []value.Value {
	var shortest []value.Value
	for _, c := range g.claims {
		switch {
		case c.not:
		case !c.n.constant.IsAbsent():
			return []value.Value{c.n.constant}
		case c.n.enum != nil && (shortest == nil || len(c.n.enum) < len(shortest)):
			shortest = c.n.enum
		}
	}
	return shortest
}

// candidateFuel is for checking one value against one claim.
const candidateFuel = 2_000

// allRefused reports whether each of the values breaks some claim.
func (p *prover) allRefused(g *goal, values []value.Value) bool {
	for _, v := range values {
		if !p.refused(g, v) {
			return false
		}
	}
	return true
}

func (p *prover) refused(g *goal, v value.Value) bool {
	if g.types&typeOf(v) == 0 {
		return true
	}
	for _, c := range g.claims {
		if !p.spend() {
			return false
		}
		left, ok := c.n.valid(v, candidateFuel)
		p.charge(2*(candidateFuel-left) + value.Size(v)/4)
		if left == 0 || c.n.engine || c.not && c.n.unchecked {
			continue // not known for sure
		}
		if ok == c.not {
			return true
		}
	}
	return false
}

// noSimple is for null and the booleans.
func (p *prover) noSimple(g *goal, t typeSet) bool {
	if t == typeNull {
		return p.refused(g, value.Null)
	}
	return p.refused(g, value.True) && p.refused(g, value.False)
}

// span is what is left between bounds on numbers.
type span struct {
	low, high             value.Value // absent: unlimited
	lowStrict, highStrict bool
}

func (s *span) narrow(r *numberRules) {
	s.raise(r.min, false)
	s.raise(r.above, true)
	s.lower(r.max, false)
	s.lower(r.below, true)
}

func (s *span) raise(b bound, strict bool) {
	if !b.set() {
		return
	}
	if c, _ := value.Compare(b.exact, s.low); s.low.IsAbsent() || c > 0 || c == 0 && strict {
		s.low, s.lowStrict = b.exact, strict
	}
}

func (s *span) lower(b bound, strict bool) {
	if !b.set() {
		return
	}
	if c, _ := value.Compare(b.exact, s.high); s.high.IsAbsent() || c < 0 || c == 0 && strict {
		s.high, s.highStrict = b.exact, strict
	}
}

// fewIntegers is how many integers are tried one by one.
const fewIntegers = 16

// integers lists the integers within, if they are few; ok is false if they are not, or cannot be told.
func (s *span) integers() (list []value.Value, ok bool) {
	low, okLow := s.low.AsInt()
	high, okHigh := s.high.AsInt()
	if !okLow || !okHigh || high < low || uint64(high)-uint64(low) > fewIntegers {
		return nil, false
	}
	for n := low; ; n++ {
		if !(s.lowStrict && n == low || s.highStrict && n == high) {
			list = append(list, value.Int(n))
		}
		if n == high {
			return list, true
		}
	}
}

func (p *prover) noNumber(g *goal, integer bool) bool {
	var s span
	var multiples, denied []value.Value
	for _, c := range g.claims {
		if r := c.n.number; r != nil && !c.not {
			s.narrow(r)
			if !r.multipleOf.IsAbsent() {
				multiples = append(multiples, r.multipleOf)
			}
		}
	}
	for i := range g.atoms {
		switch a := &g.atoms[i]; a.kind {
		case isNumber:
			s.narrow(a.number)
		case isNoMultiple:
			denied = append(denied, a.denied)
		}
	}
	if !s.low.IsAbsent() && !s.high.IsAbsent() {
		c, _ := value.Compare(s.low, s.high)
		if c > 0 || c == 0 && (s.lowStrict || s.highStrict || isInteger(s.low) != integer) {
			return true
		}
		if c == 0 {
			return p.refused(g, s.low)
		}
	}
	if integer {
		multiples = append(multiples, value.Int(1))
	}
	for _, m := range multiples {
		if !integer && isInteger(m) {
			return true
		}
		for _, d := range denied {
			if isMultiple(m, d) {
				return true
			}
		}
	}
	if !integer {
		return false
	}
	list, ok := s.integers()
	return ok && p.allRefused(g, list)
}

// everywhere are patterns that match every string.
var everywhere = map[string]bool{"": true, ".*": true, "^": true, "$": true, "^.*": true, ".*$": true}

func (p *prover) noString(g *goal) bool {
	low, high := 0, unbounded
	for _, c := range g.claims {
		if r := c.n.str; r != nil && !c.not {
			low, high = max(low, r.min), min(high, r.max)
		}
	}
	for i := range g.atoms {
		switch a := &g.atoms[i]; a.kind {
		case isLong:
			low, high = max(low, a.low), min(high, a.high)
		case isUnlike:
			if everywhere[a.text.source] || g.matches(a.text.source) {
				return true
			}
		}
	}
	return low > high || high == 0 && p.refused(g, value.String(""))
}

// matches reports whether the goal's strings surely match a pattern.
func (g *goal) matches(source string) bool {
	for _, c := range g.claims {
		if r := c.n.str; r != nil && !c.not && r.pattern != nil && r.pattern.String() == source {
			return true
		}
	}
	return false
}
