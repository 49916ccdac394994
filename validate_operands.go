package wf

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// operandKinds counts which of the members an operand has exactly one of.
func (o *Operand) kinds() []string {
	var kinds []string
	for _, k := range [...]struct {
		name string
		set  bool
	}{
		{"path", o.Path != nil}, {"value", len(o.Value) > 0}, {"text", o.Text != nil}, {"object", o.Object != nil},
		{"list", o.List != nil}, {"length", o.Length != nil},
	} {
		if k.set {
			kinds = append(kinds, k.name)
		}
	}
	return kinds
}

// checkOperand checks an operand and those inside it. target is the schema that its value must satisfy, or nil.
func (c *checker) checkOperand(o *Operand, at *place, in pathScope, target *schema.Schema) {
	if !c.operandShape(o, at, in) {
		return
	}
	if len(o.Default) > 0 {
		c.checkLiteral(o.Default, at.key("default"), in.step, target)
	}
	inner := in.deeper()
	if o.Text != nil || o.Object != nil || o.List != nil {
		c.proveMade(o, in, target)
	}
	switch {
	case o.Path != nil:
		c.checkPath(o.Path, at.key("path"), in)
		c.checkFits(o.Path, at.key("path"), in, target)
	case len(o.Value) > 0:
		if d := c.checkLiteral(o.Value, at.key("value"), in.step, target); d != nil && in.appendsArray() && o.Value[0] == '[' {
			c.offerExtend(d, in.field)
		}
		c.checkMarks(o, at, in)
	case o.Text != nil:
		c.checkKind(value.KindString, at.key("text"), in.step, target)
		for i := range o.Text {
			c.checkOperand(&o.Text[i], at.key("text").at(i), inner, typed(typesScalar))
			c.checkDoubled(&o.Text[i], at.key("text"), i, in)
		}
	case o.Object != nil:
		c.checkKind(value.KindObject, at.key("object"), in.step, target)
		for _, name := range slices.Sorted(maps.Keys(o.Object)) {
			member := o.Object[name]
			c.checkOperand(&member, at.key("object").key(name), inner, c.below(target, namePart(name)))
		}
	case o.List != nil:
		if d := c.checkKind(value.KindArray, at.key("list"), in.step, target); d != nil && in.appendsArray() {
			c.offerExtend(d, in.field)
		}
		for i := range o.List {
			c.checkOperand(&o.List[i], at.key("list").at(i), inner, c.below(target, indexPart(i)))
		}
	case o.Length != nil:
		c.checkOperand(o.Length, at.key("length"), inner, nil)
		c.checkMeasured(o.Length, at.key("length"), inner)
	}
}

// operandShape checks that an operand says exactly one thing.
func (c *checker) operandShape(o *Operand, at *place, in pathScope) bool {
	kinds := o.kinds()
	switch {
	case in.depth > maxNesting:
		c.report("too_deep", at, in.step, fmt.Sprintf("operands lie more than %d deep in one another", maxNesting), "compute a part of it in a step of its own")
		return false
	case len(kinds) == 0:
		c.report("operand_kind", at, in.step, "the operand says nowhere where its value comes from", `give it a path, or a literal: {"value": …}`)
		return false
	case len(kinds) > 1:
		c.report("operand_kind", at, in.step, fmt.Sprintf("the operand has %s, exactly one of them may stand", listSome(kinds)), "keep one")
		return false
	case o.Length != nil && !in.inCondition:
		c.report("operand_kind", at.key("length"), in.step, "a length can be taken in conditions only", "compare it in a condition, or let a node count")
		return false
	}
	return true
}

// checkLiteral checks that a literal is JSON and satisfies the schema of its target; nil if it does.
func (c *checker) checkLiteral(raw []byte, at *place, step int, target *schema.Schema) *Diagnostic {
	v, err := value.Parse(raw)
	if err != nil {
		return c.report("literal_invalid", at, step, fmt.Sprintf("the literal is not valid JSON: %v", err), "write one JSON value")
	}
	if target == nil {
		return nil
	}
	violations := target.Check(v)
	if len(violations) == 0 {
		return nil
	}
	return c.report("literal_invalid", at, step, fmt.Sprintf("the literal does not fit its target: %v", violations[0]),
		"write a value that the target's schema allows").expects(json.RawMessage(target.JSON()), json.RawMessage(raw))
}

// checkKind checks that a value that is put together in the plan is of a type that its target allows; nil if it is.
func (c *checker) checkKind(kind value.Kind, at *place, step int, target *schema.Schema) *Diagnostic {
	if target == nil {
		return nil
	}
	types := target.Types()
	if len(types) == 0 || slices.Contains(types, kind.String()) {
		return nil
	}
	return c.report("literal_invalid", at, step, fmt.Sprintf("this makes a value of type %q, its target takes %s", kind, listSome(types)),
		"bind a value of the target's type").expects(types, kind.String())
}
