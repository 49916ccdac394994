package schema

import (
	"reflect"
	"strconv"

	generator "github.com/invopop/jsonschema"

	"lda.chat/wf/internal/value"
)

// structure writes the schema of a struct. The library sees a struct made for it, with the members that encoding/json writes
// and their tags; the types of its fields are numbers in disguise (arrays of that length), which the Mapper replaces by the
// schemas found here.
func (w *walker) structure(t reflect.Type) *generator.Schema {
	place := w.place
	defer func() { w.place = place }()
	fields := fieldsOf(t)
	schemas := make([]*generator.Schema, len(fields))
	tags := make([]fieldTags, len(fields))
	disguised := make([]reflect.StructField, len(fields))
	for i, f := range fields {
		w.place = child(place, "properties", f.name)
		tags[i] = w.tags(f)
		schemas[i] = w.member(f, tags[i])
		disguised[i] = reflect.StructField{
			Name: "F" + strconv.Itoa(i), Type: reflect.ArrayOf(i, reflect.TypeFor[struct{}]()), Tag: tags[i].structTag(f),
		}
	}
	r := &generator.Reflector{Anonymous: true, Mapper: func(t reflect.Type) *generator.Schema {
		if t.Kind() == reflect.Array {
			return schemas[t.Len()]
		}
		return nil
	}}
	s := r.ReflectFromType(reflect.StructOf(disguised))
	s.Version, s.Definitions = "", nil
	if reflect.PointerTo(t).Implements(extender) {
		w.beyond = true
		reflect.New(t).Interface().(interface{ JSONSchemaExtend(*generator.Schema) }).JSONSchemaExtend(s)
	}
	w.place = place
	return carried(w.finish(encoded(s), fields, tags))
}

// member is the schema of a field's value.
func (w *walker) member(f field, tags fieldTags) *generator.Schema {
	t := f.of.Type
	s := w.position(t, false)
	if f.quoted {
		switch s.Type {
		case "integer", "number", "boolean", "string":
			s = &generator.Schema{Type: "string", Extras: s.Extras}
		}
	}
	nilLeftOut := f.omitEmpty
	if f.omitZero {
		zeroer := reflect.TypeFor[interface{ IsZero() bool }]()
		nilLeftOut = nilLeftOut || t.Kind() == reflect.Pointer || !t.Implements(zeroer) && !reflect.PointerTo(t).Implements(zeroer)
	}
	if nilLeftOut && !w.nilInside(t) {
		delete(s.Extras, nullMark)
	}
	if tags.nullable {
		nullable(s)
	}
	return s
}

// nilInside: a pointer that is not nil can point to something that is.
func (w *walker) nilInside(t reflect.Type) bool {
	if t.Kind() != reflect.Pointer {
		return false
	}
	s := w.special(t.Elem(), true)
	k := t.Elem().Kind()
	return s == nil && (k == reflect.Pointer || k == reflect.Slice || k == reflect.Map)
}

// finish adds what the library does not know: our own keywords and typed defaults; and it finds tags that had no effect.
func (w *walker) finish(v value.Value, fields []field, tags []fieldTags) value.Value {
	place := w.place
	properties := v.Get("properties")
	for i, f := range fields {
		w.place = child(place, "properties", f.name)
		key := tags[i].key(f)
		p := properties.Get(key)
		if p.IsAbsent() {
			continue // JSONSchemaExtend took it out
		}
		if b, ok := p.AsBool(); ok && b {
			p = value.Object()
		}
		w.effect(p, tags[i])
		if d := w.defaultOf(p, tags[i]); !d.IsAbsent() {
			p = p.With("default", d)
		}
		for _, m := range tags[i].own {
			p = p.With(m.Key, m.Value)
		}
		if p.Len() == 0 {
			p = value.True
		}
		properties = properties.With(key, value.Value{}).With(f.name, p)
	}
	if required := v.Get("required"); !required.IsAbsent() {
		names := make([]value.Value, required.Len())
		for i, r := range required.Items() {
			names[i] = r
			if s, _ := r.AsString(); s == disguisedDash {
				names[i] = value.String("-")
			}
		}
		v = v.With("required", value.Array(names...))
	}
	return v.With("properties", properties)
}
