package wf

import (
	"slices"
	"strings"
	"unicode/utf8"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// writes compiles output bindings.
func (c *compiler) writes(list []OutputBinding) []kernel.WriteBind {
	var out []kernel.WriteBind
	for i := range list {
		out = append(out, c.write(&list[i]))
	}
	return out
}

func (c *compiler) write(b *OutputBinding) kernel.WriteBind {
	slot, rest := c.target(&b.Target)
	k := kernel.WriteBind{Slot: slot, Path: rest}
	switch b.IfAbsent {
	case AbsentUnset:
		k.Absent = kernel.AbsentUnset
	case AbsentKeep:
		k.Absent = kernel.AbsentKeep
	case AbsentFail:
		k.Absent = kernel.AbsentFail
	}
	if b.Source != nil {
		k.Source, k.Name = valuePath(b.Source.Parts), b.Source.String()
		return k
	}
	from := c.operand(b.Operand)
	k.From, k.Name = &from, from.Name
	return k
}

// binds compiles the bindings of an input, a request or an output whose shape is known to be s.
func (c *compiler) binds(list []InputBinding, s *schema.Schema) []kernel.Bind {
	out := make([]kernel.Bind, len(list))
	for i := range list {
		b := &list[i]
		target := valuePath(b.Target.Parts)
		out[i] = kernel.Bind{Target: target, From: c.operand(&b.Operand), Optional: optional(s, target)}
	}
	return out
}

// optional reports whether a place may be left out; it may not where that cannot be said of a known schema.
func optional(s *schema.Schema, target value.Path) bool {
	if s == nil {
		return true
	}
	if len(target) == 0 || target[len(target)-1].IsIndex {
		return false
	}
	holder, presence := s.Lookup(target[:len(target)-1])
	if presence == schema.Never || holder == nil {
		return true
	}
	p, _ := holder.Property(target[len(target)-1].Key)
	return !p.Required
}

// output compiles how the workflow's output is made: as its bindings say, or from the fields of the same names.
func (c *compiler) output() {
	s := c.schema(c.w.OutputSchema)
	c.out.CheckOutput = checkOf(s, kernel.CodeOutputInvalid)
	var binds []kernel.Bind
	if c.w.Output != nil {
		binds = c.result(c.w.Output)
	} else if s != nil {
		for _, p := range s.Properties() {
			if slot, ok := c.slots[p.Name]; ok {
				path := value.Path{{Key: p.Name}}
				binds = append(binds, kernel.Bind{Target: path, Optional: true,
					From: kernel.Operand{Root: kernel.State, Index: slot, Name: "state." + p.Name}})
			}
		}
	}
	c.out.Shape, c.out.Output = shapeOf(binds)
}

// result compiles bindings that make a workflow's output. What is missing is said by the output's own check, which sees all
// of it at once.
func (c *compiler) result(list []InputBinding) []kernel.Bind {
	return c.binds(list, nil)
}

// shapeOf gives the shape of an input whose every place is one plain member, and the bindings in its order.
func shapeOf(binds []kernel.Bind) (*value.Shape, []kernel.Bind) {
	keys := make([]string, len(binds))
	for i, b := range binds {
		if len(b.Target) != 1 || b.Target[0].IsIndex || !utf8.ValidString(b.Target[0].Key) {
			return nil, binds
		}
		keys[i] = b.Target[0].Key
	}
	sorted := slices.SortedFunc(slices.Values(binds), func(a, b kernel.Bind) int {
		return strings.Compare(a.Target[0].Key, b.Target[0].Key)
	})
	slices.Sort(keys)
	if len(slices.Compact(slices.Clone(keys))) != len(keys) {
		return nil, binds
	}
	return value.NewShape(keys...), sorted
}

func valuePath(parts []Part) value.Path {
	if len(parts) == 0 {
		return nil
	}
	p := make(value.Path, len(parts))
	for i, part := range parts {
		p[i] = value.Part{Key: part.Name, Index: part.Index, IsIndex: part.IsIndex}
	}
	return p
}
