package wf

import (
	"strconv"
	"testing"
)

// TestBuildScopes: what a step can be given by name.
func TestBuildScopes(t *testing.T) {
	t.Parallel()
	type in struct {
		Path  string   `json:"path"`
		Docs  []notes  `json:"docs"`
		Text  string   `json:"text"`
		Texts []string `json:"texts"`
	}
	source := func(w *Workflow, id, member string) string {
		for _, s := range w.Nodes {
			if n, ok := s.(*NodeStep); ok && n.ID == id {
				for _, b := range n.Input {
					if b.Target.Parts[0].Name == member {
						return b.Path.String()
					}
				}
			}
		}
		return ""
	}
	other := step[request, notes]("other")
	for name, test := range map[string]struct {
		chain Chain
		want  string // of extract's text
	}{
		"the input":                            {Define[in, nothing, nothing]("w").Step("extract", extract), "input.text"},
		"the state, which begins as the input": {Define[in, notes, nothing]("w").Step("extract", extract), "state.text"},
		"an earlier step before the input":     {Define[in, nothing, nothing]("w").Step("read", read).Step("extract", extract), "steps.read.text"},
		"not a later step":                     {Define[in, nothing, nothing]("w").Step("extract", extract).Step("read", read), "input.text"},
		"not a step on another way": {Define[in, nothing, nothing]("w").
			If("if", Exists("input.text")).Then("extract").Step("read", read).Goto(ToEnd).Step("extract", extract), "input.text"},
		"the one of two ways that leads here": {Define[in, nothing, nothing]("w").
			If("if", Exists("input.text")).Then("other").Step("read", read).Goto(ToEnd).Step("other", other).Step("extract", extract), "steps.other.text"},
		"the state, whoever wrote it": {Define[in, notes, nothing]("w").Step("read", read).Step("other", other).Step("extract", extract), "state.text"},
		"a step around the body": {Define[in, nothing, nothing]("w").Step("read", read).
			Foreach("each", "input.docs", "d", Body().Step("extract", extract)), "steps.read.text"},
		"the item": {Define[in, nothing, nothing]("w").
			Foreach("each", "input.texts", "text", Body().Step("extract", extract)), "item.text"},
		"not out of an item": {Define[in, nothing, nothing]("w").
			Foreach("each", "input.docs", "d", Body().Step("read", read)).Step("extract", extract), "input.text"},
		"the state, written by items": {Define[in, notes, nothing]("w").
			Foreach("each", "input.docs", "d", Body().Step("read", read)).Step("extract", extract), "state.text"},
		"a joined branch": {Define[in, nothing, nothing]("w").
			Fork("f", Branch("a", Body().Step("read", read)), Branch("b", Body())).Step("extract", extract), "steps.read.text"},
		"not another branch": {Define[in, nothing, nothing]("w").
			Fork("f", Branch("a", Body().Step("read", read)), Branch("b", Body().Step("extract", extract))), "input.text"},
		"not another branch of the round before": {Define[in, nothing, nothing]("w").
			Fork("f", Branch("a", Body().Step("read", read)), Branch("b", Body().Step("extract", extract))).
			Step("touch", touch).Loop(OK, "f", 3, ToEnd), "input.text"},
		"an output that only another way remembers": {Define[in, twoTexts, nothing]("w").
			If("if", Exists("input.text")).Then("read").Step("other", other).Goto(ToEnd).
			Step("read", read).Out("text", "state.other").Step("extract", extract), "steps.read.text"},
		"an inner branch": {Define[in, nothing, nothing]("w").
			Fork("f", Branch("a", Body().Fork("g", Branch("c", Body().Step("read", read))).Step("extract", extract))), "steps.read.text"},
		"a redirected output": {Define[in, nothing, nothing]("w").Step("read", read).Out("text", "state.x").Step("extract", extract), "steps.read.text"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, err := test.chain.chain().Build()
			if err != nil {
				t.Fatal(DiagnosticsOf(err))
			}
			if got := source(w, "extract", "text"); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestBuildLong: the work of binding by name grows with the chain.
func TestBuildLong(t *testing.T) {
	t.Parallel()
	type n struct {
		N int `json:"n"`
	}
	b := Define[n, n, n]("long")
	inc := step[n, n]("inc")
	for i := range 5000 {
		b.Step("s"+strconv.Itoa(i), inc)
	}
	w, err := b.Build()
	if err != nil {
		t.Fatal(DiagnosticsOf(err)[0])
	}
	if len(w.Nodes) != 5000 || len(w.NodeDefs) != 1 || w.funcs["local.inc"] != inc {
		t.Errorf("%d nodes, %d node_defs", len(w.Nodes), len(w.NodeDefs))
	}
}
