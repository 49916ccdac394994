package value_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf/internal/value"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		" \n\r\t{ } ":        `{}`,
		"[ ]":                `[]`,
		`[[],[[]],{"a":{}}]`: `[[],[[]],{"a":{}}]`,
		`{"b":1,"a":2,"":3}`: `{"":3,"a":2,"b":1}`,
		`{"b":0,"a":[{"b":1,"a":2},{"b":3,"a":4},{"a":5,"b":6}]}`: `{"a":[{"a":2,"b":1},{"a":4,"b":3},{"a":5,"b":6}],"b":0}`,
		`[true,false,null]`:            `[true,false,null]`,
		`[0,-0,1.50,1E+2]`:             `[0,-0,1.50,1E+2]`,
		`"\"\\\/\b\f\n\r\t"`:           `"\"\\/\b\f\n\r\t"`,
		`"\u0000\u001F\u007f"`:         "\"\\u0000\\u001f\u007f\"",
		`"\u00e9\uD83D\uDE00\u2028é😀"`: "\"é😀\u2028é😀\"",
		`"aaaaaaaaaaaaaaaaaaaaaaaa\n"`: `"aaaaaaaaaaaaaaaaaaaaaaaa\n"`,
		`{"\u0061":1}`:                 `{"a":1}`,
	} {
		if got := parse(t, text).String(); got != want {
			t.Errorf("%s became %s, want %s", text, got, want)
		}
	}
}

// Values do not change when the text that they were read from is overwritten.
func TestParseCopies(t *testing.T) {
	t.Parallel()
	const text = `{"key":"string","number":1.25,"a very long key, longer than those that are remembered":["x","\n"]}`
	data := []byte(text)
	v, err := value.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	want := parse(t, text)
	clear(data)
	if !value.Equal(v, want) {
		t.Errorf("got %v", v)
	}
}

