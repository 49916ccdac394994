package schema

import (
	"encoding/json"
	"reflect"
	"testing"
)

// Patterns of another kind of regular expression are reported and not checked; the rest of the schema holds (case SV-01).
func TestCaseSV01PatternsOfAnotherKind(t *testing.T) {
	t.Parallel()
	s, problems := Parse([]byte(`{"type":"object","required":["n"],"properties":{"n":{"type":"string","pattern":"^(?!tmp)[a-z]+$"},"k":{"type":"string","pattern":"^\\u0041\\cC?$"}}}`), nil)
	if s == nil || len(problems) != 2 {
		t.Fatal(s, problems)
	}
	for i, at := range []string{"/properties/k/pattern", "/properties/n/pattern"} {
		if p := problems[i]; p.Code != CodePatternUnsupported || p.Fatal || p.Pointer != at {
			t.Errorf("%+v, want a warning at %s", p, at)
		}
	}
	for text, want := range map[string]bool{`{"n":5}`: false, `{"n":"tmpx"}`: true, `{"n":"a"}`: true, `{}`: false} {
		if got := s.Valid(parsed(t, text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// A $ref that leads nowhere is refused and accepts nothing (case SV-03).
func TestCaseSV03ReferenceToNothing(t *testing.T) {
	t.Parallel()
	s, problems := Parse([]byte(`{"properties":{"a":{"$ref":"#/$defs/nope"}}}`), nil)
	if s != nil || len(problems) != 1 || problems[0].Code != CodeRefMissing || problems[0].Pointer != "/properties/a/$ref" {
		t.Errorf("%v %+v", s, problems)
	}
}

// Multiples of decimals and of large integers are exact (case SV-05).
func TestCaseSV05Multiples(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of, number string
		want       bool
	}{
		{`0.01`, `1.11`, true}, {`0.01`, `1.115`, false}, {`0.0001`, `360.57`, true}, {`11`, `9007199254740995`, true}, {`11`, `9007199254740996`, false},
		{`1e-300`, `1e300`, true}, {`3`, `1e300`, false}, {`0.1`, `12345678901234567890.3`, true}, {`0.2`, `12345678901234567890.3`, false},
	} {
		s, v := mustParse(t, `{"multipleOf":`+c.of+`}`), parsed(t, c.number)
		if got := s.Valid(v); got != c.want || (s.Check(v) == nil) != c.want {
			t.Errorf("%s a multiple of %s: %v", c.number, c.of, got)
		}
	}
}

// What encoding/json writes for nothing satisfies the schema of its type (case SV-07).
func TestCaseSV07NilIsWhatTheSchemaSays(t *testing.T) {
	t.Parallel()
	type inner struct {
		List []int `json:"list"`
	}
	type out struct {
		inner
		Tags  []string            `json:"tags"`
		Index map[string][]string `json:"index"`
		Next  *inner              `json:"next"`
		Raw   json.RawMessage     `json:"raw"`
		Deep  [][]string          `json:"deep"`
		Fixed [2]*inner           `json:"fixed"`
	}
	s, problems := For(reflect.TypeFor[out]())
	if s == nil {
		t.Fatal(problems)
	}
	for _, x := range []out{{}, {Deep: [][]string{nil}, Index: map[string][]string{"a": nil}, Next: &inner{}}} {
		text, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		if list := s.Check(parsed(t, string(text))); list != nil {
			t.Errorf("%s: %v", text, list)
		}
	}
	if s.Valid(parsed(t, `{"list":null,"tags":"a","index":null,"next":null,"raw":null,"deep":null,"fixed":[null,null]}`)) {
		t.Error("a text passes for a list")
	}
}

// One mistake is one violation, although nothing is evaluated where it stands (case SV-09).
func TestCaseSV09NoEchoOfAMistake(t *testing.T) {
	t.Parallel()
	s := mustParse(t, `{"type":"object","properties":{"eggs":{"type":"integer"}},"unevaluatedProperties":false}`)
	list := s.Check(parsed(t, `{"eggs":3.14}`))
	if len(list) != 1 || list[0].Pointer != "/eggs" || list[0].Keyword != "type" {
		t.Errorf("%v", list)
	}
}

// A clarified description and another order of properties are no change of shape; only the first is one at all (case DR-01).
func TestCaseDR01DescriptionsAndOrder(t *testing.T) {
	t.Parallel()
	first := mustParse(t, `{"type":"object","properties":{"q":{"type":"string","description":"Search"},"n":{"type":"integer"}}}`)
	described := mustParse(t, `{"type":"object","properties":{"q":{"type":"string","description":"Search the docs"},"n":{"type":"integer"}}}`)
	ordered := mustParse(t, `{ "properties": {"n":{"type":"integer"}, "q":{"description":"Search","type":"string"}}, "type": "object" }`)
	changed := mustParse(t, `{"type":"object","properties":{"q":{"type":"integer","description":"Search"},"n":{"type":"integer"}}}`)
	if first.ExactHash() != ordered.ExactHash() || first.ExactHash() == described.ExactHash() {
		t.Error("the exact hash does not tell descriptions, and nothing but what counts")
	}
	if first.ShapeHash() != described.ShapeHash() || first.ShapeHash() == changed.ShapeHash() {
		t.Error("the shape's hash does not tell shapes, and nothing else")
	}
	for _, d := range []Direction{Input, Output} {
		if c := Compare(first, described, d); c.Kind != Identical {
			t.Errorf("%+v", c)
		}
		if c := Compare(first, changed, d); c.Kind != Breaking {
			t.Errorf("%+v", c)
		}
	}
}

// What a tool returns is checked with all its digits, and nothing does not pass for something (case TP-09, the schema's part).
func TestCaseTP09ResultIsChecked(t *testing.T) {
	t.Parallel()
	s := mustParse(t, `{"type":"object","required":["id"],"properties":{"id":{"const":9007199254740993}}}`)
	for text, want := range map[string]bool{`{"id":9007199254740993}`: true, `{"id":9007199254740992}`: false, `{}`: false, `null`: false} {
		if got := s.Valid(parsed(t, text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
