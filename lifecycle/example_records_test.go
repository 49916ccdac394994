package lifecycle_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/source"
	"lda.chat/wf/store"
)

// texts is a source with a capability that counts.
type texts struct{}

func (texts) ID() string { return "texts" }

func (texts) Inventory(context.Context) (*source.Inventory, error) {
	type text struct {
		Text string `json:"text"`
	}
	type length struct {
		Length int `json:"length"`
	}
	count := wf.Node("count", func(_ context.Context, in text) (length, error) { return length{len(in.Text)}, nil }).Effect(wf.EffectPure)
	return &source.Inventory{Nodes: []*wf.Func{count.OfSource("texts")}}, nil
}

// A draft begins with a capability, is edited, and becomes an artifact, which never changes. What can be done next stands in
// every answer.
func ExampleService_draft() {
	ctx := lifecycle.Acting(context.Background(), "ann")
	set, err := source.NewSet(ctx, texts{})
	if err != nil {
		log.Fatal(err)
	}
	service, err := lifecycle.NewService(store.NewMemory(nil), set, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close(ctx)

	draft, err := service.CreateDraft(ctx, &lifecycle.CreateDraft{DraftID: "length", Capability: "texts.count", Step: "first"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(draft.Advice.NextActions[0].CLI)

	change := lifecycle.DraftChange{DraftID: "length", Revision: draft.Revision}
	draft, err = service.ApplyDraft(ctx, &lifecycle.ApplyDraft{DraftChange: change, Edits: json.RawMessage(`[
		{"op": "set-name", "name": "text_length"},
		{"op": "rename-step", "step": "first", "to": "count"}]`)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("revision", draft.Revision, "with", draft.Errors, "errors")

	_, err = service.ApplyDraft(ctx, &lifecycle.ApplyDraft{DraftChange: change, Edits: json.RawMessage(`{"op": "set-name", "name": "late"}`)})
	fmt.Println(err)

	artifact, err := service.SaveDraft(ctx, &lifecycle.SaveDraft{DraftChange: lifecycle.DraftChange{DraftID: "length"},
		ArtifactView: lifecycle.ArtifactView{Form: "short"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n%s", artifact.Artifact, artifact.Plan)

	events, err := service.ListEvents(ctx, &lifecycle.ListEvents{})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range events.Events {
		fmt.Println(e.Who, e.Method, e.Subject, e.Revision)
	}
	// Output:
	// wf draft save length --revision 1 --artifact count
	// revision 2 with 0 errors
	// the draft "length" is at revision 2, and the change was made for revision 1: somebody else was first
	// text_length@1
	// {
	//   "name": "text_length",
	//   "input_schema": {
	//     "properties": {"text": {"type": "string"}},
	//     "required": ["text"],
	//     "type": "object"
	//   },
	//   "output": "steps.count",
	//   "nodes": [
	//     {"id": "count", "node": "texts.count", "input": {"text": "input.text"}, "next": "__end__"}
	//   ]
	// }
	// ann drafts.save artifact:text_length@1 0
	// ann drafts.apply draft:length 2
	// ann drafts.create draft:length 1
}

// A saved workflow is a step of others: they run that version for good.
func ExampleService_artifact() {
	ctx := context.Background()
	set, err := source.NewSet(ctx, texts{})
	if err != nil {
		log.Fatal(err)
	}
	service, err := lifecycle.NewService(store.NewMemory(nil), set, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close(ctx)
	for _, plan := range []string{
		`{"name": "length", "output": "steps.count", "nodes": [{"id": "count", "node": "texts.count", "input": {"text": "input.text"}, "next": "__end__"}]}`,
		`{"name": "report", "output": "steps.measure", "nodes": [{"id": "measure", "type": "subgraph", "workflow": "length@1", "input": {"text": "input.text"}, "next": "__end__"}]}`,
	} {
		a, err := service.CreateArtifact(ctx, &lifecycle.CreateArtifact{Plan: json.RawMessage(plan)})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(a.Artifact, a.Sources, len(a.Children))
	}
	saved, err := service.ShowArtifact(ctx, &lifecycle.ShowArtifact{Artifact: "report@1"})
	if err != nil {
		log.Fatal(err)
	}
	run, err := service.StartRun(ctx, &lifecycle.StartRun{Plan: saved.Plan, Input: json.RawMessage(`{"text": "hello"}`), Wait: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Status, string(run.Output))
	// Output:
	// length@1 [texts] 0
	// report@1 [texts] 1
	// completed {"length":5}
}
