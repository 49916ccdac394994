package wf

import (
	"encoding/json"
	"slices"
	"strconv"
)

func simPath(root Root, names ...string) Path {
	p := Path{Root: root, Parts: []Part{}}
	for _, name := range names {
		p.Parts = append(p.Parts, namePart(name))
	}
	return p
}

func simRead(p Path) Operand { return Operand{Path: &p} }

func simLiteral(n int) Operand { return Operand{Value: json.RawMessage(strconv.Itoa(n))} }

// integer makes an operand that is always an integer.
func (g *simGen) integer(sc *simScope) Operand {
	switch g.n(7) {
	case 1:
		if fields := both(simIntegers, sc.read); len(fields) > 0 {
			o := simRead(simPath(RootState, fields[g.n(len(fields))]))
			o.Default = json.RawMessage("4") // for a field that was unset by an absent output
			return o
		}
	case 2:
		if len(sc.items) > 0 {
			return simRead(simPath(RootItem, sc.items[g.n(len(sc.items))]))
		}
	case 3:
		if len(sc.seen) > 0 {
			s := sc.seen[len(sc.seen)-1-g.n(len(sc.seen))]
			o := simRead(simPath(RootSteps, append([]string{s.id}, s.path...)...))
			o.Default = json.RawMessage("5")
			return o
		}
	case 4:
		return simRead(simPath(RootInput, "n"))
	case 5:
		if len(sc.items) > 0 {
			return simRead(simPath(RootContext, "index", sc.items[g.n(len(sc.items))]))
		}
		return simRead(simPath(RootContext, "visit"))
	case 6:
		return simRead(simPath(RootContext, "visit"))
	}
	return simLiteral(g.n(4))
}

func both(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return !slices.Contains(b, s) })
}

// anything makes an operand that may be anything, or absent.
func (g *simGen) anything(sc *simScope, depth int) Operand {
	if depth == 0 {
		return g.integer(sc)
	}
	switch g.n(8) {
	case 1:
		return Operand{List: []Operand{g.integer(sc), g.anything(sc, depth-1)}}
	case 2:
		return Operand{Object: map[string]Operand{"x": g.anything(sc, depth-1), "y": g.integer(sc)}}
	case 3:
		return Operand{Text: []Operand{{Value: json.RawMessage(`"n="`)}, g.integer(sc)}}
	case 4:
		return simRead(simPath(RootContext, g.pick("outcome", "retry_count", "step", "workflow", "run_id")))
	case 5:
		if len(sc.seen) > 0 { // whole, and often not there
			o := simRead(simPath(RootSteps, sc.seen[g.n(len(sc.seen))].id))
			o.Default = json.RawMessage("6") // without one, what surely is not there is an error of the plan
			return o
		}
	case 6:
		o := simRead(simPath(RootState, sc.read[g.n(len(sc.read))]))
		o.Default = json.RawMessage("6")
		return o
	}
	return g.integer(sc)
}

// list makes an operand that is always an array of integers.
func (g *simGen) list(sc *simScope) Operand {
	switch g.n(5) {
	case 1:
		return simRead(simPath(RootInput, "items"))
	case 2:
		if len(sc.items) > 0 {
			return Operand{List: []Operand{simRead(simPath(RootItem, sc.items[0])), g.integer(sc)}}
		}
	case 3:
		return Operand{Value: json.RawMessage(g.pick(`[]`, `[7]`, `[0,0,0,0]`))}
	case 4:
		return Operand{List: []Operand{g.integer(sc), g.integer(sc), g.integer(sc)}}
	}
	return Operand{Value: json.RawMessage(g.pick(`[1,2]`, `[3,1,2]`, `[5,6,7,8]`))}
}

// condition makes a question that always has an answer.
func (g *simGen) condition(sc *simScope, depth int) *Condition {
	left, right := g.integer(sc), g.integer(sc)
	if depth > 0 {
		switch g.n(8) {
		case 4:
			return &Condition{Op: "not", Arg: g.condition(sc, depth-1)}
		case 5:
			return &Condition{Op: g.pick("and", "or"), Args: []*Condition{g.condition(sc, depth-1), g.condition(sc, depth-1)}}
		case 6:
			list := g.list(sc)
			return &Condition{Op: "in", Left: &left, Right: &list}
		case 7:
			if len(sc.seen) > 0 {
				p := simPath(RootSteps, sc.seen[g.n(len(sc.seen))].id)
				return &Condition{Op: "exists", Path: &p}
			}
		}
	}
	return &Condition{Op: g.pick("eq", "ne", "lt", "le", "gt", "ge"), Left: &left, Right: &right}
}

// inputs fills the input of a call.
func (g *simGen) inputs(sc *simScope) []InputBinding {
	list := []InputBinding{{Target: simPath(RootLocal, "a"), Operand: g.integer(sc)}}
	if g.maybe(4) {
		list = append(list, InputBinding{Target: simPath(RootLocal, "b"), Operand: g.anything(sc, 2)})
	}
	if g.maybe(2) {
		list = append(list, InputBinding{Target: simPath(RootLocal, "deep", "x"), Operand: g.anything(sc, 1)})
	}
	return list
}

// writes makes up to n writes: from the output of a step, where it has one as calls do, or from operands.
func (g *simGen) writes(sc *simScope, n int, called bool) []OutputBinding {
	var list []OutputBinding
	taken := map[string]bool{}
	for range n {
		fields := slices.Concat(sc.gather, sc.write)
		if len(fields) == 0 {
			break
		}
		field := fields[g.n(len(fields))]
		if taken[field] && slices.Contains(simReplaced, field) {
			continue
		}
		b := OutputBinding{Target: simPath(RootState, field)}
		if g.source(sc, &b, field, called) {
			taken[field] = true
			list = append(list, b)
		}
	}
	return list
}

func (g *simGen) source(sc *simScope, b *OutputBinding, field string, called bool) bool {
	local := func(name string) { p := simPath(RootLocal, name); b.Source = &p }
	operand := func(o Operand) { b.Operand = &o }
	switch {
	case (field == "mo" || field == "dm") && !called: // only calls give objects whose members are nobody else's
		return false
	case field == "mo" || field == "dm":
		local("obj")
	case called && slices.Contains(simArrays, field):
		local("list")
	case slices.Contains(simArrays, field):
		operand(g.list(sc))
	case called && slices.Contains(simIntegers, field) && g.maybe(5):
		local(g.pick("n", "n", "m"))
		if b.Source.Parts[0].Name == "m" && sc.loose {
			b.IfAbsent = g.pick("", AbsentUnset, AbsentKeep, AbsentFail)
		} else if b.Source.Parts[0].Name == "m" {
			b.IfAbsent = g.pick("", AbsentKeep)
		}
	case slices.Contains(simIntegers, field):
		operand(g.integer(sc))
	case called && g.maybe(4):
		local(g.pick("n", "obj", "list"))
	default:
		operand(g.anything(sc, 2))
	}
	return true
}
