package wf

import (
	"regexp"

	"lda.chat/wf/internal/kernel"
)

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
		return c.some(o)
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
