package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/internal/jsonpatch"
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
	if place := stepPlace(p.workflow, frame, d.Step); place != "" {
		d.Path = place
		p.locate(&d)
	}
	return &d
}

// stepPlace is the JSON Pointer of a step in a frame; "" if it cannot be found. Each part of a frame's path begins with the
// step that it is of; one of a subgraph leads into another workflow of the plan.
func stepPlace(w *wf.Workflow, frame, step string) string {
	at, scopes := []string{""}, []*wf.Workflow{w}
	find := func(id string) (int, wf.Step) {
		for i, s := range w.Nodes {
			if s.StepID() == id {
				return i, s
			}
		}
		return -1, nil
	}
	for part := range strings.SplitSeq(strings.Trim(frame, "/"), "/") {
		if end := strings.IndexAny(part, "#~[:"); end >= 0 {
			part = part[:end]
		}
		_, s := find(part)
		sub, ok := s.(*wf.SubgraphStep)
		if !ok {
			continue
		}
		n := len(scopes) // a step names a workflow of its own, or of one around it
		for n > 0 && scopes[n-1].Workflows[sub.Workflow] == nil {
			n--
		}
		if n == 0 {
			return ""
		}
		w = scopes[n-1].Workflows[sub.Workflow]
		at = append(at[:n], at[n-1]+jsonpatch.Pointer{"workflows", sub.Workflow}.String())
		scopes = append(scopes[:n], w)
	}
	if i, s := find(step); s != nil {
		return at[len(at)-1] + "/nodes/" + strconv.Itoa(i)
	}
	return ""
}
