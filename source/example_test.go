package source_test

import (
	"context"
	"fmt"
	"log"

	"lda.chat/wf"
	"lda.chat/wf/source"
)

// clock is a source with one capability. Sources of other families, such as a server of tools, look the same from outside.
type clock struct{}

func (clock) ID() string { return "acme.clock" }

func (clock) Inventory(context.Context) (*source.Inventory, error) {
	type answer struct {
		Hour int `json:"hour"`
	}
	hour := wf.Node("hour", func(context.Context, struct{}) (answer, error) { return answer{12}, nil }).Effect(wf.EffectRead)
	return &source.Inventory{Nodes: []*wf.Func{hour.OfSource("acme.clock")}}, nil
}

// A set of sources is what a runtime finds the capabilities of a plan in.
func ExampleNewSet() {
	set, err := source.NewSet(context.Background(), clock{})
	if err != nil {
		log.Fatal(err)
	}
	rt, err := wf.NewRuntime(&wf.RuntimeOptions{Nodes: set, Reducers: set.Reducers()})
	if err != nil {
		log.Fatal(err)
	}
	w, found := wf.ParseWorkflow([]byte(`{"name": "what_time", "output": "steps.ask",
		"nodes": [{"id": "ask", "node": "acme.clock.hour", "next": "__end__"}]}`))
	if w == nil {
		log.Fatal(found)
	}
	run, err := rt.Run(context.Background(), w, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(set.Refs(), string(run.Info().Output))
	// Output: [acme.clock.hour] {"hour":12}
}
