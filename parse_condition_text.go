package wf

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

// operatorAliases are other languages' names of our operators.
var operatorAliases = map[string]string{
	"==": "eq", "===": "eq", "=": "eq", "equals": "eq", "equal": "eq", "is_equal": "eq",
	"!=": "ne", "!==": "ne", "<>": "ne", "neq": "ne", "not_equals": "ne", "not_equal": "ne",
	">": "gt", "greater_than": "gt", ">=": "ge", "gte": "ge", "greater_or_equal": "ge",
	"<": "lt", "less_than": "lt", "<=": "le", "lte": "le", "less_or_equal": "le",
	"&&": "and", "||": "or", "!": "not", "regex": "matches", "match": "matches", "=~": "matches",
	"includes": "contains", "has": "contains", "some": "any", "every": "all", "is_type": "is", "defined": "exists",
}

// operatorNamed returns the operator that a word of another language stands for.
func operatorNamed(word string) (string, bool) {
	op, ok := operatorAliases[strings.ToLower(word)]
	if lower := strings.ToLower(word); !ok && lower != word && slices.Contains(operators, lower) {
		return lower, true
	}
	return op, ok
}

// unknownOperator reports a condition with no operator of ours: in its field "op", or as its only field. If another
// language's name of one is found, that one is read.
func (r *reader) unknownOperator(v value.Value, at string, op value.Value, opAt string) (meant string, ok bool) {
	word, canonical := op.AsString()
	if !canonical && v.Len() == 1 {
		word, _ = v.MemberAt(0)
	}
	d := Diagnostic{Code: "operator_unknown", Path: opAt, Expected: jsonOf(operators),
		Message:    fmt.Sprintf("a condition has no operator %s; its operators are %s", quoteShort(word), strings.Join(operators, ", ")),
		RepairHint: "write one of them"}
	if word == "" {
		d.Message = `a condition has one operator, found none: {"ge": ["state.n", 2]} or {"op": "ge", "left": …, "right": …}`
	}
	known, alias := operatorNamed(word)
	if !alias {
		known, _ = nearestName(word, operators)
	}
	if known != "" && word != "" {
		trust := FixUnsafe
		if alias {
			d.Code, trust = "operator_alias", FixSafe
		}
		d.RepairHint = "write " + strconv.Quote(known)
		if canonical {
			d.Fixes = []Fix{r.replace(op, opAt, known, trust)}
		} else {
			o := object{reader: r, v: v, at: at}
			d.Fixes = []Fix{o.rename(word, known, trust)}
		}
	}
	r.add(d)
	return known, alias
}

// conditionText reports a condition that was written as an expression, with the structured form if it is simple.
func (r *reader) conditionText(v value.Value, s, at string) {
	d := Diagnostic{Code: "condition_text", Path: at, RepairHint: `write it as an object: {"gt": ["state.n", 5]}, {"exists": "state.n"}`,
		Message: fmt.Sprintf("a condition is an object, not a text to be evaluated, found %s", quoteShort(s))}
	if c, isComparison, ok := readExpression(s); ok {
		d.RepairHint = "write " + shorten(c.String(), 100)
		trust := FixUnsafe // what counts as true differs between languages
		if isComparison {
			trust = FixSafe
		}
		d.Fixes = []Fix{r.replace(v, at, c, trust)}
	}
	r.add(d)
}

var comparisonText = regexp.MustCompile(`^(.*?)\s*(===|!==|==|!=|>=|<=|>|<|=)\s*(.*)$`)

// readExpression turns "state.n > 5" into a short condition; a path alone asks whether it is true, and is no comparison.
func readExpression(s string) (c value.Value, isComparison, ok bool) {
	s = strings.TrimSpace(s)
	if inner, ok := unwrapPath(s); ok {
		s = inner
	} else if inside, ok := strings.CutPrefix(s, "{{"); ok && strings.HasSuffix(inside, "}}") {
		s = strings.TrimSpace(strings.TrimSuffix(inside, "}}"))
	}
	op, left, right := "eq", s, value.True
	if m := comparisonText.FindStringSubmatch(s); m != nil {
		op, left = operatorAliases[m[2]], m[1]
		var ok bool
		if right, ok = expressionOperand(m[3]); !ok {
			return value.Value{}, false, false
		}
		isComparison = true
	}
	if inner, ok := unwrapPath(left); ok {
		left = inner
	}
	if _, err := ParsePath(left); err != nil {
		return value.Value{}, false, false
	}
	return value.Object(value.Member{Key: op, Value: value.Array(value.String(left), right)}), isComparison, true
}

// expressionOperand reads the right side of an expression: a path, or a literal.
func expressionOperand(s string) (value.Value, bool) {
	if inner, ok := unwrapPath(s); ok {
		s = inner
	}
	if _, err := ParsePath(s); err == nil {
		return value.String(s), true
	}
	if len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'' {
		s = quoteJSON(s[1 : len(s)-1])
	}
	v, err := value.Parse([]byte(s))
	if err != nil {
		return value.Value{}, false
	}
	if v.Kind() == value.KindString || v.Kind() == value.KindArray || v.Kind() == value.KindObject {
		v = value.Object(value.Member{Key: "value", Value: v})
	}
	return v, true
}
