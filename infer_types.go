package wf

import (
	"fmt"
	"maps"
	"slices"

	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// schema is what the notes of a field come to; nil if they come to nothing, with the reason if there is one. What is written
// counts before what is read: whoever writes a field tells what it holds.
func (f *fieldNotes) schema(isState bool) (s *schema.Schema, why string) {
	if isState && len(f.writes) > 0 {
		if s, why = common(f.writes, true); s == nil {
			return nil, why
		}
		for _, r := range f.reads {
			if verdict, _ := schema.Assignable(s, r.schema); verdict == schema.Disjoint {
				return nil, "what is written there never fits what reads it"
			}
		}
		return s, ""
	}
	if len(f.reads) > 0 {
		s, why = common(f.reads, false)
		if s == nil || !slices.Equal(s.Types(), []string{"array"}) || f.element == nil || !f.element.isKnown() || !s.Value().Get("items").IsAbsent() {
			return s, why
		}
	}
	switch {
	case f.members != nil && f.element == nil:
		return f.object(isState)
	case f.element != nil && f.members == nil:
		items, _ := f.element.schema(isState)
		return arrayOf(items), ""
	}
	return nil, ""
}

func (f *fieldNotes) isKnown() bool {
	return len(f.reads)+len(f.writes)+len(f.members) > 0 || f.element != nil
}

// object is the schema of an object of which single members are read or written.
func (f *fieldNotes) object(isState bool) (*schema.Schema, string) {
	object := value.Object(value.Member{Key: "type", Value: value.String("object")})
	for _, name := range slices.Sorted(maps.Keys(f.members)) {
		if s, _ := f.members[name].schema(isState); s != nil {
			object, _ = schema.AddProperty(object, name, s, false)
		}
	}
	s, _ := schema.FromValue(object, nil)
	return s, ""
}

// arrayOf is the schema of an array of such elements; of any, if items is nil.
func arrayOf(items *schema.Schema) *schema.Schema {
	if items == nil {
		return typed(typesArray)
	}
	wrapped, ok := schema.AddProperty(value.Value{}, "items", items, false)
	if !ok {
		return typed(typesArray)
	}
	array := value.Object(value.Member{Key: "type", Value: value.String("array")}, value.Member{Key: "items", Value: wrapped.Get("properties").Get("items")},
		value.Member{Key: "$defs", Value: wrapped.Get("$defs")})
	s, _ := schema.FromValue(array, nil)
	return s
}

// common is the one schema that all have to do with. Of writes it is the widest, which holds for whatever is written; of reads the
// narrowest, which satisfies all that read. Where there is none, the types that all have in common are left, of writes all together.
func common(list []noted, ofWrites bool) (s *schema.Schema, why string) {
	var distinct []*schema.Schema
	seen := map[string]bool{}
	for _, n := range list {
		if n.schema == nil {
			return nil, "what is written there can be anything"
		}
		if hash := n.schema.ShapeHash(); !seen[hash] {
			seen[hash] = true
			distinct = append(distinct, n.schema)
		}
	}
	for i, a := range distinct {
		for _, b := range distinct[i+1:] {
			if verdict, _ := schema.Assignable(a, b); verdict == schema.Disjoint {
				verb := "asked for"
				if ofWrites {
					verb = "written"
				}
				return nil, fmt.Sprintf("both %s and %s are %s", typesText(a), typesText(b), verb)
			}
		}
	}
	for _, a := range distinct {
		if !slices.ContainsFunc(distinct, func(b *schema.Schema) bool { return a != b && !fitsInto(a, b, ofWrites) }) {
			return a, ""
		}
	}
	return typesOfAll(distinct, ofWrites), ""
}

// fitsInto reports whether a is as wide as b, or as narrow.
func fitsInto(a, b *schema.Schema, wide bool) bool {
	if wide {
		a, b = b, a
	}
	verdict, _ := schema.Assignable(a, b)
	return verdict == schema.Yes
}

// typesOfAll is the schema of the types that any of some has, or that all have; nil if one does not say.
func typesOfAll(list []*schema.Schema, ofAny bool) *schema.Schema {
	types := list[0].Types()
	for _, s := range list {
		own := s.Types()
		switch {
		case len(own) == 0:
			return nil
		case ofAny:
			types = append(slices.Clone(types), own...)
		default:
			types = slices.DeleteFunc(slices.Clone(types), func(t string) bool {
				return !slices.Contains(own, t) && !(t == "integer" && slices.Contains(own, "number"))
			})
		}
	}
	if types = slices.Compact(slices.Sorted(slices.Values(types))); len(types) == 0 {
		return nil
	}
	if slices.Contains(types, "number") {
		types = slices.DeleteFunc(types, func(t string) bool { return t == "integer" })
	}
	s, _ := schema.Parse(jsonOf(map[string]any{"type": types}), nil)
	return s
}

func typesText(s *schema.Schema) string {
	if types := s.Types(); len(types) > 0 {
		return listSome(types)
	}
	return shorten(string(s.JSON()), 40)
}

// related are the places from which a field's schema was taken, at most ten.
func (f *fieldNotes) related(c *checker) []Related {
	var list []Related
	add := func(all []noted, what string) {
		for _, n := range all {
			if len(list) < maxClaimPlaces {
				list = append(list, Related{Doc: c.opts.Doc, Path: n.at, Message: what + " " + c.whose(n.step)})
			}
		}
	}
	add(f.writes, "written by")
	add(f.reads, "read by")
	for _, name := range slices.Sorted(maps.Keys(f.members)) {
		list = append(list, f.members[name].related(c)...)
	}
	if f.element != nil {
		list = append(list, f.element.related(c)...)
	}
	return list[:min(len(list), maxClaimPlaces)]
}

// whose names a step, or the workflow.
func (c *checker) whose(step int) string {
	if step == noStep {
		return "the workflow"
	}
	return fmt.Sprintf("step %q", c.stepID(step))
}

// outputProperties are the properties of the workflow's output, which its output bindings and its ends fill.
func (c *checker) outputProperties(path []string) []addition {
	outputs := map[string]*fieldNotes{}
	note := func(list []InputBinding, step int, in pathScope, at *place) bool {
		for k := range list {
			b := &list[k]
			if len(b.Target.Parts) != 1 || b.Target.Parts[0].IsIndex {
				return false // the whole of it, or something inside a member
			}
			name := b.Target.Parts[0].Name
			if outputs[name] == nil {
				outputs[name] = &fieldNotes{}
			}
			outputs[name].writes = append(outputs[name].writes, noted{c.givenBy(nil, &b.Operand, in), at.at(k).String(), step})
		}
		return true
	}
	ok := note(c.w.Output, noStep, pathScope{step: noStep}, c.top("output"))
	for i, s := range c.w.Nodes {
		if end, isEnd := s.(*EndStep); isEnd && end.Output != nil {
			ok = note(end.Output, i, c.at(i), c.node(i).key("output")) && ok
		}
	}
	if !ok || len(outputs) == 0 {
		return nil
	}
	var list []addition
	for _, name := range slices.Sorted(maps.Keys(outputs)) {
		s, _ := common(outputs[name].writes, true)
		if s == nil {
			s = anyValue()
		}
		list = append(list, c.property("output_schema", name, s, false, path, outputs[name].related(c),
			fmt.Sprintf("the output %q is inferred to be %s", name, shorten(string(s.JSON()), 100))))
	}
	return list
}
