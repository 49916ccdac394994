package schema

import "lda.chat/wf/internal/value"

// Presence says whether a valid value has something at a path.
type Presence uint8

const (
	Unknown  Presence = iota // the schema does not say
	Always                   // every valid value has it
	Possible                 // it is described, and can be missing
	Never                    // no valid value has it
)

func (p Presence) String() string {
	return [...]string{"unknown", "always", "possible", "never"}[p&3]
}

// Lookup finds the schema of what stands at a path in valid values, and whether something does. The schema is nil if the
// presence is Never, or if nothing is said about the place. Properties, patternProperties, additionalProperties, items,
// prefixItems, $ref, allOf, anyOf and oneOf are followed. Conditions and what is left unevaluated are not: they can only narrow
// the answer. What several schemas say together is one schema, made of them by allOf or anyOf, that can be asked like any other.
//
// The work is bounded whatever the schema: at its end the presence is Unknown.
func (s *Schema) Lookup(p value.Path) (*Schema, Presence) {
	n, presence, l := s.node, Always, &looker{steps: lookupSteps}
	for i, part := range p {
		next, here := l.inside(n, part, everyType)
		switch {
		case here == Never:
			return nil, Never
		case here == Unknown || presence == Unknown:
			presence = Unknown
		case here == Possible:
			presence = Possible
		}
		if next == nil {
			if i < len(p)-1 {
				presence = Unknown
			}
			return nil, presence
		}
		n = next
	}
	return s.doc.schema(n), presence
}

// lookupSteps bound how many schemas one look-up visits.
const lookupSteps = 50_000

type looker struct{ steps int }

// inside is one step down, in values of the given types. The node is nil if nothing is known about the part.
func (l *looker) inside(n *node, part value.Part, given typeSet) (*node, Presence) {
	container := typeObject
	if part.IsIndex {
		container = typeArray
	}
	all := conjuncts(n)
	if l.steps -= len(all); l.steps < 0 {
		return nil, Unknown
	}
	types := possible(n, maxHops) & given
	if types&container == 0 {
		return nil, Never
	}
	parts, surely := []*node(nil), false
	for _, c := range all {
		own, p := partOf(c, part)
		if p == Never {
			return nil, Never
		}
		parts, surely = append(parts, own...), surely || p == Always
		for _, branches := range [][]*node{c.anyOf, c.oneOf} {
			if branches == nil {
				continue
			}
			own, p := l.either(branches, part, types)
			if p == Never {
				return nil, Never
			}
			if own != nil {
				parts = append(parts, own)
			}
			surely = surely || p == Always
		}
	}
	if len(parts) == 0 {
		if surely && types == container {
			return nil, Always
		}
		return nil, Unknown
	}
	if surely && types == container {
		return conjunction(parts), Always
	}
	return conjunction(parts), Possible
}

// either is what the alternatives say: those that cannot have the part drop out, and where one is silent nothing is known.
func (l *looker) either(branches []*node, part value.Part, given typeSet) (*node, Presence) {
	var nodes []*node
	surely, silent, can := true, false, false
	for _, b := range branches {
		n, p := l.inside(b, part, given)
		if p == Never {
			// A branch of the wrong type drops out, but its values are there all the same, without the part.
			surely = false
			continue
		}
		can = true
		surely = surely && p == Always
		if n == nil {
			silent = true
			continue
		}
		nodes = append(nodes, n)
	}
	switch {
	case !can:
		return nil, Never
	case silent && surely:
		return nil, Always
	case silent:
		return nil, Unknown
	case surely:
		return union(nodes), Always
	}
	return union(nodes), Possible
}

// partOf is what the node itself says, not what it refers to.
func partOf(n *node, part value.Part) ([]*node, Presence) {
	if n.truth == never {
		return nil, Never
	}
	if part.IsIndex {
		if n.array == nil {
			return nil, Unknown
		}
		return n.array.element(part.Index)
	}
	if n.object == nil {
		return nil, Unknown
	}
	return n.object.property(part.Key)
}

func (r *arrayRules) element(i int) ([]*node, Presence) {
	if i < 0 || i >= r.max {
		return nil, Never
	}
	n := r.items
	if i < len(r.prefix) {
		n = r.prefix[i]
	}
	presence := Possible
	if i < r.min {
		presence = Always
	}
	switch {
	case n == nil:
		return nil, presence
	case n.truth == never:
		return nil, Never
	}
	return []*node{n}, presence
}

func (r *objectRules) property(name string) ([]*node, Presence) {
	presence := Possible
	var nodes []*node
	if m := r.member(name); m != nil {
		if m.required {
			presence = Always
		}
		if m.schema != nil {
			nodes = append(nodes, m.schema)
		}
	}
	for _, p := range r.patterns {
		if p.re.MatchString(name) {
			nodes = append(nodes, p.schema)
		}
	}
	if len(nodes) == 0 && r.additional != nil {
		nodes = append(nodes, r.additional)
	}
	for _, n := range nodes {
		if n.truth == never {
			return nil, Never
		}
	}
	return nodes, presence
}
