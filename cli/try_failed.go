package cli

import (
	"fmt"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

// failed makes a finding of a run that did not complete.
func (p *planFile) failed(end *ended, timeout time.Duration) *wf.Diagnostic {
	e := end.info.Error
	if e == nil {
		return nil
	}
	d := wf.Diagnostic{Severity: wf.SeverityError, Code: e.Code, Doc: p.name, Step: e.Step, Message: e.Message}
	frame := e.Frame
	for _, x := range end.info.Trace {
		if d.Step == "" && (x.Unfinished || x.Error != nil && x.Error.Code == wf.CodeCancelled) { // where a run was that was cancelled
			d.Step, frame = x.Step, x.Frame
		}
	}
	if end.exit == ExitTimeout {
		d.Code, d.Message = wf.CodeTimeout, fmt.Sprintf("the run was cancelled: it did not end within %v", timeout)
		d.RepairHint = "allow more with --timeout"
	}
	if place, ok := lifecycle.FindStep(p.workflow, frame, d.Step); ok {
		d.Path = place.Pointer
		p.locate(&d)
	}
	return &d
}
