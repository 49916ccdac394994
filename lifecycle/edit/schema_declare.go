package edit

import (
	"maps"
	"slices"

	"lda.chat/wf/internal/value"
)

// declare changes the schema of an object.
func (w *scope) declare(at place, step string, d *Declaration, replace, needs bool) *Error {
	if d.isEmpty() {
		return &Error{Path: at.String(), Step: step, Found: "no fields", Expected: `fields, for example {"topic": "string", "count": "integer?"}, or a whole schema`}
	}
	now := w.at(at)
	if replace {
		now = value.Value{}
	}
	if d.Schema != nil {
		whole, err := raw(d.Schema, "schema")
		if err != nil {
			return err
		}
		if now = whole; len(d.Fields)+len(d.Optional)+len(d.Remove) == 0 {
			w.become(at, now)
			w.note(KindSet, at, step, "the schema is %s", shorten(now.String()))
			return nil
		}
	}
	if now.IsAbsent() {
		now = object(member("type", value.String("object")))
	}
	properties := now.Get("properties")
	if now.Kind() != value.KindObject || !properties.IsAbsent() && properties.Kind() != value.KindObject {
		return &Error{Path: at.String(), Step: step, Found: "a schema that is " + describe(now), Expected: "the schema of an object, with its properties", Hint: "write the whole schema"}
	}
	for _, name := range d.Remove {
		if properties.Get(name).IsAbsent() {
			e := unknown("field", name, keys(properties))
			e.Path, e.Step = at.String(), step
			return e
		}
		properties, now = properties.With(name, value.Value{}), need(now, name, false)
		w.note(KindRemoved, under(at, "properties", name), step, "%s is not declared any more", name)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Fields)) {
		given, err := raw(d.Fields[name], name)
		if err != nil {
			return err
		}
		f, err := readField(given)
		if err != nil {
			err.Path, err.Step = under(at, "properties", name).String(), step
			return err
		}
		if properties.IsAbsent() {
			properties = object()
		}
		was := properties.Get(name)
		properties = properties.With(name, f.schema)
		isNeeded := needs && !f.optional && f.schema.Get("default").IsAbsent()
		now = need(now, name, isNeeded)
		w.note(KindSet, under(at, "properties", name), step, "%s is %s%s", name, shorten(f.schema.String()), insteadOf(was, f.schema))
	}
	for _, name := range d.Optional {
		if properties.Get(name).IsAbsent() {
			e := unknown("field", name, keys(properties))
			e.Path, e.Step = at.String(), step
			return e
		}
		now = need(now, name, false)
		w.note(KindSet, under(at, "properties", name), step, "%s may be missing", name)
	}
	w.become(at, now.With("properties", properties))
	return nil
}

// need adds a field to those that an object must have, or takes it out.
func need(schema value.Value, name string, isNeeded bool) value.Value {
	required := texts(schema.Get("required"))
	switch has := slices.Contains(required, name); {
	case has == isNeeded:
		return schema
	case isNeeded:
		return schema.With("required", textList(append(required, name)))
	}
	required = slices.DeleteFunc(required, func(s string) bool { return s == name })
	if len(required) == 0 {
		return schema.With("required", value.Value{})
	}
	return schema.With("required", textList(required))
}
