package edit

import (
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// FromCapability returns the document of a plan with one step, which calls a capability: a beginning that runs, not the workflow that
// somebody has in mind. A capability whose name is that of a saved workflow, name@version, is run by the step. What the capability
// requires is asked of the workflow's input and bound; what is optional is only reported. What it returns is the workflow's output, and its
// outcomes are the workflow's. The step has the id "call" if id is empty.
func FromCapability(def *wf.NodeDef, id string) (*Doc, *Report, error) {
	if def == nil {
		return nil, nil, &Error{Found: "no contract", Expected: "the contract of a capability"}
	}
	if id == "" {
		id = "call"
	}
	calls, does, name := "node", "calls", def.Name[strings.LastIndexByte(def.Name, '.')+1:]
	if saved, _, isSaved := strings.Cut(def.Name, "@"); isSaved {
		calls, does, name = "workflow", "runs", saved
	}
	step := object(member("id", value.String(id)), member(calls, value.String(def.Name)))
	plan := object(member("name", value.String(name)))
	s := &session{}
	s.note(KindSet, place{"nodes", "0"}, id, "the step %s %s", does, quote(def.Name))
	if len(def.InputSchema) > 0 {
		step, plan = s.bootstrapInput(step, plan, def.InputSchema)
	}
	plan, step, ends := bootstrapWays(plan, step, def.Outcomes)
	plan = plan.With("nodes", value.Array(append([]value.Value{step}, ends...)...)).With("output", bootstrapOutput(id, def.OutputSchema))
	w, found := wf.ParseWorkflow(plan.JSON())
	if w == nil {
		return nil, nil, &Error{Path: found[0].Path, Found: found[0].Message, Hint: found[0].RepairHint, Diagnostics: found}
	}
	d, err := docOf(w.Short())
	if err != nil {
		return nil, nil, err
	}
	report := &Report{Changes: s.changes}
	if calls == "node" { // of a saved workflow, who has it finds what is open
		_, report.Open = d.Check(&Options{Nodes: func(ref string) (*wf.NodeDef, bool) { return def, ref == def.Name }})
	}
	return d, report, nil
}

// bootstrapInput binds what a capability requires to fields of the workflow's input.
func (s *session) bootstrapInput(step, plan value.Value, text wf.Schema) (value.Value, value.Value) {
	at := place{"nodes", "0", "input"}
	input, _ := schema.Parse(text, nil)
	if input == nil {
		s.note(KindKept, at, "", "nothing is bound: the schema of what the capability takes cannot be read")
		return step, plan
	}
	declared, bound := value.Value{}, object()
	for _, p := range input.Properties() {
		key := localText([]wf.Part{{Name: p.Name}})
		if !p.Required {
			s.note(KindKept, at, "", "%s is optional and not bound", key)
			continue
		}
		var ok bool
		if declared, ok = schema.AddProperty(declared, p.Name, p.Schema, true); !ok {
			s.note(KindKept, at, "", "%s is required, and its schema could not be declared in the workflow's input", key)
		}
		bound = bound.With(key, value.String(wf.Path{Root: wf.RootInput, Parts: []wf.Part{{Name: p.Name}}}.String()))
		s.note(KindSet, at, "", "%s is required, and bound to the workflow's input", key)
	}
	if bound.Len() > 0 {
		step, plan = step.With("input", bound), plan.With("input_schema", declared)
	}
	return step, plan
}

// bootstrapWays gives the workflow the outcomes of its step, and leads each to an end.
func bootstrapWays(plan, step value.Value, outcomes []wf.Outcome) (value.Value, value.Value, []value.Value) {
	if len(outcomes) == 0 {
		outcomes = []wf.Outcome{wf.OK}
	}
	on, all := object(), []string{}
	var ends []value.Value
	for _, outcome := range outcomes {
		all = append(all, string(outcome))
		if outcome == wf.OK {
			on = on.With(string(outcome), value.String(wf.ToEnd))
			continue
		}
		id := string(outcome)
		for id == idOf(step) || slices.ContainsFunc(ends, func(s value.Value) bool { return idOf(s) == id }) {
			id += "_end"
		}
		on = on.With(string(outcome), value.String(id))
		ends = append(ends, object(member("id", value.String(id)), member("type", value.String(string(wf.TypeEnd))), member("outcome", value.String(string(outcome)))))
	}
	return plan.With("outcomes", textList(all)), step.With("on", on), ends
}

// bootstrapOutput returns what the step returns: an object as it is, anything else as its one member.
func bootstrapOutput(id string, text wf.Schema) value.Value {
	path := value.String(wf.Path{Root: wf.RootSteps, Parts: []wf.Part{{Name: id}}}.String())
	if s, _ := schema.Parse(text, nil); s != nil && slices.Equal(s.Types(), []string{"object"}) {
		return path
	}
	return object(member("result", path))
}
