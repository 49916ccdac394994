package value

import (
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Value is an immutable JSON value, or absent, which is the zero Value. It is safe for concurrent use.
//
// Values are compared with [Equal], never with ==.
type Value struct {
	_   [0]func() // not comparable
	num uint64    // the integer or bool, or the length of what ref points to
	ref any       // see the table below; always pointer-shaped or a single byte, so that storing it allocates nothing
}

// What ref holds:
//
//	nil         absent
//	scalar      null, a bool, an int64: the value is in num
//	stringRef   the first byte of a string of num bytes
//	numberRef   the first byte of a number's literal of num bytes, for all but plain int64
//	*array      an array; this version of it has num elements
//	objectRef   the first Value of an object's block, see block.go
type (
	scalar    uint8
	stringRef *byte
	numberRef *byte
	objectRef *Value
)

const (
	scalarNull scalar = iota
	scalarBool
	scalarInt
)

// Kind is what a value is.
type Kind uint8

// The kinds of values.
const (
	KindAbsent Kind = iota
	KindNull
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

var kindNames = [...]string{"absent", "null", "boolean", "number", "string", "array", "object"}

// String gives the name that JSON and JSON Schema use: "boolean", "number"; "absent" for no value.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// phrase names a kind within a sentence.
func (k Kind) phrase() string {
	switch k {
	case KindAbsent:
		return "nothing"
	case KindNull:
		return "null"
	case KindArray, KindObject:
		return "an " + k.String()
	}
	return "a " + k.String()
}

// The values that have one spelling.
var (
	Null  = Value{ref: scalarNull}
	True  = Value{ref: scalarBool, num: 1}
	False = Value{ref: scalarBool}
)

// Bool gives True or False.
func Bool(b bool) Value {
	if b {
		return True
	}
	return False
}

// Int gives a number.
func Int(i int64) Value { return Value{ref: scalarInt, num: uint64(i)} }

// String gives a string. JSON text is Unicode: each run of bytes that is not UTF-8 becomes one U+FFFD.
func String(s string) Value { return stringValue(validText(s)) }

// stringValue wraps a string that is known to be UTF-8.
func stringValue(s string) Value {
	return Value{ref: stringRef(unsafe.StringData(s)), num: uint64(len(s))}
}

// literalValue wraps the literal of a number that is not a plain int64.
func literalValue(lit string) Value {
	return Value{ref: numberRef(unsafe.StringData(lit)), num: uint64(len(lit))}
}

func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// Kind tells what v is.
func (v Value) Kind() Kind {
	switch r := v.ref.(type) {
	case scalar:
		switch r {
		case scalarInt:
			return KindNumber
		case scalarBool:
			return KindBool
		default:
			return KindNull
		}
	case stringRef:
		return KindString
	case objectRef:
		return KindObject
	case *array:
		return KindArray
	case numberRef:
		return KindNumber
	}
	return KindAbsent
}

// IsAbsent reports whether v is no value at all.
func (v Value) IsAbsent() bool { return v.ref == nil }

// IsNull reports whether v is JSON null. Absent is not null.
func (v Value) IsNull() bool {
	s, ok := v.ref.(scalar)
	return ok && s == scalarNull
}

// AsBool gives v as a bool; ok is false if it is none.
func (v Value) AsBool() (b, ok bool) {
	if s, is := v.ref.(scalar); is && s == scalarBool {
		return v.num != 0, true
	}
	return false, false
}

// AsString gives v as a string; ok is false if it is none.
func (v Value) AsString() (s string, ok bool) {
	if p, is := v.ref.(stringRef); is {
		return unsafe.String((*byte)(p), int(v.num)), true
	}
	return "", false
}

// isInt reports whether v is a number held as an int64 in num.
func (v Value) isInt() bool {
	s, ok := v.ref.(scalar)
	return ok && s == scalarInt
}

// Len is the number of an array's elements or an object's members, else 0.
func (v Value) Len() int {
	switch v.ref.(type) {
	case *array, objectRef:
		return int(v.num)
	}
	return 0
}
