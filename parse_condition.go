package wf

import (
	"fmt"
	"slices"
	"strconv"

	"lda.chat/wf/internal/value"
)

// Operators of conditions, and the types that "is" asks for.
var (
	comparisons = []string{"eq", "ne", "gt", "ge", "lt", "le", "in", "contains"}
	operators   = slices.Concat([]string{"and", "or", "not"}, comparisons, []string{"matches", "is", "exists", "any", "all"})
	jsonTypes   = []string{"string", "number", "integer", "boolean", "object", "array", "null"}
)

// operatorFields lists the fields of a condition with an operator, in canonical form.
func operatorFields(op string) []string {
	switch op {
	case "and", "or":
		return []string{"op", "args"}
	case "not":
		return []string{"op", "arg"}
	case "matches":
		return []string{"op", "left", "pattern"}
	case "is":
		return []string{"op", "left", "type"}
	case "exists":
		return []string{"op", "path"}
	case "any", "all":
		return []string{"op", "over", "as", "check"}
	}
	return []string{"op", "left", "right"}
}

// optionalCondition reads a field that is a condition.
func (o object) optionalCondition(key string) *Condition {
	v, at, ok := o.get(key)
	if !ok {
		return nil
	}
	return o.condition(v, at, 0)
}

// condition reads a condition, short or canonical.
func (r *reader) condition(v value.Value, at string, depth int) *Condition {
	if depth > maxNesting {
		r.add(Diagnostic{Code: "too_deep", Path: at, RepairHint: "nest less: use several cases, or several steps",
			Message: fmt.Sprintf("conditions nest at most %d levels", maxNesting)})
		return holeCondition()
	}
	if s, isText := v.AsString(); isText {
		r.conditionText(v, s, at)
		return holeCondition()
	}
	if meant, ok := r.otherCondition(v, at); ok {
		return r.condition(meant, at, depth+1)
	}
	if v.Kind() != value.KindObject {
		r.wrongType(v, at, `a condition such as {"ge": ["state.n", 2]}`)
		return holeCondition()
	}
	op := v.Get("op")
	if op.IsAbsent() {
		return r.shortCondition(v, at, depth)
	}
	word, isText := op.AsString()
	if r.isHole(op) {
		return holeCondition()
	}
	if !isText || !slices.Contains(operators, word) {
		known, ok := r.unknownOperator(v, at, op, child(at, "op"))
		if !ok {
			return holeCondition()
		}
		word = known
	}
	o, _ := r.object(v, at, fmt.Sprintf("a condition with %q", word), operatorFields(word))
	return o.operatorCondition(word, depth)
}

// operatorCondition reads the canonical fields of an operator.
func (o object) operatorCondition(op string, depth int) *Condition {
	c := &Condition{Op: op}
	known := true
	for _, field := range operatorFields(op)[1:] {
		v, at, ok := o.need(field, fmt.Sprintf("add %q", field))
		if !ok {
			known = false
			continue
		}
		switch field {
		case "args":
			c.Args = o.conditions(v, at, depth)
		case "arg":
			c.Arg = o.condition(v, at, depth+1)
		case "check":
			c.Check = o.condition(v, at, depth+1)
		case "left":
			c.Left = o.conditionOperand(v, at)
		case "right":
			c.Right = o.conditionOperand(v, at)
		case "over":
			c.Over = o.conditionOperand(v, at)
		case "as":
			c.As = o.name(v, at, `the "as" name`)
		case "pattern":
			c.Pattern = o.string(v, at)
		case "type":
			c.Type = o.word(v, at, "type", jsonTypes)
		case "path":
			path := o.path(v, at)
			c.Path = &path
		}
	}
	if !known {
		return holeCondition()
	}
	return c
}

// shortCondition reads {"ge": ["state.n", 2]} and its like.
func (r *reader) shortCondition(v value.Value, at string, depth int) *Condition {
	var op string
	var arg value.Value
	if v.Len() == 1 {
		op, arg = v.MemberAt(0)
	}
	argAt := child(at, op)
	if !slices.Contains(operators, op) {
		known, ok := r.unknownOperator(v, at, value.Value{}, at)
		if !ok {
			return holeCondition()
		}
		op = known
	}
	switch op {
	case "and", "or":
		return &Condition{Op: op, Args: r.conditions(arg, argAt, depth)}
	case "not":
		return &Condition{Op: op, Arg: r.condition(arg, argAt, depth+1)}
	case "exists":
		if inner := arg.Get("path"); arg.Len() == 1 && !inner.IsAbsent() {
			arg, argAt = inner, child(argAt, "path")
		}
		path := r.path(arg, argAt)
		return &Condition{Op: op, Path: &path}
	case "any", "all":
		o, ok := r.object(arg, argAt, fmt.Sprintf("the condition %q", op), operatorFields(op)[1:])
		if !ok {
			return holeCondition()
		}
		return o.operatorCondition(op, depth)
	}
	if meant, ok := r.otherArguments(op, arg, argAt); ok {
		arg = meant
	}
	if arg.Kind() != value.KindArray || arg.Len() != 2 {
		expected := fmt.Sprintf(`{"%s": [left, right]}`, op)
		r.add(Diagnostic{Code: "condition_arguments", Path: argAt, RepairHint: "write " + expected,
			Message: fmt.Sprintf("%q takes two arguments in a list, found %s", op, describeArguments(arg))})
		return holeCondition()
	}
	c := &Condition{Op: op, Left: r.conditionOperand(arg.Index(0), element(argAt, 0))}
	second, secondAt := arg.Index(1), element(argAt, 1)
	switch op {
	case "matches":
		c.Pattern = r.string(second, secondAt)
	case "is":
		c.Type = r.word(second, secondAt, "type", jsonTypes)
	default:
		c.Right = r.conditionOperand(second, secondAt)
	}
	return c
}

func describeArguments(v value.Value) string {
	if v.Kind() == value.KindArray {
		return strconv.Itoa(v.Len())
	}
	return describe(v)
}

// conditions reads the arguments of and, or.
func (r *reader) conditions(v value.Value, at string, depth int) []*Condition {
	if v.Kind() == value.KindObject && v.Len() > 0 {
		meant := conditionList(v)
		r.wrongType(v, at, "a list of at least one condition", r.replace(v, at, meant, FixSafe))
		v = meant
	}
	if v.Kind() != value.KindArray || v.Len() == 0 {
		r.wrongType(v, at, "a list of at least one condition")
		return []*Condition{holeCondition()}
	}
	list := make([]*Condition, 0, v.Len())
	for i, item := range v.Items() {
		list = append(list, r.condition(item, element(at, i), depth+1))
	}
	return list
}

func (r *reader) conditionOperand(v value.Value, at string) *Operand {
	operand := r.operand(v, at, operandPlace{inCondition: true})
	return &operand
}
