package schema

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf/internal/value"
)

func path(parts ...any) value.Path {
	var p value.Path
	for _, x := range parts {
		if i, ok := x.(int); ok {
			p = append(p, value.Part{Index: i, IsIndex: true})
		} else {
			p = append(p, value.Part{Key: x.(string)})
		}
	}
	return p
}

func TestLookup(t *testing.T) {
	t.Parallel()
	const document = `{"type":"object","required":["a","list","null","either"],"additionalProperties":false,
		"properties":{
			"a":{"$ref":"#/$defs/a"},
			"open":{"type":"object","additionalProperties":{"type":"integer"}},
			"free":{},
			"bare":{"type":"object","required":["x"]},
			"list":{"type":"array","prefixItems":[{"type":"string"}],"items":{"$ref":"#/$defs/a"},"minItems":1,"maxItems":5},
			"pair":{"type":"array","prefixItems":[true],"items":false},
			"null":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"null"}]},
			"pet":{"type":"object","required":["kind"],"oneOf":[{"properties":{"kind":{"const":"cat"},"lives":{"type":"integer"}},"additionalProperties":false},
				{"properties":{"kind":{"const":"dog"},"name":{"type":"string"}},"additionalProperties":false}]},
			"all":{"type":"object","allOf":[{"properties":{"x":{"type":["string","null"]}}},{"properties":{"x":{"minLength":1}},"required":["x"]}]},
			"either":{"type":"object","anyOf":[{"required":["x","y"]},{"required":["x"],"properties":{"y":true}}],"properties":{"x":{"type":"null"},"y":{"type":"null"}}},
			"pattern":{"type":"object","patternProperties":{"^n":{"type":"number"}},"additionalProperties":false},
			"loop":{"type":"object","properties":{"loop":{"$ref":"#/properties/loop"},"end":{"type":"boolean"}}}
		},
		"$defs":{"a":{"type":"object","properties":{"b":{"type":"string"},"c":false},"required":["b"]}}}`
	s := mustParse(t, document)
	for _, c := range []struct {
		path     value.Path
		presence Presence
		schema   string // "" where none is given
	}{
		{nil, Always, document},
		{path("a"), Always, `{"$defs":{"a":{"type":"object","properties":{"b":{"type":"string"},"c":false},"required":["b"]}},"$ref":"#/$defs/a"}`},
		{path("a", "b"), Always, `{"type":"string"}`},
		{path("a", "c"), Never, ""},
		{path("a", "b", "c"), Never, ""},
		{path("a", 0), Never, ""},
		{path("a", "else"), Unknown, ""},
		{path("nope"), Never, ""},
		{path("open", "any"), Possible, `{"type":"integer"}`},
		{path("free"), Possible, `{}`},
		{path("free", "x", 3), Unknown, ""},
		{path("bare", "x"), Possible, ""},
		{path("bare", "x", "y"), Unknown, ""},
		{path("list", 0), Always, `{"type":"string"}`},
		{path("list", 1, "b"), Possible, `{"type":"string"}`},
		{path("list", 5), Never, ""},
		{path("list", "x"), Never, ""},
		{path("pair", 1), Never, ""},
		{path("null", "b"), Possible, `{"type":"string"}`},
		{path("pet", "kind"), Possible, `{"anyOf":[{"const":"cat"},{"const":"dog"}]}`},
		{path("pet", "lives"), Possible, `{"type":"integer"}`},
		{path("pet", "wings"), Never, ""},
		{path("all", "x"), Possible, `{"allOf":[{"type":["string","null"]},{"minLength":1}]}`},
		{path("either", "x"), Always, `{"type":"null"}`},
		{path("either", "y"), Possible, `{"type":"null"}`},
		{path("pattern", "n1"), Possible, `{"type":"number"}`},
		{path("pattern", "x"), Never, ""},
		{path("loop", "loop", "loop", "end"), Possible, `{"type":"boolean"}`},
	} {
		got, presence := s.Lookup(c.path)
		if presence != c.presence {
			t.Errorf("%s: %v, want %v", c.path.Pointer(), presence, c.presence)
		}
		want := value.Value{}
		if c.schema != "" {
			want = parsed(t, c.schema)
		}
		have := value.Value{}
		if got != nil {
			have = got.Value()
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.path.Pointer(), diff)
		}
	}
	sub, _ := s.Lookup(path("all", "x"))
	if !sub.Valid(value.String("a")) || sub.Valid(value.String("")) || !sub.Valid(value.Null) || sub.Check(value.Int(1)) == nil {
		t.Error("a schema put together does not check what its parts check")
	}
}

