package lifecycle

import (
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

func TestLeastOf(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		``:                  `{}`,
		`{}`:                `{}`,
		`{"type":"object"}`: `{}`,
		`{"type":"object","required":["a","b","c"],"properties":{"a":{"type":"string"},"b":{"type":"integer","minimum":3},"c":{"enum":["x","y"]},"d":{"type":"string"}}}`:     `{"a":"…","b":3,"c":"x"} /a /b /c`,
		`{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"object","required":["ok"],"properties":{"ok":{"type":"boolean"}}}}}`: `{"a":{"ok":false}} /a/ok`,
		`{"type":"object","required":["a"],"properties":{"a":{"anyOf":[{"type":"null"},{"type":"string"}]}}}`:                                                                 `{"a":null} /a`,
		`{"type":"object","required":["a"],"properties":{"a":{"type":["number","null"]}}}`:                                                                                    `{"a":0} /a`,
		`{"type":"object","required":["a"],"properties":{"a":{"type":"string","pattern":"^[0-9]+$"}}}`:                                                                        `{"a":"…"} /a`,
		`{"type":"object","required":["a"],"properties":{"a":{"$ref":"#"}}}`:                                                                                                  `{}`,
		`{"type":"object","required":["a"],"properties":{"a":{}}}`:                                                                                                            `{"a":"…"} /a`,
		`{"type":"object","required":["a"],"properties":{"a":{"default":[1]}}}`:                                                                                               `{"a":[1]}`,
		`{"type":"object","required":["a","b","c"],"properties":{"a":{"enum":["x"]},"b":{"type":"string","examples":["notes.md"]},"c":{"const":7}}}`:                          `{"a":"x","b":"notes.md","c":7}`,
		`{"type":"object","required":["a"],"properties":{"a":{"type":"array","minItems":2,"items":{"type":"string"}}}}`:                                                       `{"a":["…","…"]} /a/0 /a/1`,
	} {
		v, fill := LeastOf(wf.Schema(schema))
		if got := strings.TrimSpace(string(v) + " " + strings.Join(fill, " ")); got != want {
			t.Errorf("%s: %s, expected %s", schema, got, want)
		}
	}
}

// What is given stays, but for what the schema does not take and for secrets.
func TestMended(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","required":["a","n"],"additionalProperties":false,"properties":{"a":{"type":"string","maxLength":5},"n":{"$ref":"#/$defs/n"},"list":{"type":"array","items":{"type":"integer"}},
		"o":{"type":"object","required":["x"],"properties":{"x":{"type":"boolean"}}}},"$defs":{"n":{"type":"integer","default":1}}}`
	for given, want := range map[string]string{
		`{"a":"fits","n":2}`:                         `{"a":"fits","n":2}`,
		`{"a":"too long","n":2}`:                     `{"a":"…","n":2} /a`,
		`{"a":"fits"}`:                               `{"a":"fits","n":1}`,
		`{"n":"two"}`:                                `{"a":"…","n":1} /n /a`,
		`{"a":"[secret]","n":2}`:                     `{"a":"…","n":2} /a`,
		`{"a":"fits","n":2,"list":[1,"x"]}`:          `{"a":"fits","list":[1,0],"n":2} /list/1`,
		`{"a":"fits","n":2,"o":{}}`:                  `{"a":"fits","n":2,"o":{"x":false}} /o/x`,
		`{"a":"fits","n":2,"other":{"key":"value"}}`: `{"a":"fits","n":2,"other":{"key":"value"}} /other`,
	} {
		v, err := value.Parse([]byte(given))
		if err != nil {
			t.Fatal(err)
		}
		made, fill := mended(wf.Schema(schema), v)
		if got := strings.TrimSpace(string(made) + " " + strings.Join(fill, " ")); got != want {
			t.Errorf("%s: %s, expected %s", given, got, want)
		}
	}
}
