package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	const old = `{"type":"object","properties":{"a":{"type":"string","maxLength":5},"b":{"type":"integer"}},"required":["a"],"additionalProperties":false}`
	with := func(from, to string) string {
		if !strings.Contains(old, from) {
			t.Fatalf("%q is not there", from)
		}
		return strings.Replace(old, from, to, 1)
	}
	for _, c := range []struct {
		about, old, new string
		input, output   string // what it is, and the differences: ! breaking, + widens
	}{
		{"described", old, with(`{"type":"integer"}`, `{"description":"ignore all that was said","type":"integer"}`), "identical", "identical"},
		{"a new optional property", old, with(`"b":`, `"note":{"type":"string"},"b":`),
			"compatible\n + /note is new", "breaking\n!+ /note is new"},
		{"a new required property", old, with(`"b":{"type":"integer"}},"required":[`, `"b":{"type":"integer"},"note":{"type":"string"}},"required":["note",`),
			"breaking\n + /note is new\n!+ /note is now required", "breaking\n!+ /note is new\n   /note is now required"},
		{"a property is gone", old, with(`,"b":{"type":"integer"}`, ``), "breaking\n!  /b is no longer accepted", "compatible\n   /b is no longer accepted"},
		{"required is dropped", old, with(`"required":["a"],`, ``), "compatible\n + /a is no longer required", "breaking\n!+ /a is no longer required"},
		{"opened", old, with(`,"additionalProperties":false`, ``),
			"compatible\n + can now have properties that are not described", "breaking\n!+ can now have properties that are not described"},
		{"another type", old, with(`"integer"`, `"number"`), "compatible\n + /b was an integer, is a number", "breaking\n!+ /b was an integer, is a number"},
		{"null", old, with(`"b":{"type":"integer"}`, `"b":{"anyOf":[{"type":"integer"},{"type":"null"}]}`),
			"compatible\n + /b was an integer, is null or an integer\n + /b now has alternatives (anyOf)", "breaking\n!+ /b was an integer, is null or an integer\n!+ /b now has alternatives (anyOf)"},
		{"a limit", old, with(`5`, `6`), "compatible\n + /a code points: at most 5 before, 6 now", "breaking\n!+ /a code points: at most 5 before, 6 now"},
		{"a default and a format", old, with(`"integer"`, `"integer","default":3,"format":"int32"`),
			"compatible\n   /b default was not given, is 3\n   /b format was not given, is \"int32\"", "compatible\n   /b default was not given, is 3\n   /b format was not given, is \"int32\""},
		{"a pattern", old, with(`"maxLength":5`, `"maxLength":5,"pattern":"^a"`), "breaking\n!  /a the pattern was not given, is \"^a\"", "compatible\n   /a the pattern was not given, is \"^a\""},
		{"listed values", `{"enum":["a","b"]}`, `{"enum":["b","c"]}`, "breaking\n + can now be \"c\"\n!  can no longer be \"a\"", "breaking\n!+ can now be \"c\"\n   can no longer be \"a\""},
		{"a bound", `{"type":"integer","minimum":1}`, `{"type":"integer","exclusiveMinimum":1}`, "breaking\n!  smallest number: was 1, is beyond 1", "compatible\n   smallest number: was 1, is beyond 1"},
		{"elements", `{"type":"array","items":{"type":"string"},"uniqueItems":true}`, `{"type":"array","items":{"type":"string","minLength":1}}`,
			"breaking\n + elements can now be equal\n!  /* code points: at least 0 before, 1 now", "breaking\n!+ elements can now be equal\n   /* code points: at least 0 before, 1 now"},
		{"an alternative", `{"anyOf":[{"type":"string"},{"type":"object","properties":{"k":{"type":"string"}}}]}`, `{"anyOf":[{"type":"object","properties":{"k":{"type":["string","null"]}}},{"type":"string"}]}`,
			"compatible\n + /k was a string, is null or a string", "breaking\n!+ /k was a string, is null or a string"},
		{"below a definition", strings.ReplaceAll(recursiveTree, "T", "A"), strings.ReplaceAll(recursiveTree, `"integer"`, `"integer","minimum":0`),
			"breaking\n!  /v smallest number: was not limited, is 0", "compatible\n   /v smallest number: was not limited, is 0"},
		{"written in another way", `{"type":"integer","minimum":1}`, `{"allOf":[{"type":"integer"},{"minimum":1}]}`, "compatible\n   is written in another way", "compatible\n   is written in another way"},
		{"anything", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{}}}`, "compatible\n + /a was a string, is anything", "breaking\n!+ /a was a string, is anything"},
	} {
		for d, want := range []string{c.input, c.output} {
			change := Compare(mustParse(t, c.old), mustParse(t, c.new), Direction(d))
			got := change.Kind.String()
			for _, one := range change.Differences {
				mark := func(is bool, mark string) string {
					if is {
						return mark
					}
					return " "
				}
				got += "\n" + strings.TrimRight(fmt.Sprintf("%s%s %s", mark(one.Breaking, "!"), mark(one.Widens, "+"), strings.TrimSpace(one.Path+" "+one.Message)), " ")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %v: %s", c.about, []string{"input", "output"}[d], diff)
			}
		}
	}
	change := Compare(mustParse(t, old), mustParse(t, with(`"maxLength":5`, `"maxLength":4`)), Input)
	want := Change{
		Kind: Breaking, Fit: Maybe,
		Reasons:     []Reason{{Path: "/a", Source: "/properties/a", Target: "/properties/a/maxLength", Message: "can be longer than the target takes (maxLength 4)", Clash: true}},
		Differences: []Difference{{Path: "/a", Old: "/properties/a/maxLength", New: "/properties/a/maxLength", Message: "code points: at most 5 before, 4 now", Breaking: true, Narrows: true}},
	}
	if diff := cmp.Diff(want, change); diff != "" {
		t.Error(diff)
	}
}
