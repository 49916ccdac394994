package schema

import (
	"encoding"
	"encoding/json"
	"maps"
	"math/big"
	"reflect"
	"time"

	generator "github.com/invopop/jsonschema"

	"lda.chat/wf/internal/value"
)

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	describer     = reflect.TypeFor[interface{ JSONSchema() *generator.Schema }]()
	extender      = reflect.TypeFor[interface{ JSONSchemaExtend(*generator.Schema) }]()
)

// nullMark marks a schema that must admit null too. It is settled at the end, because tags act on the schema without it.
const nullMark = "x-wf-admits-null"

func nullable(s *generator.Schema) *generator.Schema {
	if s.Extras == nil {
		s.Extras = map[string]any{}
	}
	s.Extras[nullMark] = true
	return s
}

// position is the schema of a value of type t, as encoding/json writes it. Held says that the value is surely reached by a
// pointer, so that methods of the pointer are used; in a struct that depends on where the struct stands.
func (w *walker) position(t reflect.Type, held bool) *generator.Schema {
	if s := w.special(t, held); s != nil {
		return s
	}
	switch t.Kind() {
	case reflect.Pointer:
		return nullable(w.position(t.Elem(), true))
	case reflect.Interface:
		return anything()
	case reflect.Bool:
		return &generator.Schema{Type: "boolean"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return &generator.Schema{Type: "integer"}
	case reflect.Float32, reflect.Float64:
		return &generator.Schema{Type: "number"}
	case reflect.String:
		return &generator.Schema{Type: "string"}
	case reflect.Slice, reflect.Map, reflect.Array, reflect.Struct:
		s := w.reference(t)
		if t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
			nullable(s)
		}
		return s
	}
	w.report(CodeTypeUnsupported, true, "holds %s, which JSON cannot carry; leave it out with json:\"-\"", kindName(t.Kind()))
	return anything()
}

// reference refers to the definition of a named type, which makes recursion possible; a type without name is written in place.
func (w *walker) reference(t reflect.Type) *generator.Schema {
	if t.Name() == "" || isBytes(t) {
		return w.composite(t)
	}
	name := w.named(t)
	w.uses[name]++
	return &generator.Schema{Ref: "#/$defs/" + name}
}

// composite writes the schema of a slice, map, array or struct.
func (w *walker) composite(t reflect.Type) *generator.Schema {
	switch {
	case isBytes(t):
		return &generator.Schema{Type: "string", ContentEncoding: "base64"}
	case t.Kind() == reflect.Slice:
		return &generator.Schema{Type: "array", Items: w.position(t.Elem(), true)}
	case t.Kind() == reflect.Array:
		n := uint64(t.Len())
		return &generator.Schema{Type: "array", Items: w.position(t.Elem(), false), MinItems: &n, MaxItems: &n}
	case t.Kind() == reflect.Map:
		return w.mapping(t)
	}
	return w.structure(t)
}

func (w *walker) mapping(t reflect.Type) *generator.Schema {
	s := &generator.Schema{Type: "object"}
	switch key := t.Key(); key.Kind() {
	case reflect.String:
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		s.PropertyNames = &generator.Schema{Pattern: "^-?[0-9]+$"}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		s.PropertyNames = &generator.Schema{Pattern: "^[0-9]+$"}
	default:
		if !key.Implements(textMarshaler) {
			w.report(CodeTypeUnsupported, true, "is a map whose keys cannot be written as text")
		}
	}
	if t.Key().Kind() != reflect.String && t.Key().Implements(textMarshaler) {
		s.PropertyNames = nil
	}
	s.AdditionalProperties = w.position(t.Elem(), false)
	return s
}

