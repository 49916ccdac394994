package jsonpatch_test

import (
	"testing"

	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

// FuzzApply: no patch panics, none changes the document that it was given, a text and its value are changed alike, and what
// comes out can be parsed.
func FuzzApply(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"a": [1, {"b": null}]}`, `[{"op": "add", "path": "/a/-", "value": 2}, {"op": "move", "from": "/a/1/b", "path": "/c"}, {"op": "copy", "from": "/a", "path": "/a/0"}]`},
		{`[ ]`, `[{"op": "replace", "path": "", "value": {}}, {"op": "add", "path": "/", "value": 1}, {"op": "test", "path": "/", "value": 1.0}]`},
		{`{"~": {"/": [[]]}}`, `[{"op": "remove", "path": "/~0/~1/0"}, {"op": "add", "path": "/~0/~1/0", "value": ""}, {"op": "move", "from": "/~0", "path": "/\""}]`},
		{`{"a": 1, "b" :2}`, `[{"op": "remove", "path": "/a"}, {"op": "add", "path": "/c", "value": 1}, {"op": "remove", "path": "/b"}, {"op": "add", "path": "/b", "value": 1}]`},
		{"\uFEFF{\r\n\"x\":1}", `[{"op": "copy", "from": "", "path": "/y"}, {"op": "remove", "path": "/x"}]`},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, text, operations []byte) {
		doc, err := value.ParseDocument(text)
		if err != nil {
			return
		}
		patch, err := jsonpatch.ParseText(operations)
		if err != nil {
			if err.Error() == "" {
				t.Error("a mistake without a message")
			}
			return
		}
		before := doc.Root.String()
		limits := &jsonpatch.Limits{Operations: 50, Bytes: 1 << 12}
		after, err := jsonpatch.Apply(doc.Root, patch, limits)
		if doc.Root.String() != before {
			t.Errorf("the document changed to %s", doc.Root)
		}
		if err != nil {
			if !value.Equal(after, doc.Root) {
				t.Errorf("failed, but left %s", after)
			}
			return
		}
		if _, err := value.Parse(after.JSON()); err != nil {
			t.Errorf("%s cannot be parsed: %v", after, err)
		}
		changed, err := jsonpatch.ApplyText(text, patch, nil, nil)
		if err != nil {
			t.Fatalf("the value changes, the text does not: %v", err)
		}
		if again, err := value.ParseDocument(changed); err != nil || !value.Equal(again.Root, after) {
			t.Errorf("the text is %s (%v), the value %s", changed, err, after)
		}
	})
}

// FuzzPointer: what is read is written as it was.
func FuzzPointer(f *testing.F) {
	for _, seed := range []string{"", "/", "/a~1b/~0/01/-", "a", "/~", "//"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if p, err := jsonpatch.ParsePointer(s); err == nil && p.String() != s {
			t.Errorf("%q is written %q", s, p)
		}
	})
}
