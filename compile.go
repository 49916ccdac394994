package wf

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// Defaults of a run's limits and of retries.
const (
	defaultMaxSteps        = 10000
	defaultMaxAttempts     = 3
	defaultInitialInterval = 1.0
	defaultBackoff         = 2.0
	defaultMaxInterval     = 60.0
)

// defaultRetryOn is what a retry without "on" repeats.
var defaultRetryOn = []Code{CodeTransport, CodeTimeout, CodeProviderError, CodeHandlerError}

// program is a compiled workflow: what the kernel runs, and whom its node steps call.
type program struct {
	kernel *kernel.Program
	name   string
	digest atomic.Pointer[string] // once somebody asked: the program must not hold the workflow
	nodes  []*resolvedNode        // by op; nil where a step makes no call
	input  *schema.Schema
	// defaults of the input's properties, filled in before it is checked
	defaults     []value.Member
	secretInputs []string // properties of the input that are secret, or fill a secret field
	hidden       []hiding // by state field; nil when none is
	timed        bool     // some timer may be set: a run needs a goroutine of its own
}

// compiler turns one valid workflow into a program.
type compiler struct {
	w        *Workflow
	nodes    func(ref string) (*Func, bool)
	reducers map[string]*Reducer

	prog   *program
	out    *kernel.Program
	ops    map[string]int32 // by step id
	slots  map[string]int32 // by state field
	defs   map[string]*NodeDef
	routes map[edgeKey]*Edge
	read   map[string]*schema.Schema // schemas by their text
	found  map[string]*resolvedNode  // by ref; of steps that narrow nothing
	vars   []string                  // variables of the conditions around
	diags  Diagnostics
	at     string // JSON Pointer of what is being compiled
	step   string
}

type edgeKey struct {
	from    string
	outcome Outcome
}

// compile makes a program of a workflow that [Validate] has found to be sound. What it reports is what only the
// binding to functions can show.
func compile(w *Workflow, nodes func(ref string) (*Func, bool), reducers map[string]*Reducer) (*program, Diagnostics) {
	c := &compiler{
		w: w, nodes: nodes, reducers: reducers,
		out:    &kernel.Program{Workflow: w.Name, MaxSteps: defaultMaxSteps, MaxValue: value.DefaultLimits.Bytes},
		ops:    make(map[string]int32, len(w.Nodes)),
		slots:  map[string]int32{},
		defs:   make(map[string]*NodeDef, len(w.NodeDefs)),
		routes: make(map[edgeKey]*Edge, len(w.Edges)),
		read:   map[string]*schema.Schema{},
		found:  map[string]*resolvedNode{},
	}
	c.prog = &program{kernel: c.out, name: w.Name, nodes: make([]*resolvedNode, len(w.Nodes))}
	for _, def := range w.NodeDefs {
		c.defs[def.Name] = def
	}
	for i := range w.Edges {
		e := &w.Edges[i]
		c.routes[edgeKey{e.From, e.Outcome}] = e
	}
	for i, s := range w.Nodes {
		c.ops[s.StepID()] = int32(i)
	}
	c.limits()
	c.state()
	c.out.Ops = make([]kernel.Op, len(w.Nodes))
	for i := range c.out.Ops {
		c.out.Ops[i].Keep = -1
	}
	c.out.Regions = []kernel.Region{{Owner: -1, Start: kernel.ToNowhere, Ops: int32(len(w.Nodes))}}
	for i, s := range w.Nodes {
		c.at, c.step = fmt.Sprintf("/nodes/%d", i), s.StepID()
		c.op(int32(i), s)
	}
	c.at, c.step = "", ""
	c.output()
	if start, ok := c.ops[w.Start]; ok {
		c.out.Regions[0].Start = start
	}
	for slot, h := range c.prog.hidden {
		if h == secret {
			c.prog.secretInputs = append(c.prog.secretInputs, c.out.Fields[slot].Name)
		}
	}
	if in := c.schema(w.InputSchema); in != nil {
		c.prog.input = in
		for _, p := range in.Properties() {
			if hidingOf(p) == secret && !slices.Contains(c.prog.secretInputs, p.Name) {
				c.prog.secretInputs = append(c.prog.secretInputs, p.Name)
			}
			if !p.Default.IsAbsent() {
				c.prog.defaults = append(c.prog.defaults, value.Member{Key: p.Name, Value: p.Default})
			}
		}
	}
	if c.diags.HasErrors() {
		return nil, c.diags
	}
	c.out.Link()
	return c.prog, c.diags
}

