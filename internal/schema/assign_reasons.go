package schema

import (
	"slices"
	"strings"
)

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
	seen map[string]bool // what is explained already, by question
}

func newExplainer(p *prover) *explainer { return &explainer{prover: p, seen: map[string]bool{}} }

func (p *prover) whyNot(from claim, to *node, exhausted bool) (Verdict, []Reason) {
	e := newExplainer(p)
	if !exhausted {
		e.schema([]claim{from}, to, "", maxHops)
	}
	verdict := Undecided
	for _, r := range e.list {
		if r.Clash {
			verdict = Maybe
		}
	}
	slices.SortStableFunc(e.list, func(a, b Reason) int { return strings.Count(a.Path, "/") - strings.Count(b.Path, "/") })
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

// schema adds a reason for every keyword of the target that is not shown to hold for what satisfies the claims. It reports
// whether that explains it, now or before: a recursive schema says the same again, further down.
func (e *explainer) schema(from []claim, to *node, path string, hops int) (explained bool) {
	from, to = actualClaims(from), to.actual()
	if to.truth != ordinary {
		if explained = to.truth == never && !e.empty(from); explained {
			e.add(from, path, to.pointer, true, "is refused, whatever it is")
		}
		return explained
	}
	question := string(e.key(nil, append(from[:len(from):len(from)], negative(to))))
	if e.seen[question] {
		return true
	}
	e.seen[question] = true
	for _, a := range e.negation(to) {
		if len(e.list) >= mostReasons || e.steps < 0 {
			break
		}
		g := e.goal(from)
		if g.impossible || !g.open(&a) || e.refute(e.with(g, &a)) {
			continue
		}
		explained = true
		if hops == 0 || !e.deeper(g, from, &a, path, hops-1) {
			e.keyword(g, from, to, &a, path)
		}
	}
	return explained
}

// actualClaims has the schemas that references lead to, where a reference is all there is.
func actualClaims(claims []claim) []claim {
	list := slices.Clone(claims)
	for i := range list {
		list[i].n = list[i].n.actual()
	}
	return list
}

// deeper explains by the parts of the value, or of the target, that the keyword is about; it reports whether it can.
func (e *explainer) deeper(g *goal, from []claim, a *alternative, path string, hops int) (explained bool) {
	if len(a.atoms) == 0 {
		switch a.keyword {
		case "$ref", "allOf":
			return e.schema(from, a.claims[0].n, path, hops)
		case "anyOf":
			branch := e.nearest(from, a.claims)
			return branch != nil && e.schema(from, branch, path, hops)
		}
		return false
	}
	at := &a.atoms[0]
	if !at.claim.not || len(a.atoms) > 1 || at.claim.n.truth != ordinary {
		return false
	}
	part := func(inner []claim, step string) {
		if len(inner) > 0 && e.schema(inner, at.claim.n, child(path, step), hops) {
			explained = true
		}
	}
	switch at.kind {
	case hasMember:
		m := e.membership(g)
		part(m.claims(at.name), at.name)
	case hasElement:
		of := g.elements()
		if at.low == at.high {
			part(of.claims(at.low), itoa(at.low))
			break
		}
		for i := at.low; i < min(of.distinct, of.high) && e.spend(); i++ {
			part(of.claims(i), itoa(i))
		}
		if rest := max(at.low, of.distinct); rest < of.high {
			part(of.claims(rest), "*")
		}
	case hasOther, hasMatching:
		m := e.membership(g)
		for _, name := range m.names() {
			if e.spend() && at.concerns(name) && !m.barred(name) {
				part(m.claims(name), name)
			}
		}
		if !m.closed() {
			part(m.unnamed(), "*")
		}
	}
	return explained
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
