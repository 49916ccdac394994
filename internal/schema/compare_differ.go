package schema

import (
	"fmt"
	"slices"

	"lda.chat/wf/internal/value"
)

// differ walks through two schemas side by side.
type differ struct {
	*prover
	direction Direction
	shapes    *shaper
	seen      map[place]bool
	list      []Difference
	effects   []effect
}

// place is a pair of schemas for one part of a value.
type place struct{ old, new *node }

// mostDifferences bounds the list.
const mostDifferences = 100

func newDiffer(old, new *Schema, d Direction) *differ {
	return &differ{
		prover: newProver(assignSteps, old.doc.dialect == new.doc.dialect), direction: d,
		shapes: newShaper(old.node, new.node), seen: map[place]bool{},
	}
}

// alike reports whether two schemas surely have one shape; absent ones have too.
func (f *differ) alike(a, b *node) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, ok := f.shapes.digest(a)
	y, ok2 := f.shapes.digest(b)
	return ok && ok2 && x == y
}

// effect proves what it can about two schemas for one part.
func (f *differ) effect(old, new *node) effect {
	var e effect
	if !f.empty([]claim{positive(old), negative(new)}) {
		e |= narrows
	}
	if !f.empty([]claim{positive(new), negative(old)}) {
		e |= widens
	}
	return e
}

func (f *differ) add(at place, path, message string, e effect, keywords ...string) {
	if len(f.list) >= mostDifferences {
		return
	}
	f.list = append(f.list, Difference{Path: path, Old: spot(at.old, keywords), New: spot(at.new, keywords), Message: message})
	f.effects = append(f.effects, e)
}

// spot is the pointer of the first of some keywords that stands in one of a node's conjuncts, or else of the node.
func spot(n *node, keywords []string) string {
	if len(keywords) > 0 {
		for _, c := range conjuncts(n) {
			for _, keyword := range keywords {
				if !c.raw.Get(keyword).IsAbsent() {
					return child(c.pointer, keyword)
				}
			}
		}
	}
	for _, c := range conjuncts(n) {
		if !c.merged {
			return c.pointer
		}
	}
	return ""
}

func (f *differ) nodes(old, new *node, path string, hops int) {
	at := place{old.actual(), new.actual()}
	if hops == 0 || f.seen[at] || len(f.list) >= mostDifferences || !f.spend() || f.alike(old, new) {
		return
	}
	f.seen[at] = true
	before, after := f.side(at.old), f.side(at.new)
	if f.types(at, before, after, path) {
		return
	}
	f.listed(at, before, after, path)
	f.numbers(at, before, after, path)
	f.strings(at, before, after, path)
	f.arrays(at, before, after, path, hops)
	f.objects(at, before, after, path, hops)
	f.alternatives(at, before, after, path, hops)
	f.rest(at, before, after, path)
}

// side is one of the two schemas, put together from its conjuncts.
type side struct {
	*goal
	types typeSet
	all   []*node
}

func (f *differ) side(n *node) side {
	g := f.goal([]claim{positive(n)})
	s := side{goal: g, types: sourceTypes(g), all: conjuncts(n)}
	if g.impossible {
		s.types = 0
	}
	return s
}

// types reports whether they have nothing in common, which says it all.
func (f *differ) types(at place, before, after side, path string) (apart bool) {
	if before.types == after.types {
		return before.types == 0
	}
	var e effect
	if before.types&^after.types != 0 {
		e |= narrows
	}
	if after.types&^before.types != 0 {
		e |= widens
	}
	f.add(at, path, fmt.Sprintf("was %s, is %s", before.types.either(), after.types.either()), e, "type", "enum", "const", "anyOf", "oneOf")
	return before.types&after.types == 0
}

// listed compares enum and const.
func (f *differ) listed(at place, before, after side, path string) {
	was, is := before.enumeration(), after.enumeration()
	keywords := []string{"enum", "const"}
	switch {
	case was == nil && is == nil:
	case was == nil:
		f.add(at, path, "is now one of a list of values", narrows, keywords...)
	case is == nil:
		f.add(at, path, "is no longer one of a list of values", widens, keywords...)
	default:
		if more := notIn(is, was); len(more) > 0 {
			f.add(at, path, "can now be "+enumerate(more, "or"), widens, keywords...)
		}
		if less := notIn(was, is); len(less) > 0 {
			f.add(at, path, "can no longer be "+enumerate(less, "or"), narrows, keywords...)
		}
	}
}

// notIn lists the values of the first list that the second does not have.
func notIn(list, other []value.Value) []string {
	known := make(map[string]bool, len(other))
	for _, v := range other {
		known[string(v.AppendCanonical(nil))] = true
	}
	var missing []string
	for _, v := range list {
		if !known[string(v.AppendCanonical(nil))] {
			missing = append(missing, excerpt(v))
		}
	}
	return missing
}

// rest is what is compared as a whole: what it does to the values is proved, where it can be.
func (f *differ) rest(at place, before, after side, path string) {
	for _, part := range []struct {
		keyword string
		of      func(*node) []*node
	}{
		{"not", func(n *node) []*node { return []*node{n.not} }},
		{"if", func(n *node) []*node {
			if n.cond == nil {
				return nil
			}
			return []*node{n.cond.test, n.cond.then, n.cond.otherwise}
		}},
		{"contains", func(n *node) []*node {
			if n.array == nil {
				return nil
			}
			return []*node{n.array.contains}
		}},
		{"propertyNames", func(n *node) []*node {
			if n.object == nil {
				return nil
			}
			return []*node{n.object.names}
		}},
		{"unevaluatedItems", func(n *node) []*node { return []*node{n.unevaluatedItems} }},
		{"unevaluatedProperties", func(n *node) []*node { return []*node{n.unevaluatedProperties} }},
	} {
		if !slices.EqualFunc(gather(before.all, part.of), gather(after.all, part.of), f.alike) {
			f.add(at, path, part.keyword+" changed", f.effect(at.old, at.new), part.keyword)
		}
	}
	for _, keyword := range []string{"minContains", "maxContains", "dependentRequired", "dependentSchemas", "dependencies"} {
		if !slices.EqualFunc(texts(before.all, keyword), texts(after.all, keyword), value.Equal) {
			f.add(at, path, keyword+" changed", f.effect(at.old, at.new), keyword)
		}
	}
	for _, keyword := range telling {
		was, is := texts(before.all, keyword), texts(after.all, keyword)
		if !slices.EqualFunc(was, is, value.Equal) {
			f.add(at, path, fmt.Sprintf("%s was %s, is %s", keyword, firstOf(was), firstOf(is)), 0, keyword)
		}
	}
}

func gather(all []*node, of func(*node) []*node) []*node {
	var list []*node
	for _, n := range all {
		for _, c := range of(n) {
			if c != nil {
				list = append(list, c)
			}
		}
	}
	return list
}

func texts(all []*node, keyword string) []value.Value {
	var list []value.Value
	for _, n := range all {
		if v := n.raw.Get(keyword); !v.IsAbsent() {
			list = append(list, v)
		}
	}
	return list
}

// firstOf quotes the first of the values of a keyword.
func firstOf(list []value.Value) string {
	if len(list) == 0 {
		return "not given"
	}
	return excerpt(list[0])
}
