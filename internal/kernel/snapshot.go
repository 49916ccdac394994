package kernel

import (
	"slices"
	"strconv"

	"lda.chat/wf/internal/value"
)

// Snapshot appends the whole machine as one line of JSON, without the line's end: all that a machine which was folded from
// the run's records has, and that decides how it goes on. [Restore] reads it. It is in proportion to the machine's memory:
// what several places share is written once. It names steps, fields and branches as the plan does, so that another plan with
// these names can take it over. Between two events only.
func (m *Machine) Snapshot(dst []byte) []byte {
	w := &snapshot{m: m, turns: map[*Frame]int64{}, shared: shared{seen: map[value.Identity]int{}}}
	for f := m.first; f != nil; f = f.next {
		w.turns[f] = int64(len(w.turns) + 1)
	}
	end := len(dst)
	dst = w.machine(dst)[:end] // the first time to see what is there more than once
	w.settle()
	dst = append(dst, `{"version":`...)
	dst = strconv.AppendInt(dst, Version, 10)
	dst = w.definitions(dst)
	return append(w.machine(dst), '}')
}

// snapshot is one being written.
type snapshot struct {
	shared
	m     *Machine
	turns map[*Frame]int64 // who stands in the queue, from 1; look-up only
}

func (w *snapshot) machine(dst []byte) []byte {
	m := w.m
	dst = appendText(dst, "status", m.status.String())
	if m.status == Created {
		return dst
	}
	dst = appendText(dst, "run_id", m.runID)
	dst = appendInt(dst, "now", m.now)
	dst = appendInt(dst, "started_at", m.startedAt)
	dst = appendInt(dst, "scheduled", m.scheduled)
	dst = appendInt(dst, "idle", m.idle)
	dst = appendText(dst, "in_doubt", doubtNames[m.Doubts])
	dst = appendInt(dst, "steps", m.steps)
	dst = appendInt(dst, "seq", m.seq)
	if m.status == Completed {
		dst = appendText(dst, "outcome", m.outcome)
		dst = w.value(dst, "output", m.output)
	}
	if fail, at := m.Failure(); fail != nil {
		told := *fail
		told.Origin = &at
		dst = w.failure(dst, "failure", &told)
	}
	dst = append(dst, `,"root":{`...)
	return append(w.frame(dst, m.root), '}')
}

func (w *snapshot) frame(dst []byte, f *Frame) []byte {
	dst = append(append(append(dst, `"status":"`...), frameStatusNames[f.status]...), '"')
	if f.whole() {
		dst = w.flow(dst, f.flow)
	}
	prog := f.flow.prog
	if f.pc != ToNowhere {
		dst = appendText(dst, "step", prog.Target(f.pc))
	}
	dst = appendInt(dst, "visit", int64(f.visit))
	dst = appendInt(dst, "attempt", int64(f.attempt))
	dst = appendInt(dst, "entered", f.entered)
	dst = appendInt(dst, "until", f.until)
	dst = appendInt(dst, "turn", w.turns[f])
	if f.held {
		dst = append(dst, `,"held":true`...)
	}
	dst = w.said(dst, f)
	if f.priorOp >= 0 {
		op := &prog.Ops[f.priorOp]
		dst = append(dst, `,"prior":{"step":`...)
		dst = value.String(op.ID).AppendJSON(dst)
		dst = appendText(dst, "outcome", op.Outcomes[f.priorOutcome])
		dst = append(appendInt(dst, "retries", int64(f.priorRetries)), '}')
	}
	dst = w.cells(dst, "cells", prog, f.cells)
	dst = w.writes(dst, "log", prog, f.log)
	dst = w.outputs(dst, f)
	dst = w.counts(dst, f)
	if f.under != nil {
		dst = append(dst, `,"children":{`...)
		dst = append(w.group(dst, f.under), '}')
	}
	return dst
}

