package wf

import "encoding/json"

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
	Line        int             `json:"line,omitempty"`   // of a text that could not be read, from 1
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
