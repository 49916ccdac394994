package jsonpatch

import (
	"fmt"
	"strconv"

	"lda.chat/wf/internal/value"
)

// Mistake is a place of a patch that makes it none.
type Mistake struct {
	Pointer         string // into the patch
	Found, Expected string
}

func (m Mistake) String() string {
	return fmt.Sprintf("%s: found %s, expected %s", orTop(m.Pointer, "the patch"), m.Found, m.Expected)
}

// Mistakes are all that is wrong with a patch, in its order.
type Mistakes []Mistake

// Error implements error. It says the first mistake.
func (ms Mistakes) Error() string {
	text := "the patch is malformed at " + ms[0].String()
	if more := len(ms) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
}

// Reason sorts the errors of applying a patch.
type Reason string

// The reasons.
const (
	TestFailed Reason = "test_failed" // something else stands there
	NoPlace    Reason = "no_place"    // nothing stands there, or nothing can
	TooLarge   Reason = "too_large"   // a limit: see [Limits]
)

// Error says which operation of a patch could not be done, and why. Nothing was changed.
type Error struct {
	Reason          Reason
	Operation       int    // its position in the patch, from 0
	Op              string // "add", …; empty if it is about the whole patch
	Pointer         string // the place in the document that does not do: the operation's, or one above it
	Found, Expected string
}

// Error implements error.
func (e *Error) Error() string {
	if e.Op == "" {
		return fmt.Sprintf("the patch has %s, expected %s", e.Found, e.Expected)
	}
	return fmt.Sprintf("operation %d, %s: found %s at %s, expected %s", e.Operation, e.Op, e.Found, orTop(e.Pointer, "the top"), e.Expected)
}

// placeText writes a place for a message.
func placeText(p Pointer) string { return orTop(p.String(), "the whole document") }

func orTop(pointer, top string) string {
	if pointer == "" {
		return top
	}
	return shorten(pointer)
}

// describe says what a value is, for a message.
func describe(v value.Value) string {
	switch v.Kind() {
	case value.KindAbsent:
		return "nothing"
	case value.KindString:
		s, _ := v.AsString()
		return "the string " + quote(s)
	case value.KindNumber:
		return "the number " + shorten(v.NumberText())
	case value.KindArray:
		if v.Len() == 0 || value.Size(v) > longest {
			return fmt.Sprintf("an array of %d elements", v.Len())
		}
		return "the array " + v.String()
	case value.KindObject:
		if v.Len() == 0 || value.Size(v) > longest {
			return fmt.Sprintf("an object of %d members", v.Len())
		}
		return "the object " + v.String()
	}
	return v.String()
}

// longest is how long a value, a text or a pointer may be in a message.
const longest = 80

func quote(s string) string { return strconv.Quote(shorten(s)) }

func shorten(s string) string {
	if len(s) <= longest {
		return s
	}
	if runes := []rune(s); len(runes) > longest {
		return string(runes[:longest-1]) + "…"
	}
	return s
}
