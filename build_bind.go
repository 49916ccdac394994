package wf

import (
	"fmt"
	"slices"
	"strings"
)

// bind makes the bindings of all steps: the explicit ones, and by name what is left. It works in the order the steps were
// written, as a step can only be given what stands before it.
func (a *assembly) bind() {
	a.trace()
	a.unsure = a.has(losesNames)
	given := &namesGiven{steps: map[string][]*placed{}, state: map[string][]*placed{}}
	for _, p := range a.placed {
		a.bindInput(p, given)
		a.bindOutput(p)
		given.add(p)
	}
	a.given = given
}

// namesGiven are the names that steps give, so far.
type namesGiven struct {
	steps map[string][]*placed // members of outputs that are not written to the state field of the name
	state map[string][]*placed // state fields that are written
}

func (g *namesGiven) add(p *placed) {
	remembered := map[string]bool{}
	for _, w := range p.written {
		if len(w.Target.Parts) == 0 {
			continue
		}
		field := w.Target.Parts[0].Name
		g.state[field] = append(g.state[field], p)
		if w.Source != nil && len(w.Source.Parts) == 1 && w.Source.Parts[0].Name == field && len(w.Target.Parts) == 1 {
			remembered[field] = true
		}
	}
	for _, name := range p.gives {
		if !remembered[name] {
			g.steps[name] = append(g.steps[name], p)
		}
	}
}

// bindInput fills the step's input, request or returned output.
func (a *assembly) bindInput(p *placed, given *namesGiven) {
	bindings := slices.Clone(p.inputs)
	if p.contract != nil && !bindsWhole(bindings) {
		for _, name := range propertiesOf(p.contract.InputSchema) {
			if bindsMember(bindings, name) {
				continue
			}
			from, ok := a.find(p, name, given)
			if !ok && a.unsure {
				from, ok = holePath(), true
			}
			if ok {
				target := Path{Root: RootLocal, Parts: []Part{namePart(name)}}
				bindings = append(bindings, InputBinding{target, Operand{Path: &from}})
			}
		}
	}
	sortInputs(bindings)
	switch step := p.step.(type) {
	case *NodeStep:
		step.Input = bindings
	case *SubgraphStep:
		step.Input = bindings
	case *InterruptStep:
		step.Request = bindings
	case *EndStep:
		step.Output = bindings
	}
}

func bindsWhole(bindings []InputBinding) bool {
	return slices.ContainsFunc(bindings, func(b InputBinding) bool { return len(b.Target.Parts) == 0 })
}

func bindsMember(bindings []InputBinding, name string) bool {
	return slices.ContainsFunc(bindings, func(b InputBinding) bool { return len(b.Target.Parts) > 0 && b.Target.Parts[0].Name == name })
}

// find looks a name up for a step: what earlier steps gave, then the state, then the input. Two steps that gave it are a
// mistake, unless both wrote it to the state.
func (a *assembly) find(p *placed, name string, given *namesGiven) (Path, bool) {
	found := a.nearby(p.frame, p.index, name, given)
	if len(found) == 0 {
		switch {
		case slices.Contains(a.stateFields, name):
			return memberPath(RootState, name), true
		case slices.Contains(a.inputFields, name):
			return memberPath(RootInput, name), true
		}
		return Path{}, false
	}
	if len(found) > 1 {
		a.add(p.path(), ambiguous(p.id, "its input", name, found, fmt.Sprintf("In(%q, %q)", name, found[0])))
		return holePath(), true
	}
	return found[0], true
}

// nearby lists what earlier steps, and the loops around, have under a name.
func (a *assembly) nearby(f *frame, index int, name string, given *namesGiven) []Path {
	var found []Path
	for g := f; g != nil; g = g.outer {
		if g.each != nil && g.as == name {
			found = append(found, Path{Root: RootItem, Parts: []Part{namePart(name)}})
			break
		}
	}
	steps := slices.DeleteFunc(slices.Clone(given.steps[name]), func(giver *placed) bool { return !giver.visibleFrom(f) })
	if len(steps) == 0 && len(found) == 0 {
		return nil // the state is looked at in any case
	}
	if slices.Contains(a.stateFields, name) && len(a.graph.earlier(index, given.state[name])) > 0 {
		found = append(found, memberPath(RootState, name))
	}
	for _, giver := range a.graph.earlier(index, steps) {
		found = append(found, Path{Root: RootSteps, Parts: []Part{namePart(giver.id), namePart(name)}})
	}
	return found
}

