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

// An artifact names a source that is not here under that name. The deployment says which one stands for it; until it does, the finding
// has the call that repairs it, and no run starts.
func ExampleService_deployment() {
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
	artifact, err := service.CreateArtifact(ctx, &lifecycle.CreateArtifact{Plan: json.RawMessage(`{"name": "length",
		"input_schema": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}},
		"state_schema": {"type": "object", "properties": {"length": {"type": "integer"}}},
		"nodes": [{"id": "count", "node": "texts.count", "input": {"text": "input.text"}, "output": {"length": "state.length"}, "next": "__end__"}]}`)})
	if err != nil {
		log.Fatal(err)
	}
	deployment, err := service.SaveDeployment(ctx, &lifecycle.SaveDeployment{
		DeploymentChange: lifecycle.DeploymentChange{Deployment: "weekly"}, Artifact: artifact.Artifact})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(deployment.Valid, deployment.Diagnostics[0].Message)

	repair := deployment.Advice.NextActions[0]
	fmt.Println(repair.CLI)
	if _, err := lifecycle.Call(ctx, service, repair.Method, repair.Params); err != nil {
		log.Fatal(err)
	}
	may, err := service.PreviewDeployment(ctx, &lifecycle.PreviewDeployment{Deployment: "weekly"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(may.Text)

	run, err := service.StartRun(ctx, &lifecycle.StartRun{Deployment: "weekly", Input: json.RawMessage(`{"text": "hello"}`), Wait: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Status, string(run.State), run.Deployed.Artifact, "by revision", run.Deployed.Revision)
	// Output:
	// false nothing says which source stands for "texts", of which the plan calls "count"
	// wf deploy save weekly --artifact length@1 --binding texts=texts --drift-policy refuse --revision 1
	// length: a run stops after 10000 steps
	// calls:
	//   texts: 1
	//     texts.count (pure): 1
	// cannot be undone: nothing that is known
	// completed {"length":5} length@1 by revision 2
}
