package cli

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

// plan is that of the draft that the command is about, or the workflow inside it that --in names; nil if it cannot be read.
func (q *question) plan() (w *wf.Workflow) {
	q.ask(func(api *opened) {
		d, err := api.ShowDraft(q.ctx, &lifecycle.ShowDraft{DraftID: q.arg(0), DraftView: lifecycle.DraftView{Form: "canonical", Full: true}})
		if err != nil {
			return
		}
		if w, _ = wf.ParseWorkflow(d.Plan); w == nil {
			return
		}
		w, _ = api.Runtime().Infer(w) // the fields of the state, if they are not declared
		if in := q.flag("in"); in != "" {
			w = w.Workflows[in]
		}
	})
	return w
}

func (q *question) steps() (ids []string) {
	if w := q.plan(); w != nil {
		for _, s := range w.Nodes {
			ids = append(ids, s.StepID())
		}
	}
	return ids
}

// targetsOfEdges are where an edge can lead.
func (q *question) targetsOfEdges() []string {
	return append(q.steps(), wf.ToEnd, wf.ToContinue, wf.ToDiscard)
}

func (q *question) nested() []string {
	w := q.plan()
	if w == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(w.Workflows))
}

func (q *question) nestedOrSaved() []string { return append(q.nested(), q.artifacts()...) }

func (q *question) outcomes() []string        { return q.outcomesOf(q.flag("step")) }
func (q *question) outcomesOfAfter() []string { return q.outcomesOf(q.flag("after")) }

// outcomesOf are the outcomes of a step, as far as its kind, its capability and its edges tell.
func (q *question) outcomesOf(id string) (names []string) {
	w := q.plan()
	if w == nil {
		return nil
	}
	add := func(list ...wf.Outcome) {
		for _, o := range list {
			names = append(names, string(o))
		}
	}
	switch s := stepOf(w, id).(type) {
	case *wf.NodeStep:
		if def := q.contract(w, s.Node); def != nil {
			add(outcomesOf(def)...)
		}
	case *wf.InterruptStep:
		add(s.Outcomes...)
	case *wf.ConditionStep:
		if s.Check != nil {
			add("true", "false")
		}
		for _, c := range s.Cases {
			add(c.Outcome)
		}
		add(s.Default)
	case *wf.ForkStep:
		for _, b := range s.Branches {
			add(b.Outcome)
		}
	case *wf.ForeachStep:
		add("item", "done")
	case nil:
		return nil
	}
	for _, e := range w.Edges {
		if e.From == id {
			add(e.Outcome)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

func stepOf(w *wf.Workflow, id string) wf.Step {
	for _, s := range w.Nodes {
		if s.StepID() == id {
			return s
		}
	}
	return nil
}

// contract is that of a capability: the plan's own, or that of a source.
func (q *question) contract(w *wf.Workflow, ref string) *wf.NodeDef {
	for _, def := range w.NodeDefs {
		if def.Name == ref {
			return def
		}
	}
	if set := q.set(); set != nil {
		if fn, ok := set.Node(ref); ok {
			return fn.Contract()
		}
	}
	return nil
}

// named are the fields that a schema declares, with what stands before them.
func named(before string, schema wf.Schema) (names []string) {
	var object struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &object) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(object.Properties)) {
		names = append(names, before+name)
	}
	return names
}

// stepSchemas are what the step that --step names is given and returns, and what can be written to.
func (q *question) stepSchemas(w *wf.Workflow) (input, output wf.Schema) {
	switch s := stepOf(w, q.flag("step")).(type) {
	case *wf.NodeStep:
		if def := q.contract(w, s.Node); def != nil {
			return def.InputSchema, def.OutputSchema
		}
	case *wf.InterruptStep:
		return s.RequestSchema, s.ResumeSchema
	case *wf.SubgraphStep:
		if child := w.Workflows[s.Workflow]; child != nil {
			return child.InputSchema, child.OutputSchema
		}
	case *wf.EndStep:
		return w.OutputSchema, nil
	}
	return nil, nil
}

// readable are the paths that a step can read; of "wf draft bind", also what it returns.
func (q *question) readable() []string {
	w := q.plan()
	if w == nil {
		return nil
	}
	names := append(named("input.", w.InputSchema), named("state.", w.StateSchema)...)
	if words(q.cmd) == "draft bind" {
		_, output := q.stepSchemas(w)
		names = append(names, named("", output)...)
	}
	return names
}

// written are the paths of the state.
func (q *question) written() []string {
	if w := q.plan(); w != nil {
		return named("state.", w.StateSchema)
	}
	return nil
}

// places are what can be bound: of a step's input, or of what the workflow returns, and of the state.
func (q *question) places() []string {
	w := q.plan()
	switch {
	case w == nil:
		return nil
	case q.flag("step") == "":
		return named("", w.OutputSchema)
	}
	input, output := q.stepSchemas(w)
	switch q.asks {
	case "input":
		return named("", input)
	case "output":
		return append(named("", output), named("state.", w.StateSchema)...)
	}
	return append(named("", input), named("state.", w.StateSchema)...)
}

// ends are both ends of a binding, by the command.
func (q *question) ends() (from, to []string) {
	w := q.plan()
	if w == nil {
		return nil, nil
	}
	read := append(named("input.", w.InputSchema), named("state.", w.StateSchema)...)
	input, output := q.stepSchemas(w)
	switch words(q.cmd) {
	case "draft set-output":
		return append(named("", output), "."), named("state.", w.StateSchema)
	case "draft set-workflow-output":
		return read, named("", w.OutputSchema)
	}
	return read, append(named("", input), ".")
}

func (q *question) mappings() (names []string) {
	from, to := q.ends()
	begun, _, ended := strings.Cut(q.begun, "=")
	if ended {
		from = []string{begun}
	} else {
		to = []string{""}
	}
	for _, f := range from {
		for _, t := range to {
			names = append(names, f+"="+t)
		}
	}
	q.openEnded(names)
	return names
}

func (q *question) targets() (names []string) {
	_, to := q.ends()
	for _, t := range to {
		names = append(names, t+"=")
	}
	q.openEnded(names)
	return names
}

// fields are those of the schema that the command changes.
func (q *question) fields() []string {
	w := q.plan()
	if w == nil {
		return nil
	}
	which := strings.TrimPrefix(words(q.cmd), "draft set-")
	if which == "schema" {
		which = q.arg(1)
	}
	input, output := q.stepSchemas(w)
	switch {
	case which == "state":
		return named("", w.StateSchema)
	case q.flag("step") != "" && (which == "input" || which == "request"):
		return named("", input)
	case q.flag("step") != "":
		return named("", output)
	case which == "input":
		return named("", w.InputSchema)
	}
	return named("", w.OutputSchema)
}

// schemasOfDraft are those that "wf draft set-schema" writes.
func (q *question) schemasOfDraft() []string {
	return []string{"input", "state", "output", "request", "resume"}
}
