package edit

import (
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// kindOf is a step's type; one that names a capability is a node, one that names a workflow runs it.
func kindOf(step value.Value) wf.StepType {
	if kind := textOf(step.Get("type")); kind != "" {
		return wf.StepType(kind)
	}
	if !step.Get("node").IsAbsent() {
		return wf.TypeNode
	}
	if !step.Get("workflow").IsAbsent() {
		return wf.TypeSubgraph
	}
	return ""
}

// contract is what a node step relies on: a definition of the plan, else the source's own. inPlan tells which.
func (w *scope) contract(ref string) (def value.Value, inPlan, known bool) {
	for ; w != nil; w = w.outer {
		for _, def := range w.get("node_defs").Items() {
			if textOf(def.Get("name")) == ref {
				return def, true, true
			}
		}
		if w.outer == nil && w.options.Nodes != nil {
			if def, ok := w.options.Nodes(ref); ok && def != nil {
				text, err := def.MarshalJSON()
				v, parsed := value.Parse(text)
				return v, false, err == nil && parsed == nil
			}
		}
	}
	return def, false, false
}

// child is the workflow that a subgraph step runs, if the plan holds it.
func (w *scope) child(name string) value.Value {
	for in := w; in != nil; in = in.outer {
		if nested := in.get("workflows").Get(name); !nested.IsAbsent() && name != "" {
			return nested
		}
	}
	if find := w.options.Workflows; find != nil && strings.Contains(name, "@") {
		if plan, ok := find(name); ok {
			saved, _ := value.Parse(plan)
			return saved
		}
	}
	return value.Value{}
}

// outcomes are a step's own, without those that it catches. known is false where they are those of a contract that nobody knows.
func (w *scope) outcomes(step value.Value) (own []string, known bool) {
	listed := func(v value.Value) []string {
		if v.Len() == 0 {
			return []string{string(wf.OK)}
		}
		return texts(v)
	}
	switch kindOf(step) {
	case wf.TypeNode:
		def, _, known := w.contract(textOf(step.Get("node")))
		return listed(def.Get("outcomes")), known
	case wf.TypeSubgraph:
		nested := w.child(textOf(step.Get("workflow")))
		return listed(nested.Get("outcomes")), !nested.IsAbsent()
	case wf.TypeSet, wf.TypeWait:
		own = []string{"done"}
	case wf.TypeForeach:
		own = append([]string{"item", "done"}, bounded(step)...)
	case wf.TypeJoin:
		own = []string{"done"}
		if fork := w.forkOf(idOf(step)); !fork.IsAbsent() {
			own = append(append(own, bounded(fork)...), caught(fork)...)
		}
	case wf.TypeFork:
		for _, branch := range step.Get("branches").Items() {
			if branch.Kind() == value.KindObject {
				branch = branch.Get("outcome")
			}
			own = append(own, textOf(branch))
		}
	case wf.TypeCondition:
		if !step.Get("check").IsAbsent() {
			return []string{"true", "false"}, true
		}
		for _, c := range step.Get("cases").Items() {
			own = append(own, textOf(c.Get("outcome")))
		}
		own = append(own, texts(value.Array(step.Get("default")))...)
	case wf.TypeInterrupt:
		own = append(texts(step.Get("outcomes")), texts(value.Array(step.Get("timeout_outcome")))...)
	}
	return own, true
}

// bounded are the outcomes of a region that is not done.
func bounded(step value.Value) (own []string) {
	if !step.Get("complete").IsAbsent() {
		own = append(own, "unmet")
	}
	if !step.Get("timeout_seconds").IsAbsent() {
		own = append(own, "timed_out")
	}
	return own
}

// caught are the outcomes that a step turns failures into.
func caught(step value.Value) (outcomes []string) {
	for _, c := range step.Get("catch").Items() {
		outcomes = append(outcomes, textOf(c.Get("outcome")))
	}
	return outcomes
}

// forkOf is the fork whose join a step is; absent if there is none.
func (w *scope) forkOf(join string) value.Value {
	for _, step := range w.steps().Items() {
		if kindOf(step) == wf.TypeFork && textOf(step.Get("join")) == join {
			return step
		}
	}
	return value.Value{}
}

func texts(v value.Value) (all []string) {
	for _, item := range v.Items() {
		if s, ok := item.AsString(); ok {
			all = append(all, s)
		}
	}
	return all
}

// takes is the schema of what a step is given, gives that of what it returns; nil if it is not known.
func (w *scope) takes(step value.Value) *schema.Schema {
	switch kindOf(step) {
	case wf.TypeNode:
		def, _, _ := w.contract(textOf(step.Get("node")))
		return schemaOf(def.Get("input_schema"))
	case wf.TypeSubgraph:
		return schemaOf(w.child(textOf(step.Get("workflow"))).Get("input_schema"))
	case wf.TypeInterrupt:
		return schemaOf(step.Get("request_schema"))
	}
	return nil
}

func (w *scope) gives(step value.Value) *schema.Schema {
	switch kindOf(step) {
	case wf.TypeNode:
		if own := step.Get("output_schema"); !own.IsAbsent() {
			return schemaOf(own)
		}
		def, _, _ := w.contract(textOf(step.Get("node")))
		return schemaOf(def.Get("output_schema"))
	case wf.TypeSubgraph:
		return schemaOf(w.child(textOf(step.Get("workflow"))).Get("output_schema"))
	case wf.TypeInterrupt:
		return schemaOf(step.Get("resume_schema"))
	}
	return nil
}

func schemaOf(v value.Value) *schema.Schema {
	if v.IsAbsent() {
		return nil
	}
	s, _ := schema.FromValue(v, nil)
	return s
}
