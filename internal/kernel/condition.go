package kernel

import (
	"regexp"
	"strings"

	"lda.chat/wf/internal/value"
)

// CondOp is an operator of conditions.
type CondOp uint8

// The operators.
const (
	And CondOp = iota
	Or
	Not
	Eq
	Ne
	Gt
	Ge
	Lt
	Le
	In
	Contains
	Matches
	Is
	Exists
	AnyOf
	AllOf
)

var condNames = [...]string{"and", "or", "not", "eq", "ne", "gt", "ge", "lt", "le", "in", "contains", "matches", "is", "exists", "any", "all"}

// Condition is a compiled condition.
type Condition struct {
	Op      CondOp
	Args    []*Condition // And, Or; Not, AnyOf and AllOf: one
	Left    *Operand     // also the operand of Is and Exists, and what AnyOf and AllOf go over
	Right   *Operand
	Pattern *regexp.Regexp
	Type    string
}

// holds evaluates a condition. And and Or stop at the first answer; a missing operand is a failure, never false.
func (s *scope) holds(c *Condition) (bool, *Failure) {
	switch c.Op {
	case And, Or:
		for _, arg := range c.Args {
			yes, fail := s.holds(arg)
			if fail != nil || yes == (c.Op == Or) {
				return yes, fail
			}
		}
		return c.Op == And, nil
	case Not:
		yes, fail := s.holds(c.Args[0])
		return !yes, fail
	case Exists:
		v, bad := s.read(c.Left)
		return !v.IsAbsent(), typeFailure(c, bad)
	case AnyOf, AllOf:
		return s.quantified(c)
	case Is:
		v, fail := s.operand(c, c.Left)
		return fail == nil && isType(v, c.Type), fail
	}
	left, fail := s.operand(c, c.Left)
	if fail != nil {
		return false, fail
	}
	if c.Op == Matches {
		text, ok := left.AsString()
		if !ok {
			return false, conditionType(c, c.Left, left, "a string")
		}
		return c.Pattern.MatchString(text), nil
	}
	right, fail := s.operand(c, c.Right)
	if fail != nil {
		return false, fail
	}
	switch c.Op {
	case Eq:
		return value.Equal(left, right), nil
	case Ne:
		return !value.Equal(left, right), nil
	case In:
		return contains(c, c.Right, right, left)
	case Contains:
		return contains(c, c.Left, left, right)
	}
	return ordered(c, left, right)
}

func ordered(c *Condition, left, right value.Value) (bool, *Failure) {
	order, ok := value.Compare(left, right)
	if !ok {
		return false, failf(CodeConditionType, "condition "+condNames[c.Op]+" compares two numbers or two strings, but "+
			c.Left.Name+" is "+describe(left)+" and "+c.Right.Name+" is "+describe(right))
	}
	switch c.Op {
	case Gt:
		return order > 0, nil
	case Ge:
		return order >= 0, nil
	case Lt:
		return order < 0, nil
	}
	return order <= 0, nil
}

// contains asks for an element of an array, a part of a string or a key of an object.
func contains(c *Condition, o *Operand, whole, part value.Value) (bool, *Failure) {
	switch whole.Kind() {
	case value.KindArray:
		for _, item := range whole.Items() {
			if value.Equal(item, part) {
				return true, nil
			}
		}
		return false, nil
	case value.KindString, value.KindObject:
		text, ok := part.AsString()
		if !ok {
			return false, failf(CodeConditionType, "condition "+condNames[c.Op]+": "+o.Name+" is "+describe(whole)+
				", which can contain a string only, not "+describe(part))
		}
		if all, isText := whole.AsString(); isText {
			return strings.Contains(all, text), nil
		}
		return !whole.Get(text).IsAbsent(), nil
	}
	return false, conditionType(c, o, whole, "an array, a string or an object")
}

func (s *scope) quantified(c *Condition) (bool, *Failure) {
	over, fail := s.operand(c, c.Left)
	if fail != nil {
		return false, fail
	}
	if over.Kind() != value.KindArray {
		return false, conditionType(c, c.Left, over, "an array")
	}
	at := len(s.vars)
	s.vars = append(s.vars, value.Value{})
	defer func() { s.vars = s.vars[:at] }()
	for _, item := range over.Items() {
		s.vars[at] = item
		yes, fail := s.holds(c.Args[0])
		if fail != nil || yes == (c.Op == AnyOf) {
			return yes, fail
		}
	}
	return c.Op == AllOf, nil
}

// operand reads a value that must be there.
func (s *scope) operand(c *Condition, o *Operand) (value.Value, *Failure) {
	v, bad := s.read(o)
	if fail := typeFailure(c, bad); fail != nil {
		return v, fail
	}
	if v.IsAbsent() {
		return v, failf(CodeConditionMissing, "condition "+condNames[c.Op]+": "+o.Name+" is missing; ask \"exists\" first, or give it a default")
	}
	return v, nil
}

func typeFailure(c *Condition, bad *notScalar) *Failure {
	if bad == nil {
		return nil
	}
	return failf(CodeConditionType, "condition "+condNames[c.Op]+": "+bad.name+" is "+article(bad.kind)+", which does not fit here")
}

func conditionType(c *Condition, o *Operand, found value.Value, want string) *Failure {
	return failf(CodeConditionType, "condition "+condNames[c.Op]+": "+o.Name+" must be "+want+", but is "+describe(found))
}

// isType reports whether a value has a JSON Schema type; 1.0 is an integer, as JSON Schema 2020-12 section 6.1.1 says.
func isType(v value.Value, name string) bool {
	if name == "integer" {
		return v.IsInteger()
	}
	return v.Kind().String() == name
}

func article(k value.Kind) string {
	switch k {
	case value.KindArray, value.KindObject:
		return "an " + k.String()
	case value.KindAbsent, value.KindNull:
		return k.String()
	}
	return "a " + k.String()
}

// describe tells a value in a message: its kind, and a short scalar whole.
func describe(v value.Value) string {
	switch v.Kind() {
	case value.KindString, value.KindNumber, value.KindBool:
		if text := string(v.AppendJSON(nil)); len(text) <= 40 {
			return "the " + v.Kind().String() + " " + text
		}
	}
	return article(v.Kind())
}