func TestProperties(t *testing.T) {
	t.Parallel()
	s := mustParse(t, `{"$ref":"#/$defs/base","allOf":[{"properties":{"b":{"maxLength":3},"z":{}},"required":["z"]}],"additionalProperties":false,
		"$defs":{"base":{"properties":{"a":{"$ref":"#/$defs/n","x-reducer":"wf.std.add"},"b":{"type":"string","default":null}},"required":["a","undeclared"]},
		"n":{"type":"integer","default":7,"x-trace":false}}}`)
	type row struct {
		Name, Default, Reducer, Trace string
		Required                      bool
		Types                         []string
	}
	var got []row
	for _, p := range s.Properties() {
		got = append(got, row{p.Name, show(p.Default), show(p.Ext("x-reducer")), show(p.Ext("x-trace")), p.Required, p.Schema.Types()})
	}
	want := []row{
		{"a", "7", `"wf.std.add"`, "false", true, []string{"integer"}},
		{"b", "null", "-", "-", false, []string{"string"}},
		{"z", "-", "-", "-", true, nil},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, known := s.Property("undeclared"); known {
		t.Error("a property that is only required is not declared")
	}
	if p, known := s.Property("b"); !known || p.Schema.Valid(value.String("long")) {
		t.Error("b must obey both of its schemas")
	}
	if !s.Closed() || mustParse(t, `{"properties":{"a":{}}}`).Closed() {
		t.Error("Closed is wrong")
	}
	if a, _ := s.Property("a"); a.Schema != first(s.Property("a")).Schema {
		t.Error("one property gave two schemas")
	}
}

func first(p Property, _ bool) Property { return p }

func TestTypes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		`{}`: nil, `true`: nil, `false`: {}, `{"type":"number"}`: {"number"}, `{"type":["string","integer"]}`: {"integer", "string"},
		`{"enum":[1,"a",null,1.5]}`: {"null", "number", "string"}, `{"const":2.0}`: {"integer"},
		`{"anyOf":[{"type":"object"},{"type":"null"}]}`: {"null", "object"}, `{"type":["object","string"],"allOf":[{"type":["string","array"]}]}`: {"string"},
		`{"type":"string","minLength":1}`: {"string"}, `{"not":{"type":"string"}}`: nil,
	} {
		if diff := cmp.Diff(want, mustParse(t, text).Types()); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestTypesOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typ  reflect.Type
		want bool
	}{
		{reflect.TypeFor[base](), true}, {reflect.TypeFor[tree](), true}, {reflect.TypeFor[map[int]string](), true}, {reflect.TypeFor[tagged](), false},
		{reflect.TypeFor[mood](), false}, {reflect.TypeFor[[]struct {
			N int `jsonschema:"minimum=1"`
		}](), false}, {reflect.TypeFor[struct {
			N int `jsonschema:"title=N,default=3" jsonschema_description:"d" wf:"add"`
		}](), true},
	} {
		if s, _ := For(c.typ); s.TypesOnly() != c.want {
			t.Errorf("%v: %v", c.typ, s.TypesOnly())
		}
	}
	if mustParse(t, `{"type":"string"}`).TypesOnly() {
		t.Error("a schema that was not reflected guarantees nothing")
	}
}

func TestHash(t *testing.T) {
	t.Parallel()
	a, b := mustParse(t, `{"type":"object","minProperties":1.0}`), mustParse(t, ` { "minProperties" : 1, "type":"object"}`)
	if a.ExactHash() != b.ExactHash() || len(a.ExactHash()) != len("sha256:")+64 {
		t.Errorf("%s and %s", a.ExactHash(), b.ExactHash())
	}
	big, bigger := mustParse(t, `{"const":9007199254740992}`), mustParse(t, `{"const":9007199254740993}`)
	if big.ExactHash() == bigger.ExactHash() {
		t.Error("two schemas, one hash")
	}
}

// TestLookupRandom: what a look-up says holds for every valid value.
func TestLookupRandom(t *testing.T) {
	t.Parallel()
	m := &maker{rand.New(rand.NewPCG(11, 13))}
	counts := map[Presence]int{}
	for range 2_000 {
		defs := value.Object(value.Member{Key: "a", Value: m.schema(2)}, value.Member{Key: "b", Value: m.recursive()})
		s, problems := FromValue(value.Object(value.Member{Key: "$defs", Value: defs}, value.Member{Key: "allOf", Value: value.Array(m.schema(3))}), nil)
		if s == nil {
			t.Fatal(problems)
		}
		for range 20 {
			v := m.fitting(s.node, 4)
			if !s.Valid(v) {
				continue
			}
			for range 6 {
				p := m.path(v)
				sub, presence := s.Lookup(p)
				counts[presence]++
				x := v.At(p)
				if presence == Never && !x.IsAbsent() || presence == Always && x.IsAbsent() || sub != nil && !x.IsAbsent() && !sub.Valid(x) {
					t.Fatalf("%s in %s is %v, but %v; schema %v\n%s", p.Pointer(), v, presence, x, sub, s.Value())
				}
			}
		}
	}
	for _, p := range []Presence{Unknown, Always, Possible, Never} {
		if counts[p] < 20 {
			t.Errorf("%v: only %d", p, counts[p])
		}
	}
}

// path leads into a value, and now and then past it.
func (m *maker) path(v value.Value) value.Path {
	var p value.Path
	for range 1 + m.IntN(3) {
		part := value.Part{Key: m.name()}
		switch {
		case v.Kind() == value.KindArray && m.IntN(8) > 0:
			part = value.Part{Index: m.IntN(4), IsIndex: true}
		case v.Len() > 0 && m.IntN(2) == 0:
			part.Key, _ = v.MemberAt(m.IntN(v.Len()))
		}
		p = append(p, part)
		v = v.At(value.Path{part})
	}
	return p
}

// TestLookupBounded: a path through alternatives that all go on does not grow what there is at every step.
func TestLookupBounded(t *testing.T) {
	t.Parallel()
	s := mustParse(t, `{"$ref":"#/$defs/a","$defs":{
		"a":{"type":"object","anyOf":[{"properties":{"x":{"$ref":"#/$defs/a"}}},{"properties":{"x":{"allOf":[{"$ref":"#/$defs/b"},{"minProperties":1}]}}}]},
		"b":{"type":"object","oneOf":[{"properties":{"x":{"$ref":"#/$defs/b"}}},{"properties":{"x":{"anyOf":[{"$ref":"#/$defs/a"},{"minProperties":2}]}}}]}}}`)
	var p value.Path
	for range 60 {
		p = append(p, value.Part{Key: "x"})
	}
	start := time.Now()
	if _, presence := s.Lookup(p); presence == Never || presence == Always {
		t.Error(presence)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
}
