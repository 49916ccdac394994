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
		c.flow.hidden = make([]hiding, len(properties))
	}
	for i, p := range properties {
		if c.flow.hidden != nil {
			c.flow.hidden[i] = hidingOf(p)
		}
		f := kernel.Field{Name: p.Name, Declared: true, Default: p.Default}
		if name, ok := p.Ext("x-reducer").AsString(); ok {
			c.reducer(&f, name)
		}
		f.Check = checkOf(p.Schema, kernel.CodeStateInvalid)
		if f.Op == kernel.OpAppend || f.Op == kernel.OpExtend {
			f.Item = itemCheck(p.Schema)
		}
		c.slots[p.Name] = int32(len(c.out.Fields))
		c.out.Fields = append(c.out.Fields, f)
	}
}

// reducer finds how a field merges: one of the closed operations, or a reducer of the host.
func (c *compiler) reducer(f *kernel.Field, name string) {
	if op, ok := stdReducers[strings.TrimPrefix(name, reducerPrefix)]; ok {
		f.Op = op
		return
	}
	r := c.reducers[name]
	if r == nil {
		return // the validator has reported it
	}
	f.Op, f.Host, f.Shared = kernel.OpHost, int32(len(c.out.Reduce)), r.spec.Concurrent
	c.out.Reduce = append(c.out.Reduce, r.apply)
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
				f.Check = checkOf(sub, kernel.CodeStateInvalid)
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

// checkOf makes the kernel's check of a schema, which fails with a code; nil when everything passes.
func checkOf(s *schema.Schema, code string) func(value.Value) *kernel.Failure {
	if s == nil || anything(s) {
		return nil
	}
	return func(v value.Value) *kernel.Failure {
		if s.Valid(v) {
			return nil
		}
		return violationFailure(code, s.Check(v))
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
	if check := checkOf(items, kernel.CodeStateInvalid); check != nil {
		return check
	}
	return func(value.Value) *kernel.Failure { return nil }
}
