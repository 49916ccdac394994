package wf

import (
	"fmt"
	"slices"

	"lda.chat/wf/internal/value"
)

// checkConflicts reports writes of parallel items and of branches that meet: none sees what the others write, so when
// they are merged one would silently win. It goes from the inner regions out, and takes with it what each can write.
func (c *checker) checkConflicts() {
	if len(c.tree.regions) == 1 || c.lost.graph || c.lost.edges || len(c.w.StateSchema) > 0 && c.state == nil {
		return
	}
	k := &conflicts{checker: c, pass: c.passage(), trees: make([]*writeTree, len(c.tree.regions))}
	k.findLevels()
	k.collect()
	for r := len(c.tree.regions) - 1; r > 0; r-- {
		region := &c.tree.regions[r]
		if c.wired[wire{region.owner, region.outcome}] != region.entry || region.kind == regionBranch && region.end < 0 {
			continue // a second edge of one outcome, or a fork without a join: findings of their own
		}
		switch owner := c.w.Nodes[region.owner].(type) {
		case *ForeachStep:
			k.checkItems(owner, r)
			k.trees[region.parent] = k.trees[region.parent].merge(k.trees[r])
		case *ForkStep:
			k.branches(r)
		}
	}
}

// conflicts is the work of checkConflicts.
type conflicts struct {
	*checker
	pass  *passage
	all   []*stateWrite
	trees []*writeTree // by region
	// levels tell, by region, how far out it is sure that its frame runs and is merged: 2*d in itself, where d is its depth; 2*d-1
	// if its owner starts it whenever it runs; and so on to the outermost region of which that holds.
	levels []int
	forks  map[int]*forkWrites
}

// forkWrites are the writes of a fork's branches that were looked at so far.
type forkWrites struct {
	left     int // branches that come
	branches []int
	tree     *writeTree
	meetings
}

// meetings are the places at which writes of one foreach's items, or of one fork's branches, meet.
type meetings struct {
	found []*meeting
	at    map[string]*meeting
}

type meeting struct {
	a, b    *stateWrite
	certain bool
	others  []*stateWrite
}

// findLevels fills in levels.
func (k *conflicts) findLevels() {
	t := k.tree
	k.levels = make([]int, len(t.regions))
	for r := 1; r < len(t.regions); r++ {
		region := &t.regions[r]
		k.levels[r] = 2 * region.depth
		always, end := false, region.owner
		switch owner := k.w.Nodes[region.owner].(type) {
		case *ForeachStep:
			n, known := constantLength(&owner.Over)
			always = known && n > 0 && owner.Complete == 0 && owner.TimeoutSeconds == 0 && (owner.OnItemError == "" || owner.OnItemError == OnErrorFail)
		case *ForkStep:
			if k.pass.conditional[wire{region.owner, region.outcome}] {
				continue
			}
			k.levels[r]--
			always = owner.Complete == 0 && owner.TimeoutSeconds == 0 && (owner.OnBranchError == "" || owner.OnBranchError == OnErrorFail)
			if end = region.end; end < 0 {
				continue
			}
		}
		if always && k.pass.sure[2*region.owner+1] && k.pass.sure[2*end+1] {
			k.levels[r] = k.levels[region.parent]
		}
	}
}

// constantLength is the number of items of a foreach that the plan itself lists.
func constantLength(over *Operand) (n int, known bool) {
	switch {
	case over.List != nil:
		return len(over.List), true
	case len(over.Value) > 0:
		v, err := value.Parse(over.Value)
		return v.Len(), err == nil
	}
	return 0, false
}