func TestSyntaxError(t *testing.T) {
	t.Parallel()
	const syntax = value.SyntaxGeneral
	for text, want := range map[string]value.SyntaxError{
		"":                      {syntax, "found the end of the text, expected a value", 0, 1, 1, ""},
		" \n ":                  {syntax, "found the end of the text, expected a value", 3, 2, 2, ""},
		"[1,]":                  {syntax, "found a trailing comma, expected no comma before ']'", 2, 1, 3, ""},
		"{\"a\":{\"b\":1 ,\n}}": {syntax, "found a trailing comma, expected no comma before '}'", 12, 1, 13, "/a"},
		"[1,,2]":                {syntax, "found a second comma, expected one", 3, 1, 4, ""},
		"[,1]":                  {syntax, "found ',', expected a value", 1, 1, 2, "/0"},
		"[1 2]":                 {syntax, "found 2, expected ',' or ']' after the element", 3, 1, 4, ""},
		"[1":                    {syntax, "found the end of the text, expected ',' or ']' after the element", 2, 1, 3, ""},
		"[1,":                   {syntax, "found the end of the text, expected a value", 3, 1, 4, "/1"},
		`{"a" 1}`:               {syntax, `found 1, expected ':' after the key "a"`, 5, 1, 6, "/a"},
		`{"a":}`:                {syntax, `found '}', expected a value`, 5, 1, 6, "/a"},
		`{"a":1 "b":2}`:         {syntax, `found a string, expected ',' or '}' after the member`, 7, 1, 8, ""},
		`{"x":[{"a":tru}]}`:     {syntax, `found tru, expected a value`, 11, 1, 12, "/x/0/a"},
		`[nullx]`:               {syntax, `found nullx, expected a value`, 1, 1, 2, "/0"},
		`[NaN]`:                 {syntax, `found NaN, expected a value`, 1, 1, 2, "/0"},
		`[None]`:                {syntax, `found None, expected a value`, 1, 1, 2, "/0"},
		`[+1]`:                  {syntax, `found '+', expected a value`, 1, 1, 2, "/0"},
		`{a:1}`:                 {syntax, `found a, expected a key in double quotes`, 1, 1, 2, ""},
		`{'a':1}`:               {syntax, `found a single quote, expected a key in double quotes`, 1, 1, 2, ""},
		`{"a":'b'}`:             {syntax, `found a single quote, expected a value`, 5, 1, 6, "/a"},
		`{/*x*/}`:               {syntax, `found a comment, expected a key in double quotes`, 1, 1, 2, ""},
		`[01]`:                  {syntax, `found 1, expected no digit after a leading 0`, 2, 1, 3, "/0"},
		`[1.]`:                  {syntax, `found ']', expected a digit after '.'`, 3, 1, 4, "/0"},
		`[-x]`:                  {syntax, `found x, expected a digit`, 2, 1, 3, "/0"},
		`["a]`:                  {syntax, `found the end of the text inside a string, expected '"'`, 4, 1, 5, "/0"},
		`["\`:                   {syntax, `found the end of the text inside a string, expected '"'`, 3, 1, 4, "/0"},
		`["\n`:                  {syntax, `found the end of the text inside a string, expected '"'`, 4, 1, 5, "/0"},
		"[\"a\nb\"]":            {syntax, `found the character U+000A inside a string, expected it escaped, as \n`, 3, 1, 4, "/0"},
		"[\"\\t\x01\"]":         {syntax, `found the character U+0001 inside a string, expected it escaped, as \u0001`, 4, 1, 5, "/0"},
		`["\x41"]`:              {syntax, `found a backslash before x, expected one of "\/bfnrtu after it`, 2, 1, 3, "/0"},
		`["\u12G4"]`:            {syntax, `found G, expected four hexadecimal digits after \u`, 6, 1, 7, "/0"},
		`["\u12`:                {syntax, `found the end of the text, expected four hexadecimal digits after \u`, 6, 1, 7, "/0"},
		"\uFEFF{}":              {syntax, "found a byte order mark, expected a value", 0, 1, 1, ""},
		"[\x00]":                {syntax, "found the character U+0000, expected a value", 1, 1, 2, "/0"},
		"[\xff]":                {syntax, "found the byte 0xff, expected a value", 1, 1, 2, "/0"},
		"[é日本é日本é日本é日本é日本é日本é日本é日本]": {syntax, "found é日本é日本é日本é日本é日本é日本é日…, expected a value", 1, 1, 2, "/0"},

		"{\"é\":\r\n[\"日本\", x]}":            {syntax, "found x, expected a value", 19, 2, 8, "/é/1"},
		`{"a/b":{"~":[0,{"":!}]}}`:           {syntax, "found '!', expected a value", 19, 1, 20, "/a~1b/~0/1/"},
		`{"a":1} {"b":2}`:                    {value.SyntaxTrailingData, "found '{' after the value, expected the end of the text", 8, 1, 9, ""},
		`1 2`:                                {value.SyntaxTrailingData, "found 2 after the value, expected the end of the text", 2, 1, 3, ""},
		"{\n\"a\":1,\n\"b\":{},\n\"a\":2}":   {value.SyntaxDuplicateKey, `found the key "a" a second time (the first is on line 2), expected each key once`, 17, 4, 1, "/a"},
		`[{"x":1,"\u0078":2}]`:               {value.SyntaxDuplicateKey, `found the key "x" a second time (the first is on line 1), expected each key once`, 8, 1, 9, "/0/x"},
		`["\ud800"]`:                         {value.SyntaxUnicode, `found \ud800, which is half of a surrogate pair, expected both halves`, 2, 1, 3, "/0"},
		`["\udc00\ud800"]`:                   {value.SyntaxUnicode, `found \udc00, which is half of a surrogate pair, expected both halves`, 2, 1, 3, "/0"},
		`["x\uD83D\n"]`:                      {value.SyntaxUnicode, `found \uD83D, which is half of a surrogate pair, expected both halves`, 3, 1, 4, "/0"},
		`["x\uD83D\u12"]`:                    {value.SyntaxUnicode, `found \uD83D, which is half of a surrogate pair, expected both halves`, 3, 1, 4, "/0"},
		"[\"ab\xffc\"]":                      {value.SyntaxUnicode, "found the byte 0xff, which is not UTF-8 here", 4, 1, 5, "/0"},
		"[\"\\n\xed\xa0\x80\"]":              {value.SyntaxUnicode, "found the byte 0xed, which is not UTF-8 here", 4, 1, 5, "/0"},
		"{\"\xc0\xaf\":1}":                   {value.SyntaxUnicode, "found the byte 0xc0, which is not UTF-8 here", 2, 1, 3, ""},
		`[1e309]`:                            {value.SyntaxNumberOutside, "found the number 1e309, expected its first digit between 1e-324 and 1e+308: number out of range", 1, 1, 2, "/0"},
		"[" + strings.Repeat("1", 401) + "]": {value.SyntaxNumberOutside, "found a number of 401 characters, expected at most 400: number out of range", 1, 1, 2, "/0"},
	} {
		_, err := value.Parse([]byte(text))
		var got *value.SyntaxError
		if !errors.As(err, &got) {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, *got); diff != "" {
			t.Errorf("%q:\n%s", text, diff)
		}
	}
	for want, err := range map[string]value.SyntaxError{
		"line 3, column 7 (at /a/0): found X": {Msg: "found X", Line: 3, Column: 7, Pointer: "/a/0"},
		"line 1, column 1: found X":           {Msg: "found X", Line: 1, Column: 1},
	} {
		if got := err.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestParseLimits(t *testing.T) {
	t.Parallel()
	nested := func(n int) string { return strings.Repeat(`[`, n) + strings.Repeat(`]`, n) }
	mixed := func(n int) string { return strings.Repeat(`{"a":[`, n) + strings.Repeat(`]}`, n) }
	for _, c := range []struct {
		text    string
		limits  *value.Limits
		kind    string // "" if accepted
		pointer int    // length
	}{
		{nested(200), nil, "", 0},
		{nested(201), nil, value.SyntaxTooDeep, 400},
		{mixed(100), nil, "", 0},
		{mixed(101), nil, value.SyntaxTooDeep, 400},
		{strings.Repeat("[", 1_000_000), nil, value.SyntaxTooDeep, 400},
		{nested(3), &value.Limits{Depth: 3}, "", 0},
		{nested(4), &value.Limits{Depth: 3}, value.SyntaxTooDeep, 6},
		{nested(10_000), &value.Limits{Depth: 1 << 30}, "", 0},
		{nested(10_001), &value.Limits{Depth: 1 << 30}, value.SyntaxTooDeep, 20_000},
		{"[1,2,3]", &value.Limits{Bytes: 7}, "", 0},
		{"[1,2,3]", &value.Limits{Bytes: 6}, value.SyntaxTooLarge, 0},
		{"12.5", &value.Limits{NumberLen: 4}, "", 0},
		{"12.5", &value.Limits{NumberLen: 3}, value.SyntaxNumberOutside, 0},
		{"1234", &value.Limits{NumberLen: 3}, value.SyntaxNumberOutside, 0},
		{"1e10", &value.Limits{Exponent: 10}, "", 0},
		{"1e11", &value.Limits{Exponent: 10}, value.SyntaxNumberOutside, 0},
		{"1e400", &value.Limits{Exponent: 400, NumberLen: -1}, "", 0},
		{"1e99999999999999999999", &value.Limits{Exponent: 1 << 30}, value.SyntaxNumberOutside, 0},
	} {
		_, err := value.ParseLimits([]byte(c.text), c.limits)
		if c.kind == "" {
			if err != nil {
				t.Errorf("%.20s…, %+v: %v", c.text, c.limits, err)
			}
			continue
		}
		var bad *value.SyntaxError
		if !errors.As(err, &bad) || bad.Kind != c.kind || len(bad.Pointer) != c.pointer {
			t.Errorf("%.20s…, %+v: %.100v", c.text, c.limits, err)
		}
	}
	if _, err := value.Parse(make([]byte, value.DefaultLimits.Bytes+1)); err == nil || !strings.Contains(err.Error(), "found a text of 16777217 bytes, expected at most 16777216") {
		t.Errorf("a large text: %v", err)
	}
}

// A parser is used again for the next text, whatever became of the one before.
func TestParseAfterMistakes(t *testing.T) {
	t.Parallel()
	for range 100 {
		for _, bad := range []string{`[[1,[2,x`, `{"a":{"b":[1,{"c":`, strings.Repeat("[", 300)} {
			if _, err := value.Parse([]byte(bad)); err == nil {
				t.Fatal("accepted ", bad)
			}
			if got := parse(t, `{"a":[1,{"b":2}]}`).String(); got != `{"a":[1,{"b":2}]}` {
				t.Fatalf("then got %s", got)
			}
		}
	}
}

// suite gives the directory of a public test suite.
func suite(t *testing.T, name string) string {
	t.Helper()
	data := os.Getenv("WF_DATA")
	if data == "" {
		if os.Getenv("WF_REQUIRE") != "" {
			t.Fatal("WF_DATA is not set")
		}
		t.Skip("WF_DATA is not set: it names the directory of the public test suites")
	}
	return filepath.Join(data, name)
}

// TestJSONTestSuite runs github.com/nst/JSONTestSuite: y must be accepted, n refused, i may be either.
func TestJSONTestSuite(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(suite(t, "JSONTestSuite"), "test_parsing", "*.json"))
	if err != nil || len(files) < 300 {
		t.Fatalf("found %d files: %v", len(files), err)
	}
	duplicates := map[string]bool{"y_object_duplicated_key.json": true, "y_object_duplicated_key_and_value.json": true}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v, err := value.Parse(data)
		name := filepath.Base(file)
		switch {
		case duplicates[name]:
			var bad *value.SyntaxError
			if !errors.As(err, &bad) || bad.Kind != value.SyntaxDuplicateKey {
				t.Errorf("%s: %v", name, err)
			}
		case name[0] == 'y' && err != nil:
			t.Errorf("%s: %v", name, err)
		case name[0] == 'n' && err == nil:
			t.Errorf("%s was accepted as %v", name, v)
		}
		if err == nil {
			if again := parse(t, v.String()); !value.Equal(v, again) {
				t.Errorf("%s reads back as %v", name, again)
			}
		}
	}
}

func refused(t *testing.T, text, kind string) *value.SyntaxError {
	t.Helper()
	_, err := value.Parse([]byte(text))
	var bad *value.SyntaxError
	if !errors.As(err, &bad) {
		t.Fatalf("%q: %v", text, err)
	}
	if bad.Kind != kind {
		t.Errorf("%q: %s, want %s", text, bad.Kind, kind)
	}
	return bad
}

func TestNE05_LoneSurrogate(t *testing.T) {
	t.Parallel()
	bad := refused(t, `{"t":"x\ud800y","ok":"\ud83d\ude00"}`, value.SyntaxUnicode)
	if bad.Pointer != "/t" || bad.Offset != 7 {
		t.Errorf("refused at %s, %d", bad.Pointer, bad.Offset)
	}
	if s, _ := parse(t, `{"ok":"\ud83d\ude00"}`).Get("ok").AsString(); s != "\U0001F600" {
		t.Errorf("a whole pair became %q", s)
	}
}

func TestNE07_DuplicateKey(t *testing.T) {
	t.Parallel()
	bad := refused(t, "{\"start\":\"a\",\n \"start\":\"b\"}", value.SyntaxDuplicateKey)
	if bad.Line != 2 || bad.Column != 2 || bad.Pointer != "/start" {
		t.Errorf("refused at line %d, column %d, %s", bad.Line, bad.Column, bad.Pointer)
	}
}

func TestNE09_TrailingData(t *testing.T) {
	t.Parallel()
	const plan = `{"name":"p"}`
	for _, rest := range []string{" }", `{"name":"q"}`, " // note"} {
		bad := refused(t, plan+rest, value.SyntaxTrailingData)
		if want := len(plan) + len(rest) - len(strings.TrimLeft(rest, " ")); bad.Offset != want {
			t.Errorf("%q: refused at %d, want %d", rest, bad.Offset, want)
		}
	}
	parse(t, plan+"\n\n")
}
