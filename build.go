package wf

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"lda.chat/wf/internal/value"
)

// Build makes the workflow. Its error carries every mistake at once, of the chain and what [Validate] finds in the
// result; see [DiagnosticsOf]. Warnings alone are no error: [Runtime.Check] tells them. What depends on where the workflow
// will run, such as the host's reducers and the contracts behind a [Ref], is not looked at. The functions of the steps are
// kept with the workflow. A Builder can be built again.
func (b *Builder) Build() (*Workflow, error) {
	a := &assembly{open: map[*Builder]bool{}, w: &Workflow{
		Format: Format, Name: b.title, Description: b.desc,
		InputSchema: b.input, StateSchema: b.state, OutputSchema: b.output,
		Limits: b.limits, Nodes: []Step{}, Edges: []Edge{},
	}}
	a.inputFields, a.stateFields = propertiesOf(b.input), propertiesOf(b.state)
	a.report(nil, b.problems)
	if b.body {
		var p problems
		p.add("body_has_no_contract", "a body is not a workflow", "begin with Define, or pass the body to Foreach or Branch")
		a.report(nil, p)
	}
	if !isDotted(a.w.Name) { // which was said already
		a.w.Name = hole
	}
	a.place(b, &a.root, ToEnd)
	a.define()
	a.bind()
	a.output(b)
	a.outcomes()
	return a.finish()
}

// An assembly is a workflow that is being made of a chain.
type assembly struct {
	w                        *Workflow
	list                     Diagnostics
	placed                   []*placed
	refs                     map[string]*NodeDef // everything that node steps call
	given                    *namesGiven
	root                     frame
	open                     map[*Builder]bool // the bodies that are being placed
	inputFields, stateFields []string
	graph                    backwards
	unsure                   bool // a name that nothing gives may be given by what was lost
}

// A placed item has become a step of the workflow.
type placed struct {
	*item
	step     Step // a copy of the item's
	written  []OutputBinding
	id       string
	index    int // in Nodes
	frame    *frame
	contract *NodeDef // nil where nothing is called
	gives    []string // the top-level members of its output
}

// A frame is a chain with the steps around it: the workflow's own, a body's, a branch's.
type frame struct {
	outer *frame
	each  *placed // the foreach of a body
	as    string  // the name of its items
	fork  *placed // the fork of a branch
}

// within reports whether f is g or inside g.
func (f *frame) within(g *frame) bool {
	for ; f != nil; f = f.outer {
		if f == g {
			return true
		}
	}
	return false
}

// add reports a mistake at a place of the workflow, an error if nothing else is said.
func (a *assembly) add(path string, d Diagnostic) {
	d.Path = path
	d.Severity = cmp.Or(d.Severity, SeverityError)
	a.list = append(a.list, d)
}

// report takes over the mistakes of a step, or, without one, of the whole.
func (a *assembly) report(p *placed, found problems) {
	for _, d := range found.list {
		path := ""
		if p != nil {
			path, d.Step = p.path(), p.id
		}
		a.add(path, d)
	}
}

func (p *placed) path() string { return fmt.Sprintf("/nodes/%d", p.index) }

// propertiesOf lists the names of a schema's top-level properties, sorted.
func propertiesOf(s Schema) []string {
	v, err := value.Parse(s)
	if s == nil || err != nil {
		return nil // no schema, or one that the validator refuses
	}
	var names []string
	for name := range v.Get("properties").Members() {
		names = append(names, name)
	}
	return names
}

// outcomes lists the workflow's own outcomes: "ok" if a step leads to the end, and those of the end steps.
func (a *assembly) outcomes() {
	var all []Outcome
	if slices.ContainsFunc(a.w.Edges, func(e Edge) bool { return e.To == ToEnd || e.Exhausted == ToEnd }) {
		all = append(all, OK)
	}
	for _, s := range a.w.Nodes {
		if end, ok := s.(*EndStep); ok && !slices.Contains(all, end.Outcome) {
			all = append(all, end.Outcome)
		}
	}
	if !slices.Equal(all, []Outcome{OK}) {
		a.w.Outcomes = all
	}
}

// finish checks the workflow and returns it in canonical form. What was found to be wrong in the chain has left holes, so
// that the checks go on around it.
func (a *assembly) finish() (*Workflow, error) {
	a.dig()
	root, err := value.Parse(a.w.Canonical())
	if err != nil {
		a.list = append(a.list, syntaxDiagnostic(err))
		return nil, a.list.Err()
	}
	r := &reader{holes: len(a.list) > 0}
	built := r.workflow(root, "", "", nil)
	a.list = append(a.list, a.withoutRepeatedIDs(r.diags, root)...)
	if !r.isLocked {
		opts := &ValidateOptions{Nodes: a.contract, Reducers: func(name string) (ReducerSpec, bool) { return ReducerSpec{Name: name, Concurrent: true}, true }}
		a.list = append(a.list, validate(built, opts, r.holes || r.failed())...)
	}
	a.list.Sort()
	if err := a.list.Err(); err != nil {
		return nil, err
	}
	built.takeFuncs(a.w)
	return built, nil
}

// contract finds what a step calls and the workflow does not define: capabilities of which only the name is known.
func (a *assembly) contract(ref string) (*NodeDef, bool) {
	def, ok := a.refs[ref]
	return def, ok
}

// takeFuncs gives a workflow that was read back the functions of the original.
func (w *Workflow) takeFuncs(from *Workflow) {
	w.funcs = from.funcs
	for name, child := range w.Workflows {
		child.takeFuncs(from.Workflows[name])
	}
}

// isNil reports whether an interface holds nothing to call methods on.
func isNil(x any) bool {
	v := reflect.ValueOf(x)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// sortInputs puts bindings in the order of their targets.
func sortInputs(bindings []InputBinding) {
	slices.SortStableFunc(bindings, func(x, y InputBinding) int {
		return strings.Compare(x.Target.String(), y.Target.String())
	})
}

// sortWrites puts writes of the step's output in the order of their sources, and after them other values in the order of
// their targets.
func sortWrites(bindings []OutputBinding) {
	place := func(b OutputBinding) string {
		if b.Source == nil {
			return "~" + b.Target.String()
		}
		return b.Source.String()
	}
	slices.SortStableFunc(bindings, func(x, y OutputBinding) int { return strings.Compare(place(x), place(y)) })
}
