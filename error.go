package wf

import (
	"encoding/json"
	"fmt"
)

// Error is a failure: what ended a step or a run other than by an outcome. A node's function may return one, to give
// its failure a code that retries and catches can name; any other error becomes handler_error.
type Error struct {
	Code     Code            `json:"code"`
	Message  string          `json:"message"`
	Step     string          `json:"step,omitempty"`     // the plan's step
	Frame    string          `json:"frame,omitempty"`    // its frame's path in the run
	Attempts int             `json:"attempts,omitempty"` // how often it was tried
	Details  json.RawMessage `json:"details,omitempty"`
	Stack    string          `json:"-"` // of a panic
	// Unsent tells that the call surely had no effect (a refused connection, say), so that it may be made again
	// whatever its effect.
	Unsent bool `json:"-"`

	cause error
}

// Unwrap returns the error that a node's function returned, in the process where it failed; nil in any other, since what
// is stored of a failure is its code and its text.
func (e *Error) Unwrap() error { return e.cause }

// Error gives the code, the step and the message.
func (e *Error) Error() string {
	if e == nil {
		return "no error"
	}
	if e.Step == "" {
		return fmt.Sprintf("%s: %s", e.Code, e.Message)
	}
	return fmt.Sprintf("%s at step %q: %s", e.Code, e.Step, e.Message)
}

// Is matches another *Error by its code: errors.Is(err, &wf.Error{Code: wf.CodeTimeout}).
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && e != nil && t != nil && t.Code == e.Code
}
