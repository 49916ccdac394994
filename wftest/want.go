package wftest

import (
	"encoding/json"
	"errors"
	"os"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

// WantStatus fails the test unless the run has a status.
func (r *Run) WantStatus(want wf.RunStatus) {
	r.h.t.Helper()
	if got := r.handle.Status(); got != want {
		r.h.t.Errorf("wftest: the run is %s%s, expected %s", got, r.failure(), want)
	}
}

// WantOutcome fails the test unless the run has completed with an outcome.
func (r *Run) WantOutcome(want wf.Outcome) {
	r.h.t.Helper()
	if r.WantStatus(wf.StatusCompleted); r.handle.Status() != wf.StatusCompleted {
		return
	}
	if got := r.handle.Outcome(); got != want {
		r.h.t.Errorf("wftest: the outcome is %q, expected %q", got, want)
	}
}

// WantFailure fails the test unless the run has failed with a code.
func (r *Run) WantFailure(code wf.Code) {
	r.h.t.Helper()
	if r.WantStatus(wf.StatusFailed); r.handle.Status() != wf.StatusFailed {
		return
	}
	if err := r.handle.Err(); !isCode(err, code) {
		r.h.t.Errorf("wftest: the run failed with %v; expected %s", err, code)
	}
}

// WantOutput fails the test unless the run has an output that is equal, as JSON; numbers by value.
func (r *Run) WantOutput(want any) {
	r.h.t.Helper()
	r.want("output", r.handle.Info().Output, want)
}

// WantState fails the test unless the state is equal, as JSON; numbers by value. Secret fields are "[secret]", and fields
// with "x-trace": false are left out.
func (r *Run) WantState(want any) {
	r.h.t.Helper()
	r.want("state", r.handle.Info().State, want)
}

func (r *Run) want(what string, got json.RawMessage, want any) {
	r.h.t.Helper()
	expected, err := toValue(want)
	if err != nil {
		r.h.t.Fatalf("wftest: the expected %s is no JSON: %v", what, err)
	}
	if got == nil {
		r.h.t.Errorf("wftest: the run has no %s: it is %s%s", what, r.handle.Status(), r.failure())
		return
	}
	found, err := value.Parse(got)
	if err != nil {
		r.h.t.Fatalf("wftest: %v", err)
	}
	if !value.Equal(found, expected) {
		r.h.t.Errorf("wftest: the %s is another (-expected +got):\n%s", what, diff(string(value.Indent(expected)), string(value.Indent(found))))
	}
}

// WantTrace fails the test unless the run went as a file tells it, see [Run.TraceText]. With the environment variable
// WF_UPDATE=1 the file is written instead. Its path is relative to the test's package.
func (r *Run) WantTrace(file string) {
	r.h.t.Helper()
	got := r.TraceText()
	if os.Getenv("WF_UPDATE") == "1" {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			r.h.t.Fatalf("wftest: %v", err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		r.h.t.Fatalf("wftest: %v; WF_UPDATE=1 writes it", err)
	}
	if string(want) != got {
		r.h.t.Errorf("wftest: the run went otherwise than %s tells; WF_UPDATE=1 rewrites it (-file +now):\n%s", file, diff(string(want), got))
	}
}

// failure says what the run failed with, behind another text.
func (r *Run) failure() string {
	if err := r.handle.Err(); err != nil {
		return " (" + err.Error() + ")"
	}
	return ""
}

// isCode reports whether one of the errors that were joined has a code.
func isCode(err error, code wf.Code) bool { return err != nil && errors.Is(err, &wf.Error{Code: code}) }
