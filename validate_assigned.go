package wf

import (
	"cmp"
	"slices"

	"lda.chat/wf/internal/schema"
)

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
	work    int                // how often a point was looked at
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
		keys: make(map[factKey]int32), routes: 200_000}
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
	asking = true // of conditions the answer shows what was there
	w.conditions(s, func(o Outcome, paths proven) { a.showsAnswer(s, o, paths) })
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

// showsAnswer notes what an answer of a step's conditions shows.
func (a *assigned) showsAnswer(s int, o Outcome, paths proven) {
	if len(paths) == 0 {
		return
	}
	at := noPoint
	for _, out := range a.outs(s) {
		if out.outcome == o {
			at = out.point
		}
	}
	if _, isFork := a.c.w.Nodes[s].(*ForkStep); isFork {
		if e, ok := a.c.wired[wire{s, o}]; ok {
			at = a.branch[e]
		}
	}
	for _, p := range paths {
		if at >= 0 {
			a.shown = append(a.shown, evidence{at, p})
		}
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

// factOf is the fact of a path, -1 if nothing is asked about it.
func (a *assigned) factOf(p *Path) int32 {
	if len(p.Parts) == 0 || p.Parts[0].IsIndex {
		return -1
	}
	switch p.Root {
	case RootSteps:
		s, known := a.c.tree.index[p.Parts[0].Name]
		if !known || a.c.tree.of[s] == noRegion {
			return -1
		}
		if a.ofStep[s] < 0 {
			if _, has := a.c.outputOf(s); has {
				a.ofStep[s] = a.addFact(Path{RootSteps, p.Parts[:1]}, s)
			}
		}
		return a.ofStep[s]
	case RootState:
		parts := p.Parts
		if i := slices.IndexFunc(parts, func(part Part) bool { return part.IsIndex }); i > 0 {
			parts = parts[:i]
		}
		return a.stateFact(parts)
	}
	return -1
}

func (a *assigned) stateFact(parts []Part) int32 {
	c, name := a.c, parts[0].Name
	if c.state == nil && len(c.w.StateSchema) > 0 {
		return -1 // nobody knows its defaults
	}
	key := factKey{field: name}
	if len(parts) > 1 {
		if len(a.ofField[name]) > maxProven {
			parts = parts[:1]
		} else {
			key.below = partsText(parts[1:])
		}
	}
	f, known := a.keys[key]
	if known {
		return f
	}
	f = -1
	_, wrong := c.walk(c.state, parts)
	switch {
	case wrong >= 0, c.state != nil && c.nearDeclared(c.state, parts[0]) != "": // told already
	case len(parts) == 1 && a.defaultAt(parts): // always there
	default:
		f = a.addFact(Path{RootState, parts}, noStep)
		a.ofField[name] = append(a.ofField[name], f)
	}
	a.keys[key] = f
	return f
}

// defaultAt reports whether a place of the state has a value as soon as its field has its default.
func (a *assigned) defaultAt(parts []Part) bool {
	if a.c.state == nil {
		return false
	}
	p, _ := a.c.state.Property(parts[0].Name)
	return !p.Default.At(valuePath(parts[1:])).IsAbsent()
}

func (a *assigned) addFact(p Path, step int) int32 {
	a.facts = append(a.facts, fact{path: p, step: step})
	return int32(len(a.facts) - 1)
}

// sortReads brings the facts into the order of their first reads, so that those of one neighbourhood stand together.
func (a *assigned) sortReads() {
	slices.SortStableFunc(a.reads, func(x, y factRead) int { return cmp.Compare(a.rank[x.point], a.rank[y.point]) })
	number := make([]int32, len(a.facts))
	for i := range number {
		number[i] = -1
	}
	order := make([]fact, 0, len(a.facts))
	for i := range a.reads {
		f := &a.reads[i].fact
		if number[*f] < 0 {
			number[*f] = int32(len(order))
			order = append(order, a.facts[*f])
		}
		*f = number[*f]
	}
	slices.SortStableFunc(a.reads, func(x, y factRead) int { return cmp.Compare(x.fact, y.fact) })
	a.facts = order
	for i, r := range a.reads {
		if a.facts[r.fact].until == 0 {
			a.facts[r.fact].reads = int32(i)
		}
		a.facts[r.fact].until = int32(i + 1)
	}
	for field, list := range a.ofField {
		a.ofField[field] = renumber(list, number)
	}
	a.ofStep = slices.Clone(a.ofStep)
	for s, f := range a.ofStep {
		if f >= 0 {
			a.ofStep[s] = number[f]
		}
	}
}

// renumber drops what no point that is reached reads.
func renumber(list, number []int32) []int32 {
	kept := list[:0]
	for _, f := range list {
		if number[f] >= 0 {
			kept = append(kept, number[f])
		}
	}
	return kept
}

// mayMiss reports whether values of a schema may lack a place, as far as the schema says so.
func (c *checker) mayMiss(s *schema.Schema, parts []Part) bool {
	for _, part := range parts {
		if s == nil {
			return false
		}
		next := c.lookup(s, part)
		if next.presence == schema.Possible {
			if p, _ := s.Property(part.Name); part.IsIndex || !p.Required {
				return true
			}
		}
		s = next.schema
	}
	return false
}
