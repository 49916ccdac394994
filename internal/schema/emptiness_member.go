package schema

// stringsOnly is claimed of the names of members.
var stringsOnly = &node{types: typeString}

// noMember reports whether no member, of whatever name, can be as an atom says.
func (p *prover) noMember(m *membership, a *atom) bool {
	for _, name := range m.names() {
		if !p.spend() {
			return false
		}
		if !a.concerns(name) || m.barred(name) {
			continue
		}
		if a.kind == hasName || !p.empty(m.claims(name, a.claim)) {
			return false
		}
	}
	if m.closed() {
		return true
	}
	if a.kind == hasName {
		return p.empty(m.nameClaims(a.claim))
	}
	return p.noUnnamed(m, a, 0, []claim{a.claim})
}

func (m *membership) nameClaims(more ...claim) []claim {
	list := append(more, positive(stringsOnly))
	for _, r := range m.rules {
		if r.names != nil {
			list = append(list, positive(r.names))
		}
	}
	return list
}

// concerns reports whether a member of that name can be the one that is meant.
func (a *atom) concerns(name string) bool {
	switch a.kind {
	case hasMatching:
		return a.text.re.MatchString(name)
	case hasName:
		return a.claim.n.truth == never || a.claim.n.engine || a.claim.n.unchecked || a.claim.n.refuses(name)
	}
	r := a.object.object
	if r == nil {
		return true
	}
	if own := r.member(name); own != nil && own.schema != nil {
		return false
	}
	for i := range r.patterns {
		if r.patterns[i].re.MatchString(name) {
			return false
		}
	}
	return true
}

// noUnnamed is noMember for the names that nothing mentions. Each rule from the given one on has something to say about them, or
// one of several things, by which of its patterns match.
func (p *prover) noUnnamed(m *membership, a *atom, rule int, claims []claim) bool {
	if !p.spend() {
		return false
	}
	if rule == len(m.rules) {
		return p.empty(claims)
	}
	r := m.rules[rule]
	then := func(n *node) bool {
		next := claims
		if n != nil {
			next = append(claims[:len(claims):len(claims)], positive(n))
		}
		return p.noUnnamed(m, a, rule+1, next)
	}
	for i := range r.patterns {
		if a.kind == hasMatching && r.patterns[i].source == a.text.source {
			return then(r.patterns[i].schema)
		}
	}
	if !then(m.rest[rule]) {
		return false
	}
	for i := range r.patterns {
		if a.excludes(r.patterns[i].source) {
			continue
		}
		if !then(r.patterns[i].schema) {
			return false
		}
	}
	return true
}

// excludes reports whether a name that the pattern matches cannot be the one that is meant.
func (a *atom) excludes(source string) bool {
	if a.kind != hasOther || a.object.object == nil {
		return false
	}
	for _, q := range a.object.object.patterns {
		if q.source == source {
			return true
		}
	}
	return false
}
