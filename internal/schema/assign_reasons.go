package schema

// Reason is one place where a source does not surely fit a target.
type Reason struct {
	Path    string // where in the value: RFC 6901, with * for any member or element
	Source  string // JSON Pointer into the source's document: the schema of that place
	Target  string // JSON Pointer into the target's document: the keyword that is not met
	Message string // what the source gives and the target asks for
	Clash   bool   // the source allows what the target refuses; otherwise it just does not say enough
}

func (r Reason) String() string {
	if r.Path == "" {
		return "the value " + r.Message
	}
	return r.Path + " " + r.Message
}

// mostReasons bounds the list.
const mostReasons = 20

// explainer looks for the keywords of a target that a source may break.
type explainer struct {
	*prover
	list []Reason
}

func (p *prover) whyNot(from claim, to *node, exhausted bool) (Verdict, []Reason) {
	e := &explainer{prover: p}
	if !exhausted {
		e.schema([]claim{from}, to, "", maxHops)
	}
	verdict := Undecided
	for _, r := range e.list {
		if r.Clash {
			verdict = Maybe
		}
	}
	if len(e.list) == 0 {
		e.list = []Reason{{Source: from.n.pointer, Target: to.pointer, Message: "may or may not satisfy the target: the two schemas are too much to compare"}}
	}
	return verdict, e.list
}

func (e *explainer) add(from []claim, path, target string, clash bool, message string) {
	r := Reason{Path: path, Target: target, Message: message, Clash: clash}
	for _, c := range from {
		if !c.n.merged && c.n.home != nil {
			r.Source = c.n.pointer
			break
		}
	}
	for _, have := range e.list {
		if have == r {
			return
		}
	}
	if len(e.list) < mostReasons {
		e.list = append(e.list, r)
	}
}

// schema adds a reason for every keyword of the target that is not shown to hold for what satisfies the claims.
func (e *explainer) schema(from []claim, to *node, path string, hops int) {
	if to.truth != ordinary {
		if to.truth == never && !e.empty(from) {
			e.add(from, path, to.pointer, true, "is refused, whatever it is")
		}
		return
	}
	for _, a := range e.negation(to) {
		if len(e.list) >= mostReasons || e.steps < 0 {
			return
		}
		g := e.goal(from)
		if g.impossible || !g.open(&a) || e.refute(e.with(g, &a)) {
			continue
		}
		before := len(e.list)
		if hops > 0 {
			e.deeper(g, from, to, &a, path, hops-1)
		}
		if len(e.list) == before {
			e.keyword(g, from, to, &a, path)
		}
	}
}

// deeper explains by the parts of the value, or of the target, that the keyword is about.
func (e *explainer) deeper(g *goal, from []claim, to *node, a *alternative, path string, hops int) {
	if len(a.atoms) == 0 {
		switch a.keyword {
		case "$ref", "allOf":
			e.schema(from, a.claims[0].n, path, hops)
		case "anyOf":
			if branch := e.nearest(from, a.claims); branch != nil {
				e.schema(from, branch, path, hops)
			}
		}
		return
	}
	at := &a.atoms[0]
	if !at.claim.not || len(a.atoms) > 1 {
		return
	}
	switch at.kind {
	case hasMember:
		m := e.membership(g)
		if inner := m.claims(at.name); len(inner) > 0 && at.claim.n.truth == ordinary {
			e.schema(inner, at.claim.n, child(path, at.name), hops)
		}
	case hasElement:
		of := g.elements()
		if inner := of.claims(at.low); len(inner) > 0 && at.claim.n.truth == ordinary {
			step := "*"
			if at.low == at.high {
				step = itoa(at.low)
			}
			e.schema(inner, at.claim.n, child(path, step), hops)
		}
	case hasOther, hasMatching:
		m := e.membership(g)
		for _, name := range m.names() {
			if inner := m.claims(name); len(inner) > 0 && at.concerns(name) && !m.barred(name) && at.claim.n.truth == ordinary {
				e.schema(inner, at.claim.n, child(path, name), hops)
			}
		}
		if inner := m.unnamed(); len(inner) > 0 && at.claim.n.truth == ordinary && !m.closed() {
			e.schema(inner, at.claim.n, child(path, "*"), hops)
		}
	}
}

// unnamed is what surely holds for members that nothing names.
func (m *membership) unnamed() []claim {
	var list []claim
	for i, r := range m.rules {
		if n := m.rest[i]; n != nil && n.truth == ordinary && len(r.patterns) == 0 {
			list = append(list, positive(n))
		}
	}
	return list
}

// nearest is the alternative of an anyOf that alone can accept what the claims allow; nil if several or none can.
func (e *explainer) nearest(from, none []claim) *node {
	var only *node
	for _, c := range none {
		if e.empty(append(from[:len(from):len(from)], positive(c.n))) {
			continue
		}
		if only != nil {
			return nil
		}
		only = c.n
	}
	return only
}
