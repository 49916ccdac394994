package wf

import (
	"reflect"
	"slices"

	"lda.chat/wf/internal/schema"
)

// ValidateOptions say what surrounds a plan. A nil *ValidateOptions and the zero value are valid. The functions
// must be pure while Validate runs.
type ValidateOptions struct {
	// Nodes finds capabilities that the plan's node_defs do not define; nil means there are none.
	Nodes func(ref string) (*NodeDef, bool)
	// KnownRefs lists the refs that Nodes knows, for suggestions only; it is called only if a ref is unknown.
	KnownRefs func() []string
	// Reducers finds reducers that the host has beside the standard ones; nil means there are none.
	Reducers func(name string) (ReducerSpec, bool)
	// Doc names the document in every finding, for example "draft:report_ws@3" or a file's name.
	Doc string
}

// Validate checks everything about a plan that can be known before it runs, and returns all findings at once in
// the order of [Diagnostics.Sort]. Their places are JSON Pointers into the plan's canonical form. It accepts any
// value, incomplete plans and plans put together in Go too; it changes nothing, and may run concurrently on one plan.
// What cannot be known is never an error. Its time grows with the plan's size only. A nil workflow has one finding.
func Validate(w *Workflow, opts *ValidateOptions) Diagnostics { return validate(w, opts, false) }

// validate is Validate, also of a workflow with holes, which nobody but the reader can make.
func validate(w *Workflow, opts *ValidateOptions, holes bool) Diagnostics {
	return check(w, opts, holes, nil)
}

// check is validate, and has a prover, which may be nil, count and note.
func check(w *Workflow, opts *ValidateOptions, holes bool, proof *prover) Diagnostics {
	if opts == nil {
		opts = &ValidateOptions{}
	}
	if w == nil {
		return Diagnostics{{Severity: SeverityError, Code: "workflow_missing", Doc: opts.Doc, Message: "there is no workflow: it is nil",
			RepairHint: "look at the error of what made it: reading a plan and building one give nil where there are mistakes"}}
	}
	sh := newShared(w, opts, holes)
	sh.proof = proof
	root := newChecker(w, sh, nil, nil)
	root.run()
	sh.checkCalls(root)
	if proof != nil {
		root.proveSteps()
	}
	sh.found.Sort()
	return sh.found
}

func newShared(w *Workflow, opts *ValidateOptions, holes bool) *checkShared {
	sh := &checkShared{
		opts: opts, holes: holes, schemas: make(map[string]judged), inside: make(map[member]inside), near: make(map[member]string), failCodes: make(map[Code]bool),
		subcalls: make(map[*Workflow][]subcall), suggestions: suggestionBudget,
	}
	sh.collectFailCodes(w, make(map[*Workflow]bool))
	return sh
}

// checkShared is what the checks of a plan and of the workflows inside it have in common.
type checkShared struct {
	opts         *ValidateOptions
	holes        bool        // the workflow has some: see hole
	proof        *prover     // nil unless somebody asks
	notes        *inferNotes // nil unless somebody asks
	found        Diagnostics
	schemas      map[string]judged       // by text
	inside       map[member]inside       // what schemas say of one of their members
	near         map[member]string       // what members of which schemas say nothing may be meant as
	failCodes    map[Code]bool           // of the fail steps of all workflows
	codes        []string                // see knownCodes
	foreignCodes bool                    // workflows from elsewhere are called, which may have codes of their own
	subcalls     map[*Workflow][]subcall // by the workflow that runs another
	callers      []*Workflow             // the keys of subcalls, in the order in which they were met
	mismatches   map[typePair]*schema.Reason
	suggestions  int // names that may still be compared for suggestions
}

