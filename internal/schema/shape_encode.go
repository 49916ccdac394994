package schema

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"lda.chat/wf/internal/value"
)

// telling are the annotations that count for the shape.
var telling = []string{"default", "format", "contentEncoding", "contentMediaType", "contentSchema"}

// dropped are the keywords of which something may be left out of an unchecked node: there their text counts.
var dropped = []string{"additionalProperties", "contains", "else", "if", "not", "oneOf", "pattern",
	"patternProperties", "then", "unevaluatedItems", "unevaluatedProperties"}

// shapeText writes a node in a form of its own, unambiguously: each keyword by name, each part with its length.
type shapeText struct {
	shaper *shaper
	parts  map[*node]digest // of the endless nodes
	text   []byte
}

func (s *shaper) encode(n *node, parts map[*node]digest) digest {
	e := &shapeText{shaper: s, parts: parts}
	e.node(n)
	return sha256.Sum256(e.text)
}

func (e *shapeText) bytes(b []byte) {
	e.text = binary.AppendUvarint(e.text, uint64(len(b)))
	e.text = append(e.text, b...)
}

func (e *shapeText) string(s string) { e.bytes([]byte(s)) }

func (e *shapeText) value(keyword string, v value.Value) {
	if !v.IsAbsent() {
		e.string(keyword)
		e.bytes(v.AppendCanonical(nil))
	}
}

func (e *shapeText) count(keyword string, n, usual int) {
	if n != usual {
		e.string(keyword)
		e.text = binary.AppendUvarint(e.text, uint64(n))
	}
}

func (e *shapeText) of(n *node) digest {
	n = n.actual()
	if d, ok := e.parts[n]; ok {
		return d
	}
	return e.shaper.known[n]
}

// idle reports whether a node asks for nothing, and that does not count either.
func (e *shapeText) idle(n *node) bool {
	return !e.shaper.exact && n != nil && e.of(n) == blank
}

// blank is the shape of true and {}.
var blank = sha256.Sum256(nil)

func (e *shapeText) one(keyword string, n *node) {
	if n != nil {
		d := e.of(n)
		e.string(keyword)
		e.bytes(d[:])
	}
}

// set writes nodes whose order does not matter.
func (e *shapeText) set(keyword string, nodes []*node) {
	if len(nodes) == 0 {
		return
	}
	list := make([]digest, len(nodes))
	for i, n := range nodes {
		list[i] = e.of(n)
	}
	slices.SortFunc(list, digest.compare)
	if keyword != "oneOf" {
		list = slices.Compact(list)
	}
	e.string(keyword)
	e.text = binary.AppendUvarint(e.text, uint64(len(list)))
	for _, d := range list {
		e.bytes(d[:])
	}
}

func (e *shapeText) node(n *node) {
	if n.truth == never {
		e.string("false")
	}
	if n.types != 0 && n.types != everyType {
		e.count("type", int(n.types), 0)
	}
	e.values(n)
	if r := n.number; r != nil {
		e.value("minimum", r.min.exact)
		e.value("maximum", r.max.exact)
		e.value("exclusiveMinimum", r.above.exact)
		e.value("exclusiveMaximum", r.below.exact)
		e.value("multipleOf", r.multipleOf)
	}
	if r := n.str; r != nil {
		e.count("minLength", r.min, 0)
		e.count("maxLength", r.max, unbounded)
		if r.pattern != nil {
			e.string("pattern")
			e.string(r.pattern.String())
		}
	}
	if n.array != nil {
		e.array(n.array)
	}
	if n.object != nil {
		e.object(n.object)
	}
	e.combinations(n)
	for _, keyword := range telling {
		e.value(keyword, n.raw.Get(keyword))
	}
	if n.unchecked {
		e.string("unchecked")
		for _, keyword := range dropped {
			e.value(keyword, n.raw.Get(keyword))
		}
	}
}

// values writes what enum lists, and const as a list of one.
func (e *shapeText) values(n *node) {
	list := n.enum
	if !n.constant.IsAbsent() {
		if list == nil {
			list = []value.Value{n.constant}
		} else {
			e.value("const", n.constant)
		}
	}
	if list == nil {
		return
	}
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = string(v.AppendCanonical(nil))
	}
	slices.Sort(texts)
	texts = slices.Compact(texts)
	e.string("enum")
	e.text = binary.AppendUvarint(e.text, uint64(len(texts)))
	for _, t := range texts {
		e.string(t)
	}
}

func (e *shapeText) array(r *arrayRules) {
	e.count("minItems", r.min, 0)
	e.count("maxItems", r.max, unbounded)
	if r.unique {
		e.string("uniqueItems")
	}
	for _, c := range r.prefix {
		e.one("prefixItems", c)
	}
	if !e.idle(r.items) {
		e.one("items", r.items)
	}
	if r.contains != nil {
		e.one("contains", r.contains)
		e.count("minContains", r.minContains, 1)
		e.count("maxContains", r.maxContains, unbounded)
	}
}

func (e *shapeText) object(r *objectRules) {
	e.count("minProperties", r.min, 0)
	e.count("maxProperties", r.max, unbounded)
	for _, m := range r.members {
		if m.required {
			e.string("required")
			e.string(m.name)
		}
		if m.schema != nil {
			e.one("properties", m.schema)
			e.string(m.name)
		}
	}
	patterns := slices.Clone(r.patterns)
	slices.SortFunc(patterns, func(a, b pattern) int { return strings.Compare(a.source, b.source) })
	for _, p := range patterns {
		e.one("patternProperties", p.schema)
		e.string(p.source)
	}
	if !e.idle(r.additional) {
		e.one("additionalProperties", r.additional)
	}
	if !e.idle(r.names) {
		e.one("propertyNames", r.names)
	}
	var texts []string
	for _, d := range r.dependents {
		own := &shapeText{shaper: e.shaper, parts: e.parts}
		own.string(d.name)
		if d.schema != nil {
			own.one("schema", d.schema)
		} else {
			own.string("names")
		}
		names := slices.Sorted(slices.Values(d.required))
		for _, name := range slices.Compact(names) {
			own.string(name)
		}
		texts = append(texts, string(own.text))
	}
	slices.Sort(texts)
	for _, t := range texts {
		e.string("dependent")
		e.string(t)
	}
}

func (e *shapeText) combinations(n *node) {
	var all []*node
	for _, c := range append([]*node{n.ref}, n.allOf...) {
		if c != nil && !e.idle(c) {
			all = append(all, c)
		}
	}
	e.set("allOf", all)
	e.set("anyOf", n.anyOf)
	e.set("oneOf", n.oneOf)
	e.one("not", n.not)
	if c := n.cond; c != nil {
		e.one("if", c.test)
		e.one("then", c.then)
		e.one("else", c.otherwise)
	}
	e.one("unevaluatedItems", n.unevaluatedItems)
	e.one("unevaluatedProperties", n.unevaluatedProperties)
}
