package wf

import "slices"

// ancestry answers questions about regions inside regions without climbing from one to the next, since plans may be deep.
type ancestry struct {
	first, last []int // by region: regions within r have first numbers from first[r] to last[r]
	body        []int // by region: the nearest body around it or itself, -1
	loose       []bool
	named       map[string][]int // the bodies whose items have a name, by first
	outer       []int            // by region: of a body, the nearest one around it with the same name, -1
}

// nest numbers the regions once they are all known.
func (t *regionTree) nest() {
	n := len(t.regions)
	ints := make([]int, 5*n)
	k := &ancestry{first: ints[:n], last: ints[n : 2*n], body: ints[2*n : 3*n], outer: ints[3*n : 4*n], loose: make([]bool, n), named: make(map[string][]int)}
	next := ints[4*n:] // by region: the number that the next region right inside it gets
	t.ancestry = k
	size := k.last // first how many regions lie within each, then the last of their numbers
	for r := n - 1; r >= 0; r-- {
		size[r]++
		if r > 0 {
			size[t.regions[r].parent] += size[r]
		}
	}
	for r := range t.regions { // a region comes after the one around it
		region := &t.regions[r]
		if k.body[r] = -1; r > 0 {
			k.first[r] = next[region.parent]
			next[region.parent] += size[r]
			k.body[r], k.loose[r] = k.body[region.parent], k.loose[region.parent]
		}
		next[r] = k.first[r] + 1
		size[r] += k.first[r] - 1
		k.loose[r] = k.loose[r] || region.kind == regionBranch && region.end < 0
		if region.kind == regionBody {
			k.body[r] = r
			k.named[t.itemName(r)] = append(k.named[t.itemName(r)], r)
		}
	}
	for _, list := range k.named {
		slices.SortFunc(list, func(a, b int) int { return k.first[a] - k.first[b] })
		var open []int // those around
		for _, r := range list {
			for len(open) > 0 && !k.contains(open[len(open)-1], r) {
				open = open[:len(open)-1]
			}
			if k.outer[r] = -1; len(open) > 0 {
				k.outer[r] = open[len(open)-1]
			}
			open = append(open, r)
		}
	}
}

// contains reports whether a region is another one, or lies within it.
func (k *ancestry) contains(outer, inner int) bool {
	return k.first[outer] <= k.first[inner] && k.first[inner] <= k.last[outer]
}

// holder is the one of some regions beside one another, in the order of their first, in which a region lies; -1 if it is none.
func (k *ancestry) holder(list []int, r int) int {
	i, found := slices.BinarySearchFunc(list, k.first[r], func(q, first int) int { return k.first[q] - first })
	if !found {
		i--
	}
	if i < 0 || !k.contains(list[i], r) {
		return -1
	}
	return list[i]
}

// itemBody is the nearest body, around a region or itself, whose item has a name; -1 if there is none.
func (k *ancestry) itemBody(r int, name string) int {
	list := k.named[name]
	i, found := slices.BinarySearchFunc(list, k.first[r], func(q, first int) int { return k.first[q] - first })
	if !found {
		i--
	}
	if i < 0 {
		return -1
	}
	q := list[i] // what is around r is this one, or around it
	for q >= 0 && !k.contains(q, r) {
		q = k.outer[q]
	}
	return q
}

// itemName is the name that a region gives to its item, "" if it is no body.
func (t *regionTree) itemName(r int) string {
	if t.regions[r].kind != regionBody {
		return ""
	}
	return t.w.Nodes[t.regions[r].owner].(*ForeachStep).As
}

// classify says of the edges that cross from one region into another what is wrong with them.
func (t *regionTree) classify() {
	for i := range t.problems {
		p := &t.problems[i]
		if p.kind != faultShares {
			continue
		}
		switch {
		case t.ancestry.contains(p.other, p.region):
			p.kind = faultLeaves
		case t.ancestry.contains(p.region, p.other):
			p.kind = faultEnters
		}
	}
}
