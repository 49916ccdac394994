package schema

import (
	"slices"
	"strings"

	"lda.chat/wf/internal/value"
)

func (r *reader) arrays() {
	a := arrayRules{
		min: r.count("minItems", 0), max: r.count("maxItems", unbounded), unique: r.flag("uniqueItems"),
		contains: r.sub("contains"), minContains: r.count("minContains", 1), maxContains: r.count("maxContains", unbounded),
	}
	a.prefix = r.list("prefixItems")
	switch items := r.get("items"); {
	case items.Kind() != value.KindArray:
		a.items = r.sub("items")
	default:
		// A list of schemas is how prefixItems was written before 2020-12; in the field it is still met without a $schema.
		if r.dialect == draft2020 {
			r.warn(r.place("items"), CodeDialectUnknown, "a list of schemas belongs in prefixItems; it is read so")
		}
		if items.Len() > 0 {
			a.prefix = r.list("items")
		}
		a.items = r.sub("additionalItems")
	}
	if a.min > 0 || a.max != unbounded || a.unique || a.contains != nil || len(a.prefix) > 0 || a.items != nil {
		r.n.array = &a
	}
	r.n.unevaluatedItems = r.sub("unevaluatedItems")
}

func (r *reader) objects() {
	o := objectRules{
		min: r.count("minProperties", 0), max: r.count("maxProperties", unbounded),
		additional: r.sub("additionalProperties"), names: r.sub("propertyNames"),
	}
	for _, p := range r.table("properties") {
		o.members = append(o.members, member{name: p.name, schema: p.schema})
	}
	declared := len(o.members)
	for _, name := range r.names("required") {
		known := objectRules{members: o.members[:declared]}
		if m := known.member(name); m != nil {
			m.required = true
		} else {
			o.members = append(o.members, member{name: name, required: true})
		}
	}
	slices.SortFunc(o.members, func(a, b member) int { return strings.Compare(a.name, b.name) })
	for _, m := range o.members {
		if m.required {
			o.required++
		}
	}
	for _, p := range r.table("patternProperties") {
		if re, states := r.compile(p.name, "patternProperties", p.name); re != nil {
			o.patterns = append(o.patterns, pattern{source: p.name, re: re, states: states, schema: p.schema})
		} else {
			o.additional = nil // nobody can say which properties are additional
		}
	}
	r.dependents(&o)
	if o.min > 0 || o.max != unbounded || len(o.members) > 0 || len(o.patterns) > 0 || o.additional != nil || o.names != nil || len(o.dependents) > 0 {
		r.n.object = &o
	}
	r.n.unevaluatedProperties = r.sub("unevaluatedProperties")
}

func (r *reader) dependents(o *objectRules) {
	if v := r.get("dependentRequired"); r.expect(v, "dependentRequired", value.KindObject) {
		for name, list := range v.Members() {
			o.dependents = append(o.dependents, dependent{name: name, required: r.stringList(list, "dependentRequired", name)})
		}
	}
	for _, p := range r.table("dependentSchemas") {
		o.dependents = append(o.dependents, dependent{name: p.name, schema: p.schema})
	}
	if v := r.get("dependencies"); r.expect(v, "dependencies", value.KindObject) {
		for name, d := range v.Members() {
			if d.Kind() == value.KindArray {
				o.dependents = append(o.dependents, dependent{name: name, required: r.stringList(d, "dependencies", name)})
			} else if !r.full {
				o.dependents = append(o.dependents, dependent{name: name, schema: r.schema(d, r.place("dependencies", name), r.n.home)})
			}
		}
	}
}

func (r *reader) combinations() {
	n := r.n
	n.allOf, n.anyOf, n.oneOf = r.list("allOf"), r.list("anyOf"), r.list("oneOf")
	n.not = r.sub("not")
	// All three are read in any case, since references may land on them. An if alone still marks what it evaluates.
	c := conditional{test: r.sub("if"), then: r.sub("then"), otherwise: r.sub("else")}
	if c.test != nil {
		n.cond = &c
	}
}