// checkItems checks the items of a parallel foreach, each of which does the same writes.
func (k *conflicts) checkItems(s *ForeachStep, r int) {
	if n, known := constantLength(&s.Over); s.Mode != ModeParallel || s.Complete == 1 || known && n <= 1 {
		return
	}
	level := 2 * k.tree.regions[r].depth
	var all meetings
	k.trees[r].repeat(func(w *stateWrite) bool { return w.sure <= level }, false, func(a, b *stateWrite, certain bool, of *writeTree) {
		m := all.note(a, b, certain)
		of.each(func(w *stateWrite) { m.others = append(m.others, w) })
	})
	for _, m := range all.found {
		k.reportItems(s, k.tree.regions[r].owner, m)
	}
}

// branches compares a branch with those of its fork that were looked at before, and when it is the last one reports.
func (k *conflicts) branches(r int) {
	region := &k.tree.regions[r]
	s := k.w.Nodes[region.owner].(*ForkStep)
	f := k.forks[region.owner]
	if f == nil {
		f = &forkWrites{}
		for _, o := range uniqueOutcomes(k.branchesOf(region.owner)) {
			if e, wired := k.wired[wire{region.owner, o}]; wired && k.tree.enters[e] == regionBranch {
				f.left++
			}
		}
		if k.forks == nil {
			k.forks = make(map[int]*forkWrites)
		}
		k.forks[region.owner] = f
	}
	level := 2*region.depth - 1
	if s.Complete > 0 && s.Complete < len(s.Branches) {
		level = -1 // those that finish first may be any
	}
	if s.Complete != 1 {
		f.tree.meet(k.trees[r], func(w *stateWrite) bool { return w.sure <= level }, false, func(a, b *stateWrite, certain bool) { f.note(a, b, certain) })
	}
	f.tree = f.tree.merge(k.trees[r])
	f.branches = append(f.branches, r)
	if f.left--; f.left > 0 {
		return
	}
	slices.SortFunc(f.branches, func(a, b int) int { return k.tree.ancestry.first[a] - k.tree.ancestry.first[b] })
	for _, m := range f.found {
		k.reportBranches(s, region.owner, f.branches, m)
	}
	k.trees[region.parent] = k.trees[region.parent].merge(f.tree)
	delete(k.forks, region.owner)
}

// note takes up that two writes meet: each place is one finding, of the pair that is the most certain.
func (all *meetings) note(a, b *stateWrite, certain bool) *meeting {
	if b.order < a.order {
		a, b = b, a
	}
	key := a.path.String()
	if len(b.path.Parts) < len(a.path.Parts) {
		key = b.path.String()
	}
	m := all.at[key]
	switch {
	case m == nil:
		if all.at == nil {
			all.at = make(map[string]*meeting)
		}
		m = &meeting{a: a, b: b, certain: certain}
		all.at[key] = m
		all.found = append(all.found, m)
	case certain && !m.certain || certain == m.certain && (a.order < m.a.order || a == m.a && b.order < m.b.order):
		m.others = append(m.others, m.a, m.b)
		m.a, m.b, m.certain = a, b, certain
	default:
		m.others = append(m.others, a, b)
	}
	return m
}

// What to do about writes that meet.
const (
	ownFieldHint = "let each write a field of its own, or "
	reducerHint  = `give the field a reducer that brings all writes together, such as "append" or "add"`
	itemsHint    = `collect what each item made as its "result"; or ` + reducerHint + `; or let the items run one after the other: "mode": "serial"`
)

// reportMeeting reports that two writes meet, which is certain or possible.
func (k *conflicts) reportMeeting(m *meeting, message, hint string) *Diagnostic {
	if m.certain {
		return k.report("write_conflict", m.a.at, m.a.step, message, hint)
	}
	return k.report("write_conflict_possible", m.a.at, m.a.step, message, "if never more than one of them does, all is well; else "+hint)
}

