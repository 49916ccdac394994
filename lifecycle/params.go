package lifecycle

import (
	"encoding/json"
	"reflect"
	"strings"
)

// Param is a parameter of a method: what a surface makes a flag, an argument or a member of it from.
type Param struct {
	Name     string // as in JSON
	Type     string // string, integer, boolean, array, object, or json for any JSON
	Required bool
	Doc      string // what it is for, a phrase without a full stop
}

// Params lists a method's parameters, in the order in which they are declared.
func (m *Method) Params() []Param { return paramsOf(reflect.TypeOf(m.NewParams()).Elem()) }

func paramsOf(t reflect.Type) (params []Param) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			params = append(params, paramsOf(f.Type)...)
		case name != "" && name != "-":
			params = append(params, Param{Name: name, Type: jsonType(f.Type), Required: !strings.Contains(rest, "omit"), Doc: f.Tag.Get("jsonschema_description")})
		}
	}
	return params
}

// jsonType is what a Go type is in JSON.
func jsonType(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return "json"
	case t.Kind() == reflect.Pointer:
		return jsonType(t.Elem())
	case t.Implements(reflect.TypeFor[interface{ MarshalText() ([]byte, error) }]()): // a time
		return "string"
	case t.Implements(reflect.TypeFor[json.Marshaler]()), reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()):
		return "json"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Slice:
		return "array"
	case reflect.Struct, reflect.Map:
		return "object"
	case reflect.Float64:
		return "number"
	}
	return "integer"
}
