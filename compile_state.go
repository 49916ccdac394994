package wf

import (
	"slices"
	"strings"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// reducerPrefix is the source of the standard reducers.
const reducerPrefix = "wf.std."

// stdReducers are the kernel's operations by their names.
var stdReducers = map[string]kernel.Operation{
	"replace": kernel.OpSet, "append": kernel.OpAppend, "extend": kernel.OpExtend, "merge_object": kernel.OpMerge,
	"deep_merge": kernel.OpDeepMerge, "add": kernel.OpAdd, "set_union": kernel.OpUnion, "max": kernel.OpMax, "min": kernel.OpMin,
}

// state lays out the fields: the declared ones in the order of their names, then, on demand, those that only a
// binding mentions.
func (c *compiler) state() {
	s := c.schema(c.w.StateSchema)
	if s == nil {
		return
	}
	properties := s.Properties()
	if slices.ContainsFunc(properties, func(p schema.Property) bool { return hidingOf(p) != shown }) {
		c.prog.hidden = make([]hiding, len(properties))
	}
	for i, p := range properties {
		if c.prog.hidden != nil {
			c.prog.hidden[i] = hidingOf(p)
		}
		f := kernel.Field{Name: p.Name, Declared: true, Default: p.Default}
		if name, ok := p.Ext("x-reducer").AsString(); ok {
			f.Op, f.Host = c.reducer(name)
		}
		f.Check = checkOf(p.Schema)
		if f.Op == kernel.OpAppend || f.Op == kernel.OpExtend {
			f.Item = itemCheck(p.Schema)
		}
		c.slots[p.Name] = int32(len(c.out.Fields))
		c.out.Fields = append(c.out.Fields, f)
	}
}

// reducer finds how a field merges: one of the closed operations, or a reducer of the host.
func (c *compiler) reducer(name string) (kernel.Operation, int32) {
	if op, ok := stdReducers[strings.TrimPrefix(name, reducerPrefix)]; ok {
		return op, 0
	}
	r := c.reducers[name]
	if r == nil {
		return kernel.OpSet, 0 // the validator has reported it
	}
	c.out.Reduce = append(c.out.Reduce, r.apply)
	return kernel.OpHost, int32(len(c.out.Reduce) - 1)
}

// slot finds a field; one that the schema does not declare is a plain replace entry.
func (c *compiler) slot(name string) int32 {
	i, ok := c.slots[name]
	if !ok {
		i = int32(len(c.out.Fields))
		c.slots[name] = i
		f := kernel.Field{Name: name}
		if s := c.schema(c.w.StateSchema); s != nil { // additionalProperties or patternProperties may say what it holds
			if sub, presence := s.Lookup(value.Path{{Key: name}}); presence != schema.Never && sub != nil {
				f.Check = checkOf(sub)
			}
		}
		c.out.Fields = append(c.out.Fields, f)
	}
	return i
}

// target splits a state path into a field and what is below it.
func (c *compiler) target(p *Path) (slot int32, rest value.Path) {
	if len(p.Parts) == 0 || p.Parts[0].IsIndex {
		return -1, nil // the validator has reported it
	}
	return c.slot(p.Parts[0].Name), valuePath(p.Parts[1:])
}

// write compiles an output binding.
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
	c.out.CheckOutput = checkOf(s)
	if c.w.Output != nil {
		c.out.Output = c.binds(c.w.Output, s)
	} else if s != nil {
		for _, p := range s.Properties() {
			if slot, ok := c.slots[p.Name]; ok {
				path := value.Path{{Key: p.Name}}
				c.out.Output = append(c.out.Output, kernel.Bind{Target: path, Optional: true,
					From: kernel.Operand{Root: kernel.State, Index: slot, Name: "state." + p.Name}})
			}
		}
	}
	// What is missing is said by the output's own check, which sees all of it at once.
	for i := range c.out.Output {
		c.out.Output[i].Optional = true
	}
	c.out.Shape, c.out.Output = shapeOf(c.out.Output)
	for i := range c.out.Ops {
		op := &c.out.Ops[i]
		for j := range op.Output {
			op.Output[j].Optional = true
		}
		if len(op.Output) > 0 {
			op.Shape, op.Output = shapeOf(op.Output)
		}
	}
}

// checkOf makes the kernel's check of a schema; nil when everything passes.
func checkOf(s *schema.Schema) func(value.Value) *kernel.Failure {
	if s == nil || anything(s) {
		return nil
	}
	return func(v value.Value) *kernel.Failure {
		if s.Valid(v) {
			return nil
		}
		return violationFailure(kernel.CodeStateInvalid, s.Check(v))
	}
}

// anything reports whether a schema plainly accepts every value.
func anything(s *schema.Schema) bool {
	doc := s.Value()
	for key := range doc.Members() {
		if key != "title" && key != "description" && key != "default" && !strings.HasPrefix(key, "x-") {
			return false
		}
	}
	return doc.Kind() == value.KindObject || value.Equal(doc, value.True)
}

// itemCheck judges one added element where a schema says nothing of an array but what its elements are. Then adding to
// a long array costs no more than adding to a short one.
func itemCheck(s *schema.Schema) func(value.Value) *kernel.Failure {
	if s == nil {
		return nil
	}
	harmless := []string{"type", "items", "title", "description", "default", "examples", "$comment", "deprecated"}
	for key := range s.Value().Members() {
		if !slices.Contains(harmless, key) && !strings.HasPrefix(key, "x-") {
			return nil
		}
	}
	items, presence := s.Lookup(value.Path{{IsIndex: true}})
	if presence == schema.Unknown || presence == schema.Never || items == nil {
		return nil
	}
	if check := checkOf(items); check != nil {
		return check
	}
	return func(value.Value) *kernel.Failure { return nil }
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
