package gate_test

import (
	"fmt"
	"log"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle/gate"
	"lda.chat/wf/source"
)

// A deployment that binds nothing: the finding has the call that repairs it.
func ExampleCheck() {
	w, found := wf.ParseWorkflow([]byte(`{"name": "p", "nodes": [{"id": "read", "node": "local.report.read", "next": "__end__"}]}`))
	if w == nil {
		log.Fatal(found)
	}
	offers := []source.Offer{{ID: "local.report", Contracts: []*wf.NodeDef{{Name: "local.report.read"}}}}
	required := gate.Require(w, offers[0].Contract)
	for _, d := range gate.Check(&gate.Deployment{ID: "weekly", Artifact: "p@1", Revision: 2}, required, offers) {
		fmt.Println(d)
		fmt.Println(d.Fixes[0].Call.Method, string(d.Fixes[0].Call.Params))
	}
	// Output:
	// deployment:weekly@2 /bindings: error: nothing says which source stands for "local.report", of which the plan calls "read" [source_unbound]
	//   hint: bind it to a source that has what the plan calls
	// deployments.save {"deployment":"weekly","artifact":"p@1","revision":2,"bindings":[{"logical":"local.report","source":"local.report"}]}
}
