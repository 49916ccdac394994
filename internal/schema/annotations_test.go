package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPositions(t *testing.T) {
	t.Parallel()
	s, problems := Parse([]byte(`{"type":"object","enum":[{"type":"x"}],"$defs":{"d":{"x-secret":true}},"allOf":[{"properties":{"b":{"title":"b"}}}],
		"properties":{"a":{"$ref":"#/$defs/d"},"b":{"items":{"x-trace":false}}}}`), nil)
	if s == nil {
		t.Fatal(problems)
	}
	var got []string
	for _, p := range s.Positions() {
		got = append(got, p.Pointer+" "+p.Raw.String())
	}
	want := []string{
		" " + s.Value().String(), `/$defs/d {"x-secret":true}`, `/allOf/0 {"properties":{"b":{"title":"b"}}}`, `/allOf/0/properties/b {"title":"b"}`,
		`/properties/a {"$ref":"#/$defs/d"}`, `/properties/b {"items":{"x-trace":false}}`, `/properties/b/items {"x-trace":false}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	a, _ := s.Property("a")
	b, _ := s.Property("b")
	if diff := cmp.Diff([][]string{{"/properties/a", "/$defs/d"}, {"/properties/b", "/allOf/0/properties/b"}}, [][]string{a.Pointers(), b.Pointers()}); diff != "" {
		t.Error(diff)
	}
}
