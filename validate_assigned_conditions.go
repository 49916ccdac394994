package wf

import "slices"

// maxProven bounds what is remembered of a condition.
const maxProven = 64

// proven are paths of which a condition's answer shows that something is there.
type proven []*Path

func (k proven) and(more proven) proven {
	if len(k)+len(more) > maxProven {
		return k
	}
	return append(slices.Clip(k), more...)
}

// both are the paths that stand in both lists.
func (k proven) both(other proven) proven {
	var list proven
	for _, p := range k {
		if slices.ContainsFunc(other, p.isSame) {
			list = append(list, p)
		}
	}
	return list
}

func (p *Path) isSame(q *Path) bool { return p.Equal(*q) }

// holds reports whether a path that is proven shows that another one is there: it is the same, or around or inside it.
func (k proven) holds(p *Path) bool {
	return slices.ContainsFunc(k, func(q *Path) bool {
		n := min(len(p.Parts), len(q.Parts))
		return n > 0 && p.Root == q.Root && slices.Equal(p.Parts[:n], q.Parts[:n])
	})
}

// conditions visits what a step's conditions read, and gives to leaves what each answer shows.
func (w *readWalk) conditions(i int, leaves func(o Outcome, shown proven)) {
	at := w.c.node(i)
	w.site = siteEntry
	switch s := w.c.w.Nodes[i].(type) {
	case *ConditionStep:
		if s.Check != nil {
			yes, no := w.condition(s.Check, w.key(at, "check"), nil)
			leaves(outcomeTrue, yes)
			leaves(outcomeFalse, no)
			return
		}
		var before proven
		of := make(map[Outcome]proven, len(s.Cases)+1)
		answer := func(o Outcome, shown proven) {
			if other, again := of[o]; again { // by either case
				shown = shown.both(other)
			}
			of[o] = shown
		}
		for k := range s.Cases {
			yes, no := w.condition(s.Cases[k].When, w.key(w.at(w.key(at, "cases"), k), "when"), before)
			answer(s.Cases[k].Outcome, before.and(yes))
			before = before.and(no)
		}
		answer(s.Default, before)
		for _, o := range uniqueOutcomes(s.outcomes()) {
			leaves(o, of[o])
		}
	case *ForkStep:
		for k := range s.Branches {
			if when := s.Branches[k].When; when != nil {
				yes, _ := w.condition(when, w.key(w.at(w.key(at, "branches"), k), "when"), nil)
				leaves(s.Branches[k].Outcome, yes)
			}
		}
	}
}

// condition visits what a condition reads that is evaluated when known is there, and tells what its answers show.
func (w *readWalk) condition(q *Condition, at *place, known proven) (yes, no proven) {
	if q == nil || w.depth > maxNesting {
		return nil, nil
	}
	w.depth++
	defer func() { w.depth-- }()
	switch q.Op {
	case "exists":
		if q.Path == nil {
			return nil, nil
		}
		w.visit(q.Path, w.key(at, "path"), readMeant, w.site)
		return proven{q.Path}, nil
	case "not":
		no, yes = w.condition(q.Arg, w.key(at, "arg"), known)
	case "and", "or":
		for i, arg := range q.Args {
			t, f := w.condition(arg, w.at(w.key(at, "args"), i), known)
			if q.Op == "or" {
				t, f = f, t
			}
			// now t is what is shown where it goes on
			known, yes = known.and(t), yes.and(t)
			if i == 0 {
				no = f
				if len(q.Args) > 1 {
					no = t.both(f)
				}
			}
		}
		if q.Op == "or" {
			yes, no = no, yes
		}
	case "any", "all":
		if q.Over != nil {
			yes = w.asked(q.Over, w.key(at, "over"), known)
		}
		w.condition(q.Check, w.key(at, "check"), known)
		no = yes
	default:
		if q.Left != nil {
			yes = w.asked(q.Left, w.key(at, "left"), known)
		}
		if q.Right != nil {
			yes = yes.and(w.asked(q.Right, w.key(at, "right"), known))
		}
		no = yes
	}
	return yes, no
}

// asked visits an operand that must be there, and tells what is there if it is.
func (w *readWalk) asked(o *Operand, at *place, known proven) (shown proven) {
	visit := w.visit
	defer func() { w.visit = visit }()
	w.visit = func(p *Path, at *place, mode readMode, s site) {
		if mode == readFails {
			shown = shown.and(proven{p})
			if known.holds(p) {
				return
			}
		}
		visit(p, at, mode, s)
	}
	w.operand(o, at, readFails, nil)
	return shown
}
