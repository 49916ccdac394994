package wf

import "cmp"

// stateWrite is one write to the state that a frame of a region may do.
type stateWrite struct {
	step   int
	order  int // among all writes, as they stand in the plan
	path   *Path
	parts  []Part // its place: those of path, and of a field that merges objects the member that is set
	at     *place
	unset  bool
	safe   bool // the field's reducer brings any number of them together
	region int
	always bool // when its step succeeds
	sure   int  // how far out it is sure, as in conflicts.levels; never if it may not happen
}

// never is the level of what is not sure anywhere.
const never = int(^uint(0) >> 1)

// writeTree holds the writes of a region by their places, those of the regions inside it too: one node a part of a path.
// A write meets those at its own place, above and below it.
type writeTree struct {
	kids map[Part]*writeTree
	own  []*stateWrite // that no finding has named
	// The best of own, and of all from here down: the one that is sure furthest out, then the first. The second of each is
	// the best that is not safe.
	best, bestUnsafe   *stateWrite
	below, belowUnsafe *stateWrite
	// fresh says that there are writes from here down that no finding has named, freshKids below which kids; a kid may stand in it
	// twice, and after it was spent.
	fresh     bool
	freshKids []Part
}

// better is the better of two writes, of which either may be missing.
func better(a, b *stateWrite) *stateWrite {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case cmp.Or(cmp.Compare(b.sure, a.sure), cmp.Compare(b.order, a.order)) < 0:
		return b
	}
	return a
}

// add puts a write at its place.
func (t *writeTree) add(w *stateWrite, parts []Part) {
	t.below = better(t.below, w)
	if !w.safe {
		t.belowUnsafe, t.fresh = better(t.belowUnsafe, w), true
	}
	if len(parts) == 0 {
		t.own = append(t.own, w)
		t.best = better(t.best, w)
		if !w.safe {
			t.bestUnsafe = better(t.bestUnsafe, w)
		}
		return
	}
	if t.kids == nil {
		t.kids = make(map[Part]*writeTree)
	}
	kid := t.kids[parts[0]]
	if kid == nil {
		kid = &writeTree{}
		t.kids[parts[0]] = kid
	}
	if kid.add(w, parts[1:]); kid.fresh {
		t.freshKids = append(t.freshKids, parts[0])
	}
}

// merge makes one tree of two, and uses both up. It visits the smaller one, so that trees that are merged again and again
// cost hardly more than their size.
func (t *writeTree) merge(u *writeTree) *writeTree {
	switch {
	case t == nil:
		return u
	case u == nil:
		return t
	}
	if len(t.kids) < len(u.kids) {
		t.kids, u.kids = u.kids, t.kids
	}
	if len(t.own) < len(u.own) {
		t.own, u.own = u.own, t.own
	}
	if len(t.freshKids) < len(u.freshKids) {
		t.freshKids, u.freshKids = u.freshKids, t.freshKids
	}
	t.own, t.freshKids = append(t.own, u.own...), append(t.freshKids, u.freshKids...)
	t.best, t.bestUnsafe = better(t.best, u.best), better(t.bestUnsafe, u.bestUnsafe)
	t.below, t.belowUnsafe = better(t.below, u.below), better(t.belowUnsafe, u.belowUnsafe)
	t.fresh = t.fresh || u.fresh
	for part, kid := range u.kids {
		t.kids[part] = t.kids[part].merge(kid)
	}
	return t
}

// meet visits the places at which writes of two trees meet that are not safe together, with the pair of them that is the
// most certain. Below a pair that is sure it looks no further, below another one for sure ones only.
func (t *writeTree) meet(u *writeTree, sure func(*stateWrite) bool, onlySure bool, visit func(a, b *stateWrite, certain bool)) {
	if t == nil || u == nil || t.belowUnsafe == nil && u.belowUnsafe == nil {
		return
	}
	var a, b *stateWrite
	certain := false
	for _, pair := range [...][2]*stateWrite{
		{t.bestUnsafe, u.below}, {t.best, u.belowUnsafe}, {t.below, u.bestUnsafe}, {t.belowUnsafe, u.best},
	} {
		if pair[0] == nil || pair[1] == nil {
			continue
		}
		if now := sure(pair[0]) && sure(pair[1]); a == nil || now && !certain {
			a, b, certain = pair[0], pair[1], now
		}
	}
	if a != nil && (certain || !onlySure) {
		visit(a, b, certain)
	}
	if certain {
		return
	}
	small, large := t, u
	if len(small.kids) > len(large.kids) {
		small, large = u, t
	}
	for part := range small.kids {
		t.kids[part].meet(u.kids[part], sure, onlySure || a != nil, visit)
	}
}

// repeat visits the places at which writes meet themselves, or one another, when the whole tree happens several times.
func (t *writeTree) repeat(sure func(*stateWrite) bool, onlySure bool, visit func(a, b *stateWrite, certain bool, all *writeTree)) {
	if t == nil || !t.fresh {
		return
	}
	a, b, certain := t.bestUnsafe, t.bestUnsafe, false
	if a == nil && t.best != nil && t.belowUnsafe != nil {
		a, b = t.best, t.belowUnsafe
	}
	if a != nil {
		if certain = sure(a) && sure(b); certain || !onlySure {
			visit(a, b, certain, t)
		}
	}
	if certain {
		t.named()
		return
	}
	t.eachFresh(func(kid *writeTree) { kid.repeat(sure, onlySure || a != nil, visit) })
}

// eachFresh visits what is fresh below, and notes that it will have been named.
func (t *writeTree) eachFresh(visit func(kid *writeTree)) {
	kids := t.freshKids
	t.fresh, t.freshKids, t.own = false, nil, nil
	for _, part := range kids {
		if kid := t.kids[part]; kid.fresh {
			visit(kid)
		}
	}
}

// named notes that a finding has named all writes from here down.
func (t *writeTree) named() { t.eachFresh((*writeTree).named) }

// each visits the writes from here down that no finding has named.
func (t *writeTree) each(visit func(*stateWrite)) {
	for _, w := range t.own {
		visit(w)
	}
	for _, part := range t.freshKids {
		if kid := t.kids[part]; kid.fresh {
			kid.each(visit)
		}
	}
}
