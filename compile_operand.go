package wf

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

var contextMembers = map[string]kernel.ContextName{
	"run_id": kernel.CtxRunID, "workflow": kernel.CtxWorkflow, "step": kernel.CtxStep, "visit": kernel.CtxVisit,
	"now": kernel.CtxNow, "started_at": kernel.CtxStartedAt, "scheduled_at": kernel.CtxScheduledAt,
	"outcome": kernel.CtxOutcome, "retry_count": kernel.CtxRetryCount,
}

// operand compiles an operand. What does not fit has been reported by the validator and reads as absent.
func (c *compiler) operand(o *Operand) kernel.Operand {
	var k kernel.Operand
	switch {
	case o.Path != nil:
		k = c.path(o.Path)
	case o.Text != nil:
		k = c.composed(kernel.Text, o.Text, "text")
	case o.List != nil:
		k = c.composed(kernel.List, o.List, "list")
	case o.Object != nil:
		keys := slices.Sorted(maps.Keys(o.Object))
		parts := make([]Operand, len(keys))
		for i, key := range keys {
			parts[i] = o.Object[key]
		}
		k = c.composed(kernel.Object, parts, "object")
		k.Keys = keys
	case o.Length != nil:
		part := c.operand(o.Length)
		k = kernel.Operand{Root: kernel.Length, Parts: []kernel.Operand{part}, Name: "the length of " + part.Name}
	default:
		k = kernel.Operand{Root: kernel.Literal, Lit: literal(o.Value), Name: "the literal " + shortText(string(o.Value))}
	}
	k.Default = literal(o.Default)
	return k
}

func (c *compiler) composed(root kernel.Root, parts []Operand, word string) kernel.Operand {
	k := kernel.Operand{Root: root, Parts: make([]kernel.Operand, len(parts))}
	names := make([]string, 0, len(parts))
	for i := range parts {
		k.Parts[i] = c.operand(&parts[i])
		if parts[i].Path != nil {
			names = append(names, k.Parts[i].Name)
		}
	}
	k.Name = "the " + word
	if len(names) > 0 {
		k.Name += " of " + strings.Join(names, ", ")
	}
	return k
}

func (c *compiler) path(p *Path) kernel.Operand {
	k := kernel.Operand{Root: kernel.Literal, Path: valuePath(p.Parts), Name: p.String()}
	first := ""
	if len(p.Parts) > 0 && !p.Parts[0].IsIndex {
		first = p.Parts[0].Name
	}
	switch p.Root {
	case RootInput:
		k.Root = kernel.Input
	case RootLocal:
		k.Root = kernel.Local
	case RootState:
		k.Root = kernel.WholeState
		if first != "" {
			k.Root, k.Index, k.Path = kernel.State, c.slot(first), valuePath(p.Parts[1:])
		}
	case RootSteps:
		if op, ok := c.ops[first]; ok {
			k.Root, k.Index, k.Path = kernel.Steps, op, valuePath(p.Parts[1:])
			c.keep(op)
		}
	case RootContext:
		if name, ok := contextMembers[first]; ok {
			k.Root, k.Index, k.Path = kernel.Context, int32(name), valuePath(p.Parts[1:])
		} else if len(p.Parts) == 0 { // all of it
			k.Root, k.Keys = kernel.Object, slices.Sorted(maps.Keys(contextMembers))
			for _, member := range k.Keys {
				k.Parts = append(k.Parts, kernel.Operand{Root: kernel.Context, Index: int32(contextMembers[member]), Name: "context." + member})
			}
		}
	case RootItem:
		if i := lastIndex(c.vars, first); i >= 0 {
			k.Root, k.Index, k.Path = kernel.Var, int32(i), valuePath(p.Parts[1:])
		}
	}
	return k
}

// keep makes a step's output stay in its frame, because something reads it.
func (c *compiler) keep(op int32) {
	if c.out.Ops[op].Keep < 0 {
		c.out.Ops[op].Keep = c.out.Regions[0].Kept
		c.out.Regions[0].Kept++
	}
}

// choice compiles a condition step.
func (c *compiler) choice(op *kernel.Op, s *ConditionStep) {
	if s.Check != nil {
		op.Outcomes = []string{"true", "false"}
		op.Check = c.condition(s.Check)
		return
	}
	number := func(outcome Outcome) int32 {
		at := slices.Index(op.Outcomes, string(outcome))
		if at < 0 {
			at = len(op.Outcomes)
			op.Outcomes = append(op.Outcomes, string(outcome))
		}
		return int32(at)
	}
	for _, k := range s.Cases {
		op.Cases = append(op.Cases, kernel.Case{When: c.condition(k.When), Outcome: number(k.Outcome)})
	}
	op.Else = number(s.Default)
}

var conditionOps = map[string]kernel.CondOp{
	"and": kernel.And, "or": kernel.Or, "not": kernel.Not, "eq": kernel.Eq, "ne": kernel.Ne, "gt": kernel.Gt, "ge": kernel.Ge,
	"lt": kernel.Lt, "le": kernel.Le, "in": kernel.In, "contains": kernel.Contains, "matches": kernel.Matches, "is": kernel.Is,
	"exists": kernel.Exists, "any": kernel.AnyOf, "all": kernel.AllOf,
}

func (c *compiler) condition(from *Condition) *kernel.Condition {
	if from == nil {
		return &kernel.Condition{Op: kernel.Or} // never holds; the validator has reported it
	}
	k := &kernel.Condition{Op: conditionOps[from.Op], Type: from.Type}
	side := func(o *Operand) *kernel.Operand {
		if o == nil {
			return &kernel.Operand{Name: "nothing"}
		}
		out := c.operand(o)
		return &out
	}
	switch k.Op {
	case kernel.And, kernel.Or:
		for _, arg := range from.Args {
			k.Args = append(k.Args, c.condition(arg))
		}
	case kernel.Not:
		k.Args = []*kernel.Condition{c.condition(from.Arg)}
	case kernel.Exists:
		k.Left = side(&Operand{Path: from.Path})
		if from.Path == nil {
			k.Left = side(nil)
		}
	case kernel.AnyOf, kernel.AllOf:
		k.Left = side(from.Over)
		c.vars = append(c.vars, from.As)
		k.Args = []*kernel.Condition{c.condition(from.Check)}
		c.vars = c.vars[:len(c.vars)-1]
	case kernel.Matches:
		k.Left = side(from.Left)
		k.Pattern, _ = regexp.Compile(from.Pattern)
		if k.Pattern == nil {
			k.Pattern = regexp.MustCompile(`$.^`) // nothing; the validator has reported it
		}
	case kernel.Is:
		k.Left = side(from.Left)
	default:
		k.Left, k.Right = side(from.Left), side(from.Right)
	}
	return k
}

// literal reads a literal of the plan; none is absent.
func literal(raw []byte) value.Value {
	if len(raw) == 0 {
		return value.Value{}
	}
	v, _ := value.Parse(raw)
	return v
}

// shortText cuts a text for a message.
func shortText(s string) string {
	const limit = 40
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

func lastIndex(list []string, x string) int {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == x {
			return i
		}
	}
	return -1
}
