package schema

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"lda.chat/wf/internal/value"
)

// TestBoundedTime: no schema and value make a check run away. Without the bounds most of these would not end in a lifetime, so
// the test's own timeout judges.
func TestBoundedTime(t *testing.T) {
	t.Parallel()
	nested := strings.Repeat("[", 190) + strings.Repeat("]", 190)
	chain := func(n int) string {
		var b strings.Builder
		b.WriteString(`{"$ref":"#/$defs/d0","$defs":{`)
		for i := range n {
			fmt.Fprintf(&b, `"d%d":{"type":"object","properties":{"next":{"$ref":"#/$defs/d%d"},"a":{"type":"string"}}},`, i, i+1)
		}
		fmt.Fprintf(&b, `"d%d":{"type":"object"}}}`, n)
		return b.String()
	}
	for name, c := range map[string]struct{ schema, instance string }{
		"two ways down":           {`{"allOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}]}`, nested},
		"two failing ways down":   {`{"anyOf":[{"items":{"$ref":"#"},"minItems":2},{"items":{"$ref":"#"},"minItems":3}]}`, nested},
		"two ways, unevaluated":   {`{"allOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}],"unevaluatedItems":false}`, nested},
		"widest ladder":           {ladder(11), `{}`},
		"long chain":              {chain(300), `{"next":{"next":{"a":1}}}`},
		"long chain, unevaluated": {strings.Replace(chain(300), "{", `{"unevaluatedProperties":false,`, 1), `{"next":{"next":{"a":1}}}`},
		"equal elements":          {`{"uniqueItems":true}`, "[" + strings.Repeat("[],", 20_000) + "1]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := mustParse(t, c.schema)
			v := parsed(t, c.instance)
			if s.Valid(v) != (s.Check(v) == nil) {
				t.Error("Valid and Check disagree")
			}
		})
	}
}

// TestConcurrently hammers one schema that has everything the library is careless with; the race detector judges.
func TestConcurrently(t *testing.T) {
	t.Parallel()
	s := mustParse(t, `{"patternProperties":{"^a":{"type":"string","pattern":"^x"},"b$":{"minLength":2}},"propertyNames":{"pattern":"^[a-z]+$"},
		"unevaluatedProperties":false}`)
	plain := mustParse(t, `{"patternProperties":{"^a":{"pattern":"^x"}},"properties":{"c":{"pattern":"^y"}}}`)
	values := []value.Value{parsed(t, `{"a":"x"}`), parsed(t, `{"a":"y","ab":"x"}`), parsed(t, `{"c":1,"A":2}`)}
	var group sync.WaitGroup
	for range 64 {
		group.Go(func() {
			for i := range 12 {
				v := values[i%len(values)]
				s.Valid(v)
				s.Check(v)
				plain.Check(v)
				s.Properties()
				s.Value()
			}
		})
	}
	group.Wait()
}
