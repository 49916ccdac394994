package schema

import (
	"fmt"
	"maps"
	"slices"
)

// alternatives compares anyOf and oneOf: the branches that are on one side only, and a branch that seems to have changed.
func (f *differ) alternatives(at place, before, after side, path string, hops int) {
	for _, keyword := range []string{"anyOf", "oneOf"} {
		of := func(n *node) []*node {
			if keyword == "anyOf" {
				return n.anyOf
			}
			return n.oneOf
		}
		old, new := gather(before.all, of), gather(after.all, of)
		gone, come := f.without(old, new), f.without(new, old)
		switch {
		case len(old) == 0 && len(new) > 0:
			f.add(at, path, "now has alternatives ("+keyword+")", f.effect(at.old, at.new), keyword)
		case len(new) == 0 && len(old) > 0:
			f.add(at, path, "no longer has alternatives ("+keyword+")", f.effect(at.old, at.new), keyword)
		case len(gone) == 1 && len(come) == 1:
			f.nodes(gone[0], come[0], path, hops-1)
		default:
			e := f.effect(at.old, at.new)
			for _, n := range gone {
				f.add(place{n, at.new}, path, fmt.Sprintf("an alternative is gone: %s", possible(n, maxHops).either()), e)
			}
			for _, n := range come {
				f.add(place{at.old, n}, path, fmt.Sprintf("an alternative is new: %s", possible(n, maxHops).either()), e)
			}
		}
	}
}

// without lists the nodes of the first list that have no like in the second.
func (f *differ) without(list, other []*node) []*node {
	var alone []*node
	for _, n := range list {
		if !f.spend() {
			return alone
		}
		if !slices.ContainsFunc(other, func(o *node) bool { return f.alike(n, o) }) {
			alone = append(alone, n)
		}
	}
	return alone
}

func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// bothLists is both sorted lists in one.
func bothLists(a, b []string) []string {
	list := slices.Concat(a, b)
	slices.Sort(list)
	return slices.Compact(list)
}
