package wf

import (
	"lda.chat/wf/internal/schema"
)

// effectKind is what becomes of a fact where a point is passed.
type effectKind uint8

const (
	effectSure  effectKind = iota // it is there afterwards
	effectKill                    // it is not
	effectMaybe                   // it may be, whatever was before
	effectKeep                    // it may be, and is if it was before
	effectShown                   // nobody gets here without it; noted before what a step itself does
)

type effect struct {
	fact, point int32
	kind        effectKind
	write       bool // a step writes it there, or puts it out
}

// collectEffects notes what the points do to the facts.
func (a *assigned) collectEffects() {
	a.seed()
	for _, s := range a.shown {
		switch s.path.Root {
		case RootState:
			a.touch(s.point, s.path, effectShown, false)
		case RootSteps:
			if f := a.ofStep[a.c.tree.index[s.path.Parts[0].Name]]; f >= 0 {
				a.effects = append(a.effects, effect{f, s.point, effectShown, false})
			}
		}
	}
	for s := range a.c.w.Nodes {
		if a.c.tree.of[s] != noRegion {
			a.stepEffects(s)
		}
	}
	a.sortEffects()
}

// sortEffects groups the effects by fact, in the order in which they were noted.
func (a *assigned) sortEffects() {
	for _, e := range a.effects {
		a.facts[e.fact].last++
	}
	var at int32
	for f := range a.facts {
		n := a.facts[f].last
		a.facts[f].first, a.facts[f].last = at, at
		at += n
	}
	sorted := make([]effect, len(a.effects))
	for _, e := range a.effects {
		f := &a.facts[e.fact]
		sorted[f.last] = e
		f.last++
	}
	a.effects = sorted
}

// seed notes what the state holds at the start: the defaults, then every input that has a declared field of its name.
func (a *assigned) seed() {
	c := a.c
	for f := range a.facts {
		fact := &a.facts[f]
		if fact.step != noStep {
			continue
		}
		byDefault := a.defaultAt(fact.path.Parts)
		kind, seeded := effectSure, byDefault
		if c.state != nil {
			if _, declared := c.state.Property(fact.path.Parts[0].Name); declared {
				byInput, may := a.seedOf(fact.path.Parts[0].Name)
				if may && !byDefault {
					kind, seeded = byInput, true
				}
			}
		}
		if seeded {
			a.effects = append(a.effects, effect{int32(f), pointStart, kind, false})
		}
	}
}

// seedOf tells whether the input fills a declared field at the start.
func (a *assigned) seedOf(name string) (kind effectKind, may bool) {
	if a.c.input == nil {
		return effectMaybe, true
	}
	p, known := a.c.input.Property(name)
	switch {
	case !known:
		return effectKeep, false
	case p.Required, !p.Default.IsAbsent():
		return effectSure, true
	}
	return effectMaybe, true
}

// stepEffects notes what a step writes and puts out.
func (a *assigned) stepEffects(s int) {
	c := a.c
	list, _ := writes(c.w.Nodes[s])
	out, has := c.outputOf(s)
	ask, isAsk := c.w.Nodes[s].(*InterruptStep)
	leave := func(point int32, out *schema.Schema) {
		if point < 0 {
			return
		}
		for k := range list {
			if len(a.factsOf(&list[k].Target)) > 0 {
				a.touch(point, &list[k].Target, a.kindOf(&list[k], out, isAsk), true)
			}
		}
		if f := a.ofStep[s]; f >= 0 && has {
			a.effects = append(a.effects, effect{f, point, effectSure, true})
		}
	}
	leave(a.done[s], out.schema)
	leave(a.partial[s], out.schema)
	for _, o := range a.outs(s) {
		if isAsk {
			answer := ask.ResumeSchema
			if own, ok := ask.ResumeSchemas[o.outcome]; ok {
				answer = own
			}
			leave(o.point, c.schema(answer))
		}
	}
	if set, ok := c.w.Nodes[s].(*SetStep); ok {
		for k := range set.Unset {
			a.touch(a.done[s], &set.Unset[k], effectKill, true)
		}
	}
	for k, catch := range c.w.Nodes[s].common().Catch {
		if catch.Error != nil {
			a.touch(a.caught[s]+int32(k), catch.Error, effectSure, true)
		}
	}
	if f, b := a.ofStep[s], c.tree.ancestry.body[c.tree.of[s]]; f >= 0 && b >= 0 { // what the steps of an item put out stays in it
		a.effects = append(a.effects, effect{f, a.end[b], effectKill, false})
	}
}

// touch notes what a write does to the facts of the field that it goes to.
func (a *assigned) touch(point int32, target *Path, kind effectKind, write bool) {
	for _, f := range a.factsOf(target) {
		parts := a.facts[f].path.Parts
		own := kind
		switch covers, inside := isBelow(parts, target.Parts), isBelow(target.Parts, parts); {
		case covers && (kind == effectKill || kind == effectMaybe) && len(target.Parts) == 1 && a.defaultAt(parts):
			own = effectSure // back to the default
		case covers:
		case !inside || kind == effectKill:
			continue
		case kind == effectMaybe: // a part of it may be taken away
			own = effectKeep
		}
		a.effects = append(a.effects, effect{f, point, own, write})
	}
}

// factsOf are the facts of the field that a path lies in.
func (a *assigned) factsOf(p *Path) []int32 {
	if p.Root != RootState || len(p.Parts) == 0 || p.Parts[0].IsIndex {
		return nil
	}
	return a.ofField[p.Parts[0].Name]
}

// isBelow reports whether a path is another one, or lies inside it.
func isBelow(parts, outer []Part) bool {
	if len(parts) < len(outer) {
		return false
	}
	for i, part := range outer {
		if parts[i] != part {
			return false
		}
	}
	return true
}
