package kernel

import (
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

// The codes of failures that the kernel itself finds or treats in a special way.
const (
	CodeBindingMissing    = "binding_missing"
	CodeInputInvalid      = "input_invalid"
	CodeOutputInvalid     = "output_invalid"
	CodeStateInvalid      = "state_invalid"
	CodeUndeclaredOutcome = "undeclared_outcome"
	CodeUnwiredOutcome    = "unwired_outcome"
	CodeTimeout           = "timeout"
	CodeReducerError      = "reducer_error"
	CodeConditionType     = "condition_type"
	CodeConditionMissing  = "condition_missing"
	CodeLimitExceeded     = "limit_exceeded"
	CodeValueTooLarge     = "value_too_large"
	CodeMergeConflict     = "merge_conflict"
	CodeNotArray          = "not_an_array"
	CodePayloadInvalid    = "payload_invalid"
	CodeCancelled         = "cancelled"
	CodeInDoubt           = "in_doubt"
	CodeCrashLoop         = "crash_loop"
)

// Failure is what ended a step or a run other than by an outcome.
type Failure struct {
	Code    string
	Message string
	Details value.Value // object or absent
	// Final failures are the run's own limits: no retry and no catch sees them.
	Final bool
	// Unknown is set when it is not known whether the call happened. Unsent is set when it surely had no effect: only
	// then may a once call be made again.
	Unknown, Unsent bool
	// Origin is where it came from, once it has left the frame where it happened.
	Origin *Origin
	// Stack is a panic's, for the trace.
	Stack string
	// Cause is the Go error behind it, in the process where it happened. It is not recorded.
	Cause error
}

// Origin is the step, by its frame, in which something failed, and how often it was tried.
type Origin struct {
	Step, Frame string
	Attempts    int32
}

func failf(code, message string) *Failure { return &Failure{Code: code, Message: message} }

// errorValue is what a catch writes to the state: at is where it is caught.
func (f *Failure) errorValue(at Origin) value.Value {
	if f.Origin != nil {
		at = *f.Origin
	}
	return value.Object(
		value.Member{Key: "code", Value: value.String(f.Code)},
		value.Member{Key: "message", Value: value.String(f.Message)},
		value.Member{Key: "step", Value: value.String(at.Step)},
		value.Member{Key: "frame", Value: value.String(at.Frame)},
		value.Member{Key: "attempts", Value: value.Int(int64(at.Attempts))},
		value.Member{Key: "details", Value: f.Details},
	)
}

// dotted writes a path as plans do, for messages: .items[0].title.
func dotted(p value.Path) string {
	var b strings.Builder
	for _, part := range p {
		if part.IsIndex {
			b.WriteString("[" + strconv.Itoa(part.Index) + "]")
		} else {
			b.WriteString("." + part.Key)
		}
	}
	return b.String()
}
