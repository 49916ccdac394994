package plugin_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/plugin"
	"lda.chat/wf/source"
	"lda.chat/wf/source/sourcetest"
)

type word struct {
	Text string `json:"text"`
}

func registry() *plugin.Registry {
	return &plugin.Registry{Nodes: []*wf.Func{
		wf.Node("upper", func(_ context.Context, in word) (word, error) { return word{strings.ToUpper(in.Text)}, nil }),
		wf.Decision("long", func(_ context.Context, in word) (wf.Outcome, word, error) {
			if len(in.Text) > 3 {
				return "yes", in, nil
			}
			return "no", in, nil
		}, "yes", "no"),
	}}
}

func TestRegistryIsASource(t *testing.T) {
	t.Parallel()
	src, err := registry().Source("local.words")
	if err != nil {
		t.Fatal(err)
	}
	sourcetest.Run(t, src,
		sourcetest.Sample{Ref: "local.words.upper", Input: json.RawMessage(`{"text":"a"}`), Outcome: wf.OK},
		sourcetest.Sample{Ref: "local.words.long", Input: json.RawMessage(`{"text":"abcd"}`), Outcome: "yes"})
}

func TestRegistryRefusesIDs(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", ".", "a.", ".a", "a..b", "a b", "wf", "wf.std", "é", strings.Repeat("a", 129)} {
		if _, err := registry().Source(id); err == nil || !strings.Contains(err.Error(), "source id") {
			t.Errorf("%q: %v", id, err)
		}
	}
	for _, id := range []string{"a", "wfx", "local.a-b_c.1"} {
		if _, err := registry().Source(id); err != nil {
			t.Error(err)
		}
	}
}

// One registry stands under several ids, and the functions keep their names.
func TestRegistryUnderSeveralIDs(t *testing.T) {
	t.Parallel()
	r := registry()
	var sources []source.Source
	for _, id := range []string{"one", "two"} {
		src, err := r.Source(id)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, src)
	}
	set, err := source.NewSet(t.Context(), sources...)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(set.Refs(), " "); got != "one.long one.upper two.long two.upper" {
		t.Fatalf("refs %s", got)
	}
	if _, err := source.NewSet(t.Context(), sources[0], sources[0]); err == nil || !strings.Contains(err.Error(), `"one"`) {
		t.Fatalf("the same source twice: %v", err)
	}
}

func TestRegistryReportsItsFunctions(t *testing.T) {
	t.Parallel()
	broken := &plugin.Registry{Nodes: []*wf.Func{
		wf.Node("a name", func(_ context.Context, in word) (word, error) { return in, nil }),
		wf.Node[word, word]("nothing", nil),
	}}
	_, err := broken.Source("local.words")
	if n := len(wf.DiagnosticsOf(err)); n != 2 {
		t.Fatalf("%d findings: %v", n, err)
	}
	twice := &plugin.Registry{Nodes: append(registry().Nodes, registry().Nodes...)}
	src, err := twice.Source("local.words")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := source.NewSet(t.Context(), src); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Fatalf("a function twice: %v", err)
	}
}
