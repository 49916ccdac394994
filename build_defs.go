package wf

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf/internal/value"
)

// define fills in what the steps call: node_defs, workflows, the functions.
func (a *assembly) define() {
	a.w.funcs = map[string]*Func{}
	a.refs = map[string]*NodeDef{}
	for _, p := range a.placed {
		switch step := p.step.(type) {
		case *NodeStep:
			step.Node = hole
			if p.contract != nil {
				step.Node = a.defineNode(p)
			}
		case *InterruptStep:
			question := p.callable.(*Question)
			step.Kind, step.Outcomes = question.def.Name, a.outcomesOf(p, question.def.Outcomes)
			step.RequestSchema, step.ResumeSchema = question.def.InputSchema, question.def.OutputSchema
			step.ResumeSchemas = question.answers
			step.TimeoutSeconds, step.TimeoutOutcome = question.timeout, question.late
			if len(question.problems.list) > 0 {
				step.digQuestion()
			}
			if step.Desc == "" {
				step.Desc = question.def.Description
			}
		case *SubgraphStep:
			step.Workflow = a.defineWorkflow(p, p.callable.(*Workflow))
		}
	}
	slices.SortFunc(a.w.NodeDefs, func(x, y *NodeDef) int { return strings.Compare(x.Name, y.Name) })
}

// defineNode adds what a step calls to the node_defs and returns its ref. One ref cannot mean two things.
func (a *assembly) defineNode(p *placed) string {
	def := p.contract
	def.Outcomes = a.outcomesOf(p, def.Outcomes)
	f, isFunc := p.callable.(*Func)
	if isFunc {
		def.Name = f.ref()
		if known, ok := a.w.funcs[def.Name]; ok && known != f {
			a.add(p.path(), Diagnostic{Code: "name_conflict", Step: p.id,
				Message:    fmt.Sprintf("another step calls another function that is called %q too", def.Name),
				RepairHint: "give one of them another name; if they are the same function, make it one Func, in a variable, and use it in both steps"})
			return hole
		}
		a.w.funcs[def.Name] = f
	}
	if !isRef(def.Name) { // which was said already
		return hole
	}
	known, ok := a.refs[def.Name]
	switch {
	case !ok:
		a.refs[def.Name] = def
		if def.InputSchema != nil || def.OutputSchema != nil || def.Outcomes != nil {
			a.w.NodeDefs = append(a.w.NodeDefs, def)
		}
	case !sameJSON(known, def):
		a.add(p.path(), Diagnostic{Code: "name_conflict", Step: p.id,
			Message:    fmt.Sprintf("another step uses %q with another contract", def.Name),
			RepairHint: "use one Func or Capability, in a variable, in both steps"})
		return hole
	}
	return def.Name
}

// defineWorkflow adds a workflow that a step runs and returns its name here.
func (a *assembly) defineWorkflow(p *placed, child *Workflow) string {
	if a.w.Workflows == nil {
		a.w.Workflows = map[string]*Workflow{}
	}
	if known, ok := a.w.Workflows[child.Name]; ok && known != child {
		a.add(p.path(), Diagnostic{Code: "name_conflict", Step: p.id,
			Message:    fmt.Sprintf("another step runs another workflow that is called %q too", child.Name),
			RepairHint: "give one of them another name"})
		return hole
	}
	a.w.Workflows[child.Name] = child
	return child.Name
}

// sameJSON compares two definitions as plans have them.
func sameJSON(x, y *NodeDef) bool {
	tree := func(def *NodeDef) value.Value {
		text, err := json.Marshal(def)
		if err != nil {
			return value.Value{} // a schema that is no JSON, which the validator reports
		}
		v, _ := value.Parse(text)
		return v
	}
	return value.Equal(tree(x), tree(y))
}

// Contract returns what calling the workflow from another one asks for and gives.
func (w *Workflow) Contract() *NodeDef {
	return &NodeDef{Name: w.Name, Description: w.Description, InputSchema: w.InputSchema, OutputSchema: w.OutputSchema,
		Outcomes: slices.Clone(w.Outcomes)}
}
