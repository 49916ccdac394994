package wf

import (
	"maps"
	"slices"

	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// collect puts every write of a step inside a region into that region's tree.
func (k *conflicts) collect() {
	for i, s := range k.w.Nodes {
		if k.tree.of[i] <= 0 || !k.pass.merges[i] {
			continue
		}
		performs := k.pass.sure[2*i+1]
		if _, isFork := s.(*ForkStep); isFork && k.tree.joinOf[i] >= 0 { // it writes at its join
			performs = performs && k.pass.sure[2*k.tree.joinOf[i]+1]
		}
		list, member := writes(s)
		for n := range list {
			k.bound(&list[n], stateWrite{step: i, path: &list[n].Target, at: k.node(i).key(member).at(n).key("target")}, performs)
		}
		if set, ok := s.(*SetStep); ok {
			for n := range set.Unset {
				k.add(stateWrite{step: i, path: &set.Unset[n], at: k.node(i).key("unset").at(n), unset: true}, performs, true)
			}
		}
		catches := s.common().Catch
		for n := range catches {
			if p := catches[n].Error; p != nil && k.caughtMerges(i, catches[n].Outcome) {
				k.add(stateWrite{step: i, path: p, at: k.node(i).key("catch").at(n).key("error")}, false, false)
			}
		}
	}
	k.together()
	for _, w := range k.all {
		if k.trees[w.region] == nil {
			k.trees[w.region] = &writeTree{}
		}
		k.trees[w.region].add(w, w.parts)
	}
}

// add takes up a write: performs says that every frame of its region comes to it, always that it then happens.
func (k *conflicts) add(w stateWrite, performs, always bool) {
	if w.path.Root != RootState || len(w.path.Parts) == 0 || w.path.Parts[0].IsIndex {
		return
	}
	reducer := k.fields[w.path.Parts[0].Name]
	concurrent, known := k.concurrent(reducer)
	if !known {
		return
	}
	w.safe = concurrent && !w.unset
	if w.unset && reducer != "" {
		always = false // what was added before and after it may be all the same
	}
	if w.parts == nil {
		w.parts = w.path.Parts
	}
	w.region, w.order, w.always, w.sure = k.tree.of[w.step], len(k.all), always, never
	if performs && always {
		w.sure = k.levels[w.region]
	}
	k.all = append(k.all, &w)
}

// concurrent reports whether a field with a reducer may be written side by side, whatever is written; known is false
// for a reducer of which nobody knows.
func (k *conflicts) concurrent(reducer string) (concurrent, known bool) {
	if reducer == "" {
		return false, true
	}
	for _, spec := range StandardReducers() {
		if spec.Name == standardSource+reducer {
			return spec.Concurrent, true
		}
	}
	if k.opts.Reducers != nil {
		if spec, ok := k.opts.Reducers(reducer); ok {
			return spec.Concurrent, true
		}
	}
	return false, false
}

// caughtMerges reports whether a frame in which a step caught a failure can still be merged.
func (k *conflicts) caughtMerges(step int, o Outcome) bool {
	if j := k.tree.joinOf[step]; j >= 0 {
		step = j
	}
	e, wired := k.wired[wire{step, o}]
	return !wired || k.pass.edgeMerges(e, k.tree.of[step], true)
}

// together finds the places that every frame of a region writes though no single step does it surely: after a
// condition, each of its ways.
func (k *conflicts) together() {
	type spot struct {
		region int
		path   string
	}
	maybe := make(map[spot][]*stateWrite)
	for _, w := range k.all {
		if w.always && w.sure == never && !k.pass.discards[w.region] {
			key := spot{w.region, (&Path{RootState, w.parts}).String()}
			maybe[key] = append(maybe[key], w)
		}
	}
	for _, w := range k.all {
		key := spot{w.region, ""}
		if !w.always || w.sure != never || k.pass.discards[w.region] {
			continue
		}
		key.path = (&Path{RootState, w.parts}).String()
		list := maybe[key]
		if len(list) < 2 || list[0] != w {
			continue // looked at with the first of them
		}
		points := make(map[int]bool, len(list))
		for _, x := range list {
			points[2*x.step+1] = true
		}
		if !k.pass.avoids(w.region, points) {
			for _, x := range list {
				x.sure = k.levels[w.region]
			}
		}
	}
}

// bound takes up an output binding. A field that merges objects is written at each of the members that it sets.
func (k *conflicts) bound(b *OutputBinding, w stateWrite, performs bool) {
	if b.Target.Root != RootState || len(b.Target.Parts) == 0 {
		return
	}
	_, interrupt := k.w.Nodes[w.step].(*InterruptStep)
	reducer := k.fields[b.Target.Parts[0].Name]
	always := b.IfAbsent == AbsentFail || b.IfAbsent == AbsentUnset || b.IfAbsent == "" && reducer == "" && !interrupt || k.surelyThere(b, w.step)
	if reducer != "merge_object" && reducer != "deep_merge" || len(b.Target.Parts) > 1 {
		k.add(w, performs, always)
		return
	}
	const most = 64
	members, known := k.membersWritten(b, w.step, reducer == "deep_merge")
	if !known || len(members) > most {
		k.add(w, performs, false)
		return
	}
	for _, m := range members {
		w.parts = append(slices.Clip(w.path.Parts), m.parts...)
		k.add(w, performs, always && m.sure)
	}
}

// surelyThere reports whether the source of a binding is never absent.
func (k *conflicts) surelyThere(b *OutputBinding, step int) bool {
	if b.Operand != nil {
		return operandThere(b.Operand)
	}
	out, has := k.outputOf(step)
	if b.Source == nil || !has {
		return false
	}
	if out.names != nil {
		return len(b.Source.Parts) == 1 && slices.Contains(out.names, b.Source.Parts[0].Name)
	}
	s := out.schema
	for _, part := range b.Source.Parts {
		if s == nil {
			return false
		}
		next := k.lookup(s, part)
		if next.presence != schema.Always {
			return false
		}
		s = next.schema
	}
	return true
}

// operandThere reports whether an operand always has a value.
func operandThere(o *Operand) bool {
	return o.Path == nil && o.Length == nil || len(o.Default) > 0 || o.Path != nil && o.Path.Root == RootItem && len(o.Path.Parts) == 1
}

// memberWrite is a place below a field that merges objects; sure says that the write always sets it to something that
// cannot be merged with what another one sets there.
type memberWrite struct {
	parts []Part
	sure  bool
}

// membersWritten lists the members that a binding sets, as far as the plan says it.
func (k *conflicts) membersWritten(b *OutputBinding, step int, deep bool) (list []memberWrite, known bool) {
	if o := b.Operand; o != nil && (o.Object != nil || len(o.Value) > 0) {
		return operandMembers(o, nil, deep)
	}
	in := k.at(step)
	path := b.Source
	if out, has := k.outputOf(step); has {
		in.local = &out
	}
	if b.Operand != nil {
		path = b.Operand.Path
	}
	if path == nil || b.Operand != nil && len(b.Operand.Default) > 0 {
		return nil, false
	}
	s := k.sourceSchema(path, in)
	if s == nil || !s.Closed() {
		return nil, false
	}
	for _, p := range s.Properties() {
		types := p.Schema.Types()
		list = append(list, memberWrite{[]Part{namePart(p.Name)}, p.Required && (!deep || len(types) > 0 && !slices.Contains(types, "object"))})
	}
	return list, true
}

// operandMembers lists the members of an object that the plan spells out.
func operandMembers(o *Operand, at []Part, deep bool) (list []memberWrite, known bool) {
	if len(o.Default) > 0 {
		return nil, false
	}
	if o.Object == nil {
		v, err := value.Parse(o.Value)
		return valueMembers(v, at, deep), err == nil && v.Kind() == value.KindObject
	}
	for _, name := range slices.Sorted(maps.Keys(o.Object)) {
		member := o.Object[name]
		below := append(slices.Clip(at), namePart(name))
		if deep && (member.Object != nil || len(member.Value) > 0) {
			if more, isObject := operandMembers(&member, below, deep); isObject {
				list = append(list, more...)
				continue
			}
		}
		list = append(list, memberWrite{below, operandThere(&member) && (!deep || member.Path == nil)})
	}
	return list, true
}

// valueMembers lists the members of a literal object.
func valueMembers(v value.Value, at []Part, deep bool) (list []memberWrite) {
	for name, member := range v.Members() {
		below := append(slices.Clip(at), namePart(name))
		if deep && member.Kind() == value.KindObject {
			list = append(list, valueMembers(member, below, deep)...)
		} else {
			list = append(list, memberWrite{below, true})
		}
	}
	return list
}
