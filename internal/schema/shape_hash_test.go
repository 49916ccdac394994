package schema

import (
	"math/rand/v2"
	"strings"
	"testing"

	"lda.chat/wf/internal/value"
)

func TestShapeHash(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		about, a, b string
		same        bool
	}{
		{"annotations", `{"type":"object","title":"t","description":"d","$comment":"c","examples":[1],"deprecated":true,"readOnly":true,"x-a":1,"properties":{"title":{"type":"string","description":"d"}}}`,
			`{"type":"object","properties":{"title":{"type":"string"}}}`, true},
		{"a property called like an annotation", `{"properties":{"title":{}}}`, `{"properties":{}}`, false},
		{"default", `{"default":1}`, `{"default":2}`, false},
		{"format", `{"type":"string","format":"date"}`, `{"type":"string"}`, false},
		{"order", `{"type":["string","null"],"enum":["a","b",null]}`, `{"enum":[null,"b","a"],"type":["null","string"]}`, true},
		{"order of alternatives", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"anyOf":[{"type":"null"},{"type":"string"}]}`, true},
		{"order of a tuple", `{"prefixItems":[{"type":"string"},{"type":"null"}]}`, `{"prefixItems":[{"type":"null"},{"type":"string"}]}`, false},
		{"numbers", `{"minimum":1.0,"const":1e2}`, `{"minimum":1,"enum":[100]}`, true},
		{"big numbers", `{"const":9007199254740992}`, `{"const":9007199254740993}`, false},
		{"limits that limit nothing", `{"minLength":0,"uniqueItems":false,"additionalProperties":{},"items":true,"required":[]}`, `{}`, true},
		{"true", `true`, `{"title":"anything"}`, true},
		{"false", `false`, `{}`, false},
		{"a reference and what it refers to", `{"items":{"$ref":"#/$defs/a","description":"d"},"$defs":{"a":{"type":"string"},"unused":{}}}`, `{"items":{"type":"string"}}`, true},
		{"names of definitions", `{"$ref":"#/$defs/a","$defs":{"a":{"items":{"$ref":"#/$defs/a"}}}}`, `{"$ref":"#/$defs/b","$defs":{"b":{"items":{"$ref":"#/$defs/b"}}}}`, true},
		{"a recursion unfolded", `{"items":{"$ref":"#"}}`, `{"items":{"items":{"$ref":"#/items"}}}`, true},
		{"recursions that differ far down", `{"items":{"items":{"items":{"$ref":"#"}}}}`, `{"items":{"items":{"minItems":1,"items":{"$ref":"#"}}}}`, false},
		{"recursions that differ where both come to", `{"items":{"prefixItems":[{"$ref":"#/$defs/b"}]},"$defs":{"b":{"maxItems":0,"items":{"$ref":"#/$defs/b"}}}}`,
			`{"items":{"prefixItems":[{"$ref":"#/$defs/b"}]},"$defs":{"b":{"maxItems":3,"items":{"$ref":"#/$defs/b"}}}}`, false},
		{"dialects", `{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"null"}],"additionalItems":false,"dependencies":{"a":["b"]},"definitions":{"x":{}}}`,
			`{"prefixItems":[{"type":"null"}],"items":false,"dependentRequired":{"a":["b"]}}`, true},
		{"what is evaluated", `{"additionalProperties":true,"unevaluatedProperties":false}`, `{"unevaluatedProperties":false}`, false},
		{"patterns that are not checked", `{"pattern":"(?=a)"}`, `{"pattern":"(?=b)"}`, false},
		{"not and if", `{"not":{"type":"null"}}`, `{"if":{"type":"null"},"then":false}`, false},
	} {
		a, b := mustParse(t, c.a).ShapeHash(), mustParse(t, c.b).ShapeHash()
		if (a == b) != c.same || !strings.HasPrefix(a, "shape1:") || len(a) != len("shape1:")+64 {
			t.Errorf("%s: %s and %s", c.about, a, b)
		}
	}
	if got := mustParse(t, threeFields).ShapeHash(); got != shapeOfThreeFields {
		t.Errorf("the shape hash changed without a new number: %s", got)
	}
}

const shapeOfThreeFields = "shape1:6042a4d6a279630cb05cefbae2025819321aa4dffb8662628110a17c77447ca0"

// TestShapeHashRandom: schemas with one shape accept the same values, and what does not count does not change the hash.
func TestShapeHashRandom(t *testing.T) {
	t.Parallel()
	m := &maker{rand.New(rand.NewPCG(17, 19))}
	byHash := map[string][]*Schema{}
	shared := 0
	for range 1_500 {
		raw := m.schema(1 + m.IntN(2))
		if raw.Kind() != value.KindObject {
			continue
		}
		s, problems := FromValue(raw.With("$defs", value.Object(value.Member{Key: "b", Value: m.recursive()})), nil)
		if s == nil {
			t.Fatal(problems)
		}
		hash := s.ShapeHash()
		if again := mustParse(t, string(m.disguised(s.Value()).JSON())).ShapeHash(); again != hash {
			t.Fatalf("%s\n%s", s.Value(), m.disguised(s.Value()))
		}
		for _, other := range byHash[hash] {
			shared++
			for range 20 {
				if v := m.fitting(s.node, 3); s.Valid(v) != other.Valid(v) {
					t.Fatalf("one shape, but they differ on %s\n%s\n%s", v, s.Value(), other.Value())
				}
			}
		}
		if len(byHash[hash]) < 4 {
			byHash[hash] = append(byHash[hash], s)
		}
	}
	if shared < 100 {
		t.Errorf("only %d pairs of one shape", shared)
	}
}

// disguised adds annotations to a schema, and wraps it, where that does no harm.
func (m *maker) disguised(v value.Value) value.Value {
	for _, keyword := range []string{"items", "not", "contains", "additionalProperties"} {
		if part := v.Get(keyword); part.Kind() == value.KindObject {
			v = v.With(keyword, m.disguised(part))
		}
	}
	v = v.With("description", value.String(m.pick("a", "b"))).With("x-own", value.True)
	if defs := v.Get("$defs"); m.IntN(2) == 0 {
		return value.Object(value.Member{Key: "allOf", Value: value.Array(v.With("$defs", value.Value{}))}, value.Member{Key: "$defs", Value: defs})
	}
	return v
}
