//go:build !race

// The race detector makes counts of memory mean little, and this slow.

package wf

import (
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// TestHostileSchemas: a plan with a schema made to take down its reader is refused or warned of, at the schema's place in the plan,
// and at little cost; nobody calls the server that it names. The test counts allocated bytes, so it is not parallel.
func TestHostileSchemas(t *testing.T) {
	many := func(n int, form string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ","+form, i)
		}
		return b.String()[1:]
	}
	rungs := many(16, `"d%[1]d":{"allOf":[{"$ref":"#/$defs/e%[1]d"},{"$ref":"#/$defs/e%[1]d"}]},"e%[1]d":{"$ref":"#/$defs/d+%[1]d"}`)
	for i := range 16 {
		rungs = strings.Replace(rungs, fmt.Sprintf(`d+%d"`, i), fmt.Sprintf(`d%d"`, i+1), 1)
	}
	server := silentServer(t)
	for name, c := range map[string]struct {
		schema string
		code   Code
		at     string // below /input_schema
	}{
		"itself":              {`{"$ref":"#"}`, "schema_ref_cycle", ""},
		"itself, dynamically": {`{"properties":{"a":{"$dynamicRef":"#a","$dynamicAnchor":"a"}}}`, "schema_ref_dynamic", "/properties/a/$dynamicRef"},
		"ladder":              {`{"$ref":"#/$defs/d0","$defs":{` + rungs + `,"d16":{}}}`, "schema_too_large", ""},
		"deep":                {strings.Repeat(`{"not":`, 5_000) + "{}" + strings.Repeat("}", 5_000), "too_deep", strings.Repeat("/not", 199)},
		"less deep":           {strings.Repeat(`{"not":`, 100) + "{}" + strings.Repeat("}", 100), "too_deep", ""},
		"10 MB":               {`{"description":"` + strings.Repeat("x", 10<<20) + `"}`, "schema_too_large", ""},
		"exponent":            {`{"properties":{"a":{"maximum":1e999999}}}`, "number_out_of_range", "/properties/a/maximum"},
		"null":                {`{"properties":{"a":{"allOf":[null]}}}`, "schema_invalid", "/properties/a/allOf/0"},
		"equal $ids":          {`{"$defs":{"a":{"$id":"http://a/x"},"b":{"$id":"http://a/x"}}}`, "schema_invalid", "/$defs/b/$id"},
		"many properties":     {`{"properties":{` + many(100_000, `"p%d":{}`) + `}}`, "schema_too_large", ""},
		"huge enum":           {`{"enum":[` + many(1_000_000, "%d") + `]}`, "schema_too_large", ""},
		"a million required":  {`{"required":[` + many(1_000_000, `"r%d"`) + `]}`, "schema_too_large", ""},
		"catastrophic":        {`{"properties":{"a":{"pattern":"(a*)*\\1"}}}`, "schema_pattern_unsupported", "/properties/a/pattern"},
		"growing":             {`{"properties":{"a":{"pattern":"(?:` + strings.Repeat("a", 900) + `){1000}"}}}`, "schema_pattern_unsupported", "/properties/a/pattern"},
		"a server":            {`{"properties":{"a/b":{"$ref":"` + server + `"}}}`, "schema_ref_remote", "/properties/a~1b/$ref"},
		"a server's $id":      {`{"$id":"` + server + `","properties":{"a":{"$ref":"other"}}}`, "schema_ref_remote", "/properties/a/$ref"},
		"a server's dialect":  {`{"$schema":"` + server + `"}`, "schema_dialect_unknown", "/$schema"},
	} {
		text := `{"name":"p","input_schema":` + c.schema + `,"nodes":[{"id":"a","type":"wait","seconds":1,"next":"__end__"}]}`
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		w, found := ParseWorkflow([]byte(text))
		if w != nil {
			found = append(found, Validate(w, nil)...)
		}
		runtime.ReadMemStats(&after)
		place, told := "/input_schema"+c.at, false
		for _, d := range found {
			told = told || d.Code == c.code && d.Path == place
			if len(d.Message) > 1_000 {
				t.Errorf("%s: a message of %d bytes", name, len(d.Message))
			}
		}
		if !told {
			t.Errorf("%s: no %s at %.100s, but %.500v", name, c.code, place, found)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 512<<20 {
			t.Errorf("%s: %d MB", name, used>>20)
		} else {
			t.Logf("%s: %d bytes, %d MB", name, len(text), used>>20)
		}
	}
}

// silentServer is the address of a server that fails the test when somebody calls it.
func silentServer(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip("no loopback here")
	}
	var calls atomic.Int32
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls.Add(1)
		_, _ = w.Write([]byte("true"))
	})}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() {
		if n := calls.Load(); n != 0 {
			t.Errorf("%d requests were made", n)
		}
		_ = server.Close()
	})
	return "http://" + listener.Addr().String() + "/s.json"
}
