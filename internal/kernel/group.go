package kernel

import (
	"cmp"
	"slices"

	"lda.chat/wf/internal/value"
)

// group is a step under way that has children: a foreach with its items, a fork with its branches, a subgraph with its
// workflow.
type group struct {
	owner   *Frame // which stands still meanwhile
	op      *Op
	at      int32 // the op's number
	visit   int32
	attempt int32

	over   value.Value // foreach: the array
	chosen []int32     // fork: the branches that were activated, in order
	total  int32       // how many children there are in all
	next   int32       // how many were started
	live   int32       // how many of these are open
	busy   int32       // how many of these are at work

	succeeded int32
	failed    int32
	kids      []kid // the children that were started, in order, from number first on
	first     int32
	held      []*Frame // children that may go on but find no room, in order

	log     []logged      // the writes of the children that succeeded, each child's together
	kept    [][]cell      // fork: the step outputs that each branch leaves; nil: none
	cells   []cell        // serial: the fields as the items so far leave them
	results []value.Value // by item; absent: none
	errors  []childError
}

// kid is a child that was started: open, or over with its part of the group's log, empty unless it succeeded.
type kid struct {
	frame    *Frame
	from, to int32
}

// childError is the failure of one child.
type childError struct {
	index int32
	fail  *Failure
}

// serial reports whether the children run one after the other, each seeing what those before it wrote.
func (g *group) serial() bool { return g.op.Kind == Foreach && g.op.Fan.Serial }

// limit is how many children may be at work at once; 0: any number.
func (g *group) limit() int32 {
	if g.op.Kind != Foreach {
		return 0
	}
	return g.op.Fan.Limit
}

// full reports whether no other child may be at work.
func (g *group) full() bool { return g.limit() > 0 && g.busy >= g.limit() }

// room reports whether another child can be started.
func (g *group) room() bool {
	switch {
	case g.next == g.total:
		return false
	case g.serial():
		return g.live == 0
	}
	return !g.full()
}

// settled tells by which outcome a foreach or fork ends, if it does.
func (g *group) settled() (outcome int32, ok bool) {
	fan := g.op.Fan
	if fan == nil {
		return 0, false
	}
	need := min(fan.Complete, g.total)
	switch {
	case need > 0 && g.succeeded >= need:
		return fan.Done, true
	case need > 0 && g.succeeded+g.live+g.total-g.next < need:
		return fan.Unmet, true
	case g.next == g.total && g.live == 0:
		return fan.Done, true
	}
	return 0, false
}

// number is the place of a child among those of its group.
func (g *group) number(f *Frame) int32 {
	if g.op.Kind == Fork {
		at, _ := slices.BinarySearch(g.chosen, f.index)
		return int32(at)
	}
	return f.index
}

// child finds an open child by its index, nil if there is none.
func (g *group) child(index int32) *Frame {
	at := index
	if g.op.Kind == Fork {
		n, ok := slices.BinarySearch(g.chosen, index)
		if !ok {
			return nil
		}
		at = int32(n)
	}
	if at -= g.first; at < 0 || int(at) >= len(g.kids) {
		return nil
	}
	return g.kids[at].frame
}

// indexOf is the index of the child with this number.
func (g *group) indexOf(number int32) int32 {
	if g.op.Kind == Fork {
		return g.chosen[number]
	}
	return number
}

// newChild makes the next child of a group, which apply then starts.
func (m *Machine) newChild(g *group) *Frame {
	if g.op.Kind == Subgraph {
		return m.newFlow(g.op.Child, g)
	}
	fl := g.owner.flow
	f := &Frame{flow: fl, in: g, index: g.indexOf(g.next)}
	if g.op.Kind == Foreach {
		f.region = g.op.Fan.Body
	} else {
		f.region = g.op.Fan.Branches[f.index].Region
	}
	r := &fl.prog.Regions[f.region]
	f.work = m.newWork(r, r.Start)
	return f
}

// start opens a child.
func (m *Machine) startChild(f *Frame) {
	g := f.in
	if g.serial() { // only the present item is remembered
		g.kids, g.first = g.kids[:0], g.next
	}
	g.kids = append(g.kids, kid{frame: f})
	g.next++
	g.live++
	m.setStatus(f, frameReady)
	m.unlink(g.owner) // the others have their turn first
	m.tending(g.owner)
	m.link(g.owner)
}

