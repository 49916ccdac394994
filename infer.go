package wf

import (
	"fmt"
	"maps"
	"slices"

	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// Infer fills in what a plan leaves out and its steps tell, and returns a copy that has it: the contracts of the capabilities that
// it calls, from those that [ValidateOptions.Nodes] finds; the schema of each input, state field and output that has none, from what
// is written there and what those who read it ask for. The findings, of severity info, say what was added where, and from which
// steps; and, of what could be known but is not clear, why it was left out.
//
// What the plan says itself stays as it is. Nothing is added with which the plan would have an error that it has not now, nor anything
// that would change what a run does with values that the plan can take: a state field is not declared where an input of its name would
// then fill it. An input is required only if a step needs it that every run comes to.
func Infer(w *Workflow, opts *ValidateOptions) (*Workflow, Diagnostics) {
	if w == nil {
		return nil, nil
	}
	if opts == nil {
		opts = &ValidateOptions{}
	}
	inf := &inferrer{opts: opts, w: w.Clone(), tried: make(map[string]bool)}
	inf.errors = errorCounts(Validate(inf.w, opts))
	for range maxInferPasses { // what is known of one workflow's output may tell something of another's state
		if !inf.pass() {
			break
		}
	}
	inf.said = append(inf.said, inf.unsure...)
	inf.said.Sort()
	return inf.w, inf.said
}

// Infer is the function of that name, with the capabilities and reducers at hand.
func (rt *Runtime) Infer(w *Workflow) (*Workflow, Diagnostics) { return Infer(w, rt.surroundings()) }

const maxInferPasses = 4 * maxWorkflows

// inferrer fills in one plan.
type inferrer struct {
	opts   *ValidateOptions
	w      *Workflow
	errors map[string]int  // of the plan as it was
	tried  map[string]bool // places for which something was added, or cannot be
	said   Diagnostics
	unsure Diagnostics // what the pass could not tell; another may
}

// addition is one thing that can be added.
type addition struct {
	at   *place
	into func(w *Workflow) bool // adds it to the workflow at path; false: it cannot be added
	path []string               // names of nested workflows, outer ones first
	told Diagnostic
}

// pass looks once at the whole plan, and reports whether something was added.
func (inf *inferrer) pass() bool {
	inf.unsure = nil
	notes := &inferNotes{}
	sh := newShared(inf.w, inf.opts, false)
	sh.notes = notes
	newChecker(inf.w, sh, nil, nil).run()
	var list []addition
	for _, c := range notes.checkers {
		list = append(list, inf.additions(c, notes)...)
	}
	if len(list) == 0 {
		list = inf.outputs(notes)
	}
	if len(list) == 0 {
		return false
	}
	if inf.add(list) {
		return true
	}
	added := false
	for _, a := range list {
		if inf.add([]addition{a}) {
			added = true
		} else {
			inf.unclear(a.at, a.told.Related, "what is inferred would be an error: "+a.told.Message)
			inf.said, inf.tried[a.at.String()] = append(inf.said, inf.unsure[len(inf.unsure)-1]), true
			inf.unsure = inf.unsure[:len(inf.unsure)-1]
		}
	}
	return added
}

// add adds all of a list, or nothing if that brings errors.
func (inf *inferrer) add(list []addition) bool {
	next := inf.w.Clone()
	var told Diagnostics
	for _, a := range list {
		w := next
		for _, name := range a.path {
			w = w.Workflows[name]
		}
		if a.into(w) {
			told = append(told, a.told)
		}
	}
	now := errorCounts(Validate(next, inf.opts))
	for key, n := range now {
		if n > inf.errors[key] {
			return false
		}
	}
	inf.w, inf.said = next, append(inf.said, told...)
	for _, a := range list {
		inf.tried[a.at.String()] = true
	}
	return len(told) > 0
}

// errorCounts counts errors by what they say.
func errorCounts(found Diagnostics) map[string]int {
	counts := make(map[string]int)
	for i := range found {
		if found[i].Severity == SeverityError {
			counts[found[i].identity()]++
		}
	}
	return counts
}

// unclear says why nothing was inferred for a place.
func (inf *inferrer) unclear(at *place, related []Related, message string) {
	inf.unsure = append(inf.unsure, Diagnostic{Severity: SeverityInfo, Code: "schema_unclear", Doc: inf.opts.Doc, Path: at.String(), Message: message,
		RepairHint: "write the schema yourself", Related: related})
}

// additions are what can be added to one workflow.
func (inf *inferrer) additions(c *checker, notes *inferNotes) []addition {
	list := inf.contracts(c)
	path := c.workflowPath()
	for _, root := range []Root{RootState, RootInput} {
		own, member := c.state, "state_schema"
		if root == RootInput {
			own, member = c.input, "input_schema"
		}
		fields := notes.of[c][root]
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			at := c.top(member).key("properties").key(name)
			if own != nil && !isSilent(own, name) || inf.tried[at.String()] || root == RootState && (c.isInput(name) || notes.of[c][RootInput][name] != nil) {
				continue
			}
			f := fields[name]
			s, why := f.schema(root == RootState)
			if s == nil {
				if why != "" {
					inf.unclear(at, f.related(c), fmt.Sprintf("the schema of %s is not clear: %s", Path{root, []Part{namePart(name)}}, why))
				}
				continue
			}
			list = append(list, c.property(member, name, s, root == RootInput && f.isRequired, path, f.related(c),
				fmt.Sprintf("%s is inferred to be %s", Path{root, []Part{namePart(name)}}, shorten(string(s.JSON()), 100))))
		}
	}
	return list
}

