package schema

import "fmt"

// whyDisjoint finds the keywords of the target that no value of the source satisfies.
func (p *prover) whyDisjoint(from claim, to *node) []Reason {
	e := newExplainer(p)
	e.never([]claim{from}, to, "", maxHops)
	if len(e.list) == 0 {
		e.add([]claim{from}, "", to.pointer, true, "never satisfies both")
	}
	return e.list
}

func (e *explainer) never(from []claim, to *node, path string, hops int) {
	if hops == 0 || !e.spend() {
		return
	}
	from, to = actualClaims(from), to.actual()
	refused := func(part *node) bool { return e.empty(append(from[:len(from):len(from)], positive(part))) }
	for _, part := range append([]*node{to.ref}, to.allOf...) {
		if part != nil && refused(part) {
			e.never(from, part, path, hops-1)
			return
		}
	}
	g := e.goal(from)
	types, wanted := sourceTypes(g), possible(to, maxHops)
	if types&wanted == 0 {
		e.add(from, path, to.pointer, true, fmt.Sprintf("is always %s; the target takes %s", types.either(), wanted.either()))
		return
	}
	if e.neverMember(g, from, to, path, hops) {
		return
	}
	values := func(n *node) bool { return n.enum != nil || !n.constant.IsAbsent() }
	switch {
	case values(to) && refused(&node{enum: to.enum, constant: to.constant}):
		e.add(from, path, to.pointer, true, "is never a value that the target lists")
	case g.enumeration() != nil:
		e.add(from, path, to.pointer, true, "is one of a few values, and the target takes none of them")
	case to.anyOf != nil || to.oneOf != nil:
		e.add(from, path, to.pointer, true, "satisfies none of the target's alternatives")
	default:
		e.add(from, path, to.pointer, true, "is always outside of what the target takes")
	}
}

// neverMember looks for a property that must be there and fits never.
func (e *explainer) neverMember(g *goal, from []claim, to *node, path string, hops int) bool {
	if g.types&^typeObject != 0 || to.object == nil {
		return false
	}
	m := e.membership(g)
	both := e.goal(append(from[:len(from):len(from)], positive(to)))
	of := e.membership(both)
	for _, name := range of.required {
		own := to.object.member(name)
		switch {
		case own != nil && own.required && m.barred(name):
			e.add(from, path, child(to.pointer, "required"), true, fmt.Sprintf("never has %q, which the target requires", name))
			return true
		case own != nil && own.schema != nil && e.empty(of.claims(name)):
			inner := m.claims(name)
			if len(inner) == 0 {
				continue
			}
			e.never(inner, own.schema, child(path, name), hops-1)
			return true
		case of.barred(name):
			e.add(from, path, child(to.pointer, "additionalProperties"), true, fmt.Sprintf("always has %q, which the target does not take", name))
			return true
		}
	}
	return false
}