// special knows the types that are not written as what they are made of; nil for all others.
func (w *walker) special(t reflect.Type, held bool) *generator.Schema {
	switch t {
	case reflect.TypeFor[value.Value](), reflect.TypeFor[json.RawMessage]():
		return anything()
	case reflect.TypeFor[time.Time]():
		return &generator.Schema{Type: "string", Format: "date-time"}
	case reflect.TypeFor[time.Duration]():
		return &generator.Schema{Type: "integer", Description: "nanoseconds"}
	case reflect.TypeFor[json.Number]():
		return &generator.Schema{Type: "number"}
	case reflect.TypeFor[big.Int]():
		return &generator.Schema{Type: "integer"}
	}
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return nil
	}
	pointer := reflect.PointerTo(t)
	if pointer.Implements(describer) {
		w.beyond = true
		if s := reflect.New(t).Interface().(interface{ JSONSchema() *generator.Schema }).JSONSchema(); s != nil {
			own := *s // it may be one that the type hands out every time
			own.Version, own.Extras = "", maps.Clone(s.Extras)
			return &own
		}
	}
	switch {
	case t.Implements(marshaler) || held && pointer.Implements(marshaler):
		w.report(CodeTypeOpaque, false, "writes its own JSON, so anything is accepted; a method JSONSchema would say what")
		return anything()
	case pointer.Implements(marshaler):
		w.report(CodeTypeOpaque, false, "writes its own JSON where it is reached by a pointer, and otherwise not, so anything is accepted")
		return anything()
	case t.Implements(textMarshaler) || held && pointer.Implements(textMarshaler):
		return &generator.Schema{Type: "string"}
	case pointer.Implements(textMarshaler):
		w.report(CodeTypeOpaque, false, "is written as text where it is reached by a pointer, and otherwise not, so anything is accepted")
		return anything()
	}
	return nil
}

// isBytes: a slice of bytes is written as base64, unless the bytes have an encoding of their own.
func isBytes(t reflect.Type) bool {
	if t.Kind() != reflect.Slice || t.Elem().Kind() != reflect.Uint8 {
		return false
	}
	p := reflect.PointerTo(t.Elem())
	return !p.Implements(marshaler) && !p.Implements(textMarshaler)
}

func kindName(k reflect.Kind) string {
	switch k {
	case reflect.Chan:
		return "a channel"
	case reflect.Func:
		return "a function"
	case reflect.Complex64, reflect.Complex128:
		return "a complex number"
	}
	return "an address in memory"
}

// settleNulls turns the marks into schemas that admit null.
func settleNulls(v value.Value) value.Value {
	switch v.Kind() {
	case value.KindArray:
		items := make([]value.Value, v.Len())
		for i, x := range v.Items() {
			items[i] = settleNulls(x)
		}
		return value.Array(items...)
	case value.KindObject:
		marked := !v.Get(nullMark).IsAbsent()
		members := make([]value.Member, 0, v.Len())
		for key, x := range v.Members() {
			if key != nullMark {
				members = append(members, value.Member{Key: key, Value: settleNulls(x)})
			}
		}
		if v = value.Object(members...); marked {
			return withNull(v)
		}
	}
	return v
}

// withNull admits null, in the shortest form.
func withNull(v value.Value) value.Value {
	null := value.String("null")
	plain := true
	for _, keyword := range []string{"$ref", "allOf", "anyOf", "oneOf", "not", "const"} {
		plain = plain && v.Get(keyword).IsAbsent()
	}
	if t := v.Get("type"); plain && t.Kind() == value.KindString {
		if list := v.Get("enum"); !list.IsAbsent() {
			v = v.With("enum", list.Append(value.Null))
		}
		return v.With("type", value.Array(t, null))
	}
	var inner []value.Member
	outer := v
	for key, x := range v.Members() {
		if !annotations[key] && !(len(key) > 2 && key[:2] == "x-") {
			inner = append(inner, value.Member{Key: key, Value: x})
			outer = outer.With(key, value.Value{})
		}
	}
	if inner == nil {
		return v // it says nothing, so it admits null already
	}
	return outer.With("anyOf", value.Array(value.Object(inner...), value.Object(value.Member{Key: "type", Value: null})))
}

var annotations = map[string]bool{
	"title": true, "description": true, "default": true, "examples": true, "deprecated": true, "readOnly": true, "writeOnly": true, "$comment": true,
}
