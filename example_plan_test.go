package wf_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"lda.chat/wf"
	"lda.chat/wf/plugin"
	"lda.chat/wf/source"
)

// greeter is a runtime with one Go function under the ref "local.greet".
func greeter() *wf.Runtime {
	type person struct {
		Name string `json:"name"`
	}
	type greeting struct {
		Text string `json:"text"`
	}
	greet := wf.Node("greet", func(_ context.Context, in person) (greeting, error) {
		return greeting{"Hello, " + in.Name + "!"}, nil
	})
	registry := &plugin.Registry{Nodes: []*wf.Func{greet}}
	local, err := registry.Source("local")
	if err != nil {
		log.Fatal(err)
	}
	set, err := source.NewSet(context.Background(), local)
	if err != nil {
		log.Fatal(err)
	}
	rt, err := wf.NewRuntime(&wf.RuntimeOptions{Nodes: set})
	if err != nil {
		log.Fatal(err)
	}
	return rt
}

// A plan read from JSON names its capabilities, and the runtime has them: greeter makes one that has the Go function
// local.greet, as in the example of CapabilityOf.
func ExampleParseWorkflow() {
	w, found := wf.ParseWorkflow([]byte(`{
		"name": "hello",
		"output": {"text": "steps.greet.text"},
		"nodes": [{"id": "greet", "node": "local.greet", "input": {"name": "input.who"}, "next": "__end__"}]
	}`))
	if w == nil {
		log.Fatal(found)
	}
	rt := greeter()
	if err := rt.Check(w).Err(); err != nil {
		log.Fatal(err)
	}
	run, err := rt.Run(context.Background(), w, json.RawMessage(`{"who": "Ada"}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Status(), string(run.Info().Output))
	// Output: completed {"text":"Hello, Ada!"}
}

// Reading comes first: what is no plan is told before anything is checked.
func ExampleParseWorkflow_mistakes() {
	_, found := wf.ParseWorkflow([]byte(`{
		"name": "hello",
		"nodes": [{"id": "greet", "node": "local.greet", "input": {"name": "{{input.who}}"}, "timeout": "30s", "next": "__end__"}]
	}`))
	for _, d := range found {
		fmt.Println(d)
	}
	// Output:
	// 3:70 /nodes/0/input/name: error: step "greet": a path is written without anything around it, found "{{input.who}}" [path_wrapped]
	//   hint: write "input.who"
	// 3:99 /nodes/0/timeout: error: step "greet": a timeout is "timeout_seconds", a number of seconds, found "timeout": the string "30s" [duration_text]
	//   hint: write "timeout_seconds", a number
}

// Checking comes second: with what the runtime has at hand.
func ExampleRuntime_Check() {
	w, found := wf.ParseWorkflow([]byte(`{
		"name": "hello",
		"input_schema": {"type": "object", "properties": {"name": {"type": "string"}}, "additionalProperties": false},
		"nodes": [{"id": "greet", "node": "local.greet", "input": {"name": "input.who"}, "next": "again"},
			{"id": "again", "node": "local.greeet", "next": "__end__"}]
	}`))
	if w == nil {
		log.Fatal(found)
	}
	for _, d := range greeter().Check(w) {
		fmt.Println(d)
	}
	// Output:
	// /nodes/0/input/0/path: error: step "greet": input.who does not exist: the input schema has no "who" [input_field_unknown]
	//   hint: declare it, or name one that is there: "name"
	// /nodes/1/node: error: step "again": there is no capability "local.greeet" [node_unknown]
	//   hint: did you mean "local.greet"?
}

// Without a runtime, a plan is checked by the contracts in its node_defs. A fix is a patch that a program can apply.
func ExampleValidate() {
	w, found := wf.ParseWorkflow([]byte(`{
		"name": "review",
		"node_defs": [{"name": "local.review", "outcomes": ["approved", "rejected"]}],
		"nodes": [{"id": "review", "node": "local.review", "on": {"approved": "__end__"}}]
	}`))
	if w == nil {
		log.Fatal(found)
	}
	err := wf.Validate(w, nil).Err()
	fmt.Println(err)
	for _, d := range wf.DiagnosticsOf(err) {
		fmt.Println("hint:", d.RepairHint)
		for _, fix := range d.Fixes {
			fmt.Printf("%s: %s\n", fix.Applicability, fix.Title)
		}
	}
	// Output:
	// /nodes/0: error: step "review": outcome "rejected" leads nowhere [outcome_unwired]
	// hint: lead it to a step, or to __end__
	// placeholder: Add the missing edge, then choose where it leads
}

// A capability of a source is named by its ref. In and Out say what the workflow expects of it; the source that a
// configuration, a registry of Go functions here, puts under the id "local" does the work.
func ExampleCapabilityOf() {
	type Person struct {
		Name string `json:"name"`
	}
	type Greeting struct {
		Text string `json:"text"`
	}
	w, err := wf.Define[Person, struct{}, Greeting]("hello").
		Step("greet", wf.CapabilityOf[Person, Greeting]("local.greet")).
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}

	registry := &plugin.Registry{Nodes: []*wf.Func{
		wf.Node("greet", func(_ context.Context, in Person) (Greeting, error) {
			return Greeting{"Hello, " + in.Name + "!"}, nil
		}),
	}}
	local, err := registry.Source("local")
	if err != nil {
		log.Fatal(err)
	}
	set, err := source.NewSet(context.Background(), local)
	if err != nil {
		log.Fatal(err)
	}
	rt, err := wf.NewRuntime(&wf.RuntimeOptions{Nodes: set})
	if err != nil {
		log.Fatal(err)
	}
	out, err := wf.Run[Greeting](context.Background(), rt, w, Person{Name: "Ada"})
	fmt.Println(out.Text, err)
	// Output: Hello, Ada! <nil>
}
