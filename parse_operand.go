package wf

import (
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf/internal/value"
)

// operandKinds are the fields of which an operand has exactly one.
var operandKinds = []string{"path", "value", "text", "object", "list", "length"}

// operandPlace says what an operand may be where it stands.
type operandPlace struct {
	inCondition bool // a length may be taken
	depth       int
}

func (p operandPlace) deeper() operandPlace { p.depth++; return p }

// operand reads an operand, short or canonical.
func (r *reader) operand(v value.Value, at string, in operandPlace) Operand {
	if in.depth > maxNesting {
		r.add(Diagnostic{Code: "too_deep", Path: at, RepairHint: "nest less: compute parts of it in a set step",
			Message: fmt.Sprintf("operands nest at most %d levels", maxNesting)})
		return holeOperand()
	}
	switch v.Kind() {
	case value.KindString:
		s, _ := v.AsString()
		if parts, ok := r.bareTemplate(v, s, at); ok {
			return Operand{Text: parts}
		}
		path, ok := r.pathText(v, s, at, true)
		if !ok {
			return holeOperand()
		}
		return Operand{Path: &path}
	case value.KindArray:
		if r.literalList(v, at) {
			return Operand{Value: v.AppendCanonical(nil)}
		}
		return Operand{List: r.operands(v, at, in)}
	case value.KindObject:
		return r.operandObject(v, at, in)
	}
	return Operand{Value: v.AppendCanonical(nil)}
}

// optionalOperand reads a field that is an operand.
func (o object) optionalOperand(key string) *Operand {
	v, at, ok := o.get(key)
	if !ok {
		return nil
	}
	operand := o.operand(v, at, operandPlace{})
	return &operand
}

// operandObject reads an operand that is an object by itself.
func (r *reader) operandObject(v value.Value, at string, in operandPlace) Operand {
	if !slices.ContainsFunc(operandKinds, func(kind string) bool { return !v.Get(kind).IsAbsent() }) {
		return r.bareObject(v, at)
	}
	o, _ := r.object(v, at, "an operand", append(operandKinds, "default"))
	return o.operandFields(in)
}

// operandFields reads an operand's fields out of an object that may have others too.
func (o object) operandFields(in operandPlace) Operand {
	var found []string
	for _, kind := range operandKinds {
		if o.has(kind) {
			found = append(found, kind)
		}
	}
	if len(found) != 1 {
		d := Diagnostic{Code: "operand_kind", Path: o.at, RepairHint: "keep one of them",
			Message: fmt.Sprintf("an operand has exactly one of %s; found %s", listText(operandKinds), listText(found))}
		if len(found) == 0 {
			d.Message = fmt.Sprintf("an operand has one of %s; found none", listText(operandKinds))
			d.RepairHint = `write where the value comes from, for example "path": "state.text"`
		}
		if slices.Equal(found, []string{"path", "value"}) && !o.has("default") {
			d.RepairHint = `keep one of them; a value for when the path is absent is the "default"`
			if !o.v.Get("value").IsAbsent() { // else it is called differently in the text, which has its own fix
				d.Fixes = []Fix{o.rename("value", "default", FixUnsafe)}
			}
		}
		o.add(d)
		return holeOperand()
	}
	var operand Operand
	v, at, _ := o.get(found[0])
	switch found[0] {
	case "path":
		path := o.path(v, at)
		operand.Path = &path
	case "value":
		operand.Value = o.literal("value")
	case "text":
		var read bool
		if operand.Text, read = o.textOperand(v, at, in); !read {
			return holeOperand()
		}
	case "object":
		if operand.Object = o.objectOperand(v, at, in); operand.Object == nil {
			return holeOperand()
		}
	case "list":
		if operand.List = []Operand{}; v.Kind() == value.KindArray {
			operand.List = o.operands(v, at, in)
		} else {
			o.wrongType(v, at, "a list of operands")
			return holeOperand()
		}
	case "length":
		if !in.inCondition {
			o.add(Diagnostic{Code: "operand_kind", Path: at, Message: "a length can be taken in a condition only",
				RepairHint: "ask for the length in a condition, or let a capability compute it"})
			return holeOperand()
		}
		of := o.operand(v, at, in.deeper())
		operand.Length = &of
	}
	operand.Default = o.literal("default")
	return operand
}

// operands reads the elements of a list.
func (r *reader) operands(v value.Value, at string, in operandPlace) []Operand {
	list := make([]Operand, 0, v.Len())
	for i, item := range v.Items() {
		list = append(list, r.operand(item, element(at, i), in.deeper()))
	}
	return list
}

// objectOperand reads the members of an object that is put together from operands.
func (r *reader) objectOperand(v value.Value, at string, in operandPlace) map[string]Operand {
	if v.Kind() != value.KindObject {
		r.wrongType(v, at, "an object of operands")
		return nil
	}
	members := make(map[string]Operand, v.Len())
	for key, member := range v.Members() {
		members[key] = r.operand(member, child(at, key), in.deeper())
	}
	return members
}

// textOperand reads a template, or a list of parts that are joined.
func (r *reader) textOperand(v value.Value, at string, in operandPlace) (parts []Operand, ok bool) {
	switch v.Kind() {
	case value.KindString:
		s, _ := v.AsString()
		template, err := ParseTemplate(s)
		if err != nil {
			return r.templateMistake(v, s, at, err)
		}
		return template.Text, true
	case value.KindArray:
		parts = r.operands(v, at, in)
		for i, part := range parts {
			if part.Object != nil || part.List != nil || part.Value != nil && strings.ContainsAny(string(part.Value[:1]), "{[n") {
				r.add(Diagnostic{Code: "operand_kind", Path: element(at, i), Message: "a text joins strings, numbers and booleans, nothing else",
					RepairHint: "take one value out of it, or build the text with a capability"})
			}
		}
		return parts, true
	}
	r.wrongType(v, at, `a template such as "Report for {state.name}", or a list of operands`)
	return nil, false
}
