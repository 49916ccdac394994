package source

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"lda.chat/wf"
)

// Set is a number of sources whose inventories were taken together: the [wf.Nodes] of a runtime. It is immutable.
type Set struct {
	ids      []string
	nodes    map[string]*wf.Func
	reducers []*wf.Reducer
}

// NewSet takes the inventories of sources. It fails, naming the source, if one cannot tell its inventory, if two have
// one id, if a capability is not under its source's id or stands twice, or if one has problems of its own.
func NewSet(ctx context.Context, sources ...Source) (*Set, error) {
	s := &Set{nodes: map[string]*wf.Func{}}
	for _, src := range sources {
		id := src.ID()
		if slices.Contains(s.ids, id) {
			return nil, fmt.Errorf("source %q is there twice", id)
		}
		s.ids = append(s.ids, id)
		inventory, err := src.Inventory(ctx)
		if err != nil {
			return nil, fmt.Errorf("source %q: %w", id, err)
		}
		for _, f := range inventory.Nodes {
			if err := s.add(id, f); err != nil {
				return nil, fmt.Errorf("source %q: %w", id, err)
			}
		}
		s.reducers = append(s.reducers, inventory.Reducers...)
	}
	slices.Sort(s.ids)
	return s, nil
}

func (s *Set) add(id string, f *wf.Func) error {
	if err := f.Problems().Err(); err != nil {
		return err
	}
	ref := f.Contract().Name
	name, under := strings.CutPrefix(ref, id+".")
	if !under || strings.Contains(name, ".") {
		return fmt.Errorf("capability %q is not named as one of this source: expected %q and a name without dots", ref, id+".")
	}
	if s.nodes[ref] != nil {
		return fmt.Errorf("capability %q is there twice", ref)
	}
	s.nodes[ref] = f
	return nil
}

// Node finds a capability by its ref.
func (s *Set) Node(ref string) (*wf.Func, bool) {
	f, ok := s.nodes[ref]
	return f, ok
}

// Refs lists the capabilities' refs, sorted.
func (s *Set) Refs() []string { return slices.Sorted(maps.Keys(s.nodes)) }

// IDs lists the sources' ids, sorted.
func (s *Set) IDs() []string { return slices.Clone(s.ids) }

// Reducers lists the sources' reducers, in the order of the sources.
func (s *Set) Reducers() []*wf.Reducer { return slices.Clone(s.reducers) }
