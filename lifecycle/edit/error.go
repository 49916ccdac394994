package edit

import (
	"fmt"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/suggest"
	"lda.chat/wf/internal/value"
)

// Error says why edits could not be made. The document is as it was.
type Error struct {
	Edit     int    `json:"edit"` // its position in the list, from 0
	Op       string `json:"op,omitempty"`
	Path     string `json:"path"` // JSON Pointer into the document, or into the edit if that is what is wrong
	Step     string `json:"step,omitempty"`
	Found    string `json:"found"`
	Expected string `json:"expected,omitempty"`
	Hint     string `json:"hint,omitempty"` // what to do
	Near     string `json:"near,omitempty"` // the name that was probably meant
	// Diagnostics are findings of reading the plan that the edit would make, if these are the reason; the first one is Found.
	Diagnostics wf.Diagnostics `json:"diagnostics,omitempty"`
}

// Error implements error: which edit, the place, what was found, what was expected, what to do.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Op != "" {
		fmt.Fprintf(&b, "edit %d, %s: ", e.Edit, e.Op)
	}
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	if e.Step != "" {
		fmt.Fprintf(&b, "step %q: ", e.Step)
	}
	b.WriteString(e.Found)
	if e.Expected != "" {
		b.WriteString("; expected " + e.Expected)
	}
	if e.Near != "" {
		fmt.Fprintf(&b, "; did you mean %q?", e.Near)
	}
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	if more := len(e.Diagnostics) - 1; more > 0 {
		fmt.Fprintf(&b, " (and %d more)", more)
	}
	return b.String()
}

// unknown is the error of a name that is none of those there are.
func unknown(what, name string, known []string) *Error {
	e := &Error{Found: fmt.Sprintf("there is no %s %s", what, quote(name)), Expected: "one of " + list(known)}
	if len(known) == 0 {
		e.Expected = ""
		e.Hint = "there is none yet"
	}
	e.Near, _ = suggest.Nearest(name, known)
	return e
}

// list writes names for a message, not too many of them.
func list(names []string) string {
	const most = 12
	quoted := make([]string, 0, most+1)
	for i, name := range names {
		if i == most {
			quoted = append(quoted, fmt.Sprintf("%d more", len(names)-most))
			break
		}
		quoted = append(quoted, quote(name))
	}
	return strings.Join(quoted, ", ")
}

func quote(s string) string { return string(value.String(shorten(s)).JSON()) }

// shorten keeps a text in a message within bounds.
func shorten(s string) string {
	const longest = 100
	if r := []rune(s); len(s) > longest && len(r) > longest {
		return string(r[:longest]) + "…"
	}
	return s
}

// describe says what a value is, for a message.
func describe(v value.Value) string {
	switch v.Kind() {
	case value.KindAbsent:
		return "nothing"
	case value.KindObject:
		return "an object"
	case value.KindArray:
		return "a list"
	}
	return shorten(v.String())
}
