package kernel

import (
	"slices"

	"lda.chat/wf/internal/value"
)

// group reads the children of the step that a frame is in.
func (r *restorer) group(f *Frame, v value.Value) {
	if f.pc < 0 || f.visit == 0 {
		r.fail("frame %s has children and is in no step", f.Path())
		return
	}
	op := &f.flow.prog.Ops[f.pc]
	g := &group{owner: f, op: op, at: f.pc, visit: f.visit, attempt: f.attempt, total: 1}
	switch op.Kind {
	case Foreach:
		g.over = r.value(v, "over")
		if g.total = int32(g.over.Len()); g.over.Kind() != value.KindArray {
			r.fail("step %q of the plan goes over an array, and frame %s over %s", op.ID, f.Path(), describe(g.over))
		}
	case Fork:
		r.branches(g, v.Get("branches"))
	case Subgraph:
	default:
		r.fail("step %q of the plan is of the kind %s, and frame %s has children in it", op.ID, op.Kind, f.Path())
	}
	if g.serial() != flag(v, "serial") {
		r.fail("items of step %q are under way in frame %s: they cannot change between one after the other and side by side", op.ID, f.Path())
	}
	if g.serial() {
		g.first = r.count(v, "first")
	}
	if r.err != nil {
		return
	}
	f.under, g.next = g, g.first
	r.kids(g, v.Get("started"))
	if r.err != nil {
		return
	}
	g.succeeded, g.failed = r.count(v, "succeeded"), r.count(v, "failed")
	if int64(g.succeeded)+int64(g.failed)+int64(g.live) > int64(g.next) {
		r.fail("of the %d children in step %q of frame %s, %d are over and %d open", g.next, op.ID, f.Path(), g.succeeded+g.failed, g.live)
	}
	if g.serial() {
		g.cells, g.log = r.cells(f, v.Get("cells")), r.log(nil, f, v.Get("log"))
	}
	if op.Kind == Fork {
		r.branchOutputs(g, v.Get("outputs"))
	}
	r.results(g, v.Get("results"))
	for _, item := range v.Get("errors").Items() {
		r.childError(g, item)
	}
}

// branches reads which branches of a fork are under way.
func (r *restorer) branches(g *group, v value.Value) {
	for _, item := range v.Items() {
		name, _ := item.AsString()
		n := r.branch(g, name)
		if last := len(g.chosen) - 1; n >= 0 && last >= 0 && n <= g.chosen[last] {
			r.fail("the plan has the branches of step %q in another order than frame %s, in which they are under way", g.op.ID, g.owner.Path())
		}
		g.chosen = append(g.chosen, n)
	}
	g.total = int32(len(g.chosen))
}

func (r *restorer) branch(g *group, name string) int32 {
	n := slices.IndexFunc(g.op.Fan.Branches, func(b Branch) bool { return b.Name == name })
	if n < 0 {
		r.fail("step %q of the plan has no branch %q, which is under way in frame %s", g.op.ID, name, g.owner.Path())
	}
	return int32(n)
}

// kids reads the children that were started: those that are open, and what the others left.
func (r *restorer) kids(g *group, v value.Value) {
	for _, item := range v.Items() {
		if g.next >= g.total {
			r.fail("step %q of frame %s has more children than there are", g.op.ID, g.owner.Path())
		}
		if r.err != nil {
			return
		}
		k := kid{from: int32(len(g.log))}
		switch item.Kind() {
		case value.KindObject:
			k.frame = r.m.newChild(g)
			if k.frame.whole() {
				r.flow(k.frame, item)
			}
			if r.err == nil {
				r.frame(k.frame, item)
			}
			g.live++
		case value.KindArray:
			g.log = r.log(g.log, g.owner, item)
		default:
			r.fail("child %d of step %q in frame %s is %s, expected what it is doing or what it left", g.next, g.op.ID, g.owner.Path(), describe(item))
		}
		k.to = int32(len(g.log))
		g.kids = append(g.kids, k)
		g.next++
	}
	if g.op.Kind == Subgraph && g.live != 1 || g.serial() && len(g.kids) > 1 {
		r.fail("%d children are open in step %q of frame %s", g.live, g.op.ID, g.owner.Path())
	}
}

