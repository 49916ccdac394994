package schema

// loosen keeps the promise that a keyword we cannot check never refuses a good value. Dropping a keyword makes its schema
// accept more, but where a match counts against the value (not, if, oneOf, maxContains, what is left unevaluated) it would
// make the whole accept less. Such a keyword is dropped too when what it looks at is unchecked.
func (g *gate) loosen() {
	unsure := g.unsure()
	if len(unsure) == 0 {
		return
	}
	for _, n := range g.order {
		if !unsure[n] {
			continue
		}
		if unsure[n.not] {
			n.not, n.unchecked = nil, true
		}
		if n.cond != nil && unsure[n.cond.test] {
			n.cond, n.unchecked = nil, true
		}
		for _, c := range n.oneOf {
			if unsure[c] {
				n.oneOf, n.unchecked = nil, true
				break
			}
		}
		if a := n.array; a != nil && a.maxContains != unbounded && unsure[a.contains] {
			a.contains, n.unchecked = nil, true
		}
		if n.unevaluatedItems != nil || n.unevaluatedProperties != nil {
			n.unevaluatedItems, n.unevaluatedProperties, n.unchecked = nil, nil, true
		}
	}
}

// unsure is every node that is unchecked or leads to one that is.
func (g *gate) unsure() map[*node]bool {
	parents := map[*node][]*node{}
	var list []*node
	for _, n := range g.order {
		if n.unchecked {
			list = append(list, n)
		}
		n.each(func(c *node) { parents[c] = append(parents[c], n) })
	}
	return closure(list, parents)
}

// mark tells which nodes lead to a keyword that only the validation library evaluates, and which to a reference.
func (g *gate) mark() {
	parents := map[*node][]*node{}
	var evaluated, referring []*node
	for _, n := range g.order {
		if n.unevaluatedItems != nil || n.unevaluatedProperties != nil {
			evaluated = append(evaluated, n)
		}
		if n.ref != nil {
			referring = append(referring, n)
		}
		n.each(func(c *node) { parents[c] = append(parents[c], n) })
	}
	for n := range closure(evaluated, parents) {
		n.engine = true
	}
	for n := range closure(referring, parents) {
		n.refers = true
	}
}

func closure(list []*node, parents map[*node][]*node) map[*node]bool {
	in := map[*node]bool{}
	for len(list) > 0 {
		n := list[len(list)-1]
		list = list[:len(list)-1]
		if in[n] {
			continue
		}
		in[n] = true
		list = append(list, parents[n]...)
	}
	return in
}
