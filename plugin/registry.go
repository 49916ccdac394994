// Package plugin makes sources of functions: here of typed Go functions of the host's own program.
package plugin

import (
	"context"
	"fmt"
	"regexp"

	"lda.chat/wf"
	"lda.chat/wf/source"
)

// Registry is a list of Go functions and reducers that a host offers. A configuration names it and gives it the id of a
// source: so one registry can stand under several ids, and the functions need not know them.
type Registry struct {
	Nodes    []*wf.Func
	Reducers []*wf.Reducer
}

var sourceID = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$`)

// Source makes a source of the registry's functions. It fails if the id is none, or reserved ("wf" and what begins
// with "wf." belong to the platform), or if a function or reducer has problems.
func (r *Registry) Source(id string) (source.Source, error) {
	switch {
	case len(id) > 128 || !sourceID.MatchString(id):
		return nil, fmt.Errorf("source id %q: expected names of letters, digits, \"_\" and \"-\", with dots between them, at most 128 characters", id)
	case source.IsPlatform(id):
		return nil, fmt.Errorf("source id %q: \"wf\" belongs to the platform; choose another", id)
	}
	s := &goSource{id: id, inventory: source.Inventory{Reducers: r.Reducers}}
	var problems wf.Diagnostics
	for _, f := range r.Nodes {
		problems = append(problems, f.Problems()...)
		s.inventory.Nodes = append(s.inventory.Nodes, f.OfSource(id))
	}
	for _, reducer := range r.Reducers {
		problems = append(problems, reducer.Problems()...)
	}
	if err := problems.Err(); err != nil {
		return nil, fmt.Errorf("source %q: %w", id, err)
	}
	return s, nil
}

// goSource is a registry under an id.
type goSource struct {
	id        string
	inventory source.Inventory
}

var _ source.Source = (*goSource)(nil)

// ID implements [source.Source].
func (s *goSource) ID() string { return s.id }

// Inventory implements [source.Source].
func (s *goSource) Inventory(context.Context) (*source.Inventory, error) { return &s.inventory, nil }
