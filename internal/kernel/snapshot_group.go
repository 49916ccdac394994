package kernel

import (
	"strconv"

	"lda.chat/wf/internal/value"
)

// group writes the children of a step. What can be counted is not written: who of them is open, at work, or waits for room.
func (w *snapshot) group(dst []byte, g *group) []byte {
	prog := g.owner.flow.prog
	dst = append(dst, `"serial":`...)
	dst = strconv.AppendBool(dst, g.serial())
	dst = w.value(dst, "over", g.over)
	if g.op.Kind == Fork {
		dst = appendNames(dst, "branches", g.op.Fan.Branches, g.chosen)
	}
	dst = appendInt(dst, "succeeded", int64(g.succeeded))
	dst = appendInt(dst, "failed", int64(g.failed))
	dst = appendInt(dst, "first", int64(g.first))
	var kids listing
	for i := range g.kids {
		dst = w.kid(kids.next(dst, `,"started":[`), g, i)
	}
	dst = kids.end(dst, ']')
	if g.serial() {
		dst = w.writes(dst, "log", prog, g.log)
	}
	dst = w.cells(dst, "cells", prog, g.cells)
	var kept listing
	for number, cells := range g.kept {
		if len(cells) > 0 {
			branch := &g.op.Fan.Branches[g.chosen[number]]
			dst = appendName(kept.next(dst, `,"outputs":{`), branch.Name)
			dst = append(w.kept(append(dst, '{'), prog, prog.Regions[branch.Region].Scope, cells), '}')
		}
	}
	dst = kept.end(dst, '}')
	var results listing
	for i, v := range g.results {
		if !v.IsAbsent() {
			dst = append(results.next(dst, `,"results":[`), '[')
			dst = append(strconv.AppendInt(dst, int64(i), 10), ',')
			dst = append(w.put(dst, v), ']')
		}
	}
	dst = results.end(dst, ']')
	var errors listing
	for _, e := range g.errors {
		dst = append(errors.next(dst, `,"errors":[`), '{')
		if g.op.Kind == Fork {
			dst = append(dst, `"branch":`...)
			dst = value.String(g.op.Fan.Branches[e.index].Name).AppendJSON(dst)
		} else {
			dst = append(dst, `"item":`...)
			dst = strconv.AppendInt(dst, int64(e.index), 10)
		}
		dst = append(w.failure(dst, "failure", e.fail), '}')
	}
	return errors.end(dst, ']')
}

// kid writes a child that was started: an object if it is open, the writes that are to be merged if it is over.
func (w *snapshot) kid(dst []byte, g *group, i int) []byte {
	if f := g.kids[i].frame; f != nil {
		return append(w.frame(append(dst, '{'), f), '}')
	}
	dst = append(dst, '[')
	if !g.serial() {
		dst = w.logged(dst, g.owner.flow.prog, g.written(i))
	}
	return append(dst, ']')
}

// writes writes a log.
func (w *snapshot) writes(dst []byte, key string, prog *Program, log []logged) []byte {
	if len(log) == 0 {
		return dst
	}
	dst = append(appendName(append(dst, ','), key), '[')
	return append(w.logged(dst, prog, log), ']')
}

func (w *snapshot) logged(dst []byte, prog *Program, log []logged) []byte {
	for i := range log {
		l := &log[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, `{"op":"`...), l.op.String()...), '"')
		dst = appendText(dst, "field", prog.Fields[l.bind.Slot].Name)
		if len(l.bind.Path) > 0 {
			dst = appendPath(dst, "path", l.bind.Path)
		}
		dst = appendText(dst, "step", prog.Ops[l.by].ID)
		dst = append(w.value(dst, "value", l.in), '}')
	}
	return dst
}

// cells writes fields as children have them, in the order in which they were first written.
func (w *snapshot) cells(dst []byte, key string, prog *Program, cells []cell) []byte {
	var l listing
	for i := range cells {
		c := &cells[i]
		if !l.begun {
			dst = append(appendName(append(dst, ','), key), '[')
		}
		dst = append(l.next(dst, ""), `{"field":`...)
		dst = value.String(prog.Fields[c.slot].Name).AppendJSON(dst)
		dst = w.value(dst, "value", c.val)
		var more listing
		for _, v := range c.more {
			dst = w.put(more.next(dst, `,"more":[`), v)
		}
		dst = more.end(dst, ']')
		dst = append(appendInt(dst, "bytes", int64(c.bytes)), '}')
	}
	return l.end(dst, ']')
}

func (w *snapshot) failure(dst []byte, key string, f *Failure) []byte {
	return encodeFailure(appendName(append(dst, ','), key), f, nil)
}
