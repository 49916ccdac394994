package jsonpatch_test

import (
	"testing"

	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

// TestTextStaysAsWritten: only what a patch names changes in the text.
func TestTextStaysAsWritten(t *testing.T) {
	t.Parallel()
	const lines = "{\n  \"z\": [\n    1.0,\n    2\n  ],\n  \"a\": {\"y\": 1, \"x\": 1e2}\n}\n"
	for _, test := range []struct{ name, text, patch, want string }{
		{"replace", lines, `[{"op": "replace", "path": "/a/x", "value": {"b": [1, 2]}}]`, "{\n  \"z\": [\n    1.0,\n    2\n  ],\n  \"a\": {\"y\": 1, \"x\": {\"b\":[1,2]}}\n}\n"},
		{"replace the top", "\uFEFF [1] \n", `[{"op": "replace", "path": "", "value": 2}]`, "\uFEFF 2 \n"},
		{"rename", lines, `[{"op": "move", "from": "/z", "path": "/list/"}]`, ""},
		{"rename in place", lines, `[{"op": "move", "from": "/z", "path": "/l\"t"}]`, "{\n  \"l\\\"t\": [\n    1.0,\n    2\n  ],\n  \"a\": {\"y\": 1, \"x\": 1e2}\n}\n"},
		{"rename over another", lines, `[{"op": "move", "from": "/a/y", "path": "/a/x"}]`, "{\n  \"z\": [\n    1.0,\n    2\n  ],\n  \"a\": {\"x\": 1}\n}\n"},
		{"move out", lines, `[{"op": "move", "from": "/a/x", "path": "/z/0"}]`, "{\n  \"z\": [\n    1e2,\n    1.0,\n    2\n  ],\n  \"a\": {\"y\": 1}\n}\n"},
		{"copy", lines, `[{"op": "copy", "from": "/a", "path": "/b"}]`, "{\n  \"z\": [\n    1.0,\n    2\n  ],\n  \"a\": {\"y\": 1, \"x\": 1e2},\n  \"b\": {\"y\": 1, \"x\": 1e2}\n}\n"},
		{"append", lines, `[{"op": "add", "path": "/z/-", "value": 3}, {"op": "add", "path": "/z/3", "value": 4}]`, "{\n  \"z\": [\n    1.0,\n    2,\n    3,\n    4\n  ],\n  \"a\": {\"y\": 1, \"x\": 1e2}\n}\n"},
		{"remove the last", lines, `[{"op": "remove", "path": "/a"}]`, "{\n  \"z\": [\n    1.0,\n    2\n  ]\n}\n"},
		{"remove the first", lines, `[{"op": "remove", "path": "/z"}]`, "{\n  \"a\": {\"y\": 1, \"x\": 1e2}\n}\n"},
		{"remove all", lines, `[{"op": "remove", "path": "/z/0"}, {"op": "remove", "path": "/z/0"}, {"op": "remove", "path": "/a/x"}, {"op": "remove", "path": "/a/y"}]`, "{\n  \"z\": [],\n  \"a\": {}\n}\n"},
		{"into what is empty", `{"a": { }, "b": []}`, `[{"op": "add", "path": "/a/x", "value": 1}, {"op": "add", "path": "/b/-", "value": 1}]`, `{"a": {"x": 1}, "b": [1]}`},
		{"into what is empty on two lines", "{\n  \"a\": [\r\n\t],\n  \"b\": {\n  }\n}", `[{"op": "add", "path": "/a/-", "value": 1}, {"op": "add", "path": "/a/-", "value": 2}, {"op": "add", "path": "/b/x", "value": 3}]`,
			"{\n  \"a\": [\r\n\t  1,\r\n\t  2\r\n\t],\n  \"b\": {\n    \"x\": 3\n  }\n}"},
		{"on one line", `{"a": 1}`, `[{"op": "add", "path": "/b", "value": 2}]`, `{"a": 1, "b": 2}`},
		{"one member for another", lines, `[{"op": "remove", "path": "/a/y"}, {"op": "add", "path": "/a/w", "value": 2}]`, "{\n  \"z\": [\n    1.0,\n    2\n  ],\n  \"a\": {\"w\": 2, \"x\": 1e2}\n}\n"},
		{"one member for one that is there", `{"a": 1, "b": 2}`, `[{"op": "remove", "path": "/a"}, {"op": "add", "path": "/b", "value": 3}]`, `{"b": 3}`},
		{"one element for another", `[1, 2]`, `[{"op": "remove", "path": "/0"}, {"op": "add", "path": "/1", "value": 3}]`, `[2, 3]`},
		{"without spaces", `{"a":1,"l":[1,2]}`, `[{"op": "add", "path": "/b", "value": 2}, {"op": "add", "path": "/l/0", "value": 0}]`, `{"a":1,"l":[0,1,2],"b":2}`},
		{"one alone on its line", "{\r\n\t\"a\":1\r\n}", `[{"op": "add", "path": "/b", "value": 2}]`, "{\r\n\t\"a\":1,\r\n\t\"b\":2\r\n}"},
		{"keys with escapes", `{"\u0061": 1, "\"": "\\\"]"}`, `[{"op": "replace", "path": "/a", "value": 2}, {"op": "remove", "path": "/\""}]`, `{"\u0061": 2}`},
	} {
		patch, err := jsonpatch.ParseText([]byte(test.patch))
		if err != nil {
			t.Fatal(err)
		}
		checkText(t, []byte(test.text), patch)
		if test.want == "" { // it fails
			continue
		}
		got, err := jsonpatch.ApplyText([]byte(test.text), patch, nil, nil)
		if err != nil || string(got) != test.want {
			t.Errorf("%s: got\n%s\nexpected\n%s\n%v", test.name, got, test.want, err)
		}
	}
}

func TestTextIsWrittenByTheCaller(t *testing.T) {
	t.Parallel()
	patch, err := jsonpatch.ParseText([]byte(`[{"op": "add", "path": "/b", "value": {"c": 1}}]`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := jsonpatch.ApplyText([]byte(`{}`), patch, nil, value.Indent)
	if err != nil || string(got) != "{\"b\": {\n  \"c\": 1\n}}" {
		t.Errorf("got %s, %v", got, err)
	}
	if _, err := jsonpatch.ApplyText([]byte(`{`), patch, nil, nil); err == nil {
		t.Error("a text that is no JSON was changed")
	}
}
