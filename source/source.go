// Package source is where capabilities come from: one narrow interface, so that a new family of sources never touches
// the engine, and the set of sources that a host has at hand.
package source

import (
	"context"

	"lda.chat/wf"
)

// Source is a namespace of capabilities and their owner: a registry of Go functions, a server of tools. It must be safe
// for concurrent use.
type Source interface {
	// ID is the source's name, the part of a ref before the last dot: "local.report". It never changes.
	ID() string
	// Inventory tells what the source has now. It fails if that cannot be known, as when a server does not answer.
	Inventory(ctx context.Context) (*Inventory, error)
}

// Inventory is what a source has. Nobody changes it once it was given out.
type Inventory struct {
	Nodes    []*wf.Func    // the capabilities, under the source's id
	Reducers []*wf.Reducer // for state fields
}
