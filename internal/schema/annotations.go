package schema

import (
	"slices"
	"strings"

	"lda.chat/wf/internal/value"
)

// Position is a place of a document at which a schema stands.
type Position struct {
	Pointer string      // RFC 6901, "" is the document
	Raw     value.Value // the schema there, as written
}

// Positions lists every schema position of the document that s is or is a part of, definitions included, by pointer. What
// stands inside an enum, a const or an unknown keyword is none.
func (s *Schema) Positions() []Position {
	list := make([]Position, 0, len(s.doc.positions))
	for pointer, n := range s.doc.positions {
		list = append(list, Position{pointer, n.raw})
	}
	slices.SortFunc(list, func(a, b Position) int { return strings.Compare(a.Pointer, b.Pointer) })
	return list
}

// Pointers are the positions at which the property is described: where [Property.Ext] and Default look, in that order.
func (p Property) Pointers() []string {
	var list []string
	for _, n := range p.nodes {
		if !n.merged {
			list = append(list, n.pointer)
		}
	}
	return list
}
