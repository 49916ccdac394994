//go:build !race

// The race detector makes counts of memory mean little, and this slow.

package schema

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"lda.chat/wf/internal/value"
)

// hostile are schemas made to take down whoever reads them, each with the code of what is said about it.
func hostile() map[string]struct{ text, code string } {
	many := func(n int, form string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			if strings.Contains(form, "%") {
				fmt.Fprintf(&b, form, i)
			} else {
				b.WriteString(form)
			}
		}
		return b.String()
	}
	long := strings.Repeat("k", 250_000)
	type c = struct{ text, code string }
	return map[string]c{
		"itself":                    {`{"$ref":"#"}`, CodeRefCycle},
		"itself, dynamically":       {`{"$dynamicAnchor":"a","$dynamicRef":"#a"}`, CodeRefDynamic},
		"ladder":                    {ladder(16), CodeTooLarge},
		"deep":                      {strings.Repeat(`{"not":`, 5_000) + "{}" + strings.Repeat("}", 5_000), CodeTooLarge},
		"deep data":                 {`{"const":` + strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000) + `}`, CodeTooLarge},
		"10 MB":                     {`{"description":"` + strings.Repeat("x", 10<<20) + `"}`, CodeTooLarge},
		"large exponent":            {`{"maximum":1e999999}`, CodeInvalid},
		"small exponent":            {`{"multipleOf":1e-999999}`, CodeInvalid},
		"many letters":              {`{"patternProperties":{` + many(350, `"(?i)%d`+strings.Repeat(`\\pL`, 200)+`":{}`) + `}}`, CodePatternUnsupported},
		"many letters, few each":    {`{"patternProperties":{` + many(3000, `"(?i)%d`+strings.Repeat(`\\pL`, 20)+`":{}`) + `}}`, CodePatternUnsupported},
		"many letters, or":          {`{"patternProperties":{` + many(350, `"%d[`+strings.Repeat(`\\pL\\pN`, 100)+`]":{}`) + `}}`, CodePatternUnsupported},
		"long number":               {`{"minimum":` + strings.Repeat("9", 100_000) + `}`, CodeInvalid},
		"null":                      {`{"properties":{"a":{"allOf":[null]}}}`, CodeInvalid},
		"nulls":                     {`{"allOf":[` + many(100_000, "null") + `]}`, CodeInvalid},
		"equal $ids":                {`{"$defs":{"a":{"$id":"http://a/x"},"b":{"$id":"http://a/x"}}}`, CodeInvalid},
		"many equal $ids":           {`{"$defs":{` + many(900, `"d%d":{"$id":"http://a/x"}`) + `}}`, CodeInvalid},
		"many properties":           {`{"properties":{` + many(100_000, `"p%d":{}`) + `}}`, CodeTooLarge},
		"many properties, 500 KB":   {`{"properties":{` + many(30_000, `"p%d":{}`) + `}}`, CodeTooLarge},
		"huge enum":                 {`{"enum":[` + many(1_000_000, "%d") + `]}`, CodeTooLarge},
		"large enum":                {`{"enum":[` + many(60_000, "%d") + `]}`, ""},
		"large enum of objects":     {`{"enum":[` + many(25_000, `{"a":%d}`) + `]}`, ""},
		"a million required":        {`{"required":[` + many(1_000_000, `"r%d"`) + `]}`, CodeTooLarge},
		"many required":             {`{"required":[` + many(50_000, `"r%d"`) + `]}`, ""},
		"many required in between":  {`{"properties":{` + many(19_000, `"z%d":{}`) + `},"required":[` + many(25_000, `"r%d"`) + `]}`, ""},
		"not required names":        {`{"required":[` + many(100_000, "1") + `]}`, CodeInvalid},
		"no types":                  {`{"type":[` + many(100_000, "1") + `]}`, CodeInvalid},
		"catastrophic":              {`{"pattern":"^(a+)+$"}`, ""},
		"catastrophic, back":        {`{"pattern":"(a*)*\\1"}`, CodePatternUnsupported},
		"pattern repeated":          {`{"pattern":"((a{1000}){1000}){1000}"}`, CodePatternUnsupported},
		"pattern that grows":        {`{"pattern":"(?:` + strings.Repeat("a", 900) + `){1000}"}`, CodePatternUnsupported},
		"patterns that grow":        {`{"patternProperties":{` + many(500, `"(?:%dx`+strings.Repeat("a", 900)+`){1000}":{}`) + `}}`, CodePatternUnsupported},
		"patterns that grow a bit":  {`{"patternProperties":{` + many(15_000, `"%d(?:a{90}){11}":{}`) + `}}`, CodePatternUnsupported},
		"a long name":               {`{"properties":{"` + long + `":{"properties":{` + many(18_000, `"%d":{}`) + `}}}}`, CodeTooLarge},
		"a long name of data":       {`{"const":{"` + long + `":[` + many(120_000, "1") + `]}}`, ""},
		"a long name, wrong types":  {`{"properties":{"` + long + `":{"type":[` + many(120_000, "1") + `]}}}`, CodeInvalid},
		"a long name, wrong names":  {`{"properties":{"` + long + `":{"required":[` + many(120_000, "1") + `]}}}`, CodeInvalid},
		"a long name, dependents":   {`{"properties":{"` + long + `":{"dependentRequired":{` + many(20_000, `"%d":[]`) + `}}}}`, ""},
		"a long $id":                {`{"$id":"http://a/` + long + `/","$defs":{` + many(900, `"%d":{"$id":"a%[1]d"}`) + `}}`, CodeTooLarge},
		"a long $id, many $refs":    {`{"$id":"http://a/` + long + `/","$defs":{"d":{}},"items":{"prefixItems":[` + many(9_000, `{"$ref":"x"}`) + `]}}`, CodeTooLarge},
		"another document":          {`{"$ref":"http://127.0.0.1:1/x"}`, CodeRefRemote},
		"dangling, many":            {`{"prefixItems":[` + many(15_000, `{"$ref":"#/a%d"}`) + `]}`, CodeRefMissing},
		"chain of references":       {`{"$ref":"#/prefixItems/0","prefixItems":[` + many(16_000, `{"$ref":"#/prefixItems/%d"}`) + `]}`, CodeRefCycle},
		"long way around":           {`{"prefixItems":[` + strings.Replace(many(15_000, `{"$ref":"#/prefixItems/%d"}`), `0"`, `14999"`, 1) + `]}`, CodeRefCycle},
		"unevaluated over the wide": {`{"unevaluatedProperties":false,"allOf":[` + many(3_000, `{"properties":{"a%d":true}}`) + `]}`, ""},
	}
}

