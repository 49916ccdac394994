package wf

import (
	"cmp"
	"slices"
)

// factOf is the fact of a path, -1 if nothing is asked about it.
func (a *assigned) factOf(p *Path) int32 {
	if len(p.Parts) == 0 || p.Parts[0].IsIndex {
		return -1
	}
	switch p.Root {
	case RootSteps:
		s, known := a.c.tree.index[p.Parts[0].Name]
		if !known {
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
