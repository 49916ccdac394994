package schema

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const recursiveTree = `{"$ref":"#/$defs/T","$defs":{"T":{"type":"object","properties":{"v":{"type":"integer"},"c":{"type":"array","items":{"$ref":"#/$defs/T"}}},"required":["v"],"additionalProperties":false}}}`

// mutual has two definitions that refer to each other; what z is decides about both.
const mutual = `{"type":"object","WHOLE":1,"$defs":{"A":{"type":"object","properties":{"c":{"$ref":"#/$defs/C"},"z":{"type":"integer"}}},"C":{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}}}}}`

func TestAssignable(t *testing.T) {
	t.Parallel()
	whole := func(text string) string { return strings.Replace(mutual, `"WHOLE":1`, text, 1) }
	for _, c := range []struct {
		source, target string
		verdict        Verdict
		reasons        string // one a line
	}{
		{`{"type":"string"}`, `{"type":"string"}`, Yes, ""},
		{`{"type":"integer"}`, `{"type":"number"}`, Yes, ""},
		{`{"type":"number","multipleOf":4}`, `{"type":"integer","multipleOf":2}`, Yes, ""},
		{`{"type":"number"}`, `{"type":"integer"}`, Maybe, "the value can be a number with a fraction; the target takes an integer @/type"},
		{`{"type":"string"}`, `{"type":"integer"}`, Disjoint, "the value is always a string; the target takes an integer @"},
		{`{"type":["string","null"]}`, `{"type":"string"}`, Maybe, "the value can be null; the target takes a string @/type"},
		{`{}`, `{"type":"string"}`, Undecided, "the value can be anything; the target takes a string @/type"},
		{`{"type":"string"}`, `{}`, Yes, ""},
		{`{"enum":["a"]}`, `{"enum":["a","b"]}`, Yes, ""},
		{`{"enum":["a","c"]}`, `{"enum":["a","b"]}`, Maybe, `the value can be "c"; the target takes "a" or "b" @/enum`},
		{`{"enum":["c"]}`, `{"type":"string","enum":["a","b"]}`, Disjoint, "the value is never a value that the target lists @"},
		{`{"type":"string"}`, `{"type":"string","pattern":"^a"}`, Undecided, `the value may not match the target's pattern "^a" @/pattern`},
		{`{"type":"string","pattern":"^a","minLength":3}`, `{"type":"string","pattern":"^a","minLength":2}`, Yes, ""},
		{`{"type":"string"}`, `{"type":"string","pattern":"(?=a)"}`, Undecided, `the value may break a keyword of the target that is not checked here @`},
		{`{"type":"boolean"}`, `{"enum":[true,false,null]}`, Yes, ""},
		{`{"type":"integer","minimum":1,"maximum":3}`, `{"enum":[1,2,3]}`, Yes, ""},
		{`{"type":"integer","exclusiveMinimum":9007199254740992}`, `{"minimum":9007199254740993}`, Yes, ""},
		{`{"const":9007199254740992}`, `{"minimum":9007199254740993}`, Disjoint, "the value is one of a few values, and the target takes none of them @"},
		{`{"type":"integer","minimum":3,"maximum":3}`, `{"const":3}`, Yes, ""},
		{`{"type":"integer","minimum":3,"maximum":3}`, `{"const":4}`, Disjoint, "the value is never a value that the target lists @"},
		{`{"type":"number","minimum":3,"maximum":3}`, `{"type":"integer"}`, Yes, ""},
		{`{"type":"integer","exclusiveMinimum":3,"exclusiveMaximum":4}`, `{"type":"string"}`, Yes, ""},
		{`{"type":"number","exclusiveMinimum":3,"exclusiveMaximum":4}`, `{"type":"integer"}`, Disjoint, "the value is always outside of what the target takes @"},
		{`{"type":"number","multipleOf":1.5}`, `{"type":"number","multipleOf":0.5}`, Yes, ""},
		{`{"type":"number","multipleOf":0.5}`, `{"type":"number","multipleOf":1.5}`, Undecided, "the value may not be a multiple of 1.5 @/multipleOf"},
		{`{"type":"string","maxLength":2,"minLength":2}`, `{"type":"string","minLength":2}`, Yes, ""},
		{`{"type":"string","maxLength":2,"minLength":2}`, `{"type":"integer"}`, Disjoint, "the value is always a string; the target takes an integer @"},
		{`{"type":"array","minContains":0,"contains":false}`, `{"type":"array","maxItems":1}`, Maybe, "the value can be longer than the target takes (maxItems 1) @/maxItems"},
		{`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer"},"required":["a"]}`, `{"properties":{"a":{"type":"string"}},"additionalProperties":{"type":"number"}}`, Yes, ""},
		{`{"type":"object","patternProperties":{"^a":{"type":"string"}},"additionalProperties":{"type":"integer"}}`, `{"additionalProperties":{"type":"integer"}}`, Undecided,
			"the value can have properties that it does not describe, and the target does not take all (additionalProperties) @/additionalProperties"},
		{`{"type":"object","patternProperties":{"^a":{"type":"string"}},"additionalProperties":{"type":"integer"},"required":["ab"]}`, `{"properties":{"ab":{"type":"integer"}}}`, Disjoint,
			"/ab is always a string; the target takes an integer @/properties/ab"},
		{`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer"},"required":["a"]}`, `{"properties":{"a":{"type":"integer"}}}`, Disjoint,
			"/a is always a string; the target takes an integer @/properties/a"},
		{`{"type":"object","unevaluatedProperties":false,"allOf":[{"properties":{"a":true}}],"required":["a"]}`, `{"required":["b"]}`, Maybe,
			`the value can be without "b", which the target requires @/required`},
		{`{"type":"integer"}`, `{"minimum":1}`, Maybe, "the value can be smaller than the target takes (minimum 1) @/minimum"},
		{`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, Yes, ""},
		{`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, `{"type":"object","properties":{"a":{"type":"integer"}}}`, Disjoint, "/a is always a string; the target takes an integer @/properties/a"},
		{`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, Maybe, `the value can be without "a", which the target requires @/required`},
		{`{"type":"object","additionalProperties":false}`, `{"type":"object","required":["a"]}`, Disjoint, `the value never has "a", which the target requires @/required`},
		{`{"type":"object","required":["a"]}`, `{"type":"object","additionalProperties":false}`, Disjoint, `the value always has "a", which the target does not take @/additionalProperties`},
		{`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","additionalProperties":false}`, Maybe, `the value can have "a", which the target does not take @/additionalProperties`},
		{`{"type":"object"}`, `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, Undecided,
			`the value does not say what "a" is; the target does @/properties/a` + "\n" + `the value can have properties that it does not describe, and the target does not take all (additionalProperties) @/additionalProperties`},
		{`{"type":"object","properties":{"a":{"type":"array","items":{"type":["string","null"]}}}}`, `{"properties":{"a":{"items":{"type":"string"}}}}`, Maybe,
			"/a/* can be null; the target takes a string @/properties/a/items/type"},
		{`{"type":"object","patternProperties":{"^x":{"type":"integer"}},"additionalProperties":false}`, `{"patternProperties":{"^x":{"type":"number"}}}`, Yes, ""},
		{`{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false,"minItems":2}`, `{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"number"}}`, Yes, ""},
		{`{"type":"array","prefixItems":[{"type":"string"}],"minItems":1}`, `{"type":"array","items":{"type":"integer"}}`, Disjoint, "the value is always outside of what the target takes @"},
		{`{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":{"type":"string"}}`, `{"items":{"type":"string"}}`, Maybe, "/1 can be an integer; the target takes a string @/items/type"},
		{`{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":{"type":"string"},"minItems":2}`, `{"items":{"type":"string"}}`, Disjoint, "the value is always outside of what the target takes @"},
		{`{"type":"array","items":{"type":"integer"}}`, `{"type":"array","items":{"type":"string"}}`, Maybe, "/* can be an integer; the target takes a string @/items/type"},
		{`{"type":"array","contains":{"const":1}}`, `{"minItems":1,"contains":{"type":"integer"}}`, Yes, ""},
		{`{"type":"array","uniqueItems":true}`, `{"uniqueItems":true}`, Yes, ""},
		{`{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `{"anyOf":[{"type":"number"},{"type":"string"}]}`, Yes, ""},
		{`{"type":["string","integer"]}`, `{"anyOf":[{"type":"number"},{"type":"string"}]}`, Yes, ""},
		{`{"oneOf":[{"type":"object","required":["k"],"properties":{"k":{"const":"a"}}},{"type":"object","required":["k"],"properties":{"k":{"const":"b"}}}]}`,
			`{"type":"object","required":["k"],"properties":{"k":{"enum":["a","b","c"]}}}`, Yes, ""},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, Maybe, "the value can be null; the target takes a string @/anyOf/0/type"},
		{`{"type":"string","not":{"const":""}}`, `{"not":{"enum":["",1]}}`, Yes, ""},
		{`{"if":{"type":"string"},"then":{"minLength":2},"else":{"type":"integer"}}`, `{"type":["string","integer"],"minLength":1}`, Yes, ""},
		{`{"type":"object","required":["a"],"dependentRequired":{"a":["b"]}}`, `{"required":["b"]}`, Yes, ""},
		{recursiveTree, strings.ReplaceAll(strings.ReplaceAll(recursiveTree, "T", "N"), `"integer"`, `"number"`), Yes, ""},
		{strings.ReplaceAll(recursiveTree, `"integer"`, `"number"`), strings.ReplaceAll(recursiveTree, "T", "N"), Maybe, "/v can be a number with a fraction; the target takes an integer @/$defs/N/properties/v/type"},
		{`{"type":"object","required":["next"],"properties":{"next":{"$ref":"#"}}}`, `{"type":"string"}`, Disjoint, "the value is always an object; the target takes a string @"},
		// That C fits was only supposed, while A was looked at; A does not fit, so nothing is known about C.
		{whole(`"properties":{"x":{"$ref":"#/$defs/A"},"y":{"$ref":"#/$defs/C"}}`), strings.Replace(whole(`"anyOf":[{"properties":{"x":{"$ref":"#/$defs/A"}}},{"properties":{"y":{"$ref":"#/$defs/C"}}}]`), "integer", "string", 1),
			Maybe, "the value may satisfy none of the target's alternatives @/anyOf"},
		{`false`, `{"type":"string"}`, Yes, ""},
		{`{"type":"string"}`, `false`, Disjoint, "the value is always a string; the target takes nothing @"},
		{`{"unevaluatedProperties":false,"properties":{"a":true},"type":"object"}`, `{"additionalProperties":false,"properties":{"a":true}}`, Yes, ""},
	} {
		verdict, reasons := Assignable(mustParse(t, c.source), mustParse(t, c.target))
		var text []string
		for _, r := range reasons {
			text = append(text, r.String()+" @"+r.Target)
		}
		if verdict != c.verdict || strings.Join(text, "\n") != c.reasons {
			t.Errorf("%s\nto %s\nis %v, want %v %s", c.source, c.target, verdict, c.verdict, cmp.Diff(c.reasons, strings.Join(text, "\n")))
		}
	}
}

// TestInventories: every schema of the public tool servers is let in, fits itself in whatever form, and has one shape.
func TestInventories(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(dataDir(t), "mcp-inventories", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no inventories: %v", err)
	}
	schemas, shapes := 0, map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var inventory struct {
			Tools []struct {
				Name                      string
				InputSchema, OutputSchema json.RawMessage
			}
		}
		if err := json.Unmarshal(text, &inventory); err != nil {
			t.Fatal(err)
		}
		for _, tool := range inventory.Tools {
			for _, raw := range []json.RawMessage{tool.InputSchema, tool.OutputSchema} {
				if raw == nil {
					continue
				}
				name := filepath.Base(file) + ": " + tool.Name
				s, problems := Parse(raw, nil)
				if s == nil {
					t.Errorf("%s: refused: %v", name, problems)
					continue
				}
				schemas++
				shapes[s.ShapeHash()] = true
				again := mustParse(t, string(raw))
				retold := mustParse(t, string(s.Value().With("description", s.Value()).JSON()))
				part := s.doc.schema(conjunction([]*node{s.node, anyValue}))
				for _, other := range []*Schema{s, again, retold} {
					if other.ShapeHash() != s.ShapeHash() {
						t.Errorf("%s: another shape", name)
					}
					if c := Compare(s, other, Input); c.Kind != Identical {
						t.Errorf("%s: %+v", name, c)
					}
				}
				for _, other := range []*Schema{s, again, retold, part} {
					if v, why := Assignable(s, other); v != Yes {
						t.Errorf("%s: to itself: %v %v", name, v, why)
					}
				}
			}
		}
	}
	t.Logf("%d schemas, %d shapes", schemas, len(shapes))
	if schemas < 100 {
		t.Errorf("only %d schemas", schemas)
	}
}

// TestAssignableBounded: what would take for ever is given up, and says so.
func TestAssignableBounded(t *testing.T) {
	t.Parallel()
	wide := func(keyword string, n int) string {
		var parts []string
		for i := range n {
			parts = append(parts, `{"type":"object","properties":{"`+strings.Repeat("x", i%7+1)+`":{"`+keyword+`":[{"type":"string","minLength":`+itoa(i)+`},{"type":"array","items":{"$ref":"#"}}]}}}`)
		}
		return `{"` + keyword + `":[` + strings.Join(parts, ",") + `]}`
	}
	names := func(n int) string {
		var parts []string
		for i := range n {
			parts = append(parts, `"n`+itoa(i)+`":{"pattern":"^a`+itoa(i)+`"}`)
		}
		return strings.Join(parts, ",")
	}
	list := []string{
		wide("anyOf", 200), wide("oneOf", 60), wide("oneOf", 400),
		`{"properties":{` + names(2_000) + `},"patternProperties":{` + names(2_000) + `},"additionalProperties":false}`,
		`{"patternProperties":{` + names(900) + `},"additionalProperties":{"type":"null"}}`,
		`{"enum":[` + strings.TrimSuffix(strings.Repeat(`[1,2,{"a":[3]}],`, 9_000), ",") + `]}`,
		`{"items":{"not":{"items":{"not":{"items":{"not":` + wide("anyOf", 50) + `}}}}}}`,
		ladder(10),
	}
	var schemas []*Schema
	for _, text := range list {
		schemas = append(schemas, mustParse(t, text))
	}
	for i, a := range schemas {
		for _, j := range []int{(i + 1) % len(schemas), (i + 3) % len(schemas)} {
			b := schemas[j]
			start := time.Now()
			v, why := Assignable(a, b)
			Compare(a, b, Output)
			if took := time.Since(start); took > 20*time.Second { // a busy machine, and the race detector
				t.Errorf("%d to %d took %v", i, j, took)
			} else if testing.Verbose() {
				t.Logf("%d to %d: %v in %v", i, j, v, took)
			}
			if v != Yes && len(why) == 0 {
				t.Errorf("%d to %d: %v without a reason", i, j, v)
			}
		}
	}
}

// TestAssignableParts: two documents that are written alike have different parts all the same.
func TestAssignableParts(t *testing.T) {
	t.Parallel()
	const text = `{"properties":{"a":{"type":"string"},"b":{"type":"integer"}}}`
	a, _ := mustParse(t, text).Property("a")
	again := mustParse(t, text)
	for name, want := range map[string]Verdict{"a": Yes, "b": Disjoint} {
		other, _ := again.Property(name)
		if v, _ := Assignable(a.Schema, other.Schema); v != want {
			t.Errorf("a to %s: %v", name, v)
		}
	}
	old := mustParse(t, `{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}`)
	if v, _ := Assignable(old, mustParse(t, `{"exclusiveMinimum":1}`)); v != Yes {
		t.Errorf("across dialects: %v", v)
	}
	if v, _ := Assignable(mustParse(t, `{"minimum":1,"const":1}`), mustParse(t, `{"$schema":"http://json-schema.org/draft-04/schema#","const":1}`)); v != Yes {
		t.Errorf("draft 4 knows no const: %v", v)
	}
	if v, _ := Assignable(mustParse(t, `{"$schema":"http://json-schema.org/draft-04/schema#","items":{"const":1}}`), mustParse(t, `{"items":{"const":1}}`)); v == Yes {
		t.Error("the same text, in a dialect that knows no const")
	}
}
