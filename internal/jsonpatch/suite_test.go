package jsonpatch_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

// TestSuite runs https://github.com/json-patch/json-patch-tests: all records but those that are disabled or expect nothing.
func TestSuite(t *testing.T) {
	t.Parallel()
	data := os.Getenv("WF_DATA")
	if data == "" {
		if os.Getenv("WF_REQUIRE") != "" {
			t.Fatal("WF_DATA is not set, and WF_REQUIRE asks for it")
		}
		t.Skip("WF_DATA is not set: the public test suites are not at hand")
	}
	for name, want := range map[string]int{"spec_tests.json": 16, "tests.json": 92} {
		text, err := os.ReadFile(filepath.Join(data, "json-patch-tests", name))
		if err != nil {
			t.Fatal(err)
		}
		var records []struct {
			Comment, Error       string
			Doc, Patch, Expected json.RawMessage
			Disabled             bool
		}
		if err := json.Unmarshal(text, &records); err != nil {
			t.Fatal(err)
		}
		count := 0
		for i, r := range records {
			if r.Disabled || r.Expected == nil && r.Error == "" {
				continue
			}
			count++
			doc := parse(t, string(r.Doc))
			patch, err := jsonpatch.ParseText(r.Patch)
			var got value.Value
			if err == nil {
				got, err = jsonpatch.Apply(doc, patch, nil)
			}
			switch {
			case r.Error != "" && err == nil:
				t.Errorf("%s %d %q: got %s, expected a failure: %s", name, i, r.Comment, got, r.Error)
			case r.Error == "" && err != nil:
				t.Errorf("%s %d %q: %v", name, i, r.Comment, err)
			case r.Error == "" && !value.Equal(got, parse(t, string(r.Expected))):
				t.Errorf("%s %d %q: got %s, expected %s", name, i, r.Comment, got, r.Expected)
			}
			if err != nil {
				t.Logf("%s %d: %v", name, i, err)
				continue
			}
			checkText(t, r.Doc, patch)
		}
		if count != want {
			t.Errorf("%s has %d records that count, expected %d", name, count, want)
		}
	}
}

func parse(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// checkText checks that a text and its value are changed alike.
func checkText(t testing.TB, text []byte, patch jsonpatch.Patch) {
	t.Helper()
	doc, err := value.ParseDocument(text)
	if err != nil {
		t.Fatal(err)
	}
	want, failure := jsonpatch.Apply(doc.Root, patch, nil)
	changed, err := jsonpatch.ApplyText(text, patch, nil, nil)
	if (failure == nil) != (err == nil) || failure != nil && failure.Error() != err.Error() {
		t.Fatalf("of the value %v, of the text %v", failure, err)
	}
	if failure != nil {
		return
	}
	got, err := value.ParseDocument(changed)
	if err != nil || !value.Equal(got.Root, want) {
		t.Errorf("%s\nbecame %s\nexpected %s (%v)", text, changed, want, err)
	}
}
