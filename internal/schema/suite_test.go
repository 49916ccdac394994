package schema

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf/internal/value"
)

// exception is what the public suite tests and we do not do: a whole file of it, or one group of tests.
type exception struct {
	draft, file, group string // no group means all of the file
	refused            bool   // by the gate; otherwise the schema is let in, and can refuse what the suite accepts
	why                string
}

// exceptions are all that there are; docs/json-schema.md lists them.
var exceptions = []exception{
	{"draft2020-12", "dynamicRef.json", "", true, "a dynamic reference depends on the way to it"},
	{"draft2020-12", "unevaluatedItems.json", "unevaluatedItems with $dynamicRef", true, "a dynamic reference"},
	{"draft2020-12", "unevaluatedProperties.json", "unevaluatedProperties with $dynamicRef", true, "a dynamic reference"},
	{"draft2020-12", "refRemote.json", "", true, "refers to other documents"},
	{"draft2020-12", "ref.json", "remote ref, containing refs itself", true, "refers to the meta-schema, another document"},
	{"draft2020-12", "defs.json", "validate definition against metaschema", true, "refers to the meta-schema, another document"},
	{"draft2020-12", "enum.json", "empty enum", true, "an enum without values is a mistake of its author"},
	{"draft2020-12", "vocabulary.json", "schema that uses custom metaschema with with no validation vocabulary", false, "a meta-schema of one's own is not read; the schema counts as plain 2020-12"},
	{"draft7", "refRemote.json", "", true, "refers to other documents"},
	{"draft7", "ref.json", "remote ref, containing refs itself", true, "refers to the meta-schema, another document"},
	{"draft7", "definitions.json", "validate definition against metaschema", true, "refers to the meta-schema, another document"},
}

// excepted finds the exception for a group of tests.
func excepted(draft, file, group string) (at int, is bool) {
	at = slices.IndexFunc(exceptions, func(e exception) bool {
		return e.draft == draft && e.file == file && (e.group == "" || e.group == group)
	})
	return at, at >= 0
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

// TestSuite: every required test of the public suite passes, but for the exceptions; and none of them makes the gate let in a schema
// that then accepts what the suite refuses.
func TestSuite(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(dataDir(t), "JSON-Schema-Test-Suite", "tests")
	var counts suiteCounts
	var needed sync.Map // the exceptions met, by position
	t.Run("files", func(t *testing.T) {
		for _, draft := range []string{"draft2020-12", "draft7"} {
			files, err := filepath.Glob(filepath.Join(dir, draft, "*.json"))
			if err != nil || len(files) == 0 {
				t.Fatalf("no files of the suite: %v", err)
			}
			for _, file := range files {
				t.Run(draft+"/"+filepath.Base(file), func(t *testing.T) {
					t.Parallel()
					runSuite(t, draft, file, &counts, &needed)
				})
			}
		}
	})
	for i, e := range exceptions {
		if _, ok := needed.Load(i); !ok {
			t.Errorf("the exception is not needed: %+v", e)
		}
	}
	t.Logf("%d tests pass; %d schemas with %d tests are exceptions", counts.passed.Load(), counts.excepted.Load(), counts.left.Load())
}

type suiteCounts struct{ passed, excepted, left atomic.Int64 }

func runSuite(t *testing.T, draft, file string, counts *suiteCounts, needed *sync.Map) {
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
		tests := group.Get("tests")
		if i, is := excepted(draft, filepath.Base(file), about); is {
			if checkExcepted(t, exceptions[i], s, problems, tests) {
				needed.Store(i, true)
				counts.excepted.Add(1)
				counts.left.Add(int64(tests.Len()))
				continue
			}
		}
		if s == nil {
			t.Errorf("%q refused: %v", about, problems)
			continue
		}
		for _, test := range tests.Items() {
			checkSuiteTest(t, s, about, test)
			counts.passed.Add(1)
		}
	}
}

// checkExcepted reports whether the exception is needed: the gate refuses the schema, with a reason, or says that it may be wrong about it,
// and then it is wrong only in refusing.
func checkExcepted(t *testing.T, e exception, s *Schema, problems []Problem, tests value.Value) bool {
	if s == nil {
		if !e.refused || len(problems) == 0 || len(problems[0].Message) < 20 || problems[0].Pointer == "" {
			t.Errorf("refused: %v; the exception says %+v", problems, e)
		}
		return true
	}
	if e.refused {
		return false // one of a file's schemas that is no exception
	}
	if len(problems) == 0 {
		t.Errorf("let in without a word: %+v", e)
	}
	wrong := false
	for _, test := range tests.Items() {
		want, _ := test.Get("valid").AsBool()
		got := s.Valid(test.Get("data"))
		if got && !want {
			t.Errorf("accepts %v: %+v", test.Get("data"), e)
		}
		wrong = wrong || got != want
	}
	return wrong
}

func checkSuiteTest(t *testing.T, s *Schema, about string, test value.Value) {
	what, _ := test.Get("description").AsString()
	want, _ := test.Get("valid").AsBool()
	data := test.Get("data")
	if got := s.Valid(data); got != want {
		t.Errorf("%s: %s: valid is %v, want %v\nschema %v\ndata %v", about, what, got, want, s.Value(), data)
	}
	if got := s.Check(data); (got == nil) != want {
		t.Errorf("%s: %s: Check gave %v", about, what, got)
	}
	if s.node.engine {
		return
	}
	if got := s.lib().valid(data, s.node); got != want {
		t.Errorf("%s: %s: the library says %v, want %v (%v)\n%s\n%v", about, what, got, want, s.lib().err, engineCopy(s.node), data)
	}
}

// TestExceptionsInDocs: docs/json-schema.md has the exceptions and the limits as they are.
func TestExceptionsInDocs(t *testing.T) {
	t.Parallel()
	list := "| draft | of the suite | treated | why |\n|---|---|---|---|\n"
	for _, e := range exceptions {
		group, treated := "all that need it", "refused"
		if e.group != "" {
			group = e.group
		}
		if !e.refused {
			treated = "reported"
		}
		list += fmt.Sprintf("| %s | `%s`: %s | %s | %s |\n", e.draft, e.file, group, treated, e.why)
	}
	l := DefaultLimits
	limits := "| at most | of |\n|---|---|\n"
	for _, row := range []struct {
		most int
		of   string
	}{
		{l.Bytes, "bytes of the schema's text"}, {l.Depth, "nested arrays and objects"}, {l.Nodes, "schemas in one document, all places counted"},
		{l.Defs, "definitions (`$defs` and `definitions`)"}, {l.NumberLen, "characters of one number"}, {l.PatternLen, "bytes of one pattern"},
		{l.Expansion, "schemas that apply to one value, references followed"}, {maxAddress, "bytes of an address (`$id`)"},
		{maxStates, "states of one pattern, repetitions counted; beyond that it is reported and not checked"},
		{maxAllStates, "states of all patterns of one document; so are those beyond that"},
	} {
		limits += fmt.Sprintf("| %d | %s |\n", row.most, row.of)
	}
	const file = "../../docs/json-schema.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := string(text)
	for name, table := range map[string]string{"exceptions": list, "limits": limits} {
		begin := "<!-- made from the tests: " + name + " -->\n"
		before, rest, ok := strings.Cut(got, begin)
		_, after, ok2 := strings.Cut(rest, "<!-- end -->")
		if !ok || !ok2 {
			t.Fatalf("%s has no place for the %s", file, name)
		}
		got = before + begin + table + "<!-- end -->" + after
	}
	if os.Getenv("WF_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(string(text), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
