package jsonpatch_test

import (
	"errors"
	"strings"
	"testing"

	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

func TestPointer(t *testing.T) {
	t.Parallel()
	// The examples of RFC 6901, section 5.
	doc := parse(t, `{"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8, "~1": 9}`)
	for pointer, want := range map[string]string{
		"": doc.String(), "/foo": `["bar","baz"]`, "/foo/0": `"bar"`, "/": "0", "/a~1b": "1", "/c%d": "2", "/e^f": "3", "/g|h": "4",
		`/i\j`: "5", `/k"l`: "6", "/ ": "7", "/m~0n": "8", "/~01": "9",
		"/foo/-": "", "/foo/2": "", "/foo/01": "", "/foo/+1": "", "/foo/-1": "", "/foo/1e0": "", "/foo/": "", "/foo/0/x": "", "/bar": "",
		"/foo/99999999999999999999999999": "",
	} {
		p, err := jsonpatch.ParsePointer(pointer)
		if err != nil {
			t.Fatal(err)
		}
		if found := p.Find(doc); found.String() != want && (want != "" || !found.IsAbsent()) {
			t.Errorf("%s is %s, expected %s", pointer, found, want)
		}
		if p.String() != pointer {
			t.Errorf("%s is written %s", pointer, p)
		}
	}
	for _, bad := range []string{"foo", "/~", "/~2", "/a~", "#/foo"} {
		if p, err := jsonpatch.ParsePointer(bad); err == nil {
			t.Errorf("%s was read as %q", bad, p)
		}
	}
}

// TestMistakes shows what is said about patches that are none, and about operations that cannot be done.
func TestMistakes(t *testing.T) {
	t.Parallel()
	const doc = `{"a": [1, 2, 3], "b": {"c": "text"}, "n": 12345678901234567890, "empty": []}`
	for patch, want := range map[string]string{
		`{}`:           `the patch is malformed at the patch: found an object of 0 members, expected an array of operations`,
		`[1]`:          `the patch is malformed at /0: found the number 1, expected an operation, which is an object`,
		`[{"op": ""}]`: `the patch is malformed at /0/op: found the string "", expected "add", "remove", "replace", "move", "copy" or "test"`,
		`[{"op": "add"}, {"op": "remove", "path": "/~2"}]`:               `the patch is malformed at /0/path: found nothing, expected a JSON Pointer, which is a string (and 2 more)`,
		`[{"op": "move", "from": "/b", "path": "/b/d"}]`:                 `the patch is malformed at /0/path: found "/b/d", expected a place that is not inside /b, which moves`,
		`[{"op": "move", "from": "", "path": "/b"}]`:                     `the patch is malformed at /0/path: found "/b", expected a place that is not inside the whole document, which moves`,
		`[{"op": "remove", "path": ""}]`:                                 `operation 0, remove: found the whole document at the top, expected a place in it: nothing would be left`,
		`[{"op": "remove", "path": "/a/-"}]`:                             `operation 0, remove: found nothing at /a/-, expected a position of the array, from 0 to 2, without leading zeros`,
		`[{"op": "test", "path": "/a/03", "value": 1}]`:                  `operation 0, test: found nothing at /a/03, expected a position of the array, from 0 to 2, without leading zeros`,
		`[{"op": "remove", "path": "/empty/0"}]`:                         `operation 0, remove: found nothing at /empty/0, expected an element, but the array is empty`,
		`[{"op": "add", "path": "/a/4", "value": 1}]`:                    `operation 0, add: found no place for an element at /a/4, expected a position from 0 to 3, without leading zeros, or "-" for the end of the array`,
		`[{"op": "add", "path": "/x/y", "value": 1}]`:                    `operation 0, add: found nothing at /x, expected a member of that name`,
		`[{"op": "add", "path": "/b/c/d", "value": 1}]`:                  `operation 0, add: found the string "text" at /b/c, expected an object or an array to add to`,
		`[{"op": "replace", "path": "/b/c/d/e", "value": 1}]`:            `operation 0, replace: found the string "text" at /b/c, expected an object or an array that has "d"`,
		`[{"op": "replace", "path": "/b/d", "value": 1}]`:                `operation 0, replace: found nothing at /b/d, expected a member of that name`,
		`[{"op": "move", "from": "/x", "path": "/x"}]`:                   `operation 0, move: found nothing at /x, expected a member of that name`,
		`[{"op": "test", "path": "/n", "value": 12345678901234567891}]`:  `operation 0, test: found the number 12345678901234567890 at /n, expected the number 12345678901234567891`,
		`[{"op": "test", "path": "/b", "value": null}]`:                  `operation 0, test: found the object {"c":"text"} at /b, expected null`,
		`[{"op": "remove", "path": "/a"}, {"op": "copy", "from": "/a"}]`: `the patch is malformed at /1/path: found nothing, expected a JSON Pointer, which is a string`,
	} {
		before := parse(t, doc)
		p, err := jsonpatch.ParseText([]byte(patch))
		if err == nil {
			var after value.Value
			after, err = jsonpatch.Apply(before, p, nil)
			checkText(t, []byte(doc), p)
			if !value.Equal(before, after) {
				t.Errorf("%s failed, but left %s", patch, after)
			}
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", patch, err, want)
		}
	}
}

// TestAllOrNothing: the first operations of a patch that fails leave nothing behind.
func TestAllOrNothing(t *testing.T) {
	t.Parallel()
	doc := parse(t, `{"list": [1, {"a": [2]}], "o": {}}`)
	text := doc.String()
	patch, err := jsonpatch.ParseText([]byte(`[
		{"op": "add", "path": "/list/-", "value": 3}, {"op": "remove", "path": "/list/0"}, {"op": "add", "path": "/list/0/a/0", "value": 0},
		{"op": "replace", "path": "/list/0/a/1", "value": 9}, {"op": "move", "from": "/list", "path": "/o/l"}, {"op": "test", "path": "/o", "value": 0}]`))
	if err != nil {
		t.Fatal(err)
	}
	after, err := jsonpatch.Apply(doc, patch, nil)
	var failure *jsonpatch.Error
	if !errors.As(err, &failure) || failure.Operation != 5 || failure.Reason != jsonpatch.TestFailed || failure.Pointer != "/o" {
		t.Errorf("error %+v", failure)
	}
	if after.String() != text || doc.String() != text {
		t.Errorf("left %s, and the document is %s", after, doc)
	}
}

func TestEqualNumbersPassTests(t *testing.T) {
	t.Parallel()
	doc := parse(t, `{"a": 1.0, "b": [1e2, -0]}`)
	patch, err := jsonpatch.ParseText([]byte(`[{"op": "test", "path": "/a", "value": 1}, {"op": "test", "path": "/b", "value": [100, 0.0]}, {"op": "test", "path": "", "value": {"b": [100, 0], "a": 1}}]`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := jsonpatch.Apply(doc, patch, nil); err != nil {
		t.Error(err)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	double := `{"op": "copy", "from": "", "path": "/a"},`
	grow := "[" + strings.Repeat(`{"op": "copy", "from": "/0", "path": "/-"},`, 9) + `{"op": "copy", "from": "/0", "path": "/-"}]`
	for name, test := range map[string]struct {
		doc, patch string
		limits     *jsonpatch.Limits
		at         int
	}{
		"a document in itself, doubled a hundred times": {`{}`, "[" + strings.Repeat(double+`{"op": "copy", "from": "", "path": "/b"},`, 50) + `{"op": "test", "path": "", "value": 0}]`, nil, 29},
		"levels":     {`{}`, "[" + double + double + double + `{"op": "test", "path": "", "value": 0}]`, &jsonpatch.Limits{Depth: 3}, 2},
		"bytes":      {`["12345678"]`, grow, &jsonpatch.Limits{Bytes: 60}, 4},
		"operations": {`["1"]`, grow, &jsonpatch.Limits{Operations: 9}, 9},
		"work":       {`["1"]`, grow, &jsonpatch.Limits{Work: 10}, 4},
	} {
		patch, err := jsonpatch.ParseText([]byte(test.patch))
		if err != nil {
			t.Fatal(err)
		}
		_, err = jsonpatch.Apply(parse(t, test.doc), patch, test.limits)
		var failure *jsonpatch.Error
		if !errors.As(err, &failure) || failure.Reason != jsonpatch.TooLarge || failure.Operation != test.at {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := jsonpatch.ApplyText([]byte(test.doc), patch, test.limits, nil); !errors.As(err, &failure) || failure.Reason != jsonpatch.TooLarge {
			t.Errorf("%s, of the text: %v", name, err)
		}
	}
}