func (r *restorer) branchOutputs(g *group, v value.Value) {
	prog := g.owner.flow.prog
	for name, outputs := range v.Members() {
		branch := r.branch(g, name)
		number, ok := slices.BinarySearch(g.chosen, branch)
		if !ok {
			r.fail("branch %q of step %q in frame %s keeps outputs, and is not under way", name, g.op.ID, g.owner.Path())
		}
		if r.err != nil {
			return
		}
		if g.kept == nil {
			g.kept = make([][]cell, g.total)
		}
		for step, x := range outputs.Members() {
			at, scope := r.keeps(prog, step)
			switch {
			case at < 0:
			case scope != prog.Regions[g.op.Fan.Branches[branch].Region].Scope:
				r.fail("the plan has step %q in another place than branch %q of frame %s, which keeps its output", step, name, g.owner.Path())
			default:
				g.kept[number] = put(g.kept[number], at, r.shared(x))
			}
		}
	}
}

// results reads what is gathered of items.
func (r *restorer) results(g *group, v value.Value) {
	for _, item := range v.Items() {
		at, ok := item.Index(0).AsInt()
		if !ok || at < 0 || at >= int64(g.total) {
			r.fail("step %q of frame %s has a result of item %s, of %d", g.op.ID, g.owner.Path(), item.Index(0), g.total)
			return
		}
		if g.results == nil {
			g.results = make([]value.Value, g.total)
		}
		g.results[at] = r.shared(item.Index(1))
	}
}

func (r *restorer) childError(g *group, v value.Value) {
	if g.op.Fan == nil {
		r.fail("step %q of frame %s gathers no failures", g.op.ID, g.owner.Path())
		return
	}
	e := childError{fail: decodeFailure(v.Get("failure"))}
	if g.op.Kind == Fork {
		e.index = r.branch(g, text(v, "branch"))
	} else {
		e.index = r.count(v, "item")
	}
	g.errors = append(g.errors, e)
}

// cells reads fields as children have them.
func (r *restorer) cells(f *Frame, v value.Value) []cell {
	var cells []cell
	for _, item := range v.Items() {
		slot := r.field(f, text(item, "field"))
		if slot < 0 || find(cells, slot) != nil {
			r.fail("frame %s has the field %q twice", f.Path(), text(item, "field"))
			return nil
		}
		c := cell{slot: slot, val: r.value(item, "value"), bytes: int(r.number(item, "bytes", mostVisit))}
		for _, x := range item.Get("more").Items() {
			c.more = append(c.more, r.shared(x))
		}
		if len(c.more) > 0 && !c.val.IsAbsent() && c.val.Kind() != value.KindArray {
			r.fail("in frame %s elements are added to state.%s, which is %s", f.Path(), text(item, "field"), describe(c.val))
		}
		cells = append(cells, c)
	}
	return cells
}

// log reads writes that are to be merged, behind those that were read before.
func (r *restorer) log(log []logged, f *Frame, v value.Value) []logged {
	prog := f.flow.prog
	for _, item := range v.Items() {
		op := slices.Index(opNames[:], text(item, "op"))
		slot := r.field(f, text(item, "field"))
		by, ok := prog.Op(text(item, "step"))
		path, err := decodePath(item.Get("path"))
		switch {
		case op < 0:
			r.fail("unknown operation %q on state.%s in frame %s", text(item, "op"), text(item, "field"), f.Path())
		case !ok:
			r.fail("the plan has no step %q, whose write of state.%s is still to be merged in frame %s", text(item, "step"), text(item, "field"), f.Path())
		case slot >= 0 && Operation(op) == OpHost && prog.Fields[slot].Op != OpHost:
			r.fail("state.%s has no reducer of the host in the plan, and one is to merge it in frame %s", text(item, "field"), f.Path())
		case err != nil:
			r.fail("a write of state.%s in frame %s: %w", text(item, "field"), f.Path(), err)
		}
		if r.err != nil {
			return log
		}
		log = append(log, logged{bind: &WriteBind{Slot: slot, Path: path, Recorded: true}, op: Operation(op), by: by, in: r.value(item, "value")})
	}
	return log
}