// outputs are what can be added to the outputs of workflows, when all else is known: of the innermost ones that have something,
// since those around them may hand it on.
func (inf *inferrer) outputs(notes *inferNotes) (list []addition) {
	for _, c := range notes.checkers {
		if own := c.outputProperties(c.workflowPath()); len(c.w.OutputSchema) == 0 && len(own) > 0 && !inf.tried[own[0].at.String()] {
			if len(list) > 0 && len(own[0].path) > len(list[0].path) {
				list = nil
			}
			if len(list) == 0 || len(own[0].path) == len(list[0].path) {
				list = append(list, own...)
			}
		}
	}
	return list
}

// isSilent reports whether a schema allows a property of which it says nothing.
func isSilent(s *schema.Schema, name string) bool {
	inside, presence := s.Lookup(value.Path{{Key: name}})
	return inside == nil && presence != schema.Never
}

func (c *checker) isInput(name string) bool {
	if c.input == nil {
		return false
	}
	_, declared := c.input.Property(name)
	return declared
}

// property is the addition of one property to one of the workflow's schemas.
func (c *checker) property(member, name string, s *schema.Schema, required bool, path []string, related []Related, message string) addition {
	at := c.top(member).key("properties").key(name)
	return addition{at: at, path: path,
		told: Diagnostic{Severity: SeverityInfo, Code: "schema_inferred", Doc: c.opts.Doc, Path: at.String(), Message: message,
			RepairHint: "keep it if it is right; what the plan says itself is never changed", Actual: s.JSON(), Related: related},
		into: func(w *Workflow) bool {
			into := &w.InputSchema
			switch member {
			case "state_schema":
				into = &w.StateSchema
			case "output_schema":
				into = &w.OutputSchema
			}
			var object value.Value
			if len(*into) > 0 {
				object, _ = value.Parse(*into)
			}
			extended, ok := schema.AddProperty(object, name, s, required)
			if ok {
				*into = extended.AppendCanonical(nil)
			}
			return ok
		},
	}
}

// contracts are the capabilities that the workflow calls and that only the inventory defines.
func (inf *inferrer) contracts(c *checker) (list []addition) {
	if inf.opts.Nodes == nil {
		return nil
	}
	seen := map[string]bool{}
	for i, s := range c.w.Nodes {
		step, ok := s.(*NodeStep)
		if !ok || seen[step.Node] {
			continue
		}
		seen[step.Node] = true
		if c.nest.def(step.Node) != nil {
			continue
		}
		def, known := inf.opts.Nodes(step.Node)
		if !known || def == nil {
			continue
		}
		at := c.top("node_defs").key(step.Node)
		list = append(list, addition{at: at, path: c.workflowPath(),
			told: Diagnostic{Severity: SeverityInfo, Code: "contract_inferred", Doc: c.opts.Doc, Path: c.top("node_defs").String(), LogicalRef: step.Node,
				Message: fmt.Sprintf("the contract of %q is taken from its source", step.Node), RepairHint: "keep it: the plan then says by itself what it relies on",
				Related: []Related{{Doc: c.opts.Doc, Path: c.node(i).key("node").String(), Message: "the step that calls it"}}},
			into: func(w *Workflow) bool {
				w.NodeDefs = append(w.NodeDefs, ownDef(def))
				sortNodeDefs(w.NodeDefs)
				return true
			},
		})
	}
	return list
}

// workflowPath are the names of the workflows around this one, and its own.
func (c *checker) workflowPath() []string {
	var path []string
	for p := c.root; p != nil; p = p.up {
		if p.up != nil && p.up.name == "workflows" {
			path = append(path, p.name)
			p = p.up
		}
	}
	slices.Reverse(path)
	return path
}

// ownDef is a copy of a contract, as it is written in a plan.
func ownDef(def *NodeDef) *NodeDef {
	own := (&Workflow{NodeDefs: []*NodeDef{def}}).Clone().NodeDefs[0]
	own.Outcomes = declaredOutcomes(own.Outcomes)
	return own
}
