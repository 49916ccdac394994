package wf_test

import (
	"context"
	"fmt"
	"log"

	"lda.chat/wf"
)

// A workflow is a step of another one, like a function with outcomes: it has a state of its own, filled from its input.
func ExampleWorkflow() {
	type Order struct {
		Amount int `json:"amount"`
	}
	type Price struct {
		Total int `json:"total"`
	}
	price, err := wf.Define[Order, Price, Price]("price").
		If("large", wf.Gt("input.amount", 100)).Then("too_large").
		Step("double", wf.Node("double", func(_ context.Context, in Order) (Price, error) { return Price{2 * in.Amount}, nil })).
		Goto(wf.ToEnd).
		End("too_large", "too_large").ReturnValue("total", 0).
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	w, err := wf.Define[Order, struct{}, Price]("order").
		Step("price", price).On("too_large", "refuse").
		Fail("refuse", "acme.too_large").Message("{input.amount} is too much").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	fmt.Println(string(mustRun(w, Order{21}).Info().Output))
	fmt.Println(mustRun(w, Order{500}).Err())
	// Output:
	// {"total":42}
	// acme.too_large at step "refuse": 500 is too much
}

// What a workflow inside another one asks is open on the run, under the path of its frame.
func ExampleRunHandle_Interrupts_inside() {
	type Text struct {
		Text string `json:"text"`
	}
	approval, err := wf.Define[Text, struct{}, Text]("approval").
		Step("ask", wf.Ask[Text, struct{}]("approval", "approved", "rejected")).On("rejected", "refused").
		End("refused", "refused").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	w, err := wf.Define[Text, struct{}, Text]("letter").
		Step("approve", approval).On("refused", "none").
		End("none", "not_sent").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	ctx := context.Background()
	run := mustRun(w, Text{"Dear all"})
	open := run.Interrupts()[0]
	fmt.Println(open.ID, open.Frame, open.Step)
	if err := run.Resume(ctx, wf.Answer{Outcome: "rejected"}); err != nil { // the only one needs no id
		log.Fatal(err)
	}
	if err := run.Wait(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Outcome())
	// Output:
	// /approve/ask /approve ask
	// not_sent
}

// A plan holds the workflows that its subgraph steps run.
func ExampleParseWorkflow_subgraph() {
	w, found := wf.ParseWorkflow([]byte(`{
		"name": "twice",
		"workflows": {"add_one": {"name": "add_one", "output": {"n": "state.n"},
			"state_schema": {"type": "object", "properties": {"n": {"type": "integer", "x-reducer": "add"}}},
			"input_schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
			"nodes": [{"id": "add", "type": "set", "output": {"state.n": 1}, "next": "__end__"}]}},
		"output": {"n": "steps.second.n"},
		"nodes": [
			{"id": "first", "type": "subgraph", "workflow": "add_one", "input": {"n": "input.n"}, "next": "second"},
			{"id": "second", "type": "subgraph", "workflow": "add_one", "input": {"n": "steps.first.n"}, "next": "__end__"}]}`))
	if w == nil {
		log.Fatal(found)
	}
	fmt.Println(string(mustRun(w, map[string]int{"n": 40}).Info().Output))
	// Output: {"n":42}
}
