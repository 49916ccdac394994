package schema

// elements is what a goal says of an array.
type elements struct {
	rules     []*arrayRules
	every     []claim // that all elements satisfy
	low, high int     // how many there are
	distinct  int     // the positions before this one can differ in their schemas; from it on all are alike
}

func (g *goal) elements() elements {
	e := elements{high: unbounded}
	for _, c := range g.claims {
		r := c.n.array
		if r == nil || c.not {
			continue
		}
		e.rules = append(e.rules, r)
		e.low, e.high = max(e.low, r.min), min(e.high, r.max)
		if r.contains != nil {
			e.low = max(e.low, r.minContains)
		}
		e.distinct = max(e.distinct, len(r.prefix))
	}
	for i := range g.atoms {
		switch a := &g.atoms[i]; a.kind {
		case isSized:
			e.low, e.high = max(e.low, a.low), min(e.high, a.high)
		case hasElement:
			e.low = max(e.low, a.low+1)
			e.distinct = max(e.distinct, a.low)
		case hasOnly:
			e.every = append(e.every, a.claim)
		}
	}
	// An element that cannot be ends the array.
	for i := range min(e.distinct+1, e.high) {
		if e.barred(i) {
			e.high = i
			break
		}
	}
	return e
}

// barred reports whether some schema allows nothing at a position.
func (e *elements) barred(i int) bool {
	for _, r := range e.rules {
		if n := r.at(i); n != nil && n.truth == never {
			return true
		}
	}
	return false
}

// at is the schema of a position, nil if there is none.
func (r *arrayRules) at(i int) *node {
	if i < len(r.prefix) {
		return r.prefix[i]
	}
	return r.items
}

// claims is what holds for the element at a position, and more.
func (e *elements) claims(i int, more ...claim) []claim {
	list := make([]claim, 0, len(e.rules)+len(e.every)+len(more))
	for _, r := range e.rules {
		if n := r.at(i); n != nil && n.truth != always {
			list = append(list, positive(n))
		}
	}
	return append(append(list, e.every...), more...)
}

func (p *prover) noArray(g *goal) bool {
	e := g.elements()
	if e.low > e.high {
		return true
	}
	for i := range min(e.low, e.distinct+1) {
		if c := e.claims(i); (len(c) > 1 || len(c) == 1 && c[0].not) && p.empty(c) {
			return true
		}
	}
	for i := range g.atoms {
		switch a := &g.atoms[i]; a.kind {
		case isRepeating:
			if e.high < 2 || e.unique() {
				return true
			}
		case hasElement:
			if p.noElement(&e, a.low, a.high, a.claim) {
				return true
			}
		}
	}
	for _, r := range e.rules {
		if r.contains != nil && r.minContains > 0 && p.noElement(&e, 0, unbounded, positive(r.contains)) {
			return true
		}
	}
	return false
}

func (e *elements) unique() bool {
	for _, r := range e.rules {
		if r.unique {
			return true
		}
	}
	return false
}

// noElement reports whether no element from one position to another can satisfy a claim.
func (p *prover) noElement(e *elements, from, to int, c claim) bool {
	last := min(max(from, e.distinct), to, e.high-1)
	for i := from; i <= last; i++ {
		if !p.empty(e.claims(i, c)) {
			return false
		}
	}
	return true
}
