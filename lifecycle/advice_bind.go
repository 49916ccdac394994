package lifecycle

import (
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/lifecycle/edit"
)

// bind fills what a step's input or the workflow's output requires: with a value of that name, or with the only one that fits, or, of a
// step, with a field of the workflow's input that is declared for it.
func (r *repairer) bind(f *finding) {
	if name := f.unfilled(); name != "" && f.scope != nil {
		r.fill(f, name)
	}
}

// writeState fills a state field that is read and never written: by a step that returns something of that name. A part of the workflow's
// output that would be taken from it is bound to that itself.
func (r *repairer) writeState(f *finding) {
	at, _ := jsonpatch.ParsePointer(f.Path)
	if f.scope == nil || len(at) < 2 {
		return
	}
	if len(at) >= 3 && at[len(at)-3] == "output_schema" {
		r.fill(f, at[len(at)-1])
		return
	}
	plan, _ := value.Parse(r.c.workflow.Canonical())
	name := stateField(at.Find(plan))
	for _, s := range f.scope.Nodes {
		node, ok := s.(*wf.NodeStep)
		if !ok || name == "" {
			continue
		}
		def := r.definition(f.scope, node.Node)
		if def == nil {
			continue
		}
		if returns, problems := schema.Parse(def.OutputSchema, nil); len(problems) > 0 {
			continue
		} else if _, has := returns.Property(name); !has {
			continue
		}
		if r.edit(f, &edit.Bind{In: f.in, Step: node.ID, From: pathName(name), To: "state." + pathName(name)},
			fmt.Sprintf("write what the step %q returns as %s to the state, which is read and never written", node.ID, name)) {
			return
		}
	}
}

// stateField is the field of the state that an operand reads; "" if it reads none, or more.
func stateField(operand value.Value) string {
	if text, ok := operand.AsString(); ok {
		return text
	}
	path := operand
	if p := operand.Get("path"); !p.IsAbsent() {
		path = p
	}
	root, _ := path.Get("root").AsString()
	name, _ := path.Get("parts").Index(0).AsString()
	if root != string(wf.RootState) {
		return ""
	}
	return name
}

// fill fills a name of a step's input or of the workflow's output.
func (r *repairer) fill(f *finding, name string) {
	bind := func(from string) *edit.Bind {
		return &edit.Bind{In: f.in, Step: f.Step, To: pathName(name), From: from}
	}
	of := "the workflow's output"
	if f.Step != "" {
		of = fmt.Sprintf("step %q", f.Step)
	}
	fitting := r.fitting(f, name, bind)
	var others string
	if len(fitting) > 1 {
		others = "; " + some(fitting[1:]) + " would fit, too"
	}
	if len(fitting) > 0 {
		r.edit(f, bind(fitting[0]), fmt.Sprintf("fill %q of %s with %s%s", name, of, fitting[0], others))
	}
	input := "input." + pathName(name)
	if f.Step != "" && !slices.Contains(fitting, input) {
		if r.edit(f, bind(input), fmt.Sprintf("fill %q of %s from the workflow's input, which gets a field for it", name, of)) {
			return
		}
	}
	if len(fitting) == 0 && f.Step == "" {
		r.edit(f, bind("state."+pathName(name)), fmt.Sprintf("fill %q of %s from the state or from what a step returns", name, of), "/from")
	}
}

// unfilled is the name of what a finding says that nothing fills: its fix binds it.
func (f *finding) unfilled() string {
	for _, fix := range f.Fixes {
		patch, _ := value.Parse(fix.Patch)
		last := patch.Index(patch.Len() - 1).Get("value")
		if last.Kind() == value.KindArray {
			last = last.Index(0)
		}
		target := last.Get("target")
		if text, ok := target.AsString(); ok {
			p, err := wf.ParsePath(text)
			if err != nil {
				return text
			}
			return p.Parts[len(p.Parts)-1].Name
		}
		if name, ok := target.Get("parts").Index(0).AsString(); ok {
			return name
		}
	}
	return ""
}

// pathName writes a name as the part of a path.
func pathName(name string) string {
	return strings.TrimPrefix(wf.Path{Root: wf.RootState, Parts: []wf.Part{{Name: name}}}.String(), "state.")
}

// fitting are the places that can fill what a finding says is missing, the best first: one of that name, else one that alone has a type
// which fits. Each was tried: with it the plan has one error less, and no other warning.
func (r *repairer) fitting(f *finding, name string, bind func(from string) *edit.Bind) (fit []string) {
	want, problems := schema.Parse(orSchema(f.Expected), nil)
	if len(problems) > 0 {
		return nil
	}
	fits := func(c candidate) bool {
		if verdict, _ := schema.Assignable(c.schema, want); verdict != schema.Yes {
			return false
		}
		left, ok := r.trial(f.Diagnostic, func(d *draft) error { return second(r.edits(r.ctx, d, "", bind(c.path))) })
		return ok && left.Errors < r.d.Summary.Errors && left.Warnings <= r.d.Summary.Warnings
	}
	var others []candidate
	for _, c := range r.candidates(f) {
		if c.name != name {
			others = append(others, c)
		} else if fits(c) {
			fit = append(fit, c.path)
		}
	}
	if len(fit) > 0 || !isTyped(f.Expected) {
		return fit
	}
	for _, c := range others {
		if len(fit) < 2 && fits(c) {
			fit = append(fit, c.path)
		}
	}
	if len(fit) == 1 {
		return fit
	}
	return nil
}

func orSchema(raw []byte) []byte {
	if isNothing(raw) {
		return []byte(`{}`)
	}
	return raw
}

// isTyped reports whether a schema says of what type a value is.
func isTyped(raw []byte) bool {
	s, _ := value.Parse(raw)
	return !s.Get("type").IsAbsent()
}

// candidate is a place that a step can read.
type candidate struct {
	path, name string
	schema     *schema.Schema
}

// candidates are the fields of the workflow's state and input and of what its other steps return.
func (r *repairer) candidates(f *finding) (list []candidate) {
	add := func(root string, s wf.Schema) {
		parsed, problems := schema.Parse(s, nil)
		if len(s) == 0 || len(problems) > 0 {
			return
		}
		for _, p := range parsed.Properties() {
			list = append(list, candidate{root + "." + pathName(p.Name), p.Name, p.Schema})
		}
	}
	add("state", f.scope.StateSchema)
	add("input", f.scope.InputSchema)
	for _, s := range f.scope.Nodes {
		if node, ok := s.(*wf.NodeStep); ok && node.ID != f.Step {
			if def := r.definition(f.scope, node.Node); def != nil {
				add("steps."+pathName(node.ID), def.OutputSchema)
				if whole, problems := schema.Parse(def.OutputSchema, nil); len(def.OutputSchema) > 0 && len(problems) == 0 {
					list = append(list, candidate{"steps." + pathName(node.ID), node.ID, whole})
				}
			}
		}
	}
	return list
}

// definition is the contract of what a step calls: the plan's own, or that of a source.
func (r *repairer) definition(w *wf.Workflow, ref string) *wf.NodeDef {
	for _, def := range w.NodeDefs {
		if def.Name == ref {
			return def
		}
	}
	if !r.offers(r.d.Sources, ref) {
		return nil
	}
	return r.contract(ref)
}
