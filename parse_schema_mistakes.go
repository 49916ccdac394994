package wf

import (
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf/internal/value"
)

// What language models write in the place of a JSON Schema is told here, with the schema that it stands for: maps of names to
// types, the types' names in programming languages, and a "required" that is true instead of a list.

// schemaMender goes through one schema.
type schemaMender struct {
	*reader
	base string // where the schema stands
}

// mendSchema reports such mistakes in a schema, and returns what it means.
func (r *reader) mendSchema(v value.Value, at string) value.Value {
	mended, _ := schemaMender{r, at}.mend(v, nil, shortTop)
	return mended
}

func (m schemaMender) place(at *place) string { return m.base + at.String() }

// mend looks at one schema, and at those inside it.
func (m schemaMender) mend(v value.Value, at *place, in shortPlace) (mended value.Value, changed bool) {
	if meant, ok := shorthand(v, in); ok {
		meant, _ = m.quietly().mend(meant, at, shortMap)
		m.add(Diagnostic{Code: "schema_shorthand", Path: m.place(at), RepairHint: "write " + shorten(meant.String(), 120),
			Message: "a schema is JSON Schema, which says nothing by names and types alone",
			Fixes:   []Fix{m.replace(v, m.place(at), meant, FixSafe)}})
		return meant, true
	}
	if v.Kind() != value.KindObject {
		return v, false
	}
	v, inside := m.inside(v, at)
	v, named := m.typeName(v, at)
	v, moved := m.required(v, at)
	return v, named || moved || inside
}

// quietly is for what is repaired together with what it stands in.
func (m schemaMender) quietly() schemaMender { return schemaMender{&reader{}, ""} }

// Keywords whose value is a schema, a map of schemas, or a list of them.
var (
	schemaKeywords = []string{"items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames", "unevaluatedItems", "unevaluatedProperties"}
	schemaMaps     = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
	schemaLists    = []string{"anyOf", "oneOf", "allOf", "prefixItems"}
)

// inside looks at the schemas in a schema.
func (m schemaMender) inside(v value.Value, at *place) (value.Value, bool) {
	return eachMember(v, func(key string, x value.Value) (value.Value, bool) {
		switch {
		case slices.Contains(schemaKeywords, key):
			return m.mend(x, at.key(key), shortName)
		case slices.Contains(schemaMaps, key) && x.Kind() == value.KindObject:
			return eachMember(x, func(name string, y value.Value) (value.Value, bool) {
				return m.mend(y, at.key(key).key(name), shortList)
			})
		case slices.Contains(schemaLists, key) && x.Kind() == value.KindArray:
			items, changed := make([]value.Value, 0, x.Len()), false
			for i, item := range x.Items() {
				mended, other := m.mend(item, at.key(key).at(i), shortName)
				items, changed = append(items, mended), changed || other
			}
			if changed {
				return value.Array(items...), true
			}
		}
		return x, false
	})
}

// eachMember changes members of an object; one that does not change is kept as it is.
func eachMember(v value.Value, change func(key string, x value.Value) (value.Value, bool)) (value.Value, bool) {
	var members []value.Member
	i := 0
	for key, x := range v.Members() {
		mended, changed := change(key, x)
		if changed && members == nil {
			members = make([]value.Member, 0, v.Len())
			for k := range i {
				name, same := v.MemberAt(k)
				members = append(members, value.Member{Key: name, Value: same})
			}
		}
		if members != nil {
			members = append(members, value.Member{Key: key, Value: mended})
		}
		i++
	}
	if members == nil {
		return v, false
	}
	return value.Object(members...), true
}

// typeName reports the name of a type in another language.
func (m schemaMender) typeName(v value.Value, at *place) (value.Value, bool) {
	t := v.Get("type")
	meant, ok := meantType(t)
	if !ok || !meant.Get("items").IsAbsent() && !v.Get("items").IsAbsent() {
		return v, false
	}
	place := m.place(at.key("type"))
	ops := []value.Value{opTest(place, t)}
	hint := "leave the type out"
	if name := meant.Get("type"); name.IsAbsent() {
		ops = append(ops, opRemove(place))
	} else {
		ops = append(ops, opReplace(place, name))
		hint = "write " + name.String()
	}
	v = v.With("type", meant.Get("type"))
	if items := meant.Get("items"); !items.IsAbsent() {
		ops = append(ops, opAdd(m.place(at.key("items")), items))
		hint = fmt.Sprintf(`write "type": "array", "items": %s`, items)
		v = v.With("items", items)
	}
	title := strings.ToUpper(hint[:1]) + hint[1:]
	m.add(Diagnostic{Code: "schema_type_name", Path: place, Expected: jsonOf(jsonTypes), Actual: t.JSON(), RepairHint: hint,
		Message: fmt.Sprintf("JSON Schema has no type %s; its types are %s", shorten(t.String(), 60), listText(jsonTypes)),
		Fixes:   []Fix{patch(title, FixSafe, ops...)}})
	return v, true
}

// required reports properties that say themselves that they are required, and moves that to the object that has them.
func (m schemaMender) required(v value.Value, at *place) (value.Value, bool) {
	list := v.Get("required")
	properties, changed := eachMember(v.Get("properties"), func(name string, p value.Value) (value.Value, bool) {
		own := p.Get("required")
		isRequired, isBool := own.AsBool()
		if !isBool {
			return p, false
		}
		place := m.place(at.key("properties").key(name).key("required"))
		d := Diagnostic{Code: "schema_required", Path: place, RepairHint: "remove it: what is not required is optional",
			Message: fmt.Sprintf("which properties are required is a list in the object that has them, not a word in property %s", quoteShort(name))}
		ops := []value.Value{opTest(place, own), opRemove(place)}
		if isRequired {
			d.RepairHint = fmt.Sprintf(`write "required": [%s] beside "properties"`, quoteJSON(name))
			switch kind := v.Get("required").Kind(); {
			case kind == value.KindArray && !contains(v.Get("required"), name):
				ops = append(ops, opAdd(m.place(at.key("required").key("-")), value.String(name)))
			case kind == value.KindAbsent:
				ops = append(ops, opAdd(m.place(at.key("required")), value.Array(value.String(name))))
			case kind != value.KindArray:
				ops = nil // what stands there is a mistake itself, and goes first
			}
			if !contains(list, name) {
				if list.Kind() != value.KindArray {
					list = value.Array()
				}
				list = list.Append(value.String(name))
			}
		}
		if ops != nil {
			d.Fixes = []Fix{patch("Move it to the list of the object", FixSafe, ops...)}
		}
		m.add(d)
		return p.With("required", value.Value{}), true
	})
	if !changed {
		return v, false
	}
	v = v.With("properties", properties)
	if list.Kind() == value.KindArray && v.Get("required").Kind() != value.KindBool { // else what it says itself goes first
		v = v.With("required", list)
	}
	return v, true
}

// contains reports whether a list has a text.
func contains(list value.Value, text string) bool {
	for _, item := range list.Items() {
		if s, ok := item.AsString(); ok && s == text {
			return true
		}
	}
	return false
}
