package source_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/source"
)

// fake is a source with any inventory, or an error.
type fake struct {
	id    string
	nodes []*wf.Func
	err   error
}

func (f fake) ID() string { return f.id }

func (f fake) Inventory(context.Context) (*source.Inventory, error) {
	return &source.Inventory{Nodes: f.nodes}, f.err
}

func TestSetNamesTheSourceThatIsWrong(t *testing.T) {
	t.Parallel()
	node := func(name string) *wf.Func {
		return wf.Node(name, func(_ context.Context, in struct{}) (struct{}, error) { return in, nil })
	}
	for name, c := range map[string]struct {
		src  fake
		says string
	}{
		"no answer":    {fake{id: "far", err: errors.New("no route")}, `source "far": no route`},
		"foreign name": {fake{id: "far", nodes: []*wf.Func{node("read").OfSource("near")}}, `"near.read"`},
		"no source":    {fake{id: "far", nodes: []*wf.Func{node("read")}}, `source "far"`},
		"a dot":        {fake{id: "far", nodes: []*wf.Func{node("read").OfSource("far.away")}}, `"far.away.read"`},
		"a problem":    {fake{id: "far", nodes: []*wf.Func{node("re ad").OfSource("far")}}, "name"},
	} {
		if _, err := source.NewSet(t.Context(), c.src); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; expected %s in it", name, err, c.says)
		}
	}
}

func TestOffersOfASet(t *testing.T) {
	t.Parallel()
	node := func(name, id string) *wf.Func {
		return wf.Node(name, func(_ context.Context, in struct{}) (struct{}, error) { return in, nil }).OfSource(id)
	}
	set, err := source.NewSet(t.Context(), fake{id: "b", nodes: []*wf.Func{node("two", "b"), node("one", "b")}}, fake{id: "a"}, fake{id: "b.c", nodes: []*wf.Func{node("one", "b.c")}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range set.Offers() {
		got = append(got, o.ID+":")
		for _, def := range o.Contracts {
			got = append(got, def.Name)
		}
	}
	if text := strings.Join(got, " "); text != "a: b: b.one b.two b.c: b.c.one" {
		t.Error(text)
	}
	offers := set.Offers()
	if offers[1].Contract("b.two") == nil || offers[1].Contract("b.three") != nil {
		t.Error("a contract is not found by its ref")
	}
}
