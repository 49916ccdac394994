package lifecycle

import (
	"testing"

	"lda.chat/wf"
)

func TestLeastOf(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		``:                  `{}`,
		`{}`:                `{}`,
		`{"type":"object"}`: `{}`,
		`{"type":"object","required":["a","b","c"],"properties":{"a":{"type":"string"},"b":{"type":"integer","minimum":3},"c":{"enum":["x","y"]},"d":{"type":"string"}}}`:     `{"a":"…","b":3,"c":"x"}`,
		`{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"object","required":["ok"],"properties":{"ok":{"type":"boolean"}}}}}`: `{"a":{"ok":false}}`,
		`{"type":"object","required":["a"],"properties":{"a":{"anyOf":[{"type":"null"},{"type":"string"}]}}}`:                                                                 `{"a":null}`,
		`{"type":"object","required":["a"],"properties":{"a":{"type":["number","null"]}}}`:                                                                                    `{"a":0}`,
		`{"type":"object","required":["a"],"properties":{"a":{"type":"string","pattern":"^[0-9]+$"}}}`:                                                                        `{}`,
		`{"type":"object","required":["a"],"properties":{"a":{"$ref":"#"}}}`:                                                                                                  `{}`,
		`{"type":"object","required":["a"],"properties":{"a":{}}}`:                                                                                                            `{"a":"…"}`,
		`{"type":"object","required":["a"],"properties":{"a":{"default":[1]}}}`:                                                                                               `{"a":[1]}`,
	} {
		if got := string(LeastOf(wf.Schema(schema))); got != want {
			t.Errorf("%s: %s, expected %s", schema, got, want)
		}
	}
}
