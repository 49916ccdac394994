package wf

import (
	"fmt"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// Defaults of a run's limits, of retries and of a parallel foreach.
const (
	defaultMaxSteps        = 10000
	defaultMaxDepth        = 16
	defaultMaxAttempts     = 3
	defaultInitialInterval = 1.0
	defaultBackoff         = 2.0
	defaultMaxInterval     = 60.0
	defaultMaxConcurrency  = 16
)

// defaultRetryOn is what a retry without "on" repeats.
var defaultRetryOn = []Code{CodeTransport, CodeTimeout, CodeProviderError, CodeHandlerError}

// compilation is what the compilers of a workflow and of those inside it have in common.
type compilation struct {
	prog     *program
	nodes    func(ref string) (*Func, bool)
	reducers map[string]*Reducer
	read     map[string]*schema.Schema // schemas by their text
	children map[childKey]*flow        // that are compiled, or being compiled
	places   map[*nesting]string       // JSON Pointers of the workflows
	diags    Diagnostics
}

// childKey names a nested workflow: by its name in the workflow whose own it is.
type childKey struct {
	in   *nesting
	name string
}

// compiler turns one valid workflow into a flow.
type compiler struct {
	*compilation
	w    *Workflow
	nest *nesting
	tree *regionTree

	flow   *flow
	out    *kernel.Program
	routes map[edgeKey]int  // edges by their source
	inside []int            // by edge: the region that it enters; 0: none
	slots  map[string]int32 // by state field
	found  map[string]int32 // callees by ref; of steps that narrow nothing

	at     string   // JSON Pointer of what is being compiled
	step   string   // its step
	region int32    // whose items it sees
	vars   []string // variables of the conditions around it
}

type edgeKey struct {
	from    string
	outcome Outcome
}

// compile makes a program of a workflow that [Validate] has found to be sound. What it reports is what only the
// binding to functions can show.
func compile(w *Workflow, nodes func(ref string) (*Func, bool), reducers map[string]*Reducer) (*program, Diagnostics) {
	prog := &program{flows: map[*kernel.Program]*flow{}}
	all := &compilation{prog: prog, nodes: nodes, reducers: reducers, read: map[string]*schema.Schema{}, children: map[childKey]*flow{}, places: map[*nesting]string{}}
	prog.flow = all.newFlow(w)
	prog.kernel.MaxSteps = defaultMaxSteps
	all.workflow(newNesting(w, nil), prog.flow, "")
	if all.diags.HasErrors() {
		return nil, all.diags
	}
	return prog, all.diags
}

// newFlow makes a flow that subgraph steps can refer to before it is compiled.
func (all *compilation) newFlow(w *Workflow) *flow {
	f := &flow{program: all.prog, name: w.Name, kernel: &kernel.Program{Workflow: w.Name, MaxValue: value.DefaultLimits.Bytes}}
	all.prog.flows[f.kernel] = f
	return f
}

// workflow compiles a workflow that stands at a place of the plan.
func (all *compilation) workflow(nest *nesting, f *flow, at string) {
	w := nest.w
	c := &compiler{
		compilation: all, w: w, nest: nest, tree: newRegionTree(w), flow: f, out: f.kernel,
		slots: map[string]int32{}, found: map[string]int32{},
	}
	all.places[nest] = at
	c.limits()
	c.state()
	c.seeds()
	c.layOut()
	for i, s := range w.Nodes {
		c.at, c.step, c.region = fmt.Sprintf("%s/nodes/%d", at, i), s.StepID(), c.out.Ops[i].Region
		c.op(int32(i), s)
	}
	c.at, c.step, c.region = at, "", 0
	c.output()
	c.out.Link()
	f.findVeils()
}

func (c *compiler) limits() {
	if l := c.w.Limits; l != nil {
		if l.MaxSteps > 0 {
			c.out.MaxSteps = l.MaxSteps
		}
		c.out.Timeout = nanoseconds(l.TimeoutSeconds)
		c.waits(c.out.Timeout > 0)
	}
}

// waits notes that an event may come from elsewhere than from the goroutine that drives the run.
func (c *compiler) waits(may bool) { c.prog.waits = c.prog.waits || may }

// seeds compiles what the input says: its schema, defaults, secrets.
func (c *compiler) seeds() {
	in := c.schema(c.w.InputSchema)
	c.flow.input, c.out.CheckInput = in, checkOf(in, kernel.CodeInputInvalid)
	c.flow.secretInputs = secretInputs(in, c.out.Fields, c.flow.hidden)
	if in == nil {
		return
	}
	for _, p := range in.Properties() {
		if !p.Default.IsAbsent() {
			c.out.Defaults = append(c.out.Defaults, value.Member{Key: p.Name, Value: p.Default})
		}
	}
}

// schema reads a schema of the plan; what is wrong with it has been reported by the validator.
func (all *compilation) schema(s Schema) *schema.Schema {
	if len(s) == 0 {
		return nil
	}
	compiled, ok := all.read[string(s)]
	if !ok {
		compiled, _ = schema.Parse(s, nil)
		all.read[string(s)] = compiled
	}
	return compiled
}

func (c *compiler) report(code Code, at, message, hint string) {
	info, _ := LookupCode(code)
	c.diags = append(c.diags, Diagnostic{Severity: info.Severity, Code: code, Path: at, Step: c.step, Message: message, RepairHint: hint})
}
