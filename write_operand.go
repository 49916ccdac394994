package wf

import (
	"slices"

	"lda.chat/wf/internal/value"
)

// path writes a path: in the short form as text.
func (wr writer) path(p Path) any {
	if wr.short {
		if back, err := ParsePath(p.String()); err == nil && back.Equal(p) {
			return p.String()
		}
	}
	return p.tree()
}

// setOperand writes a member that is an operand, if there is one.
func (wr writer) setOperand(f *fields, key string, o *Operand) {
	if o != nil {
		f.set(key, wr.operand(*o))
	}
}

// operand writes an operand: in the short form without its kind where the value alone tells it.
func (wr writer) operand(o Operand) any {
	if wr.short && o.Default == nil {
		switch {
		case o.Path != nil:
			if text, ok := wr.path(*o.Path).(string); ok {
				return text
			}
		case o.List != nil:
			return listOf(o.List, wr.operand)
		case o.Value != nil && slices.Contains([]value.Kind{value.KindNumber, value.KindBool, value.KindNull}, leaf(o.Value).Kind()):
			return o.Value
		}
	}
	return wr.operandFields(o)
}

// operandFields writes an operand as an object, or the part of a binding that it is.
func (wr writer) operandFields(o Operand) fields {
	f := fields{}
	switch {
	case o.Path != nil:
		f.set("path", wr.path(*o.Path))
	case o.Value != nil:
		f.set("value", o.Value)
	case o.Text != nil:
		f.set("text", wr.text(o.Text))
	case o.Object != nil:
		members := fields{}
		for _, key := range sortedKeys(o.Object) {
			members.set(key, wr.operand(o.Object[key]))
		}
		f.set("object", members)
	case o.List != nil:
		f.set("list", listOf(o.List, wr.operand))
	case o.Length != nil:
		f.set("length", wr.operand(*o.Length))
	}
	f.add("default", o.Default)
	return f
}

// text writes the parts of a text: in the short form as a template, where that reads back as these parts.
func (wr writer) text(parts []Operand) any {
	if wr.short && len(parts) > 0 {
		if template, ok := templateText(parts); ok {
			return template
		}
	}
	return listOf(parts, wr.operand)
}

// inputBindings writes what fills an input. The short form is a map from targets to operands if the bindings are in the
// order of their targets' texts, for a map has no other; or one path for the whole value.
func (wr writer) inputBindings(list []InputBinding) any {
	if len(list) == 0 {
		return nil
	}
	if wr.short {
		if first, ok := wr.operand(list[0].Operand).(string); ok && len(list) == 1 && len(list[0].Target.Parts) == 0 && list[0].Target.Root == RootLocal {
			return first
		}
		m := fields{}
		for _, b := range list {
			m.set(relativeText(b.Target.Parts), wr.operand(b.Operand))
		}
		if m.ascending() && !slices.ContainsFunc(list, func(b InputBinding) bool { return b.Target.Root != RootLocal }) {
			return m
		}
	}
	return listOf(list, func(b InputBinding) any { return wr.inputBinding(b) })
}

func (wr writer) inputBinding(b InputBinding) fields {
	f := fields{{"target", b.Target.tree()}}
	if wr.short && b.Target.Root == RootLocal {
		f[0].node = relativeText(b.Target.Parts)
	}
	return append(f, wr.operandFields(b.Operand)...)
}

// outputBindings writes what goes to the state. The short form is a map under the same rule as for inputs: from
// sources to targets, in a set step from targets to operands; or one path for the whole value.
func (wr writer) outputBindings(list []OutputBinding, isSet bool) any {
	if len(list) == 0 {
		return nil
	}
	if wr.short {
		m := fields{}
		for _, b := range list {
			target, isText := wr.path(b.Target).(string)
			source := b.source()
			switch {
			case !isText || b.IfAbsent != "" || b.Target.Root != RootState:
			case isSet && source != nil:
				m.set(target, wr.operand(*source))
			case !isSet && b.localSource() != nil:
				m.set(relativeText(b.localSource().Parts), target)
			}
		}
		if len(m) == len(list) && m.ascending() {
			if !isSet && len(m) == 1 && m[0].key == "." {
				return m[0].node
			}
			return m
		}
	}
	return listOf(list, func(b OutputBinding) any { return wr.outputBinding(b) })
}

func (wr writer) outputBinding(b OutputBinding) fields {
	var f fields
	if local := b.localSource(); local != nil {
		f.set("source", wr.path(*local))
	} else if b.Operand != nil {
		f.set("source", wr.operand(*b.Operand))
	}
	f.set("target", wr.path(b.Target))
	f.add("if_absent", b.IfAbsent)
	return f
}

// localSource is the path below local that a binding writes from; nil if it writes from another operand.
func (b OutputBinding) localSource() *Path {
	if b.Source == nil && b.Operand != nil && b.Operand.Path != nil && b.Operand.Default == nil && b.Operand.Path.Root == RootLocal {
		return b.Operand.Path
	}
	return b.Source
}

// source is what a binding writes, as an operand.
func (b OutputBinding) source() *Operand {
	if b.Source != nil {
		return &Operand{Path: b.Source}
	}
	return b.Operand
}

// ascending reports whether a map with these members, which has no order, would keep theirs.
func (f fields) ascending() bool {
	for i := 1; i < len(f); i++ {
		if f[i-1].key >= f[i].key {
			return false
		}
	}
	return true
}
