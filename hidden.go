package wf

import (
	"slices"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// hiding says what people are not shown of a state field.
type hiding uint8

const (
	shown    hiding = iota
	untraced        // "x-trace": false: left out
	secret          // "x-secret": true: redacted
)

// redacted stands where a secret was.
var redacted = value.String("[secret]")

func hidingOf(p schema.Property) hiding {
	if v, _ := p.Ext("x-secret").AsBool(); v {
		return secret
	}
	if v, said := p.Ext("x-trace").AsBool(); said && !v {
		return untraced
	}
	return shown
}

// veil gives what is shown in place of a value.
func (h hiding) veil(v value.Value) value.Value {
	switch {
	case h == untraced:
		return value.Value{}
	case h == secret && !v.IsAbsent():
		return redacted
	}
	return v
}

// showInput gives the run's input as people see it.
func (p *program) showInput(input value.Value) value.Value {
	for _, name := range p.secretInputs {
		input = input.With(name, secret.veil(input.Get(name)))
	}
	return input
}

// hiddenField is how a field is hidden.
func (p *program) hiddenField(slot int32) hiding {
	if int(slot) < len(p.hidden) {
		return p.hidden[slot]
	}
	return shown
}

// showState gives the state as people see it.
func (p *program) showState(state value.Value) value.Value {
	for slot, h := range p.hidden {
		if h != shown {
			name := p.kernel.Fields[slot].Name
			state = state.With(name, h.veil(state.Get(name)))
		}
	}
	return state
}

// showBound gives an input or output that was made by bindings as people see it: places filled from a hidden field are
// hidden too.
func (p *program) showBound(binds []kernel.Bind, v value.Value) value.Value {
	if len(p.hidden) == 0 {
		return v
	}
	for i := range binds {
		if h := p.hides(&binds[i].From); h != shown {
			v = veilAt(v, binds[i].Target, h)
		}
	}
	return v
}

// outputBinds are the bindings that made a completed run's output.
func (p *program) outputBinds(m *kernel.Machine) []kernel.Bind {
	step, _ := m.Prior()
	if at, ok := p.kernel.Op(step); ok && p.kernel.Ops[at].Output != nil {
		return p.kernel.Ops[at].Output
	}
	return p.kernel.Output
}

// showOutput gives a step's output as people see it: what went into a hidden field is hidden.
func (p *program) showOutput(op *kernel.Op, v value.Value) value.Value {
	if len(p.hidden) == 0 {
		return v
	}
	for i := range op.Writes {
		if b := &op.Writes[i]; b.From == nil {
			if h := p.hiddenField(b.Slot); h != shown {
				v = veilAt(v, b.Source, h)
			}
		}
	}
	return v
}

func veilAt(v value.Value, at value.Path, h hiding) value.Value {
	found := v.At(at)
	switch {
	case found.IsAbsent():
		return v
	case len(at) == 0:
		return h.veil(v)
	case h == untraced:
		return v.Unset(at)
	}
	out, err := v.Set(at, h.veil(found))
	if err != nil {
		return value.Value{}
	}
	return out
}

// hides is how the value of an operand is hidden: as the strictest of what it reads.
func (p *program) hides(o *kernel.Operand) hiding {
	h := shown
	switch o.Root {
	case kernel.State:
		h = p.hiddenField(o.Index)
	case kernel.Input:
		if len(o.Path) == 0 && len(p.secretInputs) > 0 || len(o.Path) > 0 && slices.Contains(p.secretInputs, o.Path[0].Key) {
			h = secret
		}
	case kernel.WholeState:
		for _, field := range p.hidden {
			h = max(h, field)
		}
	case kernel.Steps:
		writes := p.kernel.Ops[o.Index].Writes
		for i := range writes {
			if b := &writes[i]; b.From == nil && overlap(b.Source, o.Path) {
				h = max(h, p.hiddenField(b.Slot))
			}
		}
	}
	for i := range o.Parts {
		h = max(h, p.hides(&o.Parts[i]))
	}
	return h
}

// overlap reports whether one path leads into what the other leads to.
func overlap(a, b value.Path) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
