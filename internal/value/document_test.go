package value_test

import (
	"errors"
	"slices"
	"testing"

	"lda.chat/wf/internal/value"
)

func TestDocument(t *testing.T) {
	t.Parallel()
	text := "\uFEFF{ \"name\" : \"日本\", \"x\":[10,\r\n\t[], {\"a/b\" :{\"~\":true,\"\\u0061\":-1.5e3}},\"q\\\"]}\"\r\n, 7],\n\"\":null,\"0\":\"zero\" }\n"
	d, err := value.ParseDocument([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"":null,"0":"zero","name":"日本","x":[10,[],{"a/b":{"a":-1.5e3,"~":true}},"q\"]}",7]}`; d.Root.String() != want {
		t.Errorf("got %v, want %s", d.Root, want)
	}
	for pointer, want := range map[string][2]int{
		"": {1, 1}, "/name": {1, 12}, "/x": {1, 22}, "/x/0": {1, 23}, "/x/1": {2, 2}, "/x/2": {2, 6}, "/x/2/a~1b": {2, 14},
		"/x/2/a~1b/~0": {2, 19}, "/x/2/a~1b/a": {2, 33}, "/x/3": {2, 42}, "/x/4": {3, 3}, "/": {4, 4}, "/0": {4, 13},
	} {
		line, column, ok := d.Position(pointer)
		if !ok || line != want[0] || column != want[1] {
			t.Errorf("Position(%q) = %d, %d, %v, want %v", pointer, line, column, ok, want)
		}
	}
	for _, pointer := range []string{"x", "/none", "/x/5", "/x/-1", "/x/00", "/x/+1", "/x/a", "/x/0/0", "/name/0", "/x/2/a/b", "//x", "/x/1/0"} {
		if line, column, ok := d.Position(pointer); ok {
			t.Errorf("Position(%q) = %d, %d", pointer, line, column)
		}
	}
}

func TestDocumentKeys(t *testing.T) {
	t.Parallel()
	d, err := value.ParseDocument([]byte("\uFEFF{\"b\": {\"z\":{\"q\":[{}]} ,\"\\u0061\" : \"}\", \"\":[]\n}, \"a\": [], \"c\": {}}"))
	if err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string][]string{"": {"b", "a", "c"}, "/b": {"z", "a", ""}, "/b/z": {"q"}, "/c": nil, "/a": nil, "/b/a": nil, "/d": nil} {
		if got := d.Keys(pointer); !slices.Equal(got, want) {
			t.Errorf("Keys(%q) = %q, want %q", pointer, got, want)
		}
	}
}

func TestDocumentScalar(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"7", " \n\"a\"", "null"} {
		d, err := value.ParseDocument([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, ok := d.Position(""); !ok {
			t.Errorf("%q has no position", text)
		}
		if _, _, ok := d.Position("/a"); ok {
			t.Errorf("%q has something inside", text)
		}
	}
}

func TestDocumentMistake(t *testing.T) {
	t.Parallel()
	_, err := value.ParseDocument([]byte("\uFEFF{\"é\": x}"))
	var bad *value.SyntaxError
	if !errors.As(err, &bad) || bad.Offset != 10 || bad.Line != 1 || bad.Column != 7 || bad.Pointer != "/é" {
		t.Errorf("%+v", bad)
	}
	if _, err := value.ParseDocument([]byte("\uFEFF\uFEFF{}")); err == nil {
		t.Error("two byte order marks were accepted")
	}
}
