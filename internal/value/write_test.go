package value_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"lda.chat/wf/internal/value"
)

func TestAppendJSON(t *testing.T) {
	t.Parallel()
	v := parse(t, `{"z":[1.0,[],{}],"a":{"n":null,"t":[true,false]},"s":"é"}`)
	if got, want := string(v.AppendJSON([]byte("x="))), `x={"a":{"n":null,"t":[true,false]},"s":"é","z":[1.0,[],{}]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := string(v.AppendCanonical(nil)), `{"a":{"n":null,"t":[true,false]},"s":"é","z":[1,[],{}]}`; got != want {
		t.Errorf("canonical: got %s, want %s", got, want)
	}
	if got := (value.Value{}).AppendJSON([]byte("x")); string(got) != "x" {
		t.Errorf("absent: %s", got)
	}
	if got := (value.Value{}).JSON(); got != nil {
		t.Errorf("absent: %s", got)
	}
}

func TestIndent(t *testing.T) {
	t.Parallel()
	got := string(value.Indent(parse(t, `{"a":[1,{"b":[]},[2]],"c":{},"d":"x"}`)))
	want := `{
  "a": [
    1,
    {
      "b": []
    },
    [
      2
    ]
  ],
  "c": {},
  "d": "x"
}`
	if got != want {
		t.Errorf("got %s", got)
	}
	if got := string(value.Indent(value.Int(7))); got != "7" {
		t.Errorf("a number: %s", got)
	}
}

// Each string of each length, with the one special character at each place, is written so that another reader gets it.
func TestStringsOfAllKinds(t *testing.T) {
	t.Parallel()
	for r := rune(0); r < 0x100; r++ {
		for n := range 12 {
			for at := range n + 1 {
				s := strings.Repeat("x", at) + string(r) + strings.Repeat("y", n-at)
				text := value.String(s).JSON()
				var other string
				if err := json.Unmarshal(text, &other); err != nil || other != s {
					t.Fatalf("%q was written as %s, which reads as %q, %v", s, text, other, err)
				}
				if again, _ := parse(t, string(text)).AsString(); again != s {
					t.Fatalf("%q was written as %s, which reads as %q", s, text, again)
				}
				if value.Size(value.String(s)) != len(text) {
					t.Fatalf("the size of %q is %d", s, value.Size(value.String(s)))
				}
			}
		}
	}
}

func TestEscapes(t *testing.T) {
	t.Parallel()
	if got, want := value.String("\x00\x1f\b\f\n\r\t\"\\/\x7f\u2028").String(), "\"\\u0000\\u001f\\b\\f\\n\\r\\t\\\"\\\\/\x7f\u2028\""; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNE11_NoNeedlessEscapes(t *testing.T) {
	t.Parallel()
	const text = `"<b>& "`
	for _, written := range []string{text, `"\u003cb\u003e\u0026 "`, `"\u003Cb>\u0026\u0020"`} {
		v := parse(t, written)
		for _, got := range [][]byte{v.JSON(), v.AppendCanonical(nil), value.Indent(v)} {
			if string(got) != text {
				t.Errorf("%s became %s", written, got)
			}
		}
	}
}

func TestTimestamp(t *testing.T) {
	t.Parallel()
	for nano, want := range map[int64]string{
		0: "1970-01-01T00:00:00.000Z", 1_700_000_000_123_999_999: "2023-11-14T22:13:20.123Z", -1: "1969-12-31T23:59:59.999Z",
	} {
		if got := value.Timestamp(nano).String(); got != fmt.Sprintf("%q", want) {
			t.Errorf("Timestamp(%d) = %s, want %s", nano, got, want)
		}
	}
}
