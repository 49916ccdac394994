package schema

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"lda.chat/wf/internal/value"
)

func mustParse(t testing.TB, text string) *Schema {
	t.Helper()
	s, problems := Parse([]byte(text), nil)
	if s == nil {
		t.Fatalf("%s: %v", text, problems)
	}
	return s
}

func parsed(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func TestGateRefuses(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"items":`, 300) + "{}" + strings.Repeat("}", 300)
	many := `{"allOf":[` + strings.Repeat("{},", 25_000) + `{}]}`
	ladder := ladder(20)
	for name, c := range map[string]struct{ text, code, pointer string }{
		"not JSON":            {`{"type":`, CodeInvalid, ""},
		"duplicate key":       {`{"type":"object","type":"array"}`, CodeInvalid, "/type"},
		"a number":            {`7`, CodeInvalid, ""},
		"null subschema":      {`{"properties":{"a":null}}`, CodeInvalid, "/properties/a"},
		"null in a list":      {`{"prefixItems":[null]}`, CodeInvalid, "/prefixItems/0"},
		"no such type":        {`{"type":"strin"}`, CodeInvalid, "/type"},
		"no type":             {`{"type":[]}`, CodeInvalid, "/type"},
		"empty enum":          {`{"enum":[]}`, CodeInvalid, "/enum"},
		"empty allOf":         {`{"allOf":[]}`, CodeInvalid, "/allOf"},
		"negative length":     {`{"minLength":-1}`, CodeInvalid, "/minLength"},
		"broken length":       {`{"minLength":1.5}`, CodeInvalid, "/minLength"},
		"multiple of nothing": {`{"multipleOf":0}`, CodeInvalid, "/multipleOf"},
		"properties null":     {`{"properties":null}`, CodeInvalid, "/properties"},
		"required text":       {`{"required":"a"}`, CodeInvalid, "/required"},
		"required numbers":    {`{"required":[1]}`, CodeInvalid, "/required/0"},
		"schema null":         {`{"$schema":null}`, CodeInvalid, "/$schema"},
		"remote":              {`{"$ref":"https://example.com/x.json"}`, CodeRefRemote, "/$ref"},
		"relative file":       {`{"$ref":"other.json#/a"}`, CodeRefRemote, "/$ref"},
		"file":                {`{"$ref":"file:///etc/passwd"}`, CodeRefRemote, "/$ref"},
		"dangling":            {`{"$ref":"#/$defs/a"}`, CodeRefMissing, "/$ref"},
		"onto data":           {`{"enum":[{}],"$ref":"#/enum/0"}`, CodeRefMissing, "/$ref"},
		"no such anchor":      {`{"$ref":"#a"}`, CodeRefMissing, "/$ref"},
		"dynamic":             {`{"properties":{"a":{"$dynamicRef":"#x"}}}`, CodeRefDynamic, "/properties/a/$dynamicRef"},
		"recursive, of old":   {`{"$schema":"https://json-schema.org/draft/2019-09/schema","items":{"$recursiveRef":"#"}}`, CodeRefDynamic, "/items/$recursiveRef"},
		"self":                {`{"$ref":"#"}`, CodeRefCycle, ""},
		"self by not":         {`{"not":{"$ref":"#"}}`, CodeRefCycle, ""},
		"self by if":          {`{"if":{"$ref":"#"},"then":{}}`, CodeRefCycle, ""},
		"self by dependents":  {`{"dependentSchemas":{"a":{"$ref":"#"}}}`, CodeRefCycle, ""},
		"alice and bob":       {`{"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"anyOf":[{"$ref":"#/$defs/a"}]}}}`, CodeRefCycle, ""},
		"too deep":            {deep, CodeTooLarge, ""},
		"too many":            {many, CodeTooLarge, ""},
		"ladder":              {ladder, CodeTooLarge, ""},
		"long number":         {`{"const":` + strings.Repeat("1", 100) + `}`, CodeTooLarge, "/const"},
		"long pattern":        {`{"pattern":"` + strings.Repeat("a", 2000) + `"}`, CodeTooLarge, "/pattern"},
		"too long":            {`{"title":"` + strings.Repeat("a", 600<<10) + `"}`, CodeTooLarge, ""},
		"two anchors":         {`{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}`, CodeInvalid, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, problems := Parse([]byte(c.text), nil)
			if s != nil || len(problems) == 0 || problems[0].Code != c.code {
				t.Fatalf("got %v, %v; want %s", s, problems, c.code)
			}
			if c.pointer != "" && problems[0].Pointer != c.pointer {
				t.Errorf("at %q, want %q: %v", problems[0].Pointer, c.pointer, problems)
			}
			if strings.Contains(problems[0].Message, "%!") {
				t.Error(problems[0].Message)
			}
		})
	}
}

// ladder doubles with every rung.
func ladder(rungs int) string {
	var b strings.Builder
	b.WriteString(`{"$defs":{"d0":{}`)
	for i := range rungs {
		fmt.Fprintf(&b, `,"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i+1, i, i)
	}
	fmt.Fprintf(&b, `},"$ref":"#/$defs/d%d"}`, rungs)
	return b.String()
}

// TestUnchecked: what is not understood is reported and never refuses a value.
func TestUnchecked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, code string
		accepts    []string
		refuses    []string
	}{
		"look-ahead":         {`{"type":"string","pattern":"^(?=a)"}`, CodePatternUnsupported, []string{`"b"`}, []string{`1`}},
		"under not":          {`{"type":"string","not":{"pattern":"^(?!a)"}}`, CodePatternUnsupported, []string{`"b"`, `"a"`}, []string{`1`}},
		"under not, by ref":  {`{"not":{"items":{"$ref":"#/$defs/p"}},"$defs":{"p":{"pattern":"(?!)"}}}`, CodePatternUnsupported, []string{`["b"]`, `1`}, nil},
		"in oneOf":           {`{"oneOf":[{"pattern":"(?=a)"},{"type":"string"}]}`, CodePatternUnsupported, []string{`"b"`}, nil},
		"in if":              {`{"if":{"pattern":"(?=a)"},"then":false}`, CodePatternUnsupported, []string{`"b"`}, nil},
		"in contains":        {`{"contains":{"pattern":"(?=a)"},"maxContains":1}`, CodePatternUnsupported, []string{`["b","c"]`}, nil},
		"patternProperties":  {`{"patternProperties":{"(?=a)":{}},"additionalProperties":false,"unevaluatedProperties":false}`, CodePatternUnsupported, []string{`{"a":1}`}, nil},
		"unknown dialect":    {`{"$schema":"https://example.com/s","minimum":3}`, CodeDialectUnknown, []string{`4`}, []string{`1`}},
		"vocabulary":         {`{"$vocabulary":{},"minimum":3}`, CodeKeywordUnsupported, []string{`4`}, []string{`1`}},
		"items of old":       {`{"items":[{"type":"string"}],"additionalItems":false}`, CodeDialectUnknown, []string{`["a"]`}, []string{`[1]`, `["a",1]`}},
		"format and content": {`{"format":"int32","contentEncoding":"base64","contentMediaType":"image/png"}`, "", []string{`"%"`, `1e20`}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, problems := Parse([]byte(c.text), nil)
			if s == nil {
				t.Fatal(problems)
			}
			if c.code == "" && problems != nil || c.code != "" && (len(problems) == 0 || problems[0].Code != c.code || problems[0].Fatal) {
				t.Errorf("problems %v, want %q", problems, c.code)
			}
			for _, text := range c.accepts {
				if v := parsed(t, text); !s.Valid(v) || s.Check(v) != nil {
					t.Errorf("refuses %s: %v", text, s.Check(v))
				}
			}
			for _, text := range c.refuses {
				if v := parsed(t, text); s.Valid(v) || s.Check(v) == nil {
					t.Errorf("accepts %s", text)
				}
			}
		})
	}
}

// TestNoNetwork: a schema that names a listening server gets nobody to call it.
func TestNoNetwork(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip("no loopback here")
	}
	var hits atomic.Int32
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		hits.Add(1)
		_, _ = w.Write([]byte("true"))
	})}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	address := "http://" + listener.Addr().String() + "/s.json"
	for _, text := range []string{
		`{"$ref":%q}`, `{"$id":%q,"type":"object","unevaluatedProperties":false}`, `{"$schema":%q,"type":"integer"}`,
		`{"properties":{"a":{"$dynamicRef":%q}},"unevaluatedProperties":false}`,
	} {
		if s, _ := Parse(fmt.Appendf(nil, text, address), nil); s != nil {
			s.Check(parsed(t, `{"b":[]}`))
		}
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("%d requests were made", n)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":["string","null"],"pattern":"^a"}},"unevaluatedProperties":false}`,
		`{"$id":"http://a/b","$defs":{"c":{"$id":"c","$anchor":"d"}},"$ref":"c#d","oneOf":[true,false,{"not":{}}]}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}],"additionalItems":{"$ref":"#"},"dependencies":{"a":["b"],"c":{}}}`,
		`{"if":{"minimum":1e300},"then":{"multipleOf":0.1},"else":{"enum":[1,"a"]},"contains":{"const":null},"uniqueItems":true}`,
	} {
		f.Add([]byte(text), []byte(`{"a":["abc",null,1.5],"b":{}}`))
	}
	f.Fuzz(func(t *testing.T, schema, instance []byte) {
		s, problems := Parse(schema, nil)
		if s == nil {
			if !fatal(problems) {
				t.Fatal("no schema and no reason")
			}
			return
		}
		if again, problems := Parse(s.JSON(), nil); again == nil {
			t.Fatalf("its own text is refused: %v", problems)
		}
		for _, p := range s.Properties() {
			if part, problems := FromValue(p.Schema.Value(), nil); part == nil {
				t.Fatalf("the property %q does not stand by itself: %v", p.Name, problems)
			}
		}
		s.Types()
		v, err := value.Parse(instance)
		if err != nil {
			return
		}
		if valid, list := s.Valid(v), s.Check(v); valid != (list == nil) {
			t.Fatalf("valid is %v, but %v", valid, list)
		}
	})
}

