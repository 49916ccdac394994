package wf

import (
	"fmt"
	"strings"

	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// checkConditionTypes checks that the values which a condition asks about can be of types that its operator takes.
func (c *checker) checkConditionTypes(q *Condition, at *place, in pathScope) {
	switch q.Op {
	case "gt", "ge", "lt", "le":
		c.checkOrdered(q, at, in)
	case "matches":
		c.checkAsked(q.Left, at.key("left"), in, typesString, `"matches" asks about a string`)
	case "any", "all":
		c.checkAsked(q.Over, at.key("over"), in, typesArray, fmt.Sprintf("%q goes through an array", q.Op))
	case "in":
		c.checkContains(q.Op, q.Right, q.Left, at.key("right"), in)
	case "contains":
		c.checkContains(q.Op, q.Left, q.Right, at.key("left"), in)
	}
}

func (c *checker) checkOrdered(q *Condition, at *place, in pathScope) {
	for _, types := range []string{typesNumber, typesString} {
		if c.canBe(q.Left, in, types) && c.canBe(q.Right, in, types) {
			return
		}
	}
	c.report("condition_mismatch", at, in.step,
		fmt.Sprintf("%q compares two numbers or two strings; %s, %s", q.Op, c.typeText(q.Left, in), c.typeText(q.Right, in)),
		"compare values of one type; a length is a number: {\"length\": …}")
}

// checkContains checks what may contain something: an array anything, a string or an object only a string.
func (c *checker) checkContains(op string, whole, part *Operand, at *place, in pathScope) {
	if !c.checkAsked(whole, at, in, typesMeasured, fmt.Sprintf("%q looks into an array, a string or an object", op)) {
		return
	}
	if !c.canBe(whole, in, typesArray) && !c.canBe(part, in, typesString) {
		c.report("condition_mismatch", at, in.step,
			fmt.Sprintf("a string or an object can contain a string only; %s, %s", c.typeText(whole, in), c.typeText(part, in)),
			"look for a string, or look into an array")
	}
}

// checkMeasured checks that an operand can have a length.
func (c *checker) checkMeasured(o *Operand, at *place, in pathScope) {
	c.checkAsked(o, at, in, typesMeasured, "strings, arrays and objects have a length")
}

// checkAsked checks that an operand can be of one of some types.
func (c *checker) checkAsked(o *Operand, at *place, in pathScope, types, rule string) bool {
	if o != nil && o.Path != nil {
		c.noteRead(o.Path, at, in, typed(types))
	}
	if c.canBe(o, in, types) {
		return true
	}
	c.report("condition_mismatch", at, in.step, fmt.Sprintf("%s; %s", rule, c.typeText(o, in)), "ask about a value of such a type")
	return false
}

// canBe reports whether an operand's value may be of one of some types. What is not known, or is wrong anyway, may.
func (c *checker) canBe(o *Operand, in pathScope, types string) bool {
	if o == nil || len(o.kinds()) != 1 {
		return true
	}
	wanted := typed(types)
	if d, err := value.Parse(o.Default); len(o.Default) > 0 && (err != nil || wanted.Valid(d)) {
		return true
	}
	if len(o.Value) > 0 {
		v, err := value.Parse(o.Value)
		return err != nil || wanted.Valid(v)
	}
	return c.mismatch(c.operandSchema(o, in), wanted) == nil
}

// operandSchema is what surely holds for the value of an operand that is no literal.
func (c *checker) operandSchema(o *Operand, in pathScope) *schema.Schema {
	switch {
	case o.Path != nil:
		return c.sourceSchema(o.Path, in)
	case o.Text != nil:
		return typed(typesString)
	case o.Object != nil:
		return typed(typesObject)
	case o.List != nil:
		return typed(typesArray)
	}
	return typed(typesInteger) // a length
}

// typeText says of which types an operand is.
func (c *checker) typeText(o *Operand, in pathScope) string {
	name := "the " + strings.Join(o.kinds(), "")
	switch {
	case len(o.Value) > 0:
		if v, err := value.Parse(o.Value); err == nil {
			return fmt.Sprintf("%s is of type %s", clip(string(o.Value)), v.Kind())
		}
	case o.Path != nil:
		name = o.Path.String()
	}
	if s := c.operandSchema(o, in); s != nil && len(s.Types()) > 0 {
		return fmt.Sprintf("%s is of type %s", name, strings.Join(s.Types(), " or "))
	}
	return name + " can be anything"
}
