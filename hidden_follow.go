package wf

import (
	"slices"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// hides is how the value of an operand is hidden: as the strictest of what it reads.
func (f *flow) hides(o *kernel.Operand) hiding {
	l := looker{f: f}
	return l.operand(o)
}

// looker follows what an operand reads, each operand once: items may go in circles.
type looker struct {
	f    *flow
	seen []*kernel.Operand
}

func (l *looker) operand(o *kernel.Operand) hiding {
	f, h := l.f, shown
	switch o.Root {
	case kernel.State:
		h = f.hiddenField(o.Index)
	case kernel.Input:
		if len(o.Path) == 0 && len(f.secretInputs) > 0 || len(o.Path) > 0 && slices.Contains(f.secretInputs, o.Path[0].Key) {
			h = secret
		}
	case kernel.WholeState:
		for _, field := range f.hidden {
			h = max(h, field)
		}
	case kernel.Item:
		h = l.once(f.kernel.Ops[o.Index].Fan.Over)
	case kernel.Steps:
		l.output(&f.kernel.Ops[o.Index], func(at value.Path, how hiding) {
			if overlap(at, o.Path) {
				h = max(h, how)
			}
		})
	}
	for i := range o.Parts {
		h = max(h, l.operand(&o.Parts[i]))
	}
	return h
}

func (l *looker) once(o *kernel.Operand) hiding {
	if slices.Contains(l.seen, o) {
		return shown
	}
	l.seen = append(l.seen, o)
	return l.operand(o)
}

// output visits the places of a step's output that are hidden: what goes into a hidden field, what is hidden of the output of
// the workflow that it runs, and what a foreach gathers of its items.
func (l *looker) output(op *kernel.Op, visit func(at value.Path, h hiding)) {
	for i := range op.Writes {
		if b := &op.Writes[i]; b.From == nil && !b.Unset {
			if h := l.f.hiddenField(b.Slot); h != shown {
				visit(b.Source, h)
			}
		}
	}
	if op.Child != nil {
		for _, v := range l.f.program.flows[op.Child].veils {
			visit(v.at, v.how)
		}
	}
	if op.Kind != kernel.Foreach {
		return
	}
	if h := l.once(op.Fan.Over); h != shown {
		visit(value.Path{{Key: "errors"}}, h)
	}
	if op.Fan.Result != nil {
		if h := l.once(op.Fan.Result); h != shown {
			visit(value.Path{{Key: "results"}}, h)
		}
	}
}

// findVeils notes whether anything is hidden in a flow that is compiled, and what of its output is, whichever way it ends.
func (f *flow) findVeils() {
	f.veiled = f.hidden != nil || len(f.secretInputs) > 0
	for i := range f.kernel.Ops {
		if child := f.kernel.Ops[i].Child; child != nil {
			f.veiled = f.veiled || len(f.program.flows[child].veils) > 0
		}
	}
	if !f.veiled {
		return
	}
	note := func(binds []kernel.Bind) {
		for i := range binds {
			if h := f.hides(&binds[i].From); h != shown {
				f.veils = append(f.veils, veil{binds[i].Target, h})
			}
		}
	}
	note(f.kernel.Output)
	for i := range f.kernel.Ops {
		note(f.kernel.Ops[i].Output)
	}
}
