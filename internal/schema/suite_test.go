package schema

import (
	"os"
	"path/filepath"
	"testing"

	"lda.chat/wf/internal/value"
)

// suiteSkipped are the files of the public suite that ask for what the gate refuses or does not assert, and why.
var suiteSkipped = map[string]string{
	"dynamicRef.json": "$dynamicRef is reported and not evaluated",
	"vocabulary.json": "custom meta-schemas and vocabularies are not read",
	"refRemote.json":  "references to other documents are refused",
}

// suiteRefused are single schemas of the suite, by file and description, which the gate refuses, and why.
var suiteRefused = map[string]string{
	"draft2020-12/enum.json: empty enum":                              "an enum without values is a mistake of its author",
	"draft2020-12/ref.json: remote ref, containing refs itself":       "refers to the meta-schema",
	"draft2020-12/defs.json: validate definition against metaschema":  "refers to the meta-schema",
	"draft7/ref.json: remote ref, containing refs itself":             "refers to the meta-schema",
	"draft7/definitions.json: validate definition against metaschema": "refers to the meta-schema",
}

// suiteUnchecked are schemas of the suite with a keyword that is reported and not checked.
var suiteUnchecked = map[string]bool{
	"draft2020-12/unevaluatedItems.json: unevaluatedItems with $dynamicRef":           true,
	"draft2020-12/unevaluatedProperties.json: unevaluatedProperties with $dynamicRef": true,
}

func dataDir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("WF_DATA")
	if dir == "" {
		if os.Getenv("WF_REQUIRE") != "" {
			t.Fatal("WF_DATA is not set, and WF_REQUIRE asks for it")
		}
		t.Skip("WF_DATA is not set: the public test suites are not at hand")
	}
	return dir
}

func TestSuite(t *testing.T) {
	t.Parallel()
	for _, draft := range []string{"draft2020-12", "draft7"} {
		files, err := filepath.Glob(filepath.Join(dataDir(t), "JSON-Schema-Test-Suite", "tests", draft, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files of the suite: %v", err)
		}
		for _, file := range files {
			name := filepath.Base(file)
			t.Run(draft+"/"+name, func(t *testing.T) {
				t.Parallel()
				if why := suiteSkipped[name]; why != "" {
					t.Skip(why)
				}
				runSuite(t, draft, file)
			})
		}
	}
}

func runSuite(t *testing.T, draft, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	groups, err := value.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range groups.Items() {
		about, _ := group.Get("description").AsString()
		raw := group.Get("schema")
		if draft == "draft7" && raw.Kind() == value.KindObject && raw.Get("$schema").IsAbsent() {
			raw = raw.With("$schema", value.String("http://json-schema.org/draft-07/schema#"))
		}
		s, problems := FromValue(raw, nil)
		key := draft + "/" + filepath.Base(file) + ": " + about
		if s == nil {
			if suiteRefused[key] == "" {
				t.Errorf("%q refused: %v", key, problems)
			}
			continue
		}
		if suiteRefused[key] != "" {
			t.Errorf("%q is no longer refused", key)
		}
		if suiteUnchecked[key] {
			if len(problems) == 0 {
				t.Errorf("%q: no problem reported", key)
			}
			continue
		}
		for _, test := range group.Get("tests").Items() {
			what, _ := test.Get("description").AsString()
			want, _ := test.Get("valid").AsBool()
			data := test.Get("data")
			if got := s.Valid(data); got != want {
				t.Errorf("%s: %s: valid is %v, want %v\nschema %v\ndata %v\n%v", about, what, got, want, raw, data, problems)
			}
			if got := s.Check(data); (got == nil) != want {
				t.Errorf("%s: %s: Check gave %v", about, what, got)
			}
			if s.node.engine {
				continue
			}
			if got := s.lib().valid(data, s.node); got != want {
				t.Errorf("%s: %s: the library says %v, want %v (%v)\n%s\n%v", about, what, got, want, s.lib().err, engineCopy(s.node), data)
			}
		}
	}
}
