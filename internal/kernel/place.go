package kernel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// place gives a frame that stands for the one with a path: it tells what the plan says of it, and where to look for it. It
// is an error if the plan can have no such frame.
func (m *Machine) place(path string) (*Frame, error) {
	if f := m.places[path]; f != nil {
		return f, nil
	}
	f := &Frame{flow: &flow{prog: m.prog}}
	if path != "/" && path != "" {
		if !strings.HasPrefix(path, "/") {
			return nil, fmt.Errorf("the path of a frame begins with \"/\", found %q", path)
		}
		for part := range strings.SplitSeq(path[1:], "/") {
			var err error
			if f, err = placeIn(f, part); err != nil {
				return nil, fmt.Errorf("the plan has no frame %q: %w", path, err)
			}
		}
	}
	if len(m.places) >= mostPlaces || m.places == nil {
		m.places = map[string]*Frame{}
	}
	m.places[path] = f
	return f, nil
}

// mostPlaces bounds how many of them are remembered.
const mostPlaces = 1000

// placeIn finds a child by its part of the path: step, "#" visit, "~" attempt, and "[" position "]" or ":" branch.
func placeIn(owner *Frame, part string) (*Frame, error) {
	prog := owner.flow.prog
	head, child := part, ""
	if i := strings.IndexAny(part, "[:"); i >= 0 {
		head, child = part[:i], part[i:]
	}
	g := &group{owner: owner, visit: 1, attempt: 1}
	head, ok := cutNumber(head, "~", &g.attempt)
	if ok {
		head, ok = cutNumber(head, "#", &g.visit)
	}
	at, found := prog.Op(head)
	if !ok || !found || prog.Ops[at].Region != owner.region { // a step stands in one region: so no path is deeper than the plan
		return nil, fmt.Errorf("there is no step %q", head)
	}
	g.at, g.op = at, &prog.Ops[at]
	f := &Frame{flow: owner.flow, in: g}
	switch g.op.Kind {
	case Foreach:
		n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimPrefix(child, "["), "]"), 10, 32)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%q is no item", part)
		}
		f.region, f.index = g.op.Fan.Body, int32(n)
	case Fork:
		n := slices.IndexFunc(g.op.Fan.Branches, func(b Branch) bool { return ":"+b.Name == child })
		if n < 0 {
			return nil, fmt.Errorf("%q is no branch", part)
		}
		f.region, f.index = g.op.Fan.Branches[n].Region, int32(n)
	case Subgraph:
		if child != "" {
			return nil, fmt.Errorf("%q is no workflow", part)
		}
		f.flow = &flow{prog: g.op.Child}
	default:
		return nil, fmt.Errorf("step %q has no frames", head)
	}
	if f.Path()[strings.LastIndexByte(f.Path(), '/')+1:] != part {
		return nil, fmt.Errorf("%q is not how it is written", part)
	}
	return f, nil
}

// cutNumber takes a number behind a mark off the end of a text, if there is one.
func cutNumber(text, mark string, n *int32) (string, bool) {
	i := strings.LastIndex(text, mark)
	if i < 0 {
		return text, true
	}
	v, err := strconv.ParseInt(text[i+1:], 10, 32)
	*n = int32(v)
	return text[:i], err == nil && v > 1
}

// splitID takes the id of a step's visit apart.
func (m *Machine) splitID(id string) (frame *Frame, step string, visit int32, err error) {
	i := strings.LastIndexByte(id, '/')
	if i < 0 {
		return nil, "", 0, fmt.Errorf("%q names no step", id)
	}
	visit = 1
	step, ok := cutNumber(id[i+1:], "#", &visit)
	if !ok {
		return nil, "", 0, fmt.Errorf("%q names no visit", id)
	}
	frame, err = m.place(id[:i])
	return frame, step, visit, err
}

// counterpart finds this machine's own frame for one of another machine or a place, nil if it is not open here.
func (m *Machine) counterpart(f *Frame) *Frame {
	if f.in == nil {
		return m.root
	}
	owner := m.counterpart(f.in.owner)
	if owner == nil || !owner.open() {
		return nil
	}
	g := owner.under
	if g == nil || g.at != f.in.at || g.visit != f.in.visit || g.attempt != f.in.attempt {
		return nil
	}
	return g.child(f.index)
}
