package codec

import (
	"strings"
	"testing"
)

// Text that is not UTF-8 is refused with its place, in values and in keys: two keys must never become one.
func TestTextThatIsNotUTF8(t *testing.T) {
	t.Parallel()
	type holder struct {
		List []string       `json:"list"`
		Map  map[string]int `json:"map"`
	}
	for says, h := range map[string]holder{
		"/list/1: a text must be UTF-8, found the byte 0xff at position 3": {List: []string{"é", "\u00e9a\xffb"}},
		"the byte 0xfe at position 1":                                      {Map: map[string]int{"a\xfe": 1}},
	} {
		if _, err := Encode(&h); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want %s", err, says)
		}
	}
}
