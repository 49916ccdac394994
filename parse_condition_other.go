package wf

import (
	"fmt"
	"slices"

	"lda.chat/wf/internal/value"
)

// Other languages' names of the three parts of a comparison.
var (
	leftNames     = []string{"field", "left", "lhs", "path", "variable", "var", "key"}
	operatorNames = []string{"operator", "op", "comparator", "comparison"}
	rightNames    = []string{"value", "right", "rhs", "compare_to"}
)

// otherCondition reports a comparison whose parts are named otherwise, {"field": …, "operator": …, "value": …}, or stand in "args",
// and a list of one condition; it returns what is meant.
func (r *reader) otherCondition(v value.Value, at string) (meant value.Value, ok bool) {
	code, message := Code("operator_unknown"), "a condition names its operator, and has its two sides in a list, found an object with other names"
	switch {
	case v.Kind() == value.KindArray && v.Len() == 1 && v.Index(0).Kind() == value.KindObject:
		r.wrongType(v, at, `a condition such as {"ge": ["state.n", 2]}`, r.replace(v, at, v.Index(0), FixSafe))
		return v.Index(0), true
	case v.Kind() != value.KindObject:
		return meant, false
	case v.Len() == 2 && v.Get("args").Len() == 2 && v.Get("args").Kind() == value.KindArray:
		op, _ := v.Get("op").AsString()
		if known, alias := operatorNamed(op); alias {
			op = known
		}
		if !slices.Contains(comparisons, op) {
			return meant, false
		}
		meant = value.Object(value.Member{Key: op, Value: v.Get("args")})
		code, message = "condition_arguments", fmt.Sprintf(`the two sides of %q are "left" and "right", or stand in the short form, found "args"`, op)
	default:
		if meant, ok = namedComparison(v); !ok {
			return meant, false
		}
	}
	r.add(Diagnostic{Code: code, Path: at, Message: message, RepairHint: "write " + shorten(meant.String(), 100),
		Fixes: []Fix{r.replace(v, at, meant, FixSafe)}})
	return meant, true
}

// conditionList is the list that an object in its place is meant for: of that one condition, or of one for each of its operators.
func conditionList(v value.Value) value.Value {
	var list []value.Value
	for op, arg := range v.Members() {
		if !slices.Contains(operators, op) {
			return value.Array(v)
		}
		list = append(list, value.Object(value.Member{Key: op, Value: arg}))
	}
	return value.Array(list...)
}

// namedComparison reads a comparison whose three parts have names, of which one at least is not ours.
func namedComparison(v value.Value) (meant value.Value, ok bool) {
	if v.Len() != 3 {
		return meant, false
	}
	var left, op, right value.Value
	own := 0
	for key, part := range v.Members() {
		if slices.Contains([]string{"op", "left", "right"}, key) {
			own++
		}
		switch {
		case slices.Contains(leftNames, key) && left.IsAbsent():
			left = part
		case slices.Contains(operatorNames, key) && op.IsAbsent():
			op = part
		case slices.Contains(rightNames, key) && right.IsAbsent():
			right = part
		default:
			return meant, false
		}
	}
	word, _ := op.AsString()
	if known, alias := operatorNamed(word); alias {
		word = known
	}
	if own == 3 || !slices.Contains(comparisons, word) || !isRootedText(left) {
		return meant, false
	}
	return value.Object(value.Member{Key: word, Value: value.Array(left, comparedWith(right))}), true
}

// comparedWith is the right side of a comparison as an operand: what is no path, and no operand, is a literal.
func comparedWith(v value.Value) value.Value {
	isOperand := slices.ContainsFunc(operandKinds, func(kind string) bool { return !v.Get(kind).IsAbsent() })
	if v.Kind() == value.KindArray || v.Kind() == value.KindObject && !isOperand || v.Kind() == value.KindString && !isRootedText(v) {
		return value.Object(value.Member{Key: "value", Value: v})
	}
	return v
}

// otherArguments reports the two sides of a comparison that stand in an object: {"left": …, "right": …}, or {"state.kind": "urgent"}.
func (r *reader) otherArguments(op string, arg value.Value, at string) (list value.Value, ok bool) {
	if arg.Kind() != value.KindObject || !slices.Contains(comparisons, op) {
		return list, false
	}
	switch key, only := arg.MemberAt(0); {
	case arg.Len() == 2 && !arg.Get("left").IsAbsent() && !arg.Get("right").IsAbsent():
		list = value.Array(arg.Get("left"), arg.Get("right"))
	case arg.Len() == 1 && isRootedText(value.String(key)):
		list = value.Array(value.String(key), comparedWith(only))
	default:
		return list, false
	}
	r.add(Diagnostic{Code: "condition_arguments", Path: at, Message: fmt.Sprintf("%q takes two arguments in a list, found an object", op),
		RepairHint: fmt.Sprintf("write {%q: %s}", op, shorten(list.String(), 100)), Fixes: []Fix{r.replace(arg, at, list, FixSafe)}})
	return list, true
}
