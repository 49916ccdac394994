package wf

import "lda.chat/wf/internal/value"

// Term is one side of a comparison that is built in Go: [At], [Length], [Literal].
type Term struct {
	operand  Operand
	problems problems
}

// At is the value at a path, such as "state.items[0].title".
func At(path string) Term {
	t := Term{}
	t.operand.Path = t.problems.path(path)
	return t
}

// Length is the length of what is at a path: of a string in code points, of an array, of an object in members.
func Length(path string) Term {
	inner := At(path)
	return Term{operand: Operand{Length: &inner.operand}, problems: inner.problems}
}

// Literal is a value as it is, a string too. It is anything that encoding/json can write.
func Literal(v any) Term {
	t := Term{}
	t.operand = t.problems.literalOperand(v)
	return t
}

// Or gives the term a value for when it is absent.
func (t Term) Or(v any) Term {
	t.operand.Default = t.problems.literal(v)
	return t
}

// Check is a condition that is built in Go. Mistakes in it are reported when the workflow that uses it is built.
type Check struct {
	cond     *Condition
	problems problems
}

// Condition returns the condition as a plan has it, or the mistakes that were made in building it.
func (c Check) Condition() (*Condition, error) {
	if err := c.problems.list.Err(); err != nil {
		return nil, err
	}
	return c.cond, nil
}

// Given is a condition that exists as data.
func Given(c *Condition) Check { return Check{cond: c} }

// use returns the condition of another check and takes over its mistakes.
func (c *Check) use(other Check) *Condition {
	c.problems.take(other.problems)
	if other.cond == nil {
		c.problems.add("field_missing", "an empty check", "make one with Eq, Exists, And, ...")
		return holeCondition()
	}
	return other.cond
}

// Compare is the comparison that the others are made of; op is eq, ne, gt, ge, lt, le, in or contains.
func Compare(left Term, op string, right Term) Check {
	c := Check{cond: &Condition{Op: op, Left: &left.operand, Right: &right.operand}}
	c.problems.take(left.problems, right.problems)
	return c
}

// In these, a text on the left is always a path, and on the right always a literal; a [Term] can stand on either side.

// Eq holds if two values are equal as JSON: numbers by value, 1 is 1.0.
func Eq[L string | Term](left L, right any) Check {
	return Compare(leftTerm(left), "eq", rightTerm(right))
}

// Ne holds if two values are not equal.
func Ne[L string | Term](left L, right any) Check {
	return Compare(leftTerm(left), "ne", rightTerm(right))
}

// Gt holds if the left of two numbers, or of two strings, is greater.
func Gt[L string | Term](left L, right any) Check {
	return Compare(leftTerm(left), "gt", rightTerm(right))
}

// Ge holds if the left of two numbers, or of two strings, is greater or equal.
func Ge[L string | Term](left L, right any) Check {
	return Compare(leftTerm(left), "ge", rightTerm(right))
}

// Lt holds if the left of two numbers, or of two strings, is less.
func Lt[L string | Term](left L, right any) Check {
	return Compare(leftTerm(left), "lt", rightTerm(right))
}

// Le holds if the left of two numbers, or of two strings, is less or equal.
func Le[L string | Term](left L, right any) Check {
	return Compare(leftTerm(left), "le", rightTerm(right))
}

// In holds if the left is one of the values; a single [Term] is an array that holds them.
func In[L string | Term](left L, values ...any) Check {
	if len(values) == 1 {
		if t, ok := values[0].(Term); ok {
			return Compare(leftTerm(left), "in", t)
		}
	}
	list := Term{operand: Operand{List: []Operand{}}}
	literals := true
	for _, v := range values {
		t := rightTerm(v)
		list.problems.take(t.problems)
		list.operand.List = append(list.operand.List, t.operand)
		literals = literals && t.operand.Value != nil
	}
	if literals {
		list.operand = literalList(list.operand.List)
	}
	return Compare(leftTerm(left), "in", list)
}

// literalList writes a list of literals as one.
func literalList(items []Operand) Operand {
	all := make([]value.Value, len(items))
	for i, item := range items {
		all[i], _ = value.Parse(item.Value) // written by us
	}
	return Operand{Value: value.Array(all...).JSON()}
}

// Contains holds if an array has an element that is equal to the right, or a text has it inside.
func Contains[L string | Term](left L, right any) Check {
	return Compare(leftTerm(left), "contains", rightTerm(right))
}

// Matches holds if a text has a match of the pattern, in the syntax of Go's regexp, anywhere.
func Matches[L string | Term](left L, pattern string) Check {
	t := leftTerm(left)
	return Check{cond: &Condition{Op: "matches", Left: &t.operand, Pattern: pattern}, problems: t.problems}
}

// Is holds if a value is of a JSON type: "string", "number", "integer", "boolean", "array", "object", "null".
func Is[L string | Term](left L, jsonType string) Check {
	t := leftTerm(left)
	return Check{cond: &Condition{Op: "is", Left: &t.operand, Type: jsonType}, problems: t.problems}
}

// Exists holds if there is a value at a path, null too. The other conditions fail on what is absent.
func Exists(path string) Check {
	c := Check{cond: &Condition{Op: "exists"}}
	c.cond.Path = c.problems.path(path)
	return c
}

// And holds if all checks hold; it stops at the first that does not.
func And(checks ...Check) Check { return group("and", checks) }

// Or holds if one of the checks holds; it stops at the first that does.
func Or(checks ...Check) Check { return group("or", checks) }

func group(op string, checks []Check) Check {
	c := Check{cond: &Condition{Op: op}}
	for _, check := range checks {
		c.cond.Args = append(c.cond.Args, c.use(check))
	}
	return c
}

// Not holds if the check does not.
func Not(check Check) Check {
	c := Check{cond: &Condition{Op: "not"}}
	c.cond.Arg = c.use(check)
	return c
}

// Any holds if the check holds for an element of the array at a path; the check reads the element at item.<as>.
func Any(over, as string, check Check) Check { return quantified("any", over, as, check) }

// All holds if the check holds for every element of the array at a path; the check reads the element at item.<as>.
func All(over, as string, check Check) Check { return quantified("all", over, as, check) }

func quantified(op, over, as string, check Check) Check {
	t := At(over)
	c := Check{cond: &Condition{Op: op, Over: &t.operand, As: as}, problems: t.problems}
	c.cond.Check = c.use(check)
	return c
}

func leftTerm[L string | Term](left L) Term {
	if path, ok := any(left).(string); ok {
		return At(path)
	}
	return any(left).(Term)
}

func rightTerm(right any) Term {
	if t, ok := right.(Term); ok {
		return t
	}
	return Literal(right)
}
