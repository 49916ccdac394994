package wf

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Code names one kind of problem, of a plan or of a run. All codes stand in one table: [Codes].
type Code string

// Severity orders diagnostics: errors stop, warnings and infos do not.
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityInfo    Severity = "info"
)

// Diagnostic is one finding, in a form that people read and machines repair by.
type Diagnostic struct {
	Severity    Severity        `json:"severity"`
	Code        Code            `json:"code"`
	Doc         string          `json:"doc,omitempty"`    // which document: "draft:report_ws@3", a file name
	Path        string          `json:"path"`             // JSON Pointer into it
	Line        int             `json:"line,omitempty"`   // in the text that was read, where it is known; from 1
	Column      int             `json:"column,omitempty"` // in code points, from 1
	Step        string          `json:"step,omitempty"`
	Message     string          `json:"message"`
	Expected    json.RawMessage `json:"expected,omitempty"`
	Actual      json.RawMessage `json:"actual,omitempty"`
	RepairHint  string          `json:"repair_hint,omitempty"`
	LogicalRef  string          `json:"logical_ref,omitempty"`
	BoundSource *string         `json:"bound_source,omitempty"`
	Related     []Related       `json:"related,omitempty"`
	Fixes       []Fix           `json:"fixes,omitempty"`
}

// Related points to another place that has to do with a finding.
type Related struct {
	Doc     string `json:"doc,omitempty"`
	Path    string `json:"path"`
	Message string `json:"message"`
}

// Applicability says how far a fix can be trusted.
type Applicability string

// The applicabilities.
const (
	FixSafe        Applicability = "safe"        // removes its finding and adds no error
	FixUnsafe      Applicability = "unsafe"      // may change what the plan means
	FixPlaceholder Applicability = "placeholder" // has something to fill in
)

// Fix is one way to repair a finding: an RFC 6902 patch that begins with "test" operations, or a call.
type Fix struct {
	Title         string          `json:"title"`
	Applicability Applicability   `json:"applicability"`
	Patch         json.RawMessage `json:"patch,omitempty"`
	Call          *FixCall        `json:"call,omitempty"`
}

// FixCall is an operation that repairs a finding.
type FixCall struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// Diagnostics is a list of findings; nil is valid and means none.
type Diagnostics []Diagnostic

// HasErrors reports whether a finding is an error: whether the plan may not run.
func (ds Diagnostics) HasErrors() bool { return ds.Errors() > 0 }

// Errors counts the findings that are errors.
func (ds Diagnostics) Errors() int {
	n := 0
	for i := range ds {
		if ds[i].Severity == SeverityError {
			n++
		}
	}
	return n
}

// Err returns nil if no finding is an error, else an error that says the first one, counts the others, and
// carries all findings, warnings too: [DiagnosticsOf] takes them out again. The caller must not change ds afterwards.
func (ds Diagnostics) Err() error {
	if !ds.HasErrors() {
		return nil
	}
	return &diagnosticsError{ds}
}

// DiagnosticsOf returns the findings that err, or an error that it wraps, carries; nil if there are none.
func DiagnosticsOf(err error) Diagnostics {
	var carrier *diagnosticsError
	if errors.As(err, &carrier) {
		return carrier.all
	}
	return nil
}

// diagnosticsError carries findings of which one at least is an error.
type diagnosticsError struct{ all Diagnostics }

// Error implements error.
func (e *diagnosticsError) Error() string {
	var first string
	for _, d := range e.all {
		if d.Severity == SeverityError {
			first = d.headline()
			break
		}
	}
	switch more := e.all.Errors() - 1; more {
	case 0:
		return first
	case 1:
		return first + " (and 1 more error)"
	default:
		return fmt.Sprintf("%s (and %d more errors)", first, more)
	}
}

// String writes the finding for people: one line that says where, what and which code, and below it, indented,
// the related places and the hint.
//
//	plan.json /edges/3: error: step "review": outcome "rejeted" is not one of its outcomes [outcome_unknown]
//	  see /nodes/2: its outcomes: "approved", "rejected"
//	  hint: did you mean "rejected"?
func (d Diagnostic) String() string {
	var b strings.Builder
	b.WriteString(d.headline())
	for _, r := range d.Related {
		b.WriteString("\n  see ")
		if r.Doc != "" && r.Doc != d.Doc {
			b.WriteString(r.Doc + " ")
		}
		b.WriteString(pointerText(r.Path) + ": " + r.Message)
	}
	if d.RepairHint != "" {
		b.WriteString("\n  hint: " + d.RepairHint)
	}
	return b.String()
}

// headline is the first line of String.
func (d Diagnostic) headline() string {
	var b strings.Builder
	b.WriteString(d.Doc)
	switch {
	case d.Line > 0 && d.Doc != "":
		fmt.Fprintf(&b, ":%d:%d ", d.Line, d.Column)
	case d.Line > 0:
		fmt.Fprintf(&b, "%d:%d ", d.Line, d.Column)
	case d.Doc != "":
		b.WriteByte(' ')
	}
	b.WriteString(pointerText(d.Path) + ": " + string(d.Severity) + ": ")
	if d.Step != "" {
		fmt.Fprintf(&b, "step %q: ", d.Step)
	}
	b.WriteString(d.Message)
	fmt.Fprintf(&b, " [%s]", d.Code)
	return b.String()
}

// pointerText shows a JSON Pointer; the empty one is the whole document.
func pointerText(pointer string) string {
	if pointer == "" {
		return "(whole document)"
	}
	return pointer
}