// reportItems reports that the items of a parallel foreach write one place.
func (k *conflicts) reportItems(s *ForeachStep, owner int, m *meeting) {
	verb := "writes"
	if !m.certain {
		verb = "may write"
	}
	d := k.reportMeeting(m, fmt.Sprintf("every item of the parallel foreach %q %s %s, and %s", s.ID, verb, m.places(), k.why(m)), itemsHint)
	mode := k.node(owner).key("mode")
	d.relate(mode, "its items run side by side, and none sees what another writes")
	if m.a != m.b {
		d.relate(m.b.at, "the other write, by %q", k.stepID(m.b.step))
	}
	k.relateOthers(d, m)
	d.fix("Let the items run one after the other", FixUnsafe, testOp(k.node(owner).key("id"), s.ID), testOp(mode, s.Mode), replaceOp(mode, ModeSerial))
	k.offerReducer(d, m)
}

// reportBranches reports that two branches of a fork write one place.
func (k *conflicts) reportBranches(s *ForkStep, owner int, branches []int, m *meeting) {
	verb := "write"
	if !m.certain {
		verb = "may both write"
	}
	branch := func(w *stateWrite) Outcome { return k.tree.regions[k.tree.ancestry.holder(branches, w.region)].outcome }
	first, second := branch(m.a), branch(m.b)
	d := k.reportMeeting(m, fmt.Sprintf("branches %q and %q of fork %q %s %s, and %s", first, second, s.ID, verb, m.places(), k.why(m)), ownFieldHint+reducerHint)
	d.relate(m.b.at, "the other write, by %q in branch %q", k.stepID(m.b.step), second)
	d.relate(k.node(owner).key("branches"), "its branches run side by side, and none sees what another writes")
	k.relateOthers(d, m)
	k.offerReducer(d, m)
}

// places names what is written.
func (m *meeting) places() string {
	if m.a.path.Equal(*m.b.path) {
		return m.a.path.String()
	}
	return fmt.Sprintf("%s and %s", m.a.path, m.b.path)
}

// why says why the writes of a meeting cannot both count.
func (k *conflicts) why(m *meeting) string {
	reducer := k.fields[m.a.path.Parts[0].Name]
	switch {
	case m.a.unset || m.b.unset:
		return "an unset cannot be merged with another write"
	case reducer == "":
		return "the later one would replace the other"
	case reducer == "merge_object" || reducer == "deep_merge":
		return fmt.Sprintf("%q cannot merge what sets the same members", reducer)
	}
	return fmt.Sprintf("the reducer %q is not made for writes side by side", reducer)
}

// relateOthers points to more writes of the same place, at most a few.
func (k *conflicts) relateOthers(d *Diagnostic, m *meeting) {
	const most = 4
	named := map[*place]bool{m.a.at: true, m.b.at: true}
	slices.SortFunc(m.others, func(a, b *stateWrite) int { return a.order - b.order })
	for _, w := range m.others {
		if len(named) < 2+most && !named[w.at] {
			named[w.at] = true
			d.relate(w.at, "%q writes there too", k.stepID(w.step))
		}
	}
}

// offerReducer offers a reducer that takes what is written as it is: an array whose elements are added.
func (k *conflicts) offerReducer(d *Diagnostic, m *meeting) {
	name := m.a.path.Parts[0].Name
	if k.state == nil || k.fields[name] != "" || m.a.unset || m.b.unset || len(m.a.path.Parts) > 1 || len(m.b.path.Parts) > 1 {
		return
	}
	property, declared := k.state.Property(name)
	at := k.declaration(k.top("state_schema"), k.state, []Part{namePart(name)})
	if !declared || at.up.name != "properties" || at.name != name || !slices.Equal(property.Schema.Types(), []string{"array"}) {
		return
	}
	ops := []patchOp{addOp(at.key(keyReducer), ReducerExtend)}
	if was := property.Ext(keyReducer); !was.IsAbsent() {
		ops = []patchOp{testOp(at.key(keyReducer), was), replaceOp(at.key(keyReducer), ReducerExtend)}
	} else {
		ops = append([]patchOp{testOp(at.key("type"), "array")}, ops...)
	}
	d.fix(`Let the field have the reducer "extend"`, FixUnsafe, ops...)
}
