package schema

import (
	"reflect"
	"testing"

	"lda.chat/wf/internal/value"
)

const threeFields = `{"type":"object","properties":{"name":{"type":"string","minLength":1},"count":{"type":"integer","minimum":0},"done":{"type":"boolean"}},
	"required":["name","count"],"additionalProperties":false}`

// TestValidAllocatesNothing gates what the benchmarks show.
func TestValidAllocatesNothing(t *testing.T) {
	s, v := mustParse(t, threeFields), parsed(t, `{"name":"report","count":3,"done":true}`)
	reflectedTree, _ := For(reflect.TypeFor[tree]())
	branches := parsed(t, `{"value":1,"children":[{"value":2,"children":null,"index":{"a":{"value":3,"children":[]}}},null]}`)
	for name, check := range map[string]func() bool{
		"three fields":         func() bool { return s.Valid(v) },
		"recursive, reflected": func() bool { return reflectedTree.Valid(branches) },
	} {
		if !check() {
			t.Fatalf("%s: not valid", name)
		}
		if n := testing.AllocsPerRun(100, func() { check() }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkValid(b *testing.B) {
	s, v := mustParse(b, threeFields), parsed(b, `{"name":"report","count":3,"done":true}`)
	b.Run("three fields", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if !s.Valid(v) {
				b.Fatal("not valid")
			}
		}
	})
	b.Run("three fields, library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if !s.lib().valid(v, s.node) {
				b.Fatal("not valid")
			}
		}
	})
	items := make([]value.Value, 10_000)
	for i := range items {
		items[i] = v
	}
	list, many := mustParse(b, `{"type":"array","items":`+threeFields+`}`), value.Array(items...)
	b.Run("10,000 objects", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if !list.Valid(many) {
				b.Fatal("not valid")
			}
		}
	})
}

func BenchmarkCheckInvalid(b *testing.B) {
	s, v := mustParse(b, threeFields), parsed(b, `{"name":"","count":-1,"more":true}`)
	b.ReportAllocs()
	for b.Loop() {
		if s.Check(v) == nil {
			b.Fatal("valid")
		}
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if s, _ := Parse([]byte(threeFields), nil); s == nil {
			b.Fatal("refused")
		}
	}
}
