package schema

import (
	"strconv"

	"lda.chat/wf/internal/value"
)

// engineCopy writes a node and what it leads to in plain 2020-12 for the validation library: only keywords that are checked,
// no $id, no $schema, no format, no content keywords, no annotations, and every reference a flat "#/$defs/7". The schema true
// is written {}, since the library takes true for one that evaluates every member.
func engineCopy(root *node) value.Value {
	c := &engineWriter{names: map[*node]string{root: "#"}}
	v := c.write(root)
	var defs []value.Member
	for i := 0; i < len(c.queue); i++ {
		defs = append(defs, value.Member{Key: strconv.Itoa(i), Value: c.write(c.queue[i])})
	}
	if len(defs) > 0 {
		v = v.With("$defs", value.Object(defs...))
	}
	return v
}

type engineWriter struct {
	names map[*node]string
	queue []*node
}

func (c *engineWriter) reference(n *node) string {
	name, ok := c.names[n]
	if !ok {
		name = "#/$defs/" + strconv.Itoa(len(c.queue))
		c.names[n] = name
		c.queue = append(c.queue, n)
	}
	return name
}

// keywords collects the members of one schema.
type keywords struct{ members []value.Member }

func (k *keywords) add(keyword string, v value.Value) {
	k.members = append(k.members, value.Member{Key: keyword, Value: v})
}

func (k *keywords) count(keyword string, n, none int) {
	if n != none {
		k.add(keyword, value.Int(int64(n)))
	}
}

func (k *keywords) strings(keyword string, list []string) {
	if len(list) > 0 {
		items := make([]value.Value, len(list))
		for i, s := range list {
			items[i] = value.String(s)
		}
		k.add(keyword, value.Array(items...))
	}
}

func (c *engineWriter) write(n *node) value.Value {
	if n.truth == never {
		return value.False
	}
	k := &keywords{}
	if n.ref != nil {
		k.add("$ref", value.String(c.reference(n.ref)))
	}
	k.strings("type", n.types.names())
	if n.enum != nil {
		k.add("enum", value.Array(n.enum[:len(n.enum):len(n.enum)]...))
	}
	k.add("const", n.constant)
	if r := n.number; r != nil {
		k.add("minimum", r.min.exact)
		k.add("maximum", r.max.exact)
		k.add("exclusiveMinimum", r.above.exact)
		k.add("exclusiveMaximum", r.below.exact)
		k.add("multipleOf", r.multipleOf)
	}
	if r := n.str; r != nil {
		k.count("minLength", r.min, 0)
		k.count("maxLength", r.max, unbounded)
		if r.pattern != nil {
			k.add("pattern", value.String(r.pattern.String()))
		}
	}
	if n.array != nil {
		c.array(k, n.array)
	}
	if n.object != nil {
		c.object(k, n.object)
	}
	c.list(k, "allOf", n.allOf)
	c.list(k, "anyOf", n.anyOf)
	c.list(k, "oneOf", n.oneOf)
	c.one(k, "not", n.not)
	if n.cond != nil {
		c.one(k, "if", n.cond.test)
		c.one(k, "then", n.cond.then)
		c.one(k, "else", n.cond.otherwise)
	}
	if u := n.unevaluatedItems; u != nil && u.truth == ordinary {
		// The library would add the elements that u evaluates inside an element to those of the whole; under not it does not.
		inner := value.Object(value.Member{Key: "not", Value: c.write(u)})
		k.add("unevaluatedItems", value.Object(value.Member{Key: "not", Value: inner}))
	} else {
		c.one(k, "unevaluatedItems", u)
	}
	c.one(k, "unevaluatedProperties", n.unevaluatedProperties)
	return value.Object(k.members...)
}

func (c *engineWriter) array(k *keywords, r *arrayRules) {
	k.count("minItems", r.min, 0)
	k.count("maxItems", r.max, unbounded)
	if r.unique {
		k.add("uniqueItems", value.True)
	}
	c.list(k, "prefixItems", r.prefix)
	c.one(k, "items", r.items)
	if r.contains != nil {
		c.one(k, "contains", r.contains)
		k.count("minContains", r.minContains, 1)
		k.count("maxContains", r.maxContains, unbounded)
	}
}

func (c *engineWriter) object(k *keywords, r *objectRules) {
	k.count("minProperties", r.min, 0)
	k.count("maxProperties", r.max, unbounded)
	var properties, patterns, schemas, required []value.Member
	var names []string
	for _, m := range r.members {
		if m.schema != nil {
			properties = append(properties, value.Member{Key: m.name, Value: c.write(m.schema)})
		}
		if m.required {
			names = append(names, m.name)
		}
	}
	for _, p := range r.patterns {
		patterns = append(patterns, value.Member{Key: p.source, Value: c.write(p.schema)})
	}
	for _, d := range r.dependents {
		if d.schema != nil {
			schemas = append(schemas, value.Member{Key: d.name, Value: c.write(d.schema)})
		} else {
			list := &keywords{}
			list.strings(d.name, d.required)
			required = append(required, list.members...)
		}
	}
	k.strings("required", names)
	table(k, "properties", properties)
	table(k, "patternProperties", patterns)
	table(k, "dependentSchemas", schemas)
	table(k, "dependentRequired", required)
	c.one(k, "additionalProperties", r.additional)
	c.one(k, "propertyNames", r.names)
}

func table(k *keywords, keyword string, members []value.Member) {
	if len(members) > 0 {
		k.add(keyword, value.Object(members...))
	}
}

func (c *engineWriter) list(k *keywords, keyword string, nodes []*node) {
	if len(nodes) > 0 {
		items := make([]value.Value, len(nodes))
		for i, n := range nodes {
			items[i] = c.write(n)
		}
		k.add(keyword, value.Array(items...))
	}
}

func (c *engineWriter) one(k *keywords, keyword string, n *node) {
	if n != nil {
		k.add(keyword, c.write(n))
	}
}
