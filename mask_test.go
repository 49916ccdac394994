package wf

import (
	"fmt"
	"strings"
	"testing"
)

func TestMaskText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"abcd", "[secret]"},
		{"xy", "[secret]"},
		{"xyz and abcd.", "xyz and [secret]."},
		{`he said "xy" to "abcd"`, `he said "[secret]" to "[secret]"`},
		{"abcdabcd", "[secret][secret]"},
		{"abcdefgh", "[secret]"}, // one reaches into the other: nothing is left of both
		{"cdefghabcdefgh!", "[secret][secret]!"},
		{"secret", "[secret]"},
		{"a secret", "a [secret]"},
		{"", ""}, {"a", "a"}, {`"x`, `"x`}, {"abc", "abc"},
		{strings.Repeat("abcd-", 3), strings.Repeat("[secret]-", 3)},
	} {
		m := &mask{texts: []string{"cdefgh", "secret", "abcd", "xy"}}
		m.index()
		if got := m.text(c.text); got != c.want {
			t.Errorf("%q: %q, expected %q", c.text, got, c.want)
		}
	}
	var none *mask
	if got := none.text("abcd"); got != "abcd" {
		t.Error(got)
	}
}

// To hide many secrets in a text, not every one of them is looked for.
func TestMaskOfMany(t *testing.T) {
	t.Parallel()
	m := &mask{}
	for i := range 50_000 {
		m.texts = append(m.texts, fmt.Sprintf("key-%05d", i))
	}
	m.index()
	if n := len(m.sizes); n != 1 {
		t.Errorf("%d places to look at, expected 1", n)
	}
	if got := m.text("with key-04711, key-99999"); got != "with [secret], key-99999" {
		t.Error(got)
	}
}