// flow writes the state of a workflow. The fields that are absent are named: one that is not named is not known here, and
// begins with its default where it is.
func (w *snapshot) flow(dst []byte, fl *flow) []byte {
	dst = w.value(dst, "input", fl.input)
	dst = appendInt(dst, "taken", fl.steps)
	var unset, set listing
	for i, v := range fl.slots {
		if v.IsAbsent() {
			dst = unset.next(dst, `,"unset":[`)
			dst = value.String(fl.prog.Fields[i].Name).AppendJSON(dst)
		}
	}
	dst = unset.end(dst, ']')
	for i, v := range fl.slots {
		if !v.IsAbsent() {
			dst = appendName(set.next(dst, `,"state":{`), fl.prog.Fields[i].Name)
			dst = w.put(dst, v)
		}
	}
	return set.end(dst, '}')
}

// said writes what is said of a frame's call, with the key that it goes by.
func (w *snapshot) said(dst []byte, f *Frame) []byte {
	if f.visit > 0 && f.flow.prog.Ops[f.pc].Kind == Node {
		dst = appendText(dst, "key", w.m.key(f.ref().StepRef))
	}
	if f.said == nil {
		return dst
	}
	dst = appendInt(dst, "lost", int64(f.said.lost))
	dst = appendInt(dst, "idle", f.said.idle)
	if f.said.doubt != nil {
		dst = w.failure(dst, "doubt", f.said.doubt)
	}
	return dst
}

// outputs writes the step outputs that a frame keeps.
func (w *snapshot) outputs(dst []byte, f *Frame) []byte {
	kept := slices.Clip(f.kept)
	for number, v := range f.outputs {
		if !v.IsAbsent() {
			kept = append(kept, cell{slot: int32(number), val: v})
		}
	}
	if len(kept) == 0 {
		return dst
	}
	dst = append(dst, `,"outputs":{`...)
	return append(w.kept(dst, f.flow.prog, f.scope(), kept), '}')
}

// kept writes step outputs by their steps. A step of a branch that has left none hides what it left when the fork was run before.
func (w *snapshot) kept(dst []byte, prog *Program, scope int32, kept []cell) []byte {
	var l listing
	for i := range prog.Ops {
		op := &prog.Ops[i]
		if op.Keep < 0 || prog.Regions[op.Region].Scope != scope {
			continue
		}
		if c := find(kept, op.Keep); c != nil {
			dst = w.putOrAbsent(appendName(l.next(dst, ""), op.ID), c.val)
		}
	}
	return dst
}

// counts writes how often the steps of a frame were entered, and the edges of the steps that count were taken.
func (w *snapshot) counts(dst []byte, f *Frame) []byte {
	prog := f.flow.prog
	var visits, steps listing
	for i := range prog.Ops {
		op := &prog.Ops[i]
		if op.Region == f.region && f.visits[op.Local] != 0 {
			dst = appendName(visits.next(dst, `,"visits":{`), op.ID)
			dst = strconv.AppendInt(dst, int64(f.visits[op.Local]), 10)
		}
	}
	dst = visits.end(dst, '}')
	if len(f.counters) == 0 {
		return dst
	}
	for i := range prog.Ops {
		op := &prog.Ops[i]
		if op.Region != f.region {
			continue
		}
		var edges listing
		for outcome := range op.Next {
			if e := &op.Next[outcome]; e.Max > 0 && f.counters[e.Counter] != 0 {
				if !edges.begun {
					dst = appendName(steps.next(dst, `,"edges":{`), op.ID)
				}
				dst = appendName(edges.next(dst, `{`), op.Outcomes[outcome])
				dst = strconv.AppendInt(dst, int64(f.counters[e.Counter]), 10)
			}
		}
		dst = edges.end(dst, '}')
	}
	return steps.end(dst, '}')
}

// listing is an array or object that is left out when nothing is in it.
type listing struct{ begun bool }

func (l *listing) next(dst []byte, head string) []byte {
	if l.begun {
		return append(dst, ',')
	}
	l.begun = true
	return append(dst, head...)
}

func (l *listing) end(dst []byte, with byte) []byte {
	if !l.begun {
		return dst
	}
	return append(dst, with)
}

func appendName(dst []byte, name string) []byte {
	return append(value.String(name).AppendJSON(dst), ':')
}