// TestOneFaultIsToldOnce tries every keyword with values of all kinds, in every dialect.
func TestOneFaultIsToldOnce(t *testing.T) {
	t.Parallel()
	keywords := []string{"$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$ref", "$dynamicRef", "$recursiveRef", "$vocabulary", "$defs", "definitions",
		"type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
		"minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains", "prefixItems", "items", "additionalItems", "unevaluatedItems",
		"minProperties", "maxProperties", "properties", "patternProperties", "additionalProperties", "propertyNames", "required", "unevaluatedProperties",
		"dependentRequired", "dependentSchemas", "dependencies", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "default", "format"}
	values := []string{`null`, `true`, `-1`, `1.5`, `"("`, `"%"`, `"#x"`, `[]`, `[1,2]`, `["a","a"]`, `[null,null]`, `{}`, `{"(":1,")":null}`, `{"a":[1,2]}`, `{"a":{"type":["b","c"]}}`}
	dialects := []string{"https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft-07/schema#",
		"http://json-schema.org/draft-06/schema#", "http://json-schema.org/draft-04/schema#", "https://example.com/s"}
	told := 0
	for _, dialect := range dialects {
		for _, keyword := range keywords {
			for _, x := range values {
				part := value.Object(value.Member{Key: keyword, Value: parsed(t, x)})
				raw := value.Object(value.Member{Key: "properties", Value: value.Object(value.Member{Key: "p", Value: part})}).With("$schema", value.String(dialect))
				s, problems := FromValue(raw, nil)
				if s == nil && !fatal(problems) {
					t.Errorf("%s: neither a schema nor a reason", raw)
				}
				seen := map[string]bool{}
				for _, p := range problems {
					told++
					if seen[p.Pointer+p.Code] {
						t.Errorf("%s: twice in one place: %v", raw, problems)
					}
					seen[p.Pointer+p.Code] = true
				}
			}
		}
	}
	if told < 1_000 {
		t.Errorf("only %d problems", told)
	}
}