// checker checks one workflow. Everything in it is computed once, before the rules run.
type checker struct {
	*checkShared
	w        *Workflow
	plan     *Workflow // w as it was given
	root     *place    // where the workflow stands in the document
	outer    *checker  // of the workflow around this one, or nil
	nest     *nesting  // plan, with those around it
	calls    []*callee // by step; nil if it calls nothing, or nobody knows what
	targets  []string  // see targetIDs
	nodes    []place
	edges    []place
	tree     *regionTree
	outcomes [][]Outcome // by step
	known    []bool      // by step: whether outcomes are all
	lost     losses
	twins    twins
	declared map[int]map[Outcome]bool // by step, of those with many outcomes
	wired    map[wire]int             // the first edge of each outcome
	doubled  map[wire]bool            // outcomes with several edges
	offered  map[int]bool             // the steps to which the fixes of missing edges lead
	pass     *passage                 // see passage
	input    *schema.Schema           // nil: anything
	state    *schema.Schema
	output   *schema.Schema
	items    map[int]*schema.Schema // see itemSchema
	arrays   map[string]bool        // by state field: whether all that is written to it are arrays, of those that somebody asked about
	fields   map[string]string      // the reducer of each declared state field, "" for replace
	targeted *fieldNames            // see fieldsWritten
	made     map[string]bool        // see makesArray
}

// rules are all checks of a workflow, each a function that reports what it finds. The workflows inside it come after them.
var rules = []func(*checker){
	(*checker).checkHead,
	(*checker).checkDefs,
	(*checker).checkSchemas,
	(*checker).checkAnnotations,
	(*checker).checkReducers,
	(*checker).checkDefaults,
	(*checker).checkSeeds,
	(*checker).checkIDs,
	(*checker).checkSteps,
	(*checker).checkCatches,
	(*checker).checkRefs,
	(*checker).checkEdges,
	(*checker).checkWiring,
	(*checker).checkReachable,
	(*checker).checkLoops,
	(*checker).checkJoins,
	(*checker).checkRegions,
	(*checker).checkUnmerged,
	(*checker).checkConditions,
	(*checker).checkInputs,
	(*checker).checkOutputs,
	(*checker).checkOverlaps,
	(*checker).checkUnsets,
	(*checker).checkConflicts,
	(*checker).checkOtherOperands,
	(*checker).checkResult,
	(*checker).checkAssigned,
	(*checker).checkCollected,
}

func newChecker(w *Workflow, sh *checkShared, root *place, outer *checker) *checker {
	c := &checker{checkShared: sh, w: withoutNilSteps(w), plan: w, root: root, outer: outer}
	if outer != nil {
		c.nest = newNesting(w, outer.nest)
	} else {
		c.nest = newNesting(w, nil)
	}
	c.tree = newRegionTree(c.w)
	c.nodes, c.edges = c.top("nodes").elements(len(c.w.Nodes)), c.top("edges").elements(len(c.w.Edges))
	c.input, c.state, c.output = c.schema(w.InputSchema), c.schema(w.StateSchema), c.schema(w.OutputSchema)
	c.fields = reducersOf(c.state)
	c.lose()
	c.resolveCalls()
	n := len(c.w.Nodes)
	c.outcomes, c.known, c.declared = make([][]Outcome, n), make([]bool, n), make(map[int]map[Outcome]bool)
	for i := range c.w.Nodes {
		c.outcomes[i], c.known[i] = stepOutcomes(c.tree, i, c.calledOutcomes)
		c.loseOutcomes(i)
	}
	c.findTwins()
	return c
}

func (c *checker) run() {
	for _, rule := range rules {
		rule(c)
	}
	if c.proof != nil {
		c.prove()
	}
	if c.notes != nil {
		c.noteRest()
	}
	c.checkNested()
}

// withoutNilSteps keeps every rule from having to expect steps that are not there: each is replaced by a step without
// an id, which is then reported like any other.
func withoutNilSteps(w *Workflow) *Workflow {
	if !slices.ContainsFunc(w.Nodes, isNilStep) {
		return w
	}
	repaired := *w
	repaired.Nodes = slices.Clone(w.Nodes)
	for i, s := range repaired.Nodes {
		if isNilStep(s) {
			repaired.Nodes[i] = &FailStep{}
		}
	}
	return &repaired
}

// isNilStep reports whether there is no step behind an interface value.
func isNilStep(s Step) bool {
	v := reflect.ValueOf(s)
	return s == nil || v.Kind() == reflect.Pointer && v.IsNil()
}

// reachable reports whether the start leads to a step. Without a start every step counts as reached.
func (c *checker) reachable(step int) bool {
	return c.tree.of[step] != noRegion || !c.hasStart()
}

func (c *checker) hasStart() bool {
	_, ok := c.tree.index[c.w.Start]
	return ok
}
