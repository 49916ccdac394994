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
