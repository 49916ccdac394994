package schema

import "slices"

// alternative is one of several ways for a claim to hold.
type alternative struct {
	types   typeSet // of the value; 0 stands for any
	claims  []claim
	atoms   []atom
	keyword string // that it comes from, where it denies a schema
	name    string // the keyword's property, if it has any
}

// open reports whether the types leave room for an alternative.
func (g *goal) open(a *alternative) bool {
	types := g.types
	if a.types != 0 {
		types &= a.types
	}
	for _, c := range a.claims {
		if !c.not && c.n.types != 0 {
			types &= c.n.types
		}
	}
	return types != 0
}

// choose takes the split with the fewest open alternatives out of the goal; nil if there is none.
func (g *goal) choose() []alternative {
	best, fewest := -1, 0
	for i, list := range g.splits {
		open := 0
		for j := range list {
			if g.open(&list[j]) {
				open++
			}
		}
		if best < 0 || open < fewest {
			best, fewest = i, open
		}
	}
	if best < 0 {
		return nil
	}
	list := g.splits[best]
	g.splits = slices.Delete(slices.Clone(g.splits), best, best+1)
	return list
}

// mostBranches bounds where the exclusion of the other branches of a oneOf is followed up.
const mostBranches = 8

func positive(n *node) claim { return claim{n: n} }
func negative(n *node) claim { return claim{n: n, not: true} }

// splitPositive notes the alternatives that a schema, claimed to hold, leaves.
func (p *prover) splitPositive(g *goal, n *node) {
	if n.anyOf != nil {
		list := make([]alternative, len(n.anyOf))
		for i, c := range n.anyOf {
			list[i].claims = []claim{positive(c)}
		}
		p.split(g, list)
	}
	if n.oneOf != nil {
		p.split(g, exactlyOne(n.oneOf))
	}
	if c := n.cond; c != nil {
		yes, no := alternative{claims: []claim{positive(c.test)}}, alternative{claims: []claim{negative(c.test)}}
		if c.then != nil {
			yes.claims = append(yes.claims, positive(c.then))
		}
		if c.otherwise != nil {
			no.claims = append(no.claims, positive(c.otherwise))
		}
		p.split(g, []alternative{yes, no})
	}
	if n.object == nil {
		return
	}
	for _, d := range n.object.dependents {
		list := []alternative{{types: everyType &^ typeObject}, {atoms: []atom{{kind: isMissing, name: d.name}}}}
		if d.schema != nil {
			list = append(list, alternative{claims: []claim{positive(d.schema)}})
		} else {
			var has []atom
			for _, name := range d.required {
				has = append(has, atom{kind: isPresent, name: name})
			}
			list = append(list, alternative{atoms: has})
		}
		p.split(g, list)
	}
}

func exactlyOne(branches []*node) []alternative {
	list := make([]alternative, len(branches))
	for i, c := range branches {
		list[i].claims = []claim{positive(c)}
		if len(branches) > mostBranches {
			continue
		}
		for j, other := range branches {
			if j != i {
				list[i].claims = append(list[i].claims, negative(other))
			}
		}
	}
	return list
}

// notExactlyOne: none of the branches, or two of them.
func notExactlyOne(branches []*node) []alternative {
	list := []alternative{{keyword: "oneOf"}}
	for _, c := range branches {
		list[0].claims = append(list[0].claims, negative(c))
	}
	if len(branches) > mostBranches {
		return append(list, alternative{keyword: "oneOf"})
	}
	for i, a := range branches {
		for _, b := range branches[:i] {
			list = append(list, alternative{keyword: "oneOf", claims: []claim{positive(a), positive(b)}})
		}
	}
	return list
}
