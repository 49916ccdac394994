package edit_test

import (
	"fmt"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle/edit"
)

// A draft begins with a capability, and grows by edits.
func Example() {
	read := &wf.NodeDef{Name: "files.read",
		InputSchema:  wf.Schema(`{"type": "object", "properties": {"path": {"type": "string"}, "encoding": {"type": "string"}}, "required": ["path"]}`),
		OutputSchema: wf.Schema(`{"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}`)}
	count := &wf.NodeDef{Name: "text.count",
		InputSchema:  wf.Schema(`{"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}`),
		OutputSchema: wf.Schema(`{"type": "object", "properties": {"words": {"type": "integer"}}, "required": ["words"]}`)}
	opts := &edit.Options{Nodes: func(ref string) (*wf.NodeDef, bool) {
		def, ok := map[string]*wf.NodeDef{read.Name: read, count.Name: count}[ref]
		return def, ok
	}}

	doc, report, err := edit.FromCapability(read, "read")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range report.Changes {
		fmt.Println(c.Message)
	}
	edits, err := edit.Parse([]byte(`[
		{"op": "set-name", "name": "count_words"},
		{"op": "add-step", "step": {"id": "count", "node": "text.count"}, "after": "read"},
		{"op": "bind", "step": "count", "to": "text", "from": "steps.read.text"},
		{"op": "set-workflow-output", "bind": {"words": "steps.count.words"}}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, _, err = doc.Apply(edits, opts)
	if err != nil {
		fmt.Println(err)
		return
	}
	w, found := doc.Check(opts)
	fmt.Printf("%d findings\n%s", len(found), w.Short())
	// Output:
	// the step calls "files.read"
	// encoding is optional and not bound
	// path is required, and bound to the workflow's input
	// 0 findings
	// {
	//   "name": "count_words",
	//   "input_schema": {
	//     "properties": {"path": {"type": "string"}},
	//     "required": ["path"],
	//     "type": "object"
	//   },
	//   "output": {"words": "steps.count.words"},
	//   "nodes": [
	//     {"id": "read", "node": "files.read", "input": {"path": "input.path"}, "next": "count"},
	//     {"id": "count", "node": "text.count", "input": {"text": "steps.read.text"}, "next": "__end__"}
	//   ]
	// }
}

// An edit leaves a document open where it is not finished, and says so. An error leaves everything as it was.
func ExampleDoc_Apply() {
	doc, err := edit.New("approval")
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, report, err := doc.Apply([]edit.Edit{
		&edit.AddStep{Step: []byte(`{"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["yes", "no"]}`)},
		&edit.Branch{Step: "ask", Outcome: "yes", To: "send"},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range report.Changes {
		fmt.Println(c.Step, c.Message)
	}
	for _, d := range report.Open {
		fmt.Println("open:", d.Step, d.Message)
	}
	_, _, err = doc.Apply([]edit.Edit{&edit.Branch{Step: "aks", Outcome: "no", To: "__end__"}}, nil)
	fmt.Println(err)
	// Output:
	// ask the step is added
	// ask "yes" leads to "send"
	// open: ask the edge leads to "send", which is no step
	// open: ask outcome "no" leads nowhere
	// edit 0, branch: /nodes: there is no step "aks"; expected one of "ask"; did you mean "ask"?
}

// What an edit is not about stays as it was written.
func ExampleFromPlan() {
	doc, err := edit.FromPlan([]byte(`{ "name": "p",
  "nodes": [ {"next": "b",   "id": "a", "type": "wait", "seconds": 1.50},
             {"id": "b", "type": "wait", "seconds": 2, "next": "__end__"} ] }`))
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, _, err = doc.Apply([]edit.Edit{&edit.RemoveStep{Step: "b"}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", doc.JSON())
	// Output:
	// { "name": "p",
	//   "nodes": [ {"next": "__end__",   "id": "a", "type": "wait", "seconds": 1.50} ] }
}

// The operations are a table, from which surfaces are made.
func ExampleOps() {
	for _, o := range edit.Ops()[:3] {
		fmt.Println(o.Name+":", o.Doc)
	}
	// Output:
	// set-name: Name the workflow, and say what it is for.
	// set-workflow: Set or remove members of the workflow, such as its outcomes and limits, or put another workflow into it.
	// set-input: Without a step: declare what the workflow is given. With one: bind what the step is given.
}
