package schema

import (
	"strings"

	"lda.chat/wf/internal/value"
)

// typeSet is a set of JSON types; empty means that nothing was said.
type typeSet uint8

const (
	typeNull typeSet = 1 << iota
	typeBoolean
	typeInteger
	typeNumber // includes integers
	typeString
	typeArray
	typeObject

	everyType = typeNull | typeBoolean | typeInteger | typeNumber | typeString | typeArray | typeObject
)

var typeNames = [...]string{"null", "boolean", "integer", "number", "string", "array", "object"}

func typeNamed(name string) (typeSet, bool) {
	for i, n := range typeNames {
		if n == name {
			return 1 << i, true
		}
	}
	return 0, false
}

// names lists the set in a fixed order.
func (s typeSet) names() []string {
	var out []string
	for i, n := range typeNames {
		if s&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	return out
}

func (s typeSet) String() string { return strings.Join(s.names(), " or ") }

// closed adds what a set implies: an integer is a number.
func (s typeSet) closed() typeSet {
	if s&typeNumber != 0 {
		s |= typeInteger
	}
	return s
}

// typeOf is the narrowest type of a value.
func typeOf(v value.Value) typeSet {
	switch v.Kind() {
	case value.KindNull:
		return typeNull
	case value.KindBool:
		return typeBoolean
	case value.KindNumber:
		if isInteger(v) {
			return typeInteger
		}
		return typeNumber
	case value.KindString:
		return typeString
	case value.KindArray:
		return typeArray
	case value.KindObject:
		return typeObject
	}
	return 0
}

// admits reports whether a value is of one of the types.
func (s typeSet) admits(v value.Value) bool {
	switch v.Kind() {
	case value.KindNull:
		return s&typeNull != 0
	case value.KindBool:
		return s&typeBoolean != 0
	case value.KindNumber:
		return s&typeNumber != 0 || s&typeInteger != 0 && isInteger(v)
	case value.KindString:
		return s&typeString != 0
	case value.KindArray:
		return s&typeArray != 0
	case value.KindObject:
		return s&typeObject != 0
	}
	return false
}