// closeChild closes a child that has come to its end: what it leaves is what its group will merge.
func (m *Machine) closeChild(f *Frame, e *Entry) {
	g := f.in
	switch e.Outcome {
	case childSucceeded:
		g.succeeded++
		m.harvest(g, f)
		if !e.Output.IsAbsent() {
			if g.results == nil {
				g.results = make([]value.Value, g.total)
			}
			g.results[f.index] = e.Output
		}
	case childFailed:
		g.failed++
		if g.op.Fan != nil && g.op.Fan.OnError == Collect {
			g.errors = append(g.errors, childError{f.index, e.Failure()})
		}
	}
	g.live--
	g.kids[g.number(f)-g.first].frame = nil
	m.dropChildren(f)
	m.setStatus(f, frameClosed)
	m.release(f)
	m.tending(g.owner)
}

// harvest keeps what a child that succeeded leaves.
func (m *Machine) harvest(g *group, f *Frame) {
	number := g.number(f)
	if g.serial() {
		for _, c := range f.cells {
			if at := find(g.cells, c.slot); at != nil {
				*at = c
			} else {
				g.cells = append(g.cells, c)
			}
		}
		if g.owner.whole() {
			return
		}
	}
	k := &g.kids[number-g.first]
	k.from = int32(len(g.log))
	g.log = append(g.log, f.log...)
	k.to = int32(len(g.log))
	if len(f.kept) > 0 && g.op.Kind == Fork {
		if g.kept == nil {
			g.kept = make([][]cell, g.total)
		}
		g.kept[number], f.kept = f.kept, nil
	}
}

// written is what a child leaves to be merged.
func (g *group) written(number int) []logged { return g.log[g.kids[number].from:g.kids[number].to] }

// dropChildren ends the children of a frame's step as they are: nothing of them is merged any more.
func (m *Machine) dropChildren(f *Frame) {
	g := f.under
	if g == nil {
		return
	}
	f.under = nil
	for i := range g.kids {
		if k := g.kids[i].frame; k != nil {
			m.drop(k)
		}
	}
	if f.active -= g.busy; g.busy > 0 && f.active == 0 {
		m.rested(f)
	}
}

// drop closes a frame whose ancestors settle the accounts.
func (m *Machine) drop(f *Frame) {
	if g := f.under; g != nil {
		for i := range g.kids {
			if k := g.kids[i].frame; k != nil {
				m.drop(k)
			}
		}
	}
	m.count(f.status, -1)
	if f.held {
		m.holding--
	}
	m.unlink(f)
	m.release(f)
}

// summary is the output of a foreach or fork that ends.
func (g *group) summary() value.Value {
	slices.SortFunc(g.errors, func(a, b childError) int { return cmp.Compare(a.index, b.index) })
	errors := make([]value.Value, len(g.errors))
	for i, e := range g.errors {
		about := value.Member{Key: "branch"}
		members := []value.Member{{Key: "code", Value: value.String(e.fail.Code)}, {Key: "message", Value: value.String(e.fail.Message)}}
		if g.op.Kind == Foreach {
			about = value.Member{Key: "index", Value: value.Int(int64(e.index))}
			members = append(members, value.Member{Key: "item", Value: g.over.Index(int(e.index))})
		} else {
			about.Value = value.String(g.op.Fan.Branches[e.index].Name)
		}
		errors[i] = value.Object(append(members, about)...)
	}
	members := []value.Member{
		{Key: "count", Value: value.Int(int64(g.total))},
		{Key: "succeeded", Value: value.Int(int64(g.succeeded))},
		{Key: "failed", Value: value.Int(int64(g.failed))},
		{Key: "errors", Value: value.Array(errors...)},
	}
	if g.op.Fan.Result != nil {
		results := make([]value.Value, 0, g.succeeded)
		for _, v := range g.results {
			if !v.IsAbsent() {
				results = append(results, v)
			}
		}
		members = append(members, value.Member{Key: "results", Value: value.Array(results...)})
	}
	return value.Object(members...)
}
