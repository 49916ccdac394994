package cli

import (
	"slices"
	"strconv"

	"lda.chat/wf/internal/value"
)

// operandKinds are the members of which an operand that is an object has one.
var operandKinds = []string{"path", "value", "text", "object", "list", "length"}

// stepSpot finds a place of a step; step is its canonical form.
func stepSpot(s spot, step value.Value, tokens []string) spot {
	if len(tokens) == 0 {
		return s
	}
	kind, _ := step.Get("type").AsString()
	switch field := tokens[0]; field {
	case "input":
		return bindingsSpot(s, false, tokens[1:], field, "in_map", "input_values")
	case "output":
		return bindingsSpot(s, kind != "set" && kind != "end", tokens[1:], field, "out_map")
	case "request", "resume":
		return bindingsSpot(s, field == "resume", tokens[1:], field)
	case "over", "result", "seconds", "until", "message":
		if s.into(field) {
			return operandSpot(s, tokens[1:])
		}
		return s
	case "check":
		if s.into(field) {
			return conditionSpot(s, tokens[1:])
		}
		return s
	case "cases", "branches":
		when := s.plain(tokens[:min(3, len(tokens))])
		if len(tokens) > 3 && tokens[2] == "when" && len(when.at) == len(s.at)+3 {
			return conditionSpot(when, tokens[3:])
		}
		return when
	}
	return s.plain(tokens) // a path as text has nothing inside
}

// bindingsSpot finds a place of bindings. A map of inputs goes from targets to operands, one of outputs from sources to
// targets; a set step's goes like one of inputs.
func bindingsSpot(s spot, isOutput bool, tokens []string, fields ...string) spot {
	b, inMap, found := bindingSpot(s, tokens, fields)
	if !found || len(tokens) < 2 {
		return b
	}
	field, rest := tokens[1], tokens[2:]
	switch {
	case inMap && (isOutput || field == "target"):
		return b
	case field == "target" || field == "if_absent":
		return b.plain(tokens[1:])
	case b.at[len(s.at)] == "input_values": // the older form of literals
		return b.plain(rest)
	case field == "source": // the operand's members may stand in the binding itself
		b.into("source")
		return operandSpot(b, rest)
	}
	return operandSpot(b, tokens[1:])
}

// bindingSpot finds the binding at a position, the first of tokens. Those of the fields that the text has hold them one
// after the other, in a list, in a map, or as one text. If it is not found, the field is given.
func bindingSpot(s spot, tokens, fields []string) (b spot, inMap, found bool) {
	i := -1
	if len(tokens) > 0 {
		i, _ = strconv.Atoi(tokens[0])
	}
	b = s
	for _, field := range fields {
		at := s
		if !at.into(field) {
			continue
		}
		b = at
		switch n := at.Len(); {
		case i < 0 || at.Kind() == value.KindString:
			return at, false, false
		case i >= n:
			i -= n
		case at.Kind() == value.KindArray:
			at.into(strconv.Itoa(i))
			return at, false, true
		default:
			at.member(i)
			return at, true, true
		}
	}
	return b, false, false
}

// operandSpot finds a place of an operand: an object with its kind, or in short a path, a literal or a list.
func operandSpot(s spot, tokens []string) spot {
	if len(tokens) == 0 {
		return s
	}
	kind, rest := tokens[0], tokens[1:]
	isObject := slices.ContainsFunc(operandKinds, func(k string) bool { return !s.Get(k).IsAbsent() })
	switch {
	case s.Kind() == value.KindArray && kind == "list":
		if len(rest) > 0 && s.into(rest[0]) {
			return operandSpot(s, rest[1:])
		}
		return s
	case !isObject:
		return s.plain(tokens) // a path as an object, or nothing inside
	case !s.into(kind):
		return s
	}
	switch kind {
	case "length":
		return operandSpot(s, rest)
	case "text", "list", "object":
		if len(rest) > 0 && s.into(rest[0]) {
			return operandSpot(s, rest[1:])
		}
		return s
	}
	return s.plain(rest)
}

// conditionSpot finds a place of a condition: an object with "op", or in short {"ge": ["state.n", 2]}.
func conditionSpot(s spot, tokens []string) spot {
	if len(tokens) == 0 {
		return s
	}
	field, rest := tokens[0], tokens[1:]
	if s.Get("op").IsAbsent() {
		if field == "op" || !s.member(0) {
			return s
		}
		op := s.at[len(s.at)-1]
		switch {
		case field == "arg":
			return conditionSpot(s, rest)
		case field == "path" && op == "exists":
			if inner := s.Get("path"); s.Len() == 1 && !inner.IsAbsent() {
				s.into("path")
			}
			return s.plain(rest)
		case field == "args" || op == "any" || op == "all":
		case field == "left":
			return elementSpot(s, "0", rest)
		default: // right, pattern, type
			return elementSpot(s, "1", rest)
		}
	}
	if field == "args" {
		if !s.Get("args").IsAbsent() {
			s.into("args")
		}
		if len(rest) > 0 && s.into(rest[0]) {
			return conditionSpot(s, rest[1:])
		}
		return s
	}
	if !s.into(field) {
		return s
	}
	switch field {
	case "arg", "check":
		return conditionSpot(s, rest)
	case "left", "right", "over":
		return operandSpot(s, rest)
	}
	return s.plain(rest)
}

// elementSpot finds a place of an operand in a list.
func elementSpot(s spot, position string, tokens []string) spot {
	if s.into(position) {
		return operandSpot(s, tokens)
	}
	return s
}
