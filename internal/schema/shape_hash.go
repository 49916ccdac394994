package schema

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
)

// ShapeHash identifies what the schema asks for, however it is written: "shape1:" and a digest. Two schemas with one shape hash
// accept the same values; the reverse does not hold, since no normal form knows everything.
//
// The order of keywords, of alternatives and of listed values, the dialect, the names of definitions, references against
// what they refer to, numbers written in other ways, limits that limit nothing: none of it counts. Annotations (title, description,
// examples, $comment, deprecated, readOnly, writeOnly, unknown keywords and x- keywords) do not count either, except for default,
// format and the content keywords, since they change what the other side does with a value. A recursive schema is known by its
// unfolding. The number after "shape" changes when these rules do.
func (s *Schema) ShapeHash() string { return s.shape() }

const shapePrefix = "shape1:"

func (s *Schema) shapeHash() string {
	h := newShaper(s.node)
	d, ok := h.digest(s.node)
	if !ok { // known by its text, then
		d = sha256.Sum256(append([]byte("text"), s.JSON()...))
	}
	return shapePrefix + hex.EncodeToString(d[:])
}

type digest [sha256.Size]byte

// shaper works the digests of nodes out, from the leaves upwards. Nodes that lead back to themselves have no leaves: their
// digests start out alike and are worked out again and again from one another, until they tell apart what can be told apart.
type shaper struct {
	exact   bool // what says nothing still counts as evaluated, for unevaluatedItems and unevaluatedProperties
	steps   int
	known   map[*node]digest // of the nodes with an end
	answers map[*node]digest // of the others that were asked for
	endless map[*node]bool   // leads back to itself, or to what does
	visits  map[*node]visit
	list    []*node // the endless nodes
}

// shapeSteps bound how many nodes are worked out.
const shapeSteps = 50_000

func newShaper(roots ...*node) *shaper {
	s := &shaper{steps: shapeSteps, known: map[*node]digest{}, answers: map[*node]digest{}, endless: map[*node]bool{}, visits: map[*node]visit{}}
	for _, n := range roots {
		s.exact = s.exact || n.engine
	}
	return s
}

// digest is that of a node; ok is false if it would take too long.
func (s *shaper) digest(n *node) (d digest, ok bool) {
	n = n.actual()
	if d, ok = s.answers[n]; ok {
		return d, true
	}
	if s.visit(n) && s.steps >= 0 {
		if d, ok = s.refine(n); ok {
			s.answers[n] = d
		}
		return d, ok
	}
	d, ok = s.known[n]
	return d, ok
}

// visit works out what does not lead back to itself, and lists what does.
func (s *shaper) visit(n *node) (endless bool) {
	switch s.visits[n] {
	case open:
		return true
	case done:
		return s.endless[n]
	}
	s.visits[n] = open
	s.steps--
	n.each(func(c *node) {
		if s.steps >= 0 && s.visit(c.actual()) {
			endless = true
		}
	})
	s.visits[n] = done
	if endless {
		s.endless[n] = true
		s.list = append(s.list, n)
		return true
	}
	if s.steps >= 0 {
		s.known[n] = s.encode(n, s.known)
	}
	return false
}

// refine is for a node that has no end, and those it leads to that have none either. How many rounds it takes depends on what the
// node means, not on how it is written. In the end every kind of node is told from every other, and how each is made of the others
// is known too: all of that together is the digest.
func (s *shaper) refine(root *node) (d digest, ok bool) {
	list := s.list
	s.list = nil
	parts := make(map[*node]digest, len(list))
	for _, n := range list {
		delete(s.visits, n) // for the next question
		parts[n] = digest{}
	}
	for kinds := 1; ; {
		if s.steps -= len(list); s.steps < 0 {
			return d, false
		}
		next, made := make(map[*node]digest, len(list)), make(map[digest]digest, len(list))
		for _, n := range list {
			next[n] = s.encode(n, parts)
			made[next[n]] = parts[n]
		}
		if len(made) > kinds {
			parts, kinds = next, len(made)
			continue
		}
		d = next[root]
		text := d[:]
		for _, kind := range slices.SortedFunc(maps.Keys(made), digest.compare) {
			from := made[kind]
			text = append(append(text, kind[:]...), from[:]...)
		}
		return sha256.Sum256(text), true
	}
}

func (d digest) compare(o digest) int { return bytes.Compare(d[:], o[:]) }

// actual follows nodes that are only another name for one node.
func (n *node) actual() *node {
	for next := n.otherName(); next != nil; next = n.otherName() {
		n = next
	}
	return n
}

// otherName is the node that n only refers to; nil if it says something itself.
func (n *node) otherName() *node {
	if n.truth != ordinary || n.types != 0 || n.enum != nil || !n.constant.IsAbsent() || n.number != nil || n.str != nil || n.array != nil ||
		n.object != nil || n.not != nil || n.cond != nil || n.unevaluatedItems != nil || n.unevaluatedProperties != nil || n.unchecked {
		return nil
	}
	var only *node
	if n.ref != nil {
		only = n.ref
	}
	for _, list := range [][]*node{n.allOf, n.anyOf, n.oneOf} {
		if len(list) > 1 || len(list) == 1 && only != nil {
			return nil
		}
		if len(list) == 1 {
			only = list[0]
		}
	}
	if only == nil || slices.ContainsFunc(telling, func(keyword string) bool { return !n.raw.Get(keyword).IsAbsent() }) {
		return nil
	}
	return only
}
