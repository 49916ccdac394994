package schema

import (
	"encoding/binary"
	"slices"

	"lda.chat/wf/internal/value"
)

// A schema fits into another if no value satisfies the first and not the second; two are disjoint if no value satisfies both.
// Both are one question: can a set of claims about a value hold together? A prover tries to show that it cannot, in the manner
// of an analytic tableau: it takes claims apart, follows every alternative, and looks for contradictions. What it does not
// understand it leaves out, which can only make it miss a contradiction, never invent one.
//
// A question about a value leads to questions about its members and elements. One that is met again while it is being worked on
// counts as answered with "no value": of all values that would satisfy such a set take one with the shortest text; the parts of
// it that the second question is about are shorter still.
type prover struct {
	steps       int // that are left
	sameDialect bool
	ids         map[*node]uint32
	negations   map[*node][]alternative
	answers     map[string]bool // to questions, where they hold for good
	asked       map[string]int  // the questions being worked on: how deep
	lowest      int             // the least deep of them that the answers since were taken from
}

// claim is that a value satisfies a schema, or that it does not.
type claim struct {
	n   *node
	not bool
}

// goal is a set of claims that are to be shown impossible together, and what they come to. The bits of types are apart
// here: typeNumber stands for the numbers that are not integers.
type goal struct {
	claims     []claim
	atoms      []atom
	splits     [][]alternative
	types      typeSet
	impossible bool
}

// unrelated is deeper than any question.
const unrelated = unbounded

func newProver(steps int, sameDialect bool) *prover {
	return &prover{
		steps: steps, sameDialect: sameDialect, lowest: unrelated,
		ids: map[*node]uint32{}, negations: map[*node][]alternative{}, answers: map[string]bool{}, asked: map[string]int{},
	}
}

// spend takes a step; false if none is left.
func (p *prover) spend() bool {
	p.steps--
	return p.steps >= 0
}

// charge takes the steps for work on n small things at once.
func (p *prover) charge(n int) { p.steps -= n / 16 }

// empty reports whether it is proved that no value satisfies all the claims.
func (p *prover) empty(claims []claim) bool {
	if len(claims) == 0 || !p.spend() {
		return false
	}
	var room [64]byte
	key := p.key(room[:0], claims)
	if answer, ok := p.answers[string(key)]; ok {
		return answer
	}
	if depth, ok := p.asked[string(key)]; ok {
		p.lowest = min(p.lowest, depth)
		return true
	}
	question, depth, lowest := string(key), len(p.asked), p.lowest
	p.asked[question], p.lowest = depth, unrelated
	answer := p.refute(p.goal(claims))
	delete(p.asked, question)
	switch {
	case !answer:
		// What was assumed on the way could only help; nothing rests on it now.
		p.lowest = lowest
		if p.steps >= 0 {
			p.answers[question] = false
		}
	case p.lowest >= depth:
		p.lowest = lowest
		p.answers[question] = true
	default:
		p.lowest = min(p.lowest, lowest)
	}
	return answer
}

func (p *prover) key(key []byte, claims []claim) []byte {
	var room [8]uint32
	ids := room[:0]
	for _, c := range claims {
		n := c.n.actual()
		id, ok := p.ids[n]
		if !ok {
			id = uint32(len(p.ids)) << 1
			p.ids[n] = id
		}
		if c.not {
			id |= 1
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		key = binary.AppendUvarint(key, uint64(id))
	}
	return key
}

func (p *prover) goal(claims []claim) *goal {
	g := &goal{types: everyType}
	for _, c := range claims {
		p.claim(g, c)
	}
	return g
}

// with is the goal with one alternative taken.
func (p *prover) with(g *goal, a *alternative) *goal {
	p.charge(len(g.claims) + len(g.atoms) + len(g.splits))
	next := &goal{claims: slices.Clip(g.claims), atoms: slices.Clip(g.atoms), splits: slices.Clip(g.splits), types: g.types}
	if a.types != 0 {
		next.types &= a.types
	}
	next.atoms = append(next.atoms, a.atoms...)
	for _, c := range a.claims {
		p.claim(next, c)
	}
	return next
}

// claim adds a claim and all that follows from it.
func (p *prover) claim(g *goal, c claim) {
	if g.impossible || !p.spend() {
		return
	}
	p.charge(len(g.claims))
	for _, have := range g.claims {
		if have == c {
			return
		}
		if have.not != c.not && p.same(have.n, c.n) {
			g.impossible = true
			return
		}
	}
	n := c.n
	if n.truth != ordinary {
		g.impossible = (n.truth == never) != c.not
		return
	}
	g.claims = append(g.claims, c)
	if c.not {
		p.split(g, p.negation(n))
		return
	}
	if n.types != 0 {
		g.types &= n.types
	}
	if n.enum != nil {
		var types typeSet
		for _, v := range n.enum {
			types |= typeOf(v)
		}
		g.types &= types
	}
	if !n.constant.IsAbsent() {
		g.types &= typeOf(n.constant)
	}
	if n.ref != nil {
		p.claim(g, claim{n: n.ref})
	}
	for _, part := range n.allOf {
		p.claim(g, claim{n: part})
	}
	if n.not != nil {
		p.claim(g, claim{n.not, true})
	}
	p.splitPositive(g, n)
}

// same reports whether two schemas surely mean the same.
func (p *prover) same(a, b *node) bool {
	if a == b {
		return true
	}
	if !p.sameDialect || a.refers || b.refers || a.merged || b.merged || a.raw.Len() != b.raw.Len() {
		return false
	}
	p.charge(value.Size(a.raw) / 16)
	return a.raw.Equal(b.raw)
}

// split notes that one of the alternatives holds.
func (p *prover) split(g *goal, list []alternative) {
	if len(list) == 0 {
		g.impossible = true
		return
	}
	if len(list) == 1 {
		a := &list[0]
		if a.types != 0 {
			g.types &= a.types
		}
		g.atoms = append(g.atoms, a.atoms...)
		for _, c := range a.claims {
			p.claim(g, c)
		}
		return
	}
	g.splits = append(g.splits, list)
}

// refute reports whether it is proved that the goal's claims cannot hold together.
func (p *prover) refute(g *goal) bool {
	if g.impossible || g.types == 0 {
		return true
	}
	if !p.spend() {
		return false
	}
	if values := g.enumeration(); values != nil {
		return p.allRefused(g, values)
	}
	for t := typeNull; t <= typeObject; t <<= 1 {
		if g.types&t != 0 && p.without(g, t) {
			g.types &^= t
		}
	}
	if g.types == 0 {
		return true
	}
	for _, list := range g.splits {
		p.charge(len(list))
	}
	list := g.choose()
	if list == nil {
		return false
	}
	for i := range list {
		if a := &list[i]; g.open(a) && !p.refute(p.with(g, a)) {
			return false
		}
	}
	return true
}

// without reports whether no value of a type satisfies the goal, as far as can be told before the alternatives are looked at.
func (p *prover) without(g *goal, t typeSet) bool {
	switch t {
	case typeInteger, typeNumber:
		return p.noNumber(g, t == typeInteger)
	case typeString:
		return p.noString(g)
	case typeArray:
		return p.noArray(g)
	case typeObject:
		return p.noObject(g)
	}
	return p.noSimple(g, t)
}
