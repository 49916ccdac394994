package wf

import (
	"fmt"
	"slices"

	"lda.chat/wf/internal/value"
)

// checkAppend warns of an array that is appended as one element to a field that does not say what its elements are.
func (c *checker) checkAppend(b *OutputBinding, at *place, in pathScope) {
	if in.reducer != "append" || !c.writesArray(b, in) || c.writeTarget(&b.Target) != nil {
		return
	}
	d := c.report("append_array", at.key("source"), in.step, fmt.Sprintf("an array is appended to %s as one element, which makes a list of lists", b.Target),
		fmt.Sprintf(`"extend" adds its elements; if a list of lists is meant, say so in the schema of %s: "items": {"type": "array"}`, b.Target))
	c.fixExtend(d, in.field, FixUnsafe)
}

// offerExtend is for an array that is appended as one element to a field whose elements are none. Where everything that is
// written to the field is an array, extend can only be what is meant.
func (c *checker) offerExtend(d *Diagnostic, field string) {
	d.RepairHint = `append adds the array as one element; "extend" adds its elements`
	trust := FixUnsafe
	if c.onlyArrays(field) {
		trust = FixSafe
	}
	c.fixExtend(d, field, trust)
}

func (c *checker) fixExtend(d *Diagnostic, field string, trust Applicability) {
	property, _ := c.state.Property(field)
	at := c.declaration(c.top("state_schema"), c.state, []Part{namePart(field)}).key(keyReducer)
	if at.up.up != nil && at.up.name == field {
		d.fix(`Let the field have the reducer "extend"`, trust, testOp(at, property.Ext(keyReducer)), replaceOp(at, ReducerExtend))
	}
}

// appendsArray reports whether what is written is an array that is appended as one element.
func (in pathScope) appendsArray() bool {
	return in.reducer == "append" && in.depth == 0 && in.field != ""
}

// onlyArrays reports whether every write to a field writes an array.
func (c *checker) onlyArrays(field string) bool {
	only, known := c.arrays[field]
	if known {
		return only
	}
	only = true
	isField := func(p *Path) bool { return p != nil && len(p.Parts) > 0 && p.Parts[0].Name == field }
	for i, s := range c.w.Nodes {
		list, _ := writes(s)
		in := c.at(i)
		if out, has := c.outputOf(i); has {
			in.local = &out
		}
		for k := range list {
			only = only && (!isField(&list[k].Target) || c.writesArray(&list[k], in))
		}
		only = only && !slices.ContainsFunc(s.common().Catch, func(x Catch) bool { return isField(x.Error) })
	}
	if c.arrays == nil {
		c.arrays = make(map[string]bool)
	}
	c.arrays[field] = only
	return only
}

// writesArray reports whether what a binding writes is surely an array.
func (c *checker) writesArray(b *OutputBinding, in pathScope) bool {
	path := b.Source
	if b.Operand != nil {
		if v, err := value.Parse(b.Operand.Value); b.Operand.List != nil || len(b.Operand.Value) > 0 && err == nil && v.Kind() == value.KindArray {
			return true
		}
		path = b.Operand.Path
	}
	if path == nil {
		return false
	}
	s := c.sourceSchema(path, in)
	return s != nil && slices.Equal(s.Types(), []string{"array"})
}