// TestHostile: what is made to take down whoever reads it costs little to refuse or to let in, and what is let in costs little to
// use. The test counts allocated bytes, so it is not parallel; what it logs of time is for people.
func TestHostile(t *testing.T) {
	const most, mostOfLibrary = 96 << 20, 256 << 20
	values := []value.Value{value.Null, value.Int(1), value.String(strings.Repeat("a", 5_000)), parsed(t, `{"p1":{},"r1":[1,[]],"`+strings.Repeat("k", 5_000)+`":[[[]]]}`)}
	small := mustParse(t, `{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`)
	for name, c := range hostile() {
		var s *Schema
		var problems []Problem
		count := func(what string, f func()) {
			start, before := time.Now(), allocated()
			f()
			if used := allocated() - before; used > most && (s == nil || !s.node.engine || used > mostOfLibrary) {
				t.Errorf("%s: to %s takes %d MB", name, what, used>>20)
			} else if took := time.Since(start); took > 20*time.Millisecond {
				t.Logf("%s: to %s takes %v and %d MB", name, what, took.Round(time.Millisecond), used>>20)
			}
		}
		count("read it", func() { s, problems = Parse([]byte(c.text), nil) })
		code, about := "", 0
		if len(problems) > 0 {
			code = problems[0].Code
		}
		for _, p := range problems {
			about += len(p.Message)
		}
		if code != c.code || s == nil && !fatal(problems) {
			t.Errorf("%s: %.300v, want %q", name, problems, c.code)
		}
		if about > 100_000 {
			t.Errorf("%s: messages of %d bytes", name, about)
		}
		if s == nil {
			continue
		}
		for _, v := range values {
			count("check a value", func() { s.Valid(v) })
			count("explain", func() { s.Check(v) })
		}
		count("tell its properties", func() { s.Properties() })
		count("hash it", func() { s.ShapeHash() })
		count("compare it with itself", func() { Assignable(s, mustParse(t, string(s.JSON()))) })
		count("compare it with another", func() { Assignable(small, s); Assignable(s, small) })
		count("judge its change", func() { Compare(s, small, Input); Compare(small, s, Output) })
	}
}

func allocated() int {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.TotalAlloc)
}
