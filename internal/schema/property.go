package schema

import (
	"slices"
	"strings"

	"lda.chat/wf/internal/value"
)

// Property is a declared property of an object schema.
type Property struct {
	Name     string
	Required bool
	Default  value.Value // absent if none is given
	Schema   *Schema     // never nil

	nodes []*node // all that apply to it, what it refers to included
}

// Ext is an extension keyword, such as "x-reducer", of the property or of what it refers to; absent if it has none.
func (p Property) Ext(name string) value.Value { return annotation(p.nodes, name) }

// Properties are the properties that the schema declares at its top level, itself or by a $ref or allOf there, by name. The
// slice is shared: it must not be changed.
func (s *Schema) Properties() []Property { return s.declared() }

// Property is one of [Schema.Properties]. Known is false if the schema declares none of that name; whether there can be one
// all the same is for [Schema.Lookup] to say.
func (s *Schema) Property(name string) (p Property, known bool) {
	list := s.declared()
	i, ok := slices.BinarySearchFunc(list, name, func(p Property, name string) int { return strings.Compare(p.Name, name) })
	if !ok {
		return Property{}, false
	}
	return list[i], true
}

// Closed reports whether an object can have no properties but the declared ones.
func (s *Schema) Closed() bool {
	for _, c := range conjuncts(s.node) {
		if c.object != nil && c.object.additional != nil && c.object.additional.truth == never && len(c.object.patterns) == 0 {
			return true
		}
	}
	return false
}

// conjuncts are the schemas that all apply to n's value whatever it is: n, and by $ref and allOf what it leads to.
func conjuncts(n *node) []*node {
	all := nodeSet{list: []*node{n}}
	for i := 0; i < len(all.list); i++ {
		c := all.list[i]
		if c.ref != nil {
			all.add(c.ref)
		}
		for _, part := range c.allOf {
			all.add(part)
		}
	}
	return all.list
}

func annotation(nodes []*node, keyword string) value.Value {
	for _, n := range nodes {
		if v := n.raw.Get(keyword); !v.IsAbsent() {
			return v
		}
	}
	return value.Value{}
}

func declaredProperties(d *document, n *node) []Property {
	nodes, required := map[string][]*node{}, map[string]bool{}
	for _, c := range conjuncts(n) {
		if c.object == nil {
			continue
		}
		for _, m := range c.object.members {
			if m.schema != nil {
				nodes[m.name] = append(nodes[m.name], m.schema)
			}
			required[m.name] = required[m.name] || m.required
		}
	}
	list := make([]Property, 0, len(nodes))
	for name, parts := range nodes {
		n := conjunction(parts)
		p := Property{Name: name, Required: required[name], Schema: d.schema(n), nodes: conjuncts(n)}
		p.Default = annotation(p.nodes, "default")
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b Property) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// conjunction is one node that stands for all.
func conjunction(nodes []*node) *node {
	nodes = flat(nodes, func(n *node) []*node { return n.allOf })
	if len(nodes) == 1 {
		return nodes[0]
	}
	return merge(&node{allOf: nodes})
}

// union is one node that stands for any.
func union(nodes []*node) *node {
	nodes = flat(nodes, func(n *node) []*node { return n.anyOf })
	if len(nodes) == 1 {
		return nodes[0]
	}
	return merge(&node{anyOf: nodes})
}

// flat takes merged nodes of the same kind apart, and leaves repetitions out: a path through a recursive schema would
// otherwise give more at every step.
func flat(nodes []*node, parts func(*node) []*node) []*node {
	var all nodeSet
	for _, n := range nodes {
		if !n.merged || parts(n) == nil {
			all.add(n)
			continue
		}
		for _, c := range parts(n) {
			all.add(c)
		}
	}
	return all.list
}

func merge(n *node) *node {
	n.merged = true
	n.inPlace(func(c *node) {
		n.engine = n.engine || c.engine
		n.refers = n.refers || c.refers
	})
	return n
}