func (c *compiler) limits() {
	if l := c.w.Limits; l != nil {
		if l.MaxSteps > 0 {
			c.out.MaxSteps = l.MaxSteps
		}
		c.out.Timeout = nanoseconds(l.TimeoutSeconds)
	}
	c.prog.timed = c.out.Timeout > 0
}

// op compiles one step.
func (c *compiler) op(i int32, s Step) {
	op := &c.out.Ops[i]
	op.ID, op.Local = s.StepID(), i
	switch s := s.(type) {
	case *NodeStep:
		op.Kind = kernel.Node
		c.node(i, op, s)
	case *SetStep:
		op.Kind, op.Outcomes = kernel.Set, []string{"done"}
		for j := range s.Output {
			op.Writes = append(op.Writes, c.write(&s.Output[j]))
		}
		for j := range s.Unset {
			slot, rest := c.target(&s.Unset[j])
			op.Writes = append(op.Writes, kernel.WriteBind{Slot: slot, Path: rest, Unset: true, Name: s.Unset[j].String()})
		}
	case *ConditionStep:
		op.Kind = kernel.Cond
		c.choice(op, s)
	case *FailStep:
		op.Kind, op.Code = kernel.Fail, string(s.Code)
		if s.Message != nil {
			message := c.operand(s.Message)
			op.Message = &message
		}
	case *EndStep:
		op.Kind, op.Outcomes = kernel.End, []string{string(s.Outcome)}
		if s.Output != nil {
			op.Output = c.binds(s.Output, c.schema(c.w.OutputSchema))
		}
	default:
		c.report(CodeStepUnsupported, "this runtime cannot run steps of type "+string(s.StepType())+" yet",
			"use the step types node, set, condition, fail and end")
		return
	}
	op.Declared = int32(len(op.Outcomes))
	c.catches(op, s.common().Catch)
	c.wire(op)
}

// catches compiles a step's catches; an outcome that only they have is added behind the declared ones.
func (c *compiler) catches(op *kernel.Op, catches []Catch) {
	for i := range catches {
		from := &catches[i]
		k := kernel.Catch{Slot: -1}
		for _, code := range from.Codes {
			if code == "*" {
				k.Any = true
			} else {
				k.Codes = append(k.Codes, string(code))
			}
		}
		at := slices.Index(op.Outcomes, string(from.Outcome))
		if at < 0 {
			at = len(op.Outcomes)
			op.Outcomes = append(op.Outcomes, string(from.Outcome))
		}
		k.Outcome = int32(at)
		if from.Error != nil {
			k.Slot, k.Path = c.target(from.Error)
		}
		op.Catch = append(op.Catch, k)
	}
}

// wire finds where each outcome of a step leads.
func (c *compiler) wire(op *kernel.Op) {
	op.Next = make([]kernel.Edge, len(op.Outcomes))
	for i, outcome := range op.Outcomes {
		next := kernel.Edge{To: kernel.ToNowhere, Exhausted: kernel.ToNowhere, Counter: -1}
		if e := c.routes[edgeKey{op.ID, Outcome(outcome)}]; e != nil {
			next.To = c.destination(e.To)
			if e.MaxVisits > 0 {
				next.Max = int32(min(e.MaxVisits, math.MaxInt32))
				next.Counter = c.out.Regions[0].Counters
				c.out.Regions[0].Counters++
			}
			if e.Exhausted != "" {
				next.Exhausted = c.destination(e.Exhausted)
			}
		}
		op.Next[i] = next
	}
}

func (c *compiler) destination(to string) int32 {
	if to == ToEnd {
		return kernel.ToEnd
	}
	if op, ok := c.ops[to]; ok {
		return op
	}
	return kernel.ToNowhere
}

