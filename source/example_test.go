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

// A capability whose contract has changed since it was saved: what it takes is wider, and it has an outcome more.
func ExampleJudge() {
	saved := &wf.NodeDef{Name: "docs.search", InputSchema: wf.Schema(`{"type": "object", "properties": {"q": {"type": "string", "maxLength": 80}}}`)}
	live := &wf.NodeDef{Name: "docs.search", InputSchema: wf.Schema(`{"type": "object", "properties": {"q": {"type": "string"}}}`), Outcomes: []wf.Outcome{"ok", "none"}}
	fmt.Print(source.Judge(saved, live, nil))
	fmt.Println(source.Judge(saved, live, &source.JudgeOptions{Wired: []wf.Outcome{"none", "ok"}}).Verdict)
	// Output:
	// docs.search: breaking
	// ~ /input_schema/properties/q/maxLength: input /q code points: at most 80 before, any number now: it takes more than before [input_widened]
	// ! /outcomes: the outcome "none" is new, and not every step that calls it leads it somewhere: a run that gets it fails [outcome_added]
	// compatible
}

// What a plan calls, and which sources a deployment of it has to bind.
func ExampleUses() {
	w, found := wf.ParseWorkflow([]byte(`{"name": "p", "nodes": [{"id": "read", "node": "local.report.read", "next": "log"}, {"id": "log", "node": "wf.std.log", "next": "__end__"}]}`))
	if w == nil {
		log.Fatal(found)
	}
	uses := source.Uses(w)
	fmt.Println(source.LogicalSources(uses))
	bindings := source.Bindings{{Logical: "local.report", Source: "prod.report"}}
	for _, use := range uses {
		ref, _ := bindings.Resolve(use.Ref)
		fmt.Println(use.Ref, use.Places, ref)
	}
	// Output:
	// [local.report]
	// local.report.read [/nodes/0] prod.report.read
	// wf.std.log [/nodes/1] wf.std.log
}
