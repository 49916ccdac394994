package lifecycle_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"lda.chat/wf/lifecycle"
	"lda.chat/wf/source"
	"lda.chat/wf/store"
)

// A host starts a run in a store, sees what it asks and what can be done next, and answers.
func ExampleService() {
	ctx := context.Background()
	set, err := source.NewSet(ctx) // the sources of the host; this plan needs none
	if err != nil {
		log.Fatal(err)
	}
	service, err := lifecycle.NewService(store.NewMemory(nil), set, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close(ctx)

	const plan = `{"name": "letter", "nodes": [
		{"id": "approve", "type": "interrupt", "kind": "approval", "outcomes": ["approved"], "next": "__end__"}]}`
	run, err := service.StartRun(ctx, &lifecycle.StartRun{Plan: json.RawMessage(plan), RunID: "letter-1", Wait: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Status, run.Interrupts[0].ID, run.Interrupts[0].Outcomes)
	fmt.Println(run.Advice.NextActions[0].CLI)

	run, err = service.ResumeRun(ctx, &lifecycle.ResumeRun{RunID: "letter-1", Wait: true,
		Answers: []lifecycle.Answer{{Interrupt: "/approve", Outcome: "approved"}}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Status)
	// Output:
	// interrupted /approve [approved]
	// wf run resume letter-1 --answer /approve=approved
	// completed
}

// Whoever knows an operation only by its name, as a server does, calls it with JSON.
func ExampleCall() {
	ctx := context.Background()
	set, err := source.NewSet(ctx)
	if err != nil {
		log.Fatal(err)
	}
	service, err := lifecycle.NewService(store.NewMemory(nil), set, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close(ctx)
	result, err := lifecycle.Call(ctx, service, "runs.list", json.RawMessage(`{"status": ["failed"], "limit": 5}`))
	if err != nil {
		log.Fatal(err)
	}
	text, err := json.Marshal(result)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	_, err = lifecycle.Call(ctx, service, "runs.lsit", nil)
	fmt.Println(err)
	// Output:
	// {"runs":[],"advice":{"can_continue":false,"recommended_next_tool":"deployments.list","reason":"no run is as it was asked for","next_actions":[{"method":"deployments.list","cli":"wf deploy list","params":{},"reason":"what can be started","kind":"inspect"}]}}
	// there is no method "runs.lsit"
}
