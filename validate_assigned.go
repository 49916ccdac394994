package wf

// checkAssigned checks that what is read of the state, and of other steps' outputs, has been written on every way that
// leads there. What a step could not be entered without is not asked again behind it.
func (c *checker) checkAssigned() {
	if c.holes || !c.hasStart() || c.twins != nil {
		return // data may flow otherwise than it seems
	}
	if a := newAssigned(c); a != nil {
		a.solve(a.judge)
	}
}

// assigned is the question which reads see a value. Facts are places that something reads: of the state, or a step's
// whole output.
type assigned struct {
	*flowGraph
	facts   []fact
	ofField map[string][]int32 // facts of each state field
	ofStep  []int32            // by step: its fact, or -1
	keys    map[factKey]int32  // -1: nothing is asked about it
	reads   []factRead         // by fact, then in the order in which they are reached
	effects []effect           // by fact, then in the order in which they happen at a point
	shown   []evidence         // until the facts are known
	cells   []cell             // by point
	taken   []uint64           // see killed
	work    int                // how often a point was looked at
	most    int                // see maxAssignedWork
	places  map[int][]*place   // of the reads of steps that are reported
	routes  int                // points that may still be looked at to describe a way
}

type fact struct {
	path         Path // of the state: up to the first position of an array; or steps.<id>
	step         int  // whose output; noStep of the state
	reads, until int32
	first, last  int32 // effects
}

type factKey struct {
	field string
	below string
}

// factRead is one place at which a fact is asked for.
type factRead struct {
	fact, point int32
	step        int // noStep: the workflow's own output
	nth         int // of the paths that the step reads
	mode        readMode
}

// evidence is that something is there once a point is reached.
type evidence struct {
	point int32
	path  *Path
}

func newAssigned(c *checker) *assigned {
	a := &assigned{flowGraph: newFlowGraph(c), ofField: make(map[string][]int32), ofStep: make([]int32, len(c.w.Nodes)),
		keys: make(map[factKey]int32), places: make(map[int][]*place), routes: 200_000, most: maxAssignedWork}
	for s := range a.ofStep {
		a.ofStep[s] = -1
	}
	for s := range c.w.Nodes {
		if c.tree.of[s] != noRegion {
			a.collect(s)
		}
	}
	a.collect(noStep)
	if len(a.facts) == 0 {
		return nil
	}
	a.sortReads()
	a.collectEffects()
	return a
}

// collect notes what a step reads, and what that shows to those behind it.
func (a *assigned) collect(s int) {
	nth, asking := -1, false
	w := readWalk{c: a.c}
	w.visit = func(p *Path, _ *place, mode readMode, at site) {
		nth++
		f := a.factOf(p)
		if f < 0 {
			return
		}
		for _, point := range a.readAt(s, at) {
			if point >= 0 && a.rank[point] >= 0 {
				a.reads = append(a.reads, factRead{f, point, s, nth, mode})
			}
		}
		if mode == readFails && s != noStep && !asking && at == siteEntry {
			a.shows(s, p)
		}
	}
	if s == noStep {
		w.result()
		return
	}
	w.step(s)
	asking = true        // of conditions the answer shows what was there
	answers := a.outs(s) // of a condition step, in the same order
	w.conditions(s, func(o Outcome, paths proven) {
		at := noPoint
		if len(answers) > 0 {
			at, answers = answers[0].point, answers[1:]
		} else if e, wired := a.c.wired[wire{s, o}]; wired && a.c.tree.enters[e] == regionBranch {
			at = a.branch[e]
		}
		for _, p := range paths {
			if at >= 0 {
				a.shown = append(a.shown, evidence{at, p})
			}
		}
	})
}

// shows notes that a step cannot go on unless it finds something at a path.
func (a *assigned) shows(s int, p *Path) {
	for _, point := range [...]int32{a.done[s], a.partial[s], a.item[s]} {
		if point >= 0 {
			a.shown = append(a.shown, evidence{point, p})
		}
	}
	for _, out := range a.outs(s) {
		a.shown = append(a.shown, evidence{out.point, p})
	}
}

// readAt are the points at which a step reads.
func (a *assigned) readAt(s int, at site) []int32 {
	switch {
	case s == noStep:
		return []int32{pointExit}
	case at == siteAfter:
		return []int32{a.done[s], a.partial[s]}
	case at == siteItem:
		return a.itemEnd[s : s+1]
	}
	return a.entry[s : s+1]
}
