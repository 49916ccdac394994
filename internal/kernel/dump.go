package kernel

import (
	"cmp"
	"slices"

	"lda.chat/wf/internal/value"
)

// Dump writes the whole machine as canonical JSON: two machines that would go on alike have the same dump.
func (m *Machine) Dump() []byte {
	fail, at := m.Failure()
	members := []value.Member{
		{Key: "status", Value: value.String(m.Status().String())},
		{Key: "run_id", Value: value.String(m.runID)},
		{Key: "now", Value: value.Int(m.now)},
		{Key: "started_at", Value: value.Int(m.startedAt)},
		{Key: "scheduled", Value: value.Int(m.scheduled)},
		{Key: "idle", Value: value.Int(m.idle)},
		{Key: "steps", Value: value.Int(m.steps)},
		{Key: "seq", Value: value.Int(m.seq)},
		{Key: "outcome", Value: value.String(m.outcome)},
		{Key: "output", Value: m.output},
	}
	if fail != nil {
		members = append(members, value.Member{Key: "failure", Value: fail.errorValue(at)})
	}
	if m.root != nil {
		members = append(members, value.Member{Key: "root", Value: m.dumpFrame(m.root)})
	}
	var queue []value.Value
	for f := m.first; f != nil; f = f.next {
		queue = append(queue, value.String(f.Path()))
	}
	members = append(members, value.Member{Key: "queue", Value: value.Array(queue...)},
		value.Member{Key: "counts", Value: ints([]int32{int32(m.moving), int32(m.asking), int32(m.holding)})})
	return value.Object(members...).AppendCanonical(nil)
}

func (m *Machine) dumpFrame(f *Frame) value.Value {
	members := []value.Member{{Key: "path", Value: value.String(f.Path())}}
	if f.whole() {
		members = append(members, value.Member{Key: "input", Value: f.flow.input}, value.Member{Key: "steps", Value: value.Int(f.flow.steps)})
	}
	members = append(members, value.Member{Key: "state", Value: m.stateValue(f)})
	if !f.open() {
		return value.Object(members...)
	}
	key, doubt := "", ""
	if f.doubt() != nil {
		doubt = f.doubt().Message
	}
	if f.status == frameCalling || f.status == frameBackoff || f.status == frameDoubting {
		key = m.key(f.ref().StepRef)
	}
	members = append(members,
		value.Member{Key: "status", Value: value.Array(value.Int(int64(f.status)), value.Bool(f.held), value.Int(int64(f.active)))},
		value.Member{Key: "at", Value: value.String(f.flow.prog.Target(f.pc))},
		value.Member{Key: "visit", Value: value.Int(int64(f.visit))},
		value.Member{Key: "attempt", Value: value.Int(int64(f.attempt))},
		value.Member{Key: "entered", Value: value.Int(f.entered)},
		value.Member{Key: "until", Value: value.Int(f.until)},
		value.Member{Key: "key", Value: value.String(key)},
		value.Member{Key: "doubt", Value: value.String(doubt)},
		value.Member{Key: "lost", Value: value.Int(int64(f.lost()))},
		value.Member{Key: "since", Value: value.Int(f.since())},
		value.Member{Key: "prior", Value: ints([]int32{f.priorOp, f.priorOutcome, f.priorRetries})},
		value.Member{Key: "outputs", Value: list(f.outputs)},
		value.Member{Key: "cells", Value: cells(f.cells)},
		value.Member{Key: "kept", Value: cells(sorted(f.kept))},
		value.Member{Key: "log", Value: f.flow.prog.dumpLog(f.log)},
		value.Member{Key: "visits", Value: ints(f.visits)},
		value.Member{Key: "counters", Value: ints(f.counters)},
	)
	if f.under != nil {
		members = append(members, value.Member{Key: "children", Value: m.dumpGroup(f.under)})
	}
	return value.Object(members...)
}

func (m *Machine) dumpGroup(g *group) value.Value {
	prog := g.owner.flow.prog
	var kids, kept, errors, held []value.Value
	var log []logged
	for i := range g.kids {
		if k := g.kids[i].frame; k != nil {
			kids = append(kids, m.dumpFrame(k))
		} else if !g.serial() {
			kids = append(kids, prog.dumpLog(g.written(i)))
		}
	}
	for _, k := range g.kept {
		kept = append(kept, cells(sorted(k)))
	}
	if g.serial() { // else each child's writes stand with it, in whatever order they came
		log = g.log
	}
	for _, e := range g.errors {
		errors = append(errors, value.Array(value.Int(int64(e.index)), e.fail.errorValue(Origin{})))
	}
	for _, h := range g.held {
		held = append(held, value.Int(int64(h.index)))
	}
	return value.Object(
		value.Member{Key: "over", Value: g.over},
		value.Member{Key: "counts", Value: ints([]int32{g.visit, g.attempt, g.total, g.next, g.live, g.busy, g.succeeded, g.failed, g.first})},
		value.Member{Key: "chosen", Value: ints(g.chosen)},
		value.Member{Key: "kids", Value: value.Array(kids...)},
		value.Member{Key: "kept", Value: value.Array(kept...)},
		value.Member{Key: "held", Value: value.Array(held...)},
		value.Member{Key: "cells", Value: cells(g.cells)},
		value.Member{Key: "log", Value: prog.dumpLog(log)},
		value.Member{Key: "results", Value: list(g.results)},
		value.Member{Key: "errors", Value: value.Array(errors...)},
	)
}

// sorted brings step outputs into one order: nobody sees the one in which they were kept.
func sorted(cs []cell) []cell {
	return slices.SortedFunc(slices.Values(cs), func(a, b cell) int { return cmp.Compare(a.slot, b.slot) })
}

func cells(cs []cell) value.Value {
	items := make([]value.Value, len(cs))
	for i := range cs {
		c := &cs[i]
		items[i] = value.Array(value.Int(int64(c.slot)), list([]value.Value{c.value()}))
	}
	return value.Array(items...)
}

func (p *Program) dumpLog(log []logged) value.Value {
	items := make([]value.Value, len(log))
	for i, w := range log {
		items[i] = value.Array(value.String(p.Fields[w.bind.Slot].Name+dotted(w.bind.Path)), value.String(w.op.String()),
			value.String(p.Ops[w.by].ID), list([]value.Value{w.in}))
	}
	return value.Array(items...)
}

func list(vs []value.Value) value.Value {
	items := make([]value.Value, len(vs))
	for i, v := range vs {
		if v.IsAbsent() {
			items[i] = value.Array()
		} else {
			items[i] = value.Array(v)
		}
	}
	return value.Array(items...)
}

func ints(ns []int32) value.Value {
	items := make([]value.Value, len(ns))
	for i, n := range ns {
		items[i] = value.Int(int64(n))
	}
	return value.Array(items...)
}
