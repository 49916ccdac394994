package wf

import (
	"maps"
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

// contextIndex is the member of the context that holds positions of items.
const contextIndex = "index"

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
		if op := int32(c.tree.stepAt(first)); op >= 0 && c.sees(op) {
			k.Root, k.Index, k.Path = kernel.Steps, op, valuePath(p.Parts[1:])
			c.keep(op)
		}
	case RootContext:
		c.context(&k, p.Parts, first)
	case RootItem:
		if i := lastIndex(c.vars, first); i >= 0 {
			k.Root, k.Index, k.Path = kernel.Var, int32(i), valuePath(p.Parts[1:])
		} else if op := c.foreachOf(first); op >= 0 && first != "" {
			k.Root, k.Index, k.Path = kernel.Item, op, valuePath(p.Parts[1:])
		}
	}
	return k
}

// context compiles a path into the context.
func (c *compiler) context(k *kernel.Operand, parts []Part, first string) {
	name, known := contextMembers[first]
	switch {
	case known:
		k.Root, k.Index, k.Path = kernel.Context, int32(name), valuePath(parts[1:])
	case first == contextIndex && len(parts) > 1:
		if op := c.foreachOf(parts[1].Name); op >= 0 {
			k.Root, k.Index, k.Path = kernel.ItemAt, op, valuePath(parts[2:])
		}
	case len(parts) == 0: // all of it
		members := map[string]kernel.Operand{}
		for name, index := range contextMembers {
			members[name] = kernel.Operand{Root: kernel.Context, Index: int32(index), Name: "context." + name}
		}
		if positions := c.positions(); len(positions) > 0 {
			members[contextIndex] = objectOperand(positions)
		}
		all := objectOperand(members)
		k.Root, k.Keys, k.Parts = all.Root, all.Keys, all.Parts
	}
}

// positions are the members of context.index: where each foreach around the step is.
func (c *compiler) positions() map[string]kernel.Operand {
	members := map[string]kernel.Operand{}
	for r := c.region; r > 0; r = c.around(r) {
		owner := c.out.Regions[r].Owner
		if s, ok := c.w.Nodes[owner].(*ForeachStep); ok {
			if _, inner := members[s.As]; !inner {
				members[s.As] = kernel.Operand{Root: kernel.ItemAt, Index: owner, Name: "context.index." + s.As}
			}
		}
	}
	return members
}

func objectOperand(members map[string]kernel.Operand) kernel.Operand {
	k := kernel.Operand{Root: kernel.Object, Keys: slices.Sorted(maps.Keys(members))}
	for _, key := range k.Keys {
		k.Parts = append(k.Parts, members[key])
	}
	return k
}

// some compiles an operand that need not be there.
func (c *compiler) some(o *Operand) *kernel.Operand {
	if o == nil {
		return nil
	}
	k := c.operand(o)
	return &k
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
