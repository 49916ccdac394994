package schema

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

// AddProperty adds a property to the text of an object's schema, which may be absent. The definitions that the property's schema
// refers to come along under $defs, under names that are free there. ok is false where adding one could mean something else: the
// schema is no object, it says more of its properties than a list of them, or the two are of different drafts.
func AddProperty(object value.Value, name string, s *Schema, required bool) (extended value.Value, ok bool) {
	if object.IsAbsent() {
		object = value.Object(value.Member{Key: "type", Value: value.String("object")})
	}
	part := s.Value()
	properties := object.Get("properties")
	if object.Kind() != value.KindObject || !properties.IsAbsent() && properties.Kind() != value.KindObject || !properties.Get(name).IsAbsent() ||
		!value.Equal(object.Get("$schema"), part.Get("$schema")) {
		return object, false
	}
	for key := range object.Members() {
		if !slices.Contains([]string{"$schema", "type", "properties", "required", "title", "description", "$defs"}, key) && !strings.HasPrefix(key, "x-") {
			return object, false
		}
	}
	defs, renamed := object.Get("$defs"), map[string]string{}
	for def, x := range part.Get("$defs").Members() {
		renamed[def] = freeName(defs, def, x)
	}
	for _, def := range slices.Sorted(maps.Keys(renamed)) {
		if defs.IsAbsent() {
			defs = value.Object()
		}
		defs = defs.With(renamed[def], redirect(part.Get("$defs").Get(def), renamed))
	}
	if properties.IsAbsent() {
		properties = value.Object()
	}
	part = redirect(part.With("$defs", value.Value{}).With("$schema", value.Value{}), renamed)
	object = object.With("properties", properties.With(name, part)).With("$defs", defs)
	if required {
		list := object.Get("required")
		if list.Kind() != value.KindArray {
			list = value.Array()
		}
		object = object.With("required", list.Append(value.String(name)))
	}
	return object, true
}

// freeName is the name for a definition: its own, or one that is free.
func freeName(defs value.Value, name string, x value.Value) string {
	free := name
	for i := 2; !defs.Get(free).IsAbsent() && !value.Equal(defs.Get(free), x); i++ {
		free = name + "_" + strconv.Itoa(i)
	}
	return free
}

// redirect lets references to definitions lead to those of other names. What is data, not a schema, stays as it is.
func redirect(v value.Value, renamed map[string]string) value.Value {
	switch v.Kind() {
	case value.KindArray:
		items := make([]value.Value, 0, v.Len())
		for _, item := range v.Items() {
			items = append(items, redirect(item, renamed))
		}
		return value.Array(items...)
	case value.KindObject:
		members := make([]value.Member, 0, v.Len())
		for key, x := range v.Members() {
			ref, isText := x.AsString()
			switch def := strings.TrimPrefix(ref, "#/$defs/"); {
			case key == "$ref" && isText && renamed[def] != "":
				x = value.String("#/$defs/" + renamed[def])
			case key != "const" && key != "enum" && key != "default" && key != "examples":
				x = redirect(x, renamed)
			}
			members = append(members, value.Member{Key: key, Value: x})
		}
		return value.Object(members...)
	}
	return v
}
