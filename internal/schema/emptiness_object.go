package schema

import (
	"slices"

	"lda.chat/wf/internal/value"
)

// membership is what a goal says of an object.
type membership struct {
	prover    *prover
	rules     []*objectRules
	rest      []*node // by rule: what applies to the members it does not describe, nil if nothing
	atoms     []atom
	required  []string // sorted
	missing   []string
	low, high int // how many members there are
	patterns  int // of all rules: how much it takes to match a name against them
}

func (p *prover) membership(g *goal) membership {
	m := membership{prover: p, high: unbounded, atoms: g.atoms}
	for _, c := range g.claims {
		r := c.n.object
		if c.not || r == nil && c.n.unevaluatedProperties == nil {
			continue
		}
		if r == nil {
			r = &objectRules{max: unbounded}
		}
		m.rules = append(m.rules, r)
		m.rest = append(m.rest, c.n.remaining())
		m.low, m.high = max(m.low, r.min), min(m.high, r.max)
		for i := range r.patterns {
			m.patterns += 4 + r.patterns[i].states/16
		}
		p.charge(len(r.members))
		for i := range r.members {
			if r.members[i].required {
				m.required = append(m.required, r.members[i].name)
			}
		}
	}
	for i := range g.atoms {
		switch a := &g.atoms[i]; a.kind {
		case isPresent, hasMember:
			m.required = append(m.required, a.name)
		case isMissing:
			m.missing = append(m.missing, a.name)
		case isCounted:
			m.low, m.high = max(m.low, a.low), min(m.high, a.high)
		}
	}
	slices.Sort(m.required)
	m.required = slices.Compact(m.required)
	m.low = max(m.low, len(m.required))
	return m
}

// remaining is the schema of the members that no properties or patternProperties describes. Where no other schema applies in
// place, what is unevaluated is just what is additional.
func (n *node) remaining() *node {
	if n.object != nil && n.object.additional != nil {
		return n.object.additional
	}
	if n.unevaluatedProperties == nil {
		return nil
	}
	alone := true
	n.inPlace(func(*node) { alone = false })
	if !alone {
		return nil
	}
	return n.unevaluatedProperties
}

// claims is what holds for a member if it is there, and more.
func (m *membership) claims(name string, more ...claim) []claim {
	m.prover.charge(len(m.rules) + m.patterns*(1+len(name)/16))
	list := make([]claim, 0, len(m.rules)+len(more)+1)
	add := func(n *node) {
		if n != nil && n.truth != always {
			list = append(list, positive(n))
		}
	}
	for i, r := range m.rules {
		known := false
		if own := r.member(name); own != nil && own.schema != nil {
			known = true
			add(own.schema)
		}
		for j := range r.patterns {
			if r.patterns[j].re.MatchString(name) {
				known = true
				add(r.patterns[j].schema)
			}
		}
		if !known {
			add(m.rest[i])
		}
	}
	for i := range m.atoms {
		if a := &m.atoms[i]; a.kind == hasMember && a.name == name {
			list = append(list, a.claim)
		}
	}
	return append(list, more...)
}

func (m *membership) isRequired(name string) bool {
	_, found := slices.BinarySearch(m.required, name)
	return found
}

// full reports whether there is room for the required members only.
func (m *membership) full() bool { return m.high <= len(m.required) }

// barred reports whether a member of that name cannot be.
func (m *membership) barred(name string) bool {
	if slices.Contains(m.missing, name) || m.full() && !m.isRequired(name) {
		return true
	}
	for _, c := range m.claims(name) {
		if c.n.truth != ordinary && c.not == (c.n.truth == always) {
			return true
		}
	}
	for _, r := range m.rules {
		if n := r.names; n != nil && !n.engine && n.refuses(name) {
			return true
		}
	}
	return false
}

// refuses reports whether a name surely breaks a schema that has no part for the library.
func (n *node) refuses(name string) bool {
	left, ok := n.valid(value.String(name), candidateFuel)
	return !ok && left > 0
}

// names are all that the rules and the atoms mention.
func (m *membership) names() []string {
	var list []string
	for _, r := range m.rules {
		for i := range r.members {
			list = append(list, r.members[i].name)
		}
	}
	for i := range m.atoms {
		a := &m.atoms[i]
		switch a.kind {
		case isPresent, isMissing, hasMember:
			list = append(list, a.name)
		case hasOther:
			if a.object.object == nil {
				continue
			}
			for _, own := range a.object.object.members {
				list = append(list, own.name)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// closed reports whether all members are among those that the rules name.
func (m *membership) closed() bool {
	if m.full() {
		return true
	}
	for i, r := range m.rules {
		if n := m.rest[i]; n != nil && n.truth == never && len(r.patterns) == 0 {
			return true
		}
	}
	return false
}

func (p *prover) noObject(g *goal) bool {
	m := p.membership(g)
	if m.low > m.high {
		return true
	}
	for _, name := range m.required {
		if !p.spend() {
			return false
		}
		if m.barred(name) {
			return true
		}
		if c := m.claims(name); len(c) > 1 && p.empty(c) {
			return true
		}
	}
	if m.low > len(m.required) && m.closed() {
		allowed := 0
		for _, name := range m.names() {
			if !p.spend() || !m.barred(name) {
				allowed++
			}
		}
		if allowed < m.low {
			return true
		}
	}
	for i := range m.atoms {
		switch a := &m.atoms[i]; a.kind {
		case hasMatching, hasOther, hasName:
			if p.noMember(&m, a) {
				return true
			}
		}
	}
	return false
}
