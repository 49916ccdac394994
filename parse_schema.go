package wf

import (
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf/internal/value"
)

// The members that the format adds to the properties of a state schema.
const (
	keyReducer       = "x-reducer"
	keyMergeStrategy = "merge_strategy" // older name of x-reducer
	standardSource   = "wf.std."
)

// standardReducers are the reducers whose prefix may be left out.
var standardReducers = []string{"replace", "append", "extend", "merge_object", "deep_merge", "add", "set_union", "max", "min"}

// schema reads a field that is a JSON Schema. What the schema says is the validator's to judge.
func (o object) schema(key string) Schema {
	v, at, ok := o.get(key)
	if !ok {
		return nil
	}
	return o.schemaOf(v, at)
}

func (r *reader) schemaOf(v value.Value, at string) Schema {
	if v.Kind() != value.KindObject {
		if !r.isHole(v) {
			r.wrongType(v, at, "a JSON Schema, an object")
		}
		return Schema(hole)
	}
	if !r.checkDepth(v, at) {
		return Schema(hole)
	}
	return r.mendSchema(v, at).AppendCanonical(nil)
}

// stateSchema reads the field that describes the state: a JSON Schema whose top-level properties may name a reducer.
// The older form, a list of state fields, becomes one.
func (o object) stateSchema(key string) Schema {
	v, at, ok := o.get(key)
	if !ok {
		return nil
	}
	if v.Kind() == value.KindArray {
		return o.stateFields(v, at)
	}
	if v.Kind() != value.KindObject || !shallow(v, maxLiteralDepth) {
		return o.schemaOf(v, at)
	}
	v = o.mendSchema(v, at)
	if properties := v.Get("properties"); properties.Kind() == value.KindObject {
		members := make([]value.Member, 0, properties.Len())
		for name, property := range properties.Members() {
			members = append(members, value.Member{Key: name, Value: o.reducer(property, child(child(at, "properties"), name))})
		}
		v = v.With("properties", value.Object(members...))
	}
	return v.AppendCanonical(nil)
}

// reducer gives a state property its reducer under its full name.
func (r *reader) reducer(property value.Value, at string) value.Value {
	name, place := property.Get(keyReducer), child(at, keyReducer)
	older := property.Get(keyMergeStrategy)
	if older.Kind() == value.KindString {
		if !name.IsAbsent() {
			r.add(Diagnostic{Code: "field_conflict", Path: at, RepairHint: fmt.Sprintf("keep %q", keyReducer),
				Message: fmt.Sprintf("a state field has one reducer: %q is the older name of %q", keyMergeStrategy, keyReducer),
				Fixes: []Fix{patch("Remove the older one", FixSafe, opTest(child(at, keyMergeStrategy), older),
					opRemove(child(at, keyMergeStrategy)))}})
			return property
		}
		name, place = older, child(at, keyMergeStrategy)
		property = property.With(keyMergeStrategy, value.Value{})
	}
	if name.IsAbsent() {
		return property
	}
	return property.With(keyReducer, value.String(r.reducerName(name, place)))
}

// reducerName reads a reducer's name; a standard one may be short.
func (r *reader) reducerName(v value.Value, at string) string {
	name := r.dotted(v, at, "a reducer's name")
	if slices.Contains(standardReducers, name) {
		return standardSource + name
	}
	return name
}

// stateFields reads the older list of state fields: {"path", "schema" or "type", "reducer" or "merge_strategy",
// "trace"}.
func (r *reader) stateFields(v value.Value, at string) Schema {
	var members []value.Member
	seen := map[string]bool{}
	known := true
	for i, item := range v.Items() {
		o, ok := r.object(item, element(at, i), "a state field", []string{"path", "schema", "type", "reducer", keyMergeStrategy, "trace"})
		if !ok {
			known = false
			continue
		}
		path, pathAt, ok := o.need("path", `add the field's path: "path": "state.text"`)
		if !ok {
			known = false
			continue
		}
		name, ok := r.fieldName(path, pathAt)
		if !ok {
			known = false
			continue
		}
		if seen[name] {
			r.add(Diagnostic{Code: "name_duplicate", Path: pathAt, RepairHint: "remove one of them",
				Message: fmt.Sprintf("the state field %q stands in the list twice", name)})
		}
		seen[name] = true
		members = append(members, value.Member{Key: name, Value: o.stateField()})
	}
	if !known {
		return Schema(hole)
	}
	if len(members) == 0 {
		return value.Object(value.Member{Key: "type", Value: value.String("object")}).AppendCanonical(nil)
	}
	schema := value.Object(value.Member{Key: "type", Value: value.String("object")},
		value.Member{Key: "properties", Value: value.Object(members...)})
	return r.schemaOf(schema, at)
}

// fieldName reads the path of an older state field: one name below state.
func (r *reader) fieldName(v value.Value, at string) (string, bool) {
	if s, ok := v.AsString(); ok && isPlainName(s) && !isRooted(s) {
		return s, true
	}
	path := r.statePath(v, at, "a state field's path")
	if len(path.Parts) != 1 || path.Parts[0].IsIndex {
		if path.Root == RootState {
			r.add(Diagnostic{Code: "path_invalid", Path: at, RepairHint: `write it like "state.text"`,
				Message: fmt.Sprintf("a state field is one name below state, found %s", strings.TrimSpace(path.String()))})
		}
		return "", false
	}
	return path.Parts[0].Name, true
}

// stateField turns an older state field into a property.
func (o object) stateField() value.Value {
	property := o.v.Get("schema")
	if property.Kind() != value.KindObject {
		if !property.IsAbsent() {
			o.wrongType(property, child(o.at, "schema"), "a JSON Schema, an object")
		}
		property = value.Object()
	}
	if t := o.v.Get("type"); !t.IsAbsent() {
		property = property.With("type", t)
	}
	for _, key := range []string{"reducer", keyMergeStrategy} {
		if v, at, ok := o.get(key); ok {
			property = property.With(keyReducer, value.String(o.reducerName(v, at)))
		}
	}
	if trace := o.v.Get("trace"); !trace.IsAbsent() {
		property = property.With("x-trace", trace)
	}
	return property
}
