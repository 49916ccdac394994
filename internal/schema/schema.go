package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"

	"lda.chat/wf/internal/value"
)

// Schema is a schema that passed the gate: immutable, finite, free of outside references, and safe for concurrent use. What
// was written stays the truth: nothing of it is lost or rewritten.
type Schema struct {
	doc  *document
	node *node

	self     func() value.Value // Value, worked out once
	lib      func() *engine     // the library's compiled copy, made when first needed
	declared func() []Property
	shape    func() string // ShapeHash
}

// document is what the schemas of one document share.
type document struct {
	root      *node
	raw       value.Value
	positions map[string]*node // every schema position, by pointer
	declared  value.Value      // $schema
	dialect   dialect
	native    bool // reflected from a Go type and saying nothing beyond it

	schemas sync.Map // *node → *Schema
}

// schema is the Schema of a position; always the same one.
func (d *document) schema(n *node) *Schema {
	if s, ok := d.schemas.Load(n); ok {
		return s.(*Schema)
	}
	s := &Schema{doc: d, node: n}
	s.declared = sync.OnceValue(func() []Property { return declaredProperties(d, n) })
	s.self = sync.OnceValue(func() value.Value {
		if n == d.root {
			return d.raw
		}
		return standalone(d, n)
	})
	s.shape = sync.OnceValue(s.shapeHash)
	s.lib = sync.OnceValue(func() *engine { return newEngine(n) })
	if n.merged { // made for one answer
		return s
	}
	kept, _ := d.schemas.LoadOrStore(n, s)
	return kept.(*Schema)
}

// Value is the schema as a JSON value that stands by itself: as it was written, or, for a part of a document, with the
// definitions it refers to.
func (s *Schema) Value() value.Value { return s.self() }

// JSON is the canonical text of [Schema.Value].
func (s *Schema) JSON() []byte { return s.Value().AppendCanonical(nil) }

// ExactHash identifies the schema with everything in it, descriptions too: "sha256:" and the digest of [Schema.JSON].
func (s *Schema) ExactHash() string {
	sum := sha256.Sum256(s.JSON())
	return "sha256:" + hex.EncodeToString(sum[:])
}

// TypesOnly reports whether the schema was reflected from a Go type and asks for nothing that the type does not guarantee:
// no enum, bound, length or pattern. What such a type encodes needs no check.
func (s *Schema) TypesOnly() bool { return s.doc.native }

// Valid reports whether the value satisfies the schema. An absent value satisfies none. A check that costs
// out of all proportion to the value, which takes a schema made for it, is given up and counts as not valid.
func (s *Schema) Valid(v value.Value) bool {
	if v.IsAbsent() {
		return false
	}
	if s.node.engine {
		return s.lib().valid(v, s.node)
	}
	return s.node.accepts(v)
}
