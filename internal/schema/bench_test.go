package schema

import (
	"reflect"
	"strings"
	"testing"

	"lda.chat/wf/internal/value"
)

const threeFields = `{"type":"object","properties":{"name":{"type":"string","minLength":1},"count":{"type":"integer","minimum":0},"done":{"type":"boolean"}},
	"required":["name","count"],"additionalProperties":false}`

// TestValidAllocatesNothing gates what the benchmarks show.
func TestValidAllocatesNothing(t *testing.T) {
	s, v := mustParse(t, threeFields), parsed(t, `{"name":"report","count":3,"done":true}`)
	reflectedTree, _ := For(reflect.TypeFor[tree]())
	branches := parsed(t, `{"value":1,"children":[{"value":2,"children":null,"index":{"a":{"value":3,"children":[]}}},null]}`)
	tool, call := mustParse(t, toolInput), parsed(t, toolCall)
	for name, check := range map[string]func() bool{
		"a tool's input":       func() bool { return tool.Valid(call) },
		"three fields":         func() bool { return s.Valid(v) },
		"recursive, reflected": func() bool { return reflectedTree.Valid(branches) },
	} {
		if !check() {
			t.Fatalf("%s: not valid", name)
		}
		if n := testing.AllocsPerRun(100, func() { check() }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkValid(b *testing.B) {
	s, v := mustParse(b, threeFields), parsed(b, `{"name":"report","count":3,"done":true}`)
	b.Run("three fields", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if !s.Valid(v) {
				b.Fatal("not valid")
			}
		}
	})
	b.Run("three fields, library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if !s.lib().valid(v, s.node) {
				b.Fatal("not valid")
			}
		}
	})
	tool, call := mustParse(b, toolInput), parsed(b, toolCall)
	b.Run("a tool's input", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if !tool.Valid(call) {
				b.Fatal("not valid")
			}
		}
	})
	items := make([]value.Value, 10_000)
	for i := range items {
		items[i] = v
	}
	list, many := mustParse(b, `{"type":"array","items":`+threeFields+`}`), value.Array(items...)
	b.Run("10,000 objects", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if !list.Valid(many) {
				b.Fatal("not valid")
			}
		}
	})
}

func BenchmarkCheckInvalid(b *testing.B) {
	s, v := mustParse(b, threeFields), parsed(b, `{"name":"","count":-1,"more":true}`)
	b.ReportAllocs()
	for b.Loop() {
		if s.Check(v) == nil {
			b.Fatal("valid")
		}
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if s, _ := Parse([]byte(threeFields), nil); s == nil {
			b.Fatal("refused")
		}
	}
}

// BenchmarkAssignable is for a tool schema of GitHub's size and shape: the same but for one property.
func BenchmarkAssignable(b *testing.B) {
	changed := strings.Replace(toolInput, `"owner":{`, `"reviewer":{"type":"string"},"owner":{`, 1)
	optional := strings.Replace(toolInput, `"repo",`, ``, 1)
	for _, c := range []struct {
		name, source, target string
		want                 Verdict
	}{
		{"identical", toolInput, toolInput, Yes}, {"narrower", toolInput, optional, Yes}, {"maybe, with reasons", optional, toolInput, Maybe},
		{"extended", changed, toolInput, Maybe}, {"disjoint", `{"type":"object","required":["owner"],"properties":{"owner":{"type":"integer"}}}`, toolInput, Disjoint},
	} {
		from, to := mustParse(b, c.source), mustParse(b, c.target)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if v, why := Assignable(from, to); v != c.want {
					b.Fatal(v, why)
				}
			}
		})
	}
	from, to := mustParse(b, optional), mustParse(b, toolInput)
	b.Run("maybe, only whether apart", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if why := Apart(from, to); why != nil {
				b.Fatal(why)
			}
		}
	})
	b.Run("compare", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if c := Compare(from, to, Input); c.Kind != Breaking {
				b.Fatal(c)
			}
		}
	})
	b.Run("shape hash", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if from.shapeHash() == to.shapeHash() {
				b.Fatal("equal")
			}
		}
	})
}

// toolCall fills every property of toolInput.
const toolCall = `{"owner":"octocat","repo":"hello-world","pullNumber":42,"method":"create","body":"Looks good to me, but for two small things.",
	"title":"A review","draft":false,"base":"main","head":"topic","labels":["bug","urgent","docs"],"assignees":["a","b"],"event":"COMMENT",
	"commitID":"0123456789abcdef0123456789abcdef01234567","comments":[{"path":"a.go","position":null,"line":3,"side":"LEFT","body":"why?"},
	{"path":"b.go","position":7,"line":9,"side":"RIGHT","body":"here too"}],"after":"Y3Vyc29y","page":1,"perPage":100,"sort":"created",
	"direction":"asc","state":"open"}`

const toolInput = `{"type":"object","properties":{
	"owner":{"type":"string","description":"The owner of the repository"},"repo":{"type":"string","description":"The name of the repository"},
	"pullNumber":{"type":"integer","minimum":1,"description":"The number of the pull request"},
	"method":{"type":"string","enum":["create","submit_pending","delete_pending","resolve_thread"],"description":"What is to be done"},
	"body":{"type":"string"},"title":{"type":"string","maxLength":256},"draft":{"type":"boolean"},"base":{"type":"string"},"head":{"type":"string"},
	"labels":{"type":"array","items":{"type":"string"}},"assignees":{"type":"array","items":{"type":"string"},"maxItems":10},
	"event":{"type":"string","enum":["APPROVE","REQUEST_CHANGES","COMMENT"]},"commitID":{"type":"string","pattern":"^[0-9a-f]{40}$"},
	"comments":{"type":"array","items":{"type":"object","additionalProperties":false,"properties":{
		"path":{"type":"string"},"position":{"type":["integer","null"]},"line":{"type":"integer"},"side":{"enum":["LEFT","RIGHT"]},"body":{"type":"string"}},
		"required":["path","body"]}},
	"after":{"type":"string"},"page":{"type":"integer","minimum":1},"perPage":{"type":"integer","minimum":1,"maximum":100},
	"sort":{"anyOf":[{"type":"string","enum":["created","updated"]},{"type":"null"}]},"direction":{"type":"string","enum":["asc","desc"]},
	"state":{"type":"string","enum":["open","closed","all"],"default":"open"}},
	"required":["owner","repo","pullNumber","method"],"additionalProperties":false}`
