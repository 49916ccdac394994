package cli

import (
	"errors"
	"fmt"

	"lda.chat/wf"
)

// failure is why a command has no result.
type failure struct {
	exit  int
	diags wf.Diagnostics
	next  []nextAction
	stack string // of a bug
}

// Error implements error.
func (f *failure) Error() string {
	if len(f.diags) == 0 {
		return "failed"
	}
	return f.diags[0].Message
}

func (f *failure) answer() *answer {
	return &answer{exit: f.exit, diags: f.diags, next: f.next, stack: f.stack}
}

// failed makes a failure with one finding.
func failed(exit int, code wf.Code, message, hint string) *failure {
	return &failure{exit: exit, diags: wf.Diagnostics{{Severity: wf.SeverityError, Code: code, Message: message, RepairHint: hint}}}
}

// about names the document that a failure is about.
func (f *failure) about(doc string) *failure {
	for i := range f.diags {
		f.diags[i].Doc = doc
	}
	return f
}

func internalFailure(message, stack string) *failure {
	f := failed(ExitInternal, codeInternal, message, "this is a mistake in wf; please report it")
	f.stack = stack
	return f
}

// failureOf makes a failure of any error.
func failureOf(err error) *failure {
	var f *failure
	if errors.As(err, &f) {
		return f
	}
	if diags := wf.DiagnosticsOf(err); diags != nil {
		return &failure{exit: ExitDiagnostics, diags: diags}
	}
	return internalFailure(err.Error(), "")
}

// invalid is the failure of something that has errors.
func invalid(diags wf.Diagnostics, next ...nextAction) *failure {
	return &failure{exit: ExitDiagnostics, diags: diags, next: next}
}

func usagef(format string, args ...any) *failure {
	return failed(ExitUsage, codeUsage, fmt.Sprintf(format, args...), "")
}
