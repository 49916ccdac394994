package wf

import (
	"slices"
	"strings"

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

// veil hides a place of a value.
type veil struct {
	at  value.Path
	how hiding
}

// secretInputs lists the properties of an input that are secret, or fill a secret field.
func secretInputs(in *schema.Schema, fields []kernel.Field, hidden []hiding) []string {
	var names []string
	for slot, h := range hidden {
		if h == secret {
			names = append(names, fields[slot].Name)
		}
	}
	if in == nil {
		return names
	}
	for _, p := range in.Properties() {
		if hidingOf(p) == secret && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

// showInput gives the workflow's input as people see it.
func (f *flow) showInput(input value.Value) value.Value {
	for _, name := range f.secretInputs {
		input = input.With(name, secret.veil(input.Get(name)))
	}
	return input
}

// refused tells why an input was refused, without the secrets in it: what is found in their places, which may be cut, and their texts
// wherever else they are.
func (f *flow) refused(input value.Value, fail *kernel.Failure) *Error {
	if len(f.secretInputs) == 0 {
		return (*mask)(nil).failure(fail)
	}
	m := &mask{}
	m.input(f, input)
	m.ready()
	var items []value.Value
	for _, v := range fail.Details.Get("violations").Items() {
		pointer, _ := v.Get("path").AsString()
		name, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
		if pointer == "" || slices.Contains(f.secretInputs, unescapePointer.Replace(name)) {
			v = v.With("actual", secret.veil(v.Get("actual")))
		}
		items = append(items, v)
	}
	own := *fail
	if len(items) > 0 {
		own.Details = own.Details.With("violations", value.Array(items...))
	}
	return m.failure(&own)
}

// hiddenField is how a field is hidden.
func (f *flow) hiddenField(slot int32) hiding {
	if int(slot) < len(f.hidden) {
		return f.hidden[slot]
	}
	return shown
}

// showState gives the state as people see it.
func (f *flow) showState(state value.Value) value.Value {
	for slot, h := range f.hidden {
		if h != shown {
			name := f.kernel.Fields[slot].Name
			state = state.With(name, h.veil(state.Get(name)))
		}
	}
	return state
}

// showBound gives a value that was made by bindings as people see it: places filled from something hidden are hidden too.
func (f *flow) showBound(binds []kernel.Bind, v value.Value) value.Value {
	if !f.veiled {
		return v
	}
	for i := range binds {
		if h := f.hides(&binds[i].From); h != shown {
			v = veilAt(v, binds[i].Target, h)
		}
	}
	return v
}

// showStepInput gives a step's input as people see it: a foreach's is what it goes over, a subgraph's is hidden as in the
// workflow it runs.
func (f *flow) showStepInput(op *kernel.Op, v value.Value) value.Value {
	if op.Kind == kernel.Foreach {
		return f.hides(op.Fan.Over).veil(v)
	}
	v = f.showBound(op.Input, v)
	if op.Child != nil && v.Kind() == value.KindObject {
		v = f.program.flows[op.Child].showInput(v)
	}
	return v
}

// outputBinds are the bindings that made a completed run's output.
func (f *flow) outputBinds(m *kernel.Machine) []kernel.Bind {
	step, _ := m.Prior()
	if at, ok := f.kernel.Op(step); ok && f.kernel.Ops[at].Output != nil {
		return f.kernel.Ops[at].Output
	}
	return f.kernel.Output
}

// showOutput gives a step's output as people see it.
func (f *flow) showOutput(op *kernel.Op, v value.Value) value.Value {
	if !f.veiled {
		return v
	}
	l := looker{f: f}
	l.output(op, func(at value.Path, h hiding) { v = veilAt(v, at, h) })
	return v
}

// veilAt hides a place of a value, if there is something.
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

// overlap reports whether one path leads into what the other leads to.
func overlap(a, b value.Path) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
