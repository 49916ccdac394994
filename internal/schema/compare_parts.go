package schema

import (
	"fmt"
	"strconv"
)

func (f *differ) arrays(at place, before, after side, path string, hops int) {
	was, is := before.elements(), after.elements()
	if len(was.rules) == 0 && len(is.rules) == 0 {
		return
	}
	f.counts(at, path, "elements", [2]int{was.low, was.high}, [2]int{is.low, is.high}, [2]string{"minItems", "maxItems"})
	if was.unique() != is.unique() {
		e, text := widens, "elements can now be equal"
		if is.unique() {
			e, text = narrows, "elements can no longer be equal"
		}
		f.add(at, path, text, e, "uniqueItems")
	}
	distinct := max(was.distinct, is.distinct)
	for i := range distinct + 1 {
		if i >= was.high && i >= is.high || !f.spend() {
			return
		}
		step := strconv.Itoa(i)
		if i == distinct {
			step = "*"
		}
		f.part(at, was.claims(i), is.claims(i), child(path, step), hops, "prefixItems", "items")
	}
}

// anyValue stands for a part of which nothing is said.
var anyValue = &node{truth: always, merged: true}

// part compares what is said of one part; where one side says nothing, that is the difference.
func (f *differ) part(at place, was, is []claim, path string, hops int, keywords ...string) {
	old, new := together(was), together(is)
	if old != anyValue && new != anyValue {
		f.nodes(old, new, path, hops-1)
		return
	}
	if f.alike(old, new) || f.sayNothing(old) && f.sayNothing(new) {
		return
	}
	if old == anyValue {
		f.add(at, path, "is now described; before, it could be anything", f.effect(old, new), keywords...)
		return
	}
	f.add(at, path, "can now be anything", f.effect(old, new), keywords...)
}

func (f *differ) sayNothing(n *node) bool { return n.truth == always || f.empty([]claim{negative(n)}) }

// together is one node for the claims, all positive.
func together(claims []claim) *node {
	var nodes []*node
	for _, c := range claims {
		nodes = append(nodes, c.n)
	}
	if len(nodes) == 0 {
		return anyValue
	}
	return conjunction(nodes)
}

func (f *differ) objects(at place, before, after side, path string, hops int) {
	was, is := f.membership(before.goal), f.membership(after.goal)
	if len(was.rules) == 0 && len(is.rules) == 0 {
		return
	}
	low := func(m *membership) int {
		n := 0
		for _, r := range m.rules {
			n = max(n, r.min)
		}
		return n
	}
	f.counts(at, path, "properties", [2]int{low(&was), was.high}, [2]int{low(&is), is.high}, [2]string{"minProperties", "maxProperties"})
	for _, name := range bothLists(was.names(), is.names()) {
		if !f.spend() {
			return
		}
		f.property(at, &was, &is, name, path, hops)
	}
	f.patterns(at, &was, &is, path, hops)
	f.others(at, &was, &is, path, hops)
}

// property compares one by name.
func (f *differ) property(at place, was, is *membership, name, path string, hops int) {
	here := child(path, name)
	declared, declares := was.declares(name), is.declares(name)
	barred, bars := was.barred(name), is.barred(name)
	switch {
	case bars && !barred && (declared || !declares):
		f.add(at, here, "is no longer accepted", narrows, "properties", "additionalProperties")
	case !declared && declares && !bars:
		e := exposes
		if barred {
			e |= widens
		} else if !f.sayNothing(together(is.claims(name))) {
			e |= narrows
		}
		f.add(at, here, "is new", e, "properties")
	case declared && !declares && !bars:
		e := widens
		if f.sayNothing(together(was.claims(name))) {
			e = 0
		}
		f.add(at, here, "is no longer described", e, "properties")
	case barred && !bars:
		f.add(at, here, "is now accepted", widens, "properties", "additionalProperties")
	case !barred && !bars:
		f.part(at, was.claims(name), is.claims(name), here, hops, "properties")
	}
	switch {
	case is.isRequired(name) && !was.isRequired(name):
		e := narrows
		if f.direction == Input {
			e |= exposes
		}
		f.add(at, here, "is now required", e, "required")
	case was.isRequired(name) && !is.isRequired(name):
		f.add(at, here, "is no longer required", widens, "required")
	}
}

// declares reports whether some rule describes the property.
func (m *membership) declares(name string) bool {
	for _, r := range m.rules {
		if own := r.member(name); own != nil && own.schema != nil {
			return true
		}
	}
	return false
}

// patterns compares patternProperties by their patterns.
func (f *differ) patterns(at place, was, is *membership, path string, hops int) {
	find := func(m *membership) map[string][]claim {
		found := map[string][]claim{}
		for _, r := range m.rules {
			for _, p := range r.patterns {
				found[p.source] = append(found[p.source], positive(p.schema))
			}
		}
		return found
	}
	old, new := find(was), find(is)
	for _, source := range bothLists(keys(old), keys(new)) {
		a, b := old[source], new[source]
		switch {
		case a == nil:
			f.add(at, path, fmt.Sprintf("properties like %q are now described", source), f.effect(at.old, at.new)|exposes, "patternProperties")
		case b == nil:
			f.add(at, path, fmt.Sprintf("properties like %q are no longer described", source), f.effect(at.old, at.new), "patternProperties")
		default:
			f.nodes(together(a), together(b), child(path, "*"), hops-1)
		}
	}
}

// others compares what can be besides what is described.
func (f *differ) others(at place, was, is *membership, path string, hops int) {
	find := func(m *membership) []claim {
		var found []claim
		for _, n := range m.rest {
			if n != nil && n.truth != always {
				found = append(found, positive(n))
			}
		}
		return found
	}
	old, new := together(find(was)), together(find(is))
	switch closed, closes := old.truth == never || was.closed(), new.truth == never || is.closed(); {
	case closed && closes:
	case closed:
		f.add(at, path, "can now have properties that are not described", widens, "additionalProperties", "unevaluatedProperties")
	case closes:
		f.add(at, path, "can no longer have properties that are not described", narrows, "additionalProperties", "unevaluatedProperties")
	default:
		f.part(at, find(was), find(is), child(path, "*"), hops, "additionalProperties")
	}
}
