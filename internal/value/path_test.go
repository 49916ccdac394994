package value_test

import (
	"errors"
	"testing"

	"lda.chat/wf/internal/value"
)

// path makes a path of strings and ints.
func path(parts ...any) value.Path {
	p := value.Path{}
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			p = append(p, value.Part{Key: part})
		case int:
			p = append(p, value.Part{Index: part, IsIndex: true})
		}
	}
	return p
}

func TestPointer(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]value.Path{
		"": {}, "/a": path("a"), "/a/0/b": path("a", 0, "b"), "/": path(""), "/~1~0~01": path("/~~1"), "/é//1": path("é", "", "1"),
	} {
		if got := p.Pointer(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestAt(t *testing.T) {
	t.Parallel()
	v := parse(t, `{"items":[{"title":"x"},[1,2]],"n":null,"0":"zero"}`)
	for _, c := range []struct {
		p    value.Path
		want string
	}{
		{path(), v.String()}, {path("items", 0, "title"), `"x"`}, {path("items", 1, 1), "2"}, {path("n"), "null"}, {path("0"), `"zero"`},
		{path("items", 2), "absent"}, {path("items", -1), "absent"}, {path("items", "0"), "absent"}, {path(0), "absent"}, {path("n", "x"), "absent"},
		{path("n", 0), "absent"}, {path("none", "deeper", 3), "absent"}, {path("items", 0, "title", 0), "absent"},
	} {
		if got := v.At(c.p).String(); got != c.want {
			t.Errorf("At(%s) = %s, want %s", c.p.Pointer(), got, c.want)
		}
	}
	if got := (value.Value{}).At(path("a")); !got.IsAbsent() {
		t.Errorf("in nothing there is %v", got)
	}
}

func TestSet(t *testing.T) {
	t.Parallel()
	const doc = `{"items":[{"title":"x"},[1,2]],"n":null,"s":"text"}`
	x := value.String("new")
	for _, c := range []struct {
		doc  string // "" for absent
		p    value.Path
		x    value.Value
		want string // the new value, or the error
		at   int    // of the error
		kind value.Kind
	}{
		{doc: doc, p: path(), x: x, want: `"new"`},
		{doc: doc, p: path("n"), x: x, want: `{"items":[{"title":"x"},[1,2]],"n":"new","s":"text"}`},
		{doc: doc, p: path("items", 0, "title"), x: x, want: `{"items":[{"title":"new"},[1,2]],"n":null,"s":"text"}`},
		{doc: doc, p: path("items", 1, 0), x: x, want: `{"items":[{"title":"x"},["new",2]],"n":null,"s":"text"}`},
		{doc: doc, p: path("items", 0, "a", "b"), x: x, want: `{"items":[{"a":{"b":"new"},"title":"x"},[1,2]],"n":null,"s":"text"}`},
		{doc: doc, p: path("items", 1, 0), want: `{"items":[{"title":"x"},[null,2]],"n":null,"s":"text"}`},
		{doc: doc, p: path("items", 0, "title"), want: `{"items":[{},[1,2]],"n":null,"s":"text"}`},
		{doc: doc, p: path("none", "deeper"), want: doc},
		{doc: "", p: path("a", "b"), x: x, want: `{"a":{"b":"new"}}`},
		{doc: "", p: path("a", "b"), want: "absent"},
		{doc: doc, p: path("n", "a"), x: x, at: 1, kind: value.KindNull, want: `found null at /n, expected an object for the member "a"`},
		{doc: doc, p: path("s", "a", "b"), x: x, at: 1, kind: value.KindString, want: `found a string at /s, expected an object for the member "a"`},
		{doc: doc, p: path("items", "a"), x: x, at: 1, kind: value.KindArray, want: `found an array at /items, expected an object for the member "a"`},
		{doc: doc, p: path("items", 2), x: x, at: 1, kind: value.KindArray, want: `found an array at /items without an element 2; a path replaces elements and adds none`},
		{doc: doc, p: path("items", -1), x: x, at: 1, kind: value.KindArray, want: `found an array at /items without an element -1; a path replaces elements and adds none`},
		{doc: doc, p: path(0), x: x, at: 0, kind: value.KindObject, want: `found an object, expected an array with an element 0`},
		{doc: doc, p: path("new", 0), x: x, at: 1, kind: value.KindAbsent, want: `found nothing at /new, expected an array with an element 0`},
		{doc: "", p: path(0), x: x, at: 0, kind: value.KindAbsent, want: `found nothing, expected an array with an element 0`},
	} {
		var v value.Value
		if c.doc != "" {
			v = parse(t, c.doc)
		}
		before := v.String()
		got, err := v.Set(c.p, c.x)
		if v.String() != before {
			t.Errorf("Set(%s) changed the old version to %v", c.p.Pointer(), v)
		}
		if err == nil {
			if got.String() != c.want {
				t.Errorf("Set(%s) = %v, want %s", c.p.Pointer(), got, c.want)
			}
			continue
		}
		var bad *value.PathError
		if !errors.As(err, &bad) || bad.Error() != c.want || bad.At != c.at || bad.Found != c.kind {
			t.Errorf("Set(%s): %v, %+v\nwant %s", c.p.Pointer(), err, bad, c.want)
		}
	}
}

func TestUnset(t *testing.T) {
	t.Parallel()
	const doc = `{"a":{"b":1,"c":[{"d":2}]},"n":null}`
	for _, c := range []struct {
		p    value.Path
		want string
	}{
		{path("a", "b"), `{"a":{"c":[{"d":2}]},"n":null}`},
		{path("n"), `{"a":{"b":1,"c":[{"d":2}]}}`},
		{path("a", "c", 0, "d"), `{"a":{"b":1,"c":[{}]},"n":null}`},
		{path(), doc}, {path("a", "c", 0), doc}, {path("a", "c", 7), doc}, {path("x", "y"), doc}, {path("n", "y"), doc}, {path("a", "x"), doc}, {path(3, "x"), doc},
	} {
		v := parse(t, doc)
		if got := v.Unset(c.p); got.String() != c.want {
			t.Errorf("Unset(%s) = %v, want %s", c.p.Pointer(), got, c.want)
		}
		if v.String() != doc {
			t.Errorf("Unset(%s) changed the old version to %v", c.p.Pointer(), v)
		}
	}
}
