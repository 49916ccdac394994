package schema

import "slices"

// nodeSet is a list of nodes without repetitions, in the order they came.
type nodeSet struct {
	list []*node
	seen map[*node]struct{} // once there are many
}

func (s *nodeSet) add(n *node) {
	const many = 32
	if s.seen == nil && len(s.list) < many {
		if !slices.Contains(s.list, n) {
			s.list = append(s.list, n)
		}
		return
	}
	if s.seen == nil {
		s.seen = make(map[*node]struct{}, 4*many)
		for _, have := range s.list {
			s.seen[have] = struct{}{}
		}
	}
	if _, have := s.seen[n]; !have {
		s.seen[n] = struct{}{}
		s.list = append(s.list, n)
	}
}
