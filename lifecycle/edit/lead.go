package edit

import (
	"fmt"
	"slices"

	"lda.chat/wf/internal/value"
)

// bound is how often an edge may be taken, and where it goes then.
type bound struct {
	visits    int
	exhausted string
}

// lead leads an outcome of a step to a target, and says so. Where nothing is routed yet it writes as the document is written.
func (w *scope) lead(from, outcome, to string, b *bound, kind Kind) {
	x, exists := w.way(from, outcome)
	i, step := w.find(from)
	if exists {
		w.retarget(x, to, b)
	} else if i < 0 || w.listsEdges() {
		edge := object(member("from", value.String(from)), member("outcome", value.String(outcome)))
		for key, v := range route(to, b).Members() {
			edge = edge.With(key, v)
		}
		x.at = w.append("edges", edge)
	} else if own, _ := w.outcomes(step); len(own) == 1 && own[0] == outcome && b == nil && step.Get("next").IsAbsent() && w.implied(step, nil) == outcome {
		x.at = w.place("nodes", i, "next")
		w.add(x.at, value.String(to))
	} else {
		x.at = w.place("nodes", i, "on", outcome)
		if step.Get("on").IsAbsent() {
			w.add(w.place("nodes", i, "on"), object(member(outcome, written(to, b))))
		} else {
			w.add(x.at, written(to, b))
		}
	}
	text := fmt.Sprintf("%s leads to %s", quote(outcome), quote(to))
	if b != nil && b.visits > 0 {
		text += " at most " + counted(b.visits, "time", "times")
		if b.exhausted != "" {
			text += ", then to " + quote(b.exhausted)
		}
	}
	if exists && x.to != to {
		text += ", no more to " + quote(x.to)
	}
	if exists && b == nil && x.visits > 0 {
		text += ", still at most " + counted(x.visits, "time", "times")
	}
	w.note(kind, x.at, from, "%s", text)
}

// retarget leads a way elsewhere. Without a bound it keeps the one it has.
func (w *scope) retarget(x way, to string, b *bound) {
	switch {
	case x.isText && b == nil:
		w.become(x.at, value.String(to))
	case x.isNext: // a bound needs a name
		i, _ := w.find(x.from)
		w.name(x, i, x.outcome, written(to, b))
	case x.isText:
		w.become(x.at, written(to, b))
	case b == nil:
		w.become(under(x.at, "to"), value.String(to))
	default:
		for key, v := range route(to, b).Members() {
			w.become(under(x.at, key), v)
		}
	}
}

func route(to string, b *bound) value.Value {
	v := object(member("to", value.String(to)))
	if b != nil && b.visits > 0 {
		v = v.With("max_visits", value.Int(int64(b.visits)))
	}
	if b != nil && b.exhausted != "" {
		v = v.With("exhausted", value.String(b.exhausted))
	}
	return v
}

// written is a route as it stands on a step.
func written(to string, b *bound) value.Value {
	if b == nil {
		return value.String(to)
	}
	return route(to, b)
}

// keepNext returns a function that is called when a step has other outcomes or edges than before: if its next would stand for another
// outcome now, or for no certain one, it is led by name as it was.
func (w *scope) keepNext(id string) (kept func()) {
	next := func() (way, bool) {
		for _, x := range w.out(id) {
			if x.isNext {
				return x, true
			}
		}
		return way{}, false
	}
	was, ok := next()
	return func() {
		now, still := next()
		i, step := w.find(id)
		if own, _ := w.outcomes(step); !ok || !still || was.outcome == now.outcome || was.to != now.to || !slices.Contains(own, was.outcome) {
			return
		}
		w.name(now, i, was.outcome, value.String(now.to))
		w.note(KindKept, w.place("nodes", i, "on", was.outcome), id, "%s leads to %s as before, by name: what next stands for is not clear any more", quote(was.outcome), quote(now.to))
	}
}

// keepNexts is keepNext of all steps that call a capability, whose contract is going to stand in the plan.
func (w *scope) keepNexts(ref string) (kept func()) {
	var all []func()
	for _, step := range w.steps().Items() {
		if textOf(step.Get("node")) == ref {
			all = append(all, w.keepNext(idOf(step)))
		}
	}
	return func() {
		for _, kept := range all {
			kept()
		}
	}
}

// name writes a step's next as a route by name.
func (w *scope) name(x way, i int, outcome string, route value.Value) {
	w.remove(x.at)
	if w.get("nodes", i, "on").IsAbsent() {
		w.add(w.place("nodes", i, "on"), object(member(outcome, route)))
	} else {
		w.add(w.place("nodes", i, "on", outcome), route)
	}
}