// node compiles a step that makes a call: its contract, its function, its bindings.
func (c *compiler) node(i int32, op *kernel.Op, s *NodeStep) {
	to := c.resolve(s)
	if to == nil {
		c.report(CodeCapabilityMissing, fmt.Sprintf("no source offers %q", s.Node),
			"add the source that has it, or name a capability that exists")
		return
	}
	c.prog.nodes[i] = to
	def := to.def
	for _, o := range to.live.Outcomes {
		if !slices.Contains(to.outcomes, o) {
			c.report(CodeOutcomeUndeclared, fmt.Sprintf("%s has the outcome %q, which the plan's definition of it lacks", s.Node, o),
				"add the outcome to its entry in node_defs, and wire it")
		}
	}
	for _, outcome := range to.outcomes {
		op.Outcomes = append(op.Outcomes, string(outcome))
	}
	op.Input = c.binds(s.Input, to.input)
	op.Shape, op.Input = shapeOf(op.Input)
	for j := range s.Output {
		op.Writes = append(op.Writes, c.write(&s.Output[j]))
	}
	op.Once = def.Effect == EffectOnce || to.live.Effect == EffectOnce // the plan cannot make it harmless
	op.Timeout = nanoseconds(cmp.Or(s.TimeoutSeconds, def.TimeoutSeconds))
	retry := s.Retry
	if retry == nil {
		retry = def.Retry
	}
	op.Retry = c.retry(retry)
	if op.Timeout > 0 || op.Retry != nil {
		c.prog.timed = true
	}
}

// resolve finds whom a node step calls, nil if nobody offers it.
func (c *compiler) resolve(s *NodeStep) *resolvedNode {
	if to := c.found[s.Node]; to != nil && s.OutputSchema == nil {
		return to
	}
	fn := c.find(s.Node)
	if fn == nil {
		return nil
	}
	to := resolveNode(s.Node, c.defs[s.Node], fn, c.schema(s.OutputSchema), c.schema)
	if s.OutputSchema == nil {
		c.found[s.Node] = to
	}
	return to
}

func (c *compiler) find(ref string) *Func {
	if fn := c.w.funcs[ref]; fn != nil {
		return fn
	}
	if c.nodes != nil {
		if fn, ok := c.nodes(ref); ok {
			return fn
		}
	}
	return nil
}

func (c *compiler) retry(r *Retry) *kernel.Retry {
	if r == nil || r.MaxAttempts == 1 {
		return nil
	}
	k := &kernel.Retry{
		MaxAttempts: int32(min(cmp.Or(r.MaxAttempts, defaultMaxAttempts), math.MaxInt32)),
		Initial:     nanoseconds(cmp.Or(r.InitialIntervalSeconds, defaultInitialInterval)),
		Backoff:     cmp.Or(r.Backoff, defaultBackoff),
		MaxInterval: nanoseconds(cmp.Or(r.MaxIntervalSeconds, defaultMaxInterval)),
		Total:       nanoseconds(r.TotalSeconds),
	}
	on := r.On
	if on == nil {
		on = defaultRetryOn
	}
	for _, code := range on {
		k.On = append(k.On, string(code))
	}
	return k
}

// schema reads a schema of the plan; what is wrong with it has been reported by the validator.
func (c *compiler) schema(s Schema) *schema.Schema {
	if len(s) == 0 {
		return nil
	}
	compiled, ok := c.read[string(s)]
	if !ok {
		compiled, _ = schema.Parse(s, nil)
		c.read[string(s)] = compiled
	}
	return compiled
}

func (c *compiler) report(code Code, message, hint string) {
	info, _ := LookupCode(code)
	c.diags = append(c.diags, Diagnostic{Severity: info.Severity, Code: code, Path: c.at, Step: c.step, Message: message, RepairHint: hint})
}

// shapeOf gives the shape of an input whose every place is one plain member, and the bindings in its order.
func shapeOf(binds []kernel.Bind) (*value.Shape, []kernel.Bind) {
	keys := make([]string, len(binds))
	for i, b := range binds {
		if len(b.Target) != 1 || b.Target[0].IsIndex || !utf8.ValidString(b.Target[0].Key) {
			return nil, binds
		}
		keys[i] = b.Target[0].Key
	}
	sorted := slices.SortedFunc(slices.Values(binds), func(a, b kernel.Bind) int {
		return strings.Compare(a.Target[0].Key, b.Target[0].Key)
	})
	slices.Sort(keys)
	if len(slices.Compact(slices.Clone(keys))) != len(keys) {
		return nil, binds
	}
	return value.NewShape(keys...), sorted
}

// nanoseconds rounds up, so that what is more than nothing stays so.
func nanoseconds(seconds float64) int64 { return int64(math.Ceil(seconds * 1e9)) }
