package schema

// Types are the JSON types that a valid value can have, in the order null, boolean, integer, number, string, array, object;
// "number" comes without "integer", which it includes. It is nil when the schema does not narrow them.
func (s *Schema) Types() []string {
	t := possible(s.node, maxHops)
	if t == everyType {
		return nil
	}
	if t&typeNumber != 0 {
		t &^= typeInteger
	}
	names := t.names()
	if names == nil {
		names = []string{}
	}
	return names
}

// maxHops bounds how deep in-place references are followed where giving up is harmless.
const maxHops = 32

// possible is a superset of the types of valid values.
func possible(n *node, hops int) typeSet {
	if n.truth == never {
		return 0
	}
	t := everyType
	if n.types != 0 {
		t = n.types
	}
	if !n.constant.IsAbsent() {
		t &= typeOf(n.constant)
	}
	if n.enum != nil {
		var values typeSet
		for _, e := range n.enum {
			values |= typeOf(e)
		}
		t &= values
	}
	if hops == 0 {
		return t
	}
	if n.ref != nil {
		t &= possible(n.ref, hops-1)
	}
	for _, c := range n.allOf {
		t &= possible(c, hops-1)
	}
	for _, list := range [][]*node{n.anyOf, n.oneOf} {
		if list == nil {
			continue
		}
		var union typeSet
		for _, c := range list {
			union |= possible(c, hops-1)
		}
		t &= union
	}
	return t
}
