package wf

import (
	"cmp"
	"slices"
	"strings"
)

// Sort puts the findings into their one order: errors, warnings, infos; then by document, by place with array
// positions as numbers (/nodes/2 before /nodes/10), by code, by message. The same findings always end in the same order.
func (ds Diagnostics) Sort() {
	slices.SortStableFunc(ds, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Severity.rank(), b.Severity.rank()),
			strings.Compare(a.Doc, b.Doc),
			comparePointers(a.Path, b.Path),
			strings.Compare(string(a.Code), string(b.Code)),
			strings.Compare(a.Message, b.Message),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			strings.Compare(a.Step, b.Step),
		)
	})
}

// rank orders severities, the gravest first; an unknown one comes last.
func (s Severity) rank() int {
	switch s {
	case SeverityError:
		return 0
	case SeverityWarning:
		return 1
	case SeverityInfo:
		return 2
	}
	return 3
}

// comparePointers orders JSON Pointers token by token, array positions by number; a place comes before what is in it.
func comparePointers(a, b string) int {
	for a != "" && b != "" {
		var ta, tb string
		ta, a = cutToken(a)
		tb, b = cutToken(b)
		if c := compareTokens(ta, tb); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// cutToken takes the first token, with its slash, off a pointer.
func cutToken(pointer string) (token, rest string) {
	if i := strings.IndexByte(pointer[1:], '/'); i >= 0 {
		return pointer[:i+1], pointer[i+1:]
	}
	return pointer, ""
}

// compareTokens orders two tokens of pointers: numbers by value and before names.
func compareTokens(a, b string) int {
	na, nb := isPosition(a), isPosition(b)
	switch {
	case na && nb:
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	case na:
		return -1
	case nb:
		return 1
	}
	return strings.Compare(a, b)
}

// isPosition reports whether a token is an array position: "/0", or digits that do not begin with 0.
func isPosition(token string) bool {
	digits := strings.TrimPrefix(token, "/")
	if digits == "" || len(digits) > 1 && digits[0] == '0' {
		return false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return true
}
