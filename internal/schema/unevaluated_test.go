package schema

import "testing"

// TestUnevaluated holds cases in which the library alone accepts too much.
func TestUnevaluated(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		schema, instance string
		valid            bool
	}{
		{`{"prefixItems":[true],"unevaluatedItems":{"type":"array","prefixItems":[true,true,true]}}`, `[1,[1,2,3],"x"]`, false},
		{`{"prefixItems":[true],"unevaluatedItems":{"type":"array","prefixItems":[true,true,true]}}`, `[1,[1,2,3],[]]`, true},
		{`{"anyOf":[true],"unevaluatedItems":false}`, `[1]`, false},
		{`{"$ref":"#/$defs/any","unevaluatedItems":{"type":"string"},"$defs":{"any":true}}`, `[1]`, false},
		{`{"if":true,"else":{"properties":{"a":true}},"unevaluatedProperties":false}`, `{"a":1}`, false},
		{`{"dependentSchemas":{"a":true},"unevaluatedProperties":false}`, `{"a":1}`, false},
		{`{"unevaluatedProperties":true}`, `{"a":1}`, true},
		{`{"unevaluatedItems":true,"allOf":[{"unevaluatedItems":true}]}`, `[1]`, true},
		{`{"allOf":[{"unevaluatedProperties":true}],"unevaluatedProperties":false}`, `{"a":1}`, true},
		{`{"allOf":[{"additionalProperties":true}],"unevaluatedProperties":false}`, `{"a":1}`, true},
		{`{"allOf":[{"items":true}],"unevaluatedItems":false}`, `[1]`, true},
	} {
		s, v := mustParse(t, c.schema), parsed(t, c.instance)
		if got := s.Valid(v); got != c.valid || (s.Check(v) == nil) != c.valid {
			t.Errorf("%s on %s: valid is %v, want %v (%v)", c.schema, c.instance, got, c.valid, s.Check(v))
		}
	}
}