// visibleFrom reports whether the step's output can be read in a frame: it is around it, or in a branch that has been
// joined.
func (p *placed) visibleFrom(f *frame) bool {
	for g := p.frame; g != nil; g = g.outer {
		if f.within(g) {
			return true
		}
		if g.fork == nil {
			return false // nothing leaves a foreach's item
		}
		for h := f; h != nil; h = h.outer {
			if h.fork == g.fork {
				return false // another branch of the same fork
			}
		}
	}
	return false
}

func ambiguous(step, what, name string, found []Path, fix string) Diagnostic {
	texts := make([]string, len(found))
	for i, p := range found {
		texts[i] = p.String()
	}
	return Diagnostic{Code: "binding_ambiguous", Step: step,
		Message:    fmt.Sprintf("%s asks for %q, and there is more than one: %s", what, name, strings.Join(texts, ", ")),
		RepairHint: fmt.Sprintf("choose with %s, or declare %q in the state, where each write replaces the one before", fix, name)}
}

func memberPath(root Root, name string) Path { return Path{Root: root, Parts: []Part{namePart(name)}} }

// bindOutput writes members of the step's output to the state fields of their names, beside the explicit writes.
func (a *assembly) bindOutput(p *placed) {
	writes := slices.Clone(p.writes)
	whole := slices.ContainsFunc(writes, func(w OutputBinding) bool { return w.Source != nil && len(w.Source.Parts) == 0 })
	for _, name := range p.gives {
		explicit := slices.ContainsFunc(writes, func(w OutputBinding) bool {
			return w.Source != nil && len(w.Source.Parts) > 0 && w.Source.Parts[0].Name == name
		})
		if !whole && !explicit && slices.Contains(a.stateFields, name) {
			source := memberPath(RootLocal, name)
			writes = append(writes, OutputBinding{Source: &source, Target: memberPath(RootState, name)})
		}
	}
	sortWrites(writes)
	p.written = writes
	switch step := p.step.(type) {
	case *NodeStep:
		step.Output = writes
	case *SubgraphStep:
		step.Output = writes
	case *InterruptStep:
		step.Resume = writes
	case *SetStep:
		step.Output = writes
	case *ForeachStep:
		step.Output = writes
	case *ForkStep:
		step.Output = writes
	}
}

// output makes the workflow's own output. Where every member has a state field of its name there is nothing to write: that
// is what a workflow without output bindings returns.
func (a *assembly) output(b *Builder) {
	if len(b.outputs) > 0 {
		a.w.Output = slices.Clone(b.outputs)
		sortInputs(a.w.Output)
		return
	}
	fields := propertiesOf(b.output)
	if !slices.ContainsFunc(fields, func(name string) bool { return !slices.Contains(a.stateFields, name) }) {
		return
	}
	for _, name := range fields {
		from := memberPath(RootState, name)
		if !slices.Contains(a.stateFields, name) {
			found := a.nearby(&a.root, len(a.w.Nodes), name, a.given)
			switch {
			case len(found) > 0:
				from = found[0]
			case slices.Contains(a.inputFields, name):
				from = memberPath(RootInput, name)
			case a.unsure:
				from = holePath()
			default:
				continue // the validator says which required members are missing
			}
			if len(found) > 1 {
				a.add("/output", ambiguous("", "the workflow's output", name, found, fmt.Sprintf("Output(%q, %q)", name, found[0])))
				from = holePath()
			}
		}
		a.w.Output = append(a.w.Output, InputBinding{memberPath(RootLocal, name), Operand{Path: &from}})
	}
}
