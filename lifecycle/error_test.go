package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"lda.chat/wf"
)

// Whatever fails below has a kind and a code that is explained.
func TestErrorsHaveKinds(t *testing.T) {
	t.Parallel()
	diags := wf.Diagnostics{{Severity: wf.SeverityError, Code: "node_unknown"}}
	for _, c := range []struct {
		err  error
		kind Kind
		code wf.Code
	}{
		{&wf.NotFoundError{What: "run", Key: "a"}, NotFound, codeRunNotFound},
		{&wf.NotFoundError{What: "event", Key: "a at 9"}, NotFound, codeNotFound},
		{&wf.ConflictError{What: "draft", Key: "a"}, Conflict, codeRevisionConflict},
		{&wf.FencedError{RunID: "a", Fence: 1, Current: 2}, Conflict, codeRevisionConflict},
		{&wf.ExistsError{RunID: "a"}, Conflict, codeRunExists},
		{&wf.StatusError{RunID: "a", Status: wf.StatusRunning}, Conflict, codeRunStatus},
		{&wf.InvalidError{What: "label", Found: "ä"}, BadRequest, codeParamsInvalid},
		{&wf.TooLargeError{What: "a record", Size: 2, Limit: 1}, Invalid, wf.CodeValueTooLarge},
		{&wf.CorruptError{Place: "wf.db"}, Internal, codeStoreFailed},
		{&wf.VersionError{Place: "wf.db", Found: 2, Known: 1}, Internal, codeStoreFailed},
		{&wf.AmbiguousError{Err: errors.New("the connection broke")}, Internal, codeStoreFailed},
		{fmt.Errorf("run %q: %w", "a", wf.ErrJournalClosed), Internal, codeStoreFailed},
		{context.DeadlineExceeded, TimedOut, wf.CodeTimeout},
		{context.Canceled, Cancelled, wf.CodeCancelled},
		{&wf.Error{Code: wf.CodeAlreadyResumed}, Conflict, wf.CodeAlreadyResumed},
		{&wf.Error{Code: wf.CodeInterruptUnknown}, NotFound, wf.CodeInterruptUnknown},
		{&wf.Error{Code: wf.CodePayloadInvalid}, Invalid, wf.CodePayloadInvalid},
		{diags.Err(), Invalid, "node_unknown"},
		{errors.Join(&wf.Error{Code: wf.CodeAlreadyResumed}, &wf.Error{Code: wf.CodePayloadInvalid}), Conflict, wf.CodeAlreadyResumed},
		{errors.New("no space left on the disk"), Internal, codeInternal},
	} {
		e := errorOf(c.err)
		if e.Kind != c.kind || e.Diagnostics[0].Code != c.code {
			t.Errorf("%v: %s, %s; expected %s, %s", c.err, e.Kind, e.Diagnostics[0].Code, c.kind, c.code)
		}
	}
	if errorOf(nil) != nil {
		t.Error("no error has become one")
	}
}
