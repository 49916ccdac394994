package wf

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

// reader turns a JSON value into a plan by hand and collects every mistake on the way. Its methods take a value and
// its place (a JSON Pointer); what they cannot read they report and leave at its zero value.
type reader struct {
	doc        *value.Document // the text, for lines and columns; nil if there is none
	diags      Diagnostics
	errors     int
	step       string      // the step being read
	routes     []route     // the edges of the workflow being read
	nested     []listItem  // its steps that stand inside others
	scope      scope       // its names
	meantStart string      // its first step, if an edge says it
	isKey      bool        // what is read is a key: no fix can replace it as a value
	isLocked   bool        // too many findings: no more are kept
	places     *textPlaces // where in the text things stand; nil if nobody asks
	holes      bool        // what is read was built in Go and may have holes: mistakes that were reported there
}

// add keeps a finding, an error unless it says otherwise, and fills in where it is.
func (r *reader) add(d Diagnostic) {
	if d.Severity == "" {
		d.Severity = SeverityError
	}
	if d.Severity == SeverityError {
		r.errors++
	}
	if len(r.diags) >= maxDiagnostics {
		if !r.isLocked {
			r.isLocked = true
			r.diags = append(r.diags, Diagnostic{Severity: SeverityError, Code: "too_many_findings",
				Message: fmt.Sprintf("more than %d mistakes; the others are not shown", maxDiagnostics)})
		}
		return
	}
	if d.Step == "" && !isHole(r.step) {
		d.Step = r.step
	}
	if r.isKey {
		d.Fixes = nil
	}
	if r.doc != nil {
		if line, column, ok := r.doc.Position(d.Path); ok {
			d.Line, d.Column = line, column
		}
	}
	r.diags = append(r.diags, d)
}

// readKey reads a member's key, which is text and stands at the member's place.
func readKey[T any](r *reader, key, at, what string, read func(v value.Value, at, what string) T) T {
	r.isKey = true
	defer func() { r.isKey = false }()
	return read(value.String(key), at, what)
}

// isHole reports whether a value is a hole that was left in building.
func (r *reader) isHole(v value.Value) bool {
	if !r.holes {
		return false
	}
	s, _ := v.AsString()
	n, _ := v.AsInt()
	return isHole(s) || n == holeNumber
}

// failed reports whether there was an error.
func (r *reader) failed() bool { return r.errors > 0 }

// finish returns the findings in their one order.
func (r *reader) finish() Diagnostics {
	r.diags.Sort()
	return r.diags
}

// wrongType reports a value that is not of the kind that its place needs.
func (r *reader) wrongType(v value.Value, at, expected string, fixes ...Fix) {
	hint := "write " + expected
	if v.IsNull() {
		hint = "leave the field out, or write " + expected
	}
	r.add(Diagnostic{Code: "type_wrong", Path: at, Fixes: fixes, RepairHint: hint,
		Message: fmt.Sprintf("expected %s, found %s", expected, describe(v))})
}

var escapePointer = strings.NewReplacer("~", "~0", "/", "~1")

// child and element extend a place.
func child(at, key string) string { return at + "/" + escapePointer.Replace(key) }

func element(at string, i int) string { return at + "/" + strconv.Itoa(i) }

// describe says what a value is, for a message.
func describe(v value.Value) string {
	switch v.Kind() {
	case value.KindString:
		s, _ := v.AsString()
		return "the string " + quoteShort(s)
	case value.KindNumber:
		return "the number " + shorten(v.NumberText(), 40)
	case value.KindBool:
		return v.String()
	case value.KindArray:
		return "an array"
	case value.KindObject:
		return "an object"
	}
	return "null"
}

// quoteShort quotes a text of the plan in a message; a long one is cut.
func quoteShort(s string) string { return strconv.Quote(shorten(s, 80)) }

func shorten(s string, limit int) string {
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return s
}

// listText writes names for a message: "a", "b", "c".
func listText[T ~string](names []T) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(string(name))
	}
	return strings.Join(quoted, ", ")
}

// jsonOf writes a small Go value as the JSON of a Diagnostic.
func jsonOf(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return data
}
