package lifecycle

import (
	"context"
	"encoding/json"
	"errors"

	"lda.chat/wf"
)

// Kind says of what kind a failure is: what a surface makes an exit code or a status of.
type Kind string

// The kinds of failures.
const (
	Internal   Kind = "internal"    // a mistake in wf, or the machine: a full disk
	BadRequest Kind = "bad_request" // the method, or one of its parameters, is none
	Invalid    Kind = "diagnostics" // a plan, an input or an answer has errors
	NotFound   Kind = "not_found"
	Conflict   Kind = "conflict" // somebody else was first, or the run is in no state for it
	NotAllowed Kind = "not_allowed"
	TimedOut   Kind = "timeout"   // the caller's time is over
	Cancelled  Kind = "cancelled" // the caller has gone away
)

// Error is why an operation has no result. The message for people is that of its first diagnostic.
type Error struct {
	Kind        Kind           `json:"kind"`
	Diagnostics wf.Diagnostics `json:"diagnostics"` // one at least
	NextActions []NextAction   `json:"next_actions,omitempty"`

	cause error
}

// Error gives the first diagnostic.
func (e *Error) Error() string {
	if len(e.Diagnostics) == 0 {
		return string(e.Kind)
	}
	return e.Diagnostics[0].Message
}

// Unwrap gives what caused the failure; nil behind a wire.
func (e *Error) Unwrap() error { return e.cause }

// failed makes an error with one diagnostic.
func failed(kind Kind, code wf.Code, message, hint string) *Error {
	return &Error{Kind: kind, Diagnostics: wf.Diagnostics{{Severity: wf.SeverityError, Code: code, Message: message, RepairHint: hint}}}
}

// about names the document that an error is about.
func (e *Error) about(doc string) *Error {
	for i := range e.Diagnostics {
		if e.Diagnostics[i].Doc == "" {
			e.Diagnostics[i].Doc = doc
		}
	}
	return e
}

// next adds advice.
func (e *Error) next(actions ...NextAction) *Error {
	e.NextActions = append(e.NextActions, actions...)
	return e
}

// errorOf makes an *Error of whatever failed below; nil stays nil.
func errorOf(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if diags := wf.DiagnosticsOf(err); diags != nil {
		return &Error{Kind: Invalid, Diagnostics: diags, cause: err}
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		return joined(many.Unwrap())
	}
	e := kindOf(err)
	e.cause = err
	return e
}

// joined makes one error of several: of the kind of the first.
func joined(list []error) *Error {
	all := &Error{}
	for _, err := range list {
		e := errorOf(err)
		if all.Kind == "" {
			all.Kind, all.cause = e.Kind, e.cause
		}
		all.Diagnostics = append(all.Diagnostics, e.Diagnostics...)
	}
	return all
}

// kindOf translates the errors of the runtime and of stores.
func kindOf(err error) *Error {
	text := err.Error()
	if e, ok := errors.AsType[*wf.Error](err); ok {
		return ofFailure(e)
	}
	if e, ok := errors.AsType[*wf.NotFoundError](err); ok {
		if e.What == "run" {
			return failed(NotFound, codeRunNotFound, text, "runs.list tells which there are")
		}
		return failed(NotFound, codeNotFound, text, "")
	}
	if _, ok := errors.AsType[*wf.ConflictError](err); ok {
		return failed(Conflict, codeRevisionConflict, text, "")
	}
	if _, ok := errors.AsType[*wf.FencedError](err); ok {
		return failed(Conflict, codeRevisionConflict, text, "another process has taken the run over; look at it again")
	}
	if _, ok := errors.AsType[*wf.ExistsError](err); ok {
		return failed(Conflict, codeRunExists, text, "")
	}
	if _, ok := errors.AsType[*wf.StatusError](err); ok {
		return failed(Conflict, codeRunStatus, text, "")
	}
	if _, ok := errors.AsType[*wf.InvalidError](err); ok {
		return failed(BadRequest, codeParamsInvalid, text, "")
	}
	if _, ok := errors.AsType[*wf.TooLargeError](err); ok {
		return failed(Invalid, wf.CodeValueTooLarge, text, "")
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return failed(TimedOut, wf.CodeTimeout, text, "")
	case errors.Is(err, context.Canceled):
		return failed(Cancelled, wf.CodeCancelled, text, "")
	case isStoreError(err):
		return failed(Internal, codeStoreFailed, text, "")
	}
	return failed(Internal, codeInternal, text, "")
}

func isStoreError(err error) bool {
	_, corrupt := errors.AsType[*wf.CorruptError](err)
	_, version := errors.AsType[*wf.VersionError](err)
	return corrupt || version || errors.Is(err, wf.ErrJournalClosed) || wf.IsAmbiguous(err)
}

// ofFailure translates what the engine refuses: an input, an answer, a decision.
func ofFailure(e *wf.Error) *Error {
	kind := Invalid
	switch e.Code {
	case wf.CodeAlreadyResumed, wf.CodeInterruptClosed, wf.CodeRunEnded:
		kind = Conflict
	case wf.CodeInterruptUnknown, wf.CodeDoubtUnknown:
		kind = NotFound
	}
	first := wf.Diagnostic{Severity: wf.SeverityError, Code: e.Code, Step: e.Step, Message: e.Message}
	list := wf.Diagnostics{first}
	for i, v := range violationsOf(e) {
		d := first
		d.Path, d.Message, d.Expected, d.Actual = v.Path, v.Message, v.Expected, v.Actual
		if i == 0 {
			list = list[:0]
		}
		list = append(list, d)
	}
	return &Error{Kind: kind, Diagnostics: list}
}

// Violation is a place where a value breaks its schema.
type Violation struct {
	Path     string          `json:"path"` // JSON Pointer into the value
	Message  string          `json:"message"`
	Expected json.RawMessage `json:"expected,omitempty"`
	Actual   json.RawMessage `json:"actual,omitempty"`
}

// violationsOf gives the places that a failure's details list; nil if it has none.
func violationsOf(e *wf.Error) []Violation {
	var details struct {
		Violations []Violation `json:"violations"`
	}
	if len(e.Details) == 0 || json.Unmarshal(e.Details, &details) != nil {
		return nil
	}
	return details.Violations
}
