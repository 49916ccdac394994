package cli

import (
	"encoding/json"
	"fmt"
	"strconv"

	"lda.chat/wf"
)

// briefRun is what the compact format says of a run.
type briefRun struct {
	RunID   string          `json:"run_id"`
	Status  wf.RunStatus    `json:"status"`
	Outcome wf.Outcome      `json:"outcome,omitempty"`
	Output  json.RawMessage `json:"output,omitempty"`
	Error   *wf.Error       `json:"error,omitempty"`
	Steps   []string        `json:"steps"` // "read: ok", in order; "/each[1]/read: ok" in another frame than the root

	Interrupts []briefInterrupt `json:"interrupts,omitempty"`
	Doubts     []string         `json:"doubts,omitempty"` // the ids of calls that have to be decided about
}

// briefInterrupt is what the compact format says of an open interrupt.
type briefInterrupt struct {
	ID       string          `json:"id"`
	Kind     string          `json:"kind,omitempty"`
	Request  json.RawMessage `json:"request"`
	Outcomes []wf.Outcome    `json:"outcomes"`
}

// stepName names a step of a trace: with its frame, if that is not the root.
func stepName(x *wf.TraceEntry) string {
	if x.Frame == "/" {
		return x.Step
	}
	return x.Frame + "/" + x.Step
}

func brief(info *wf.RunInfo) *briefRun {
	b := &briefRun{RunID: info.RunID, Status: info.Status, Outcome: info.Outcome, Output: info.Output, Error: info.Error, Steps: []string{}}
	for i := range info.Trace {
		b.Steps = append(b.Steps, stepName(&info.Trace[i])+": "+stepEnd(info.Trace[i]))
	}
	for _, i := range info.Interrupts {
		b.Interrupts = append(b.Interrupts, briefInterrupt{i.ID, i.Kind, i.Request, i.Outcomes})
	}
	for _, d := range info.Doubts {
		b.Doubts = append(b.Doubts, d.ID)
	}
	return b
}

// stepEnd says in a word how a step ended.
func stepEnd(entry wf.TraceEntry) string {
	switch {
	case entry.Unfinished:
		return "unfinished"
	case entry.Error != nil && entry.Error.Code == wf.CodeCancelled:
		return "cancelled"
	case entry.Outcome == "" && entry.Error != nil:
		return "failed"
	}
	return string(entry.Outcome)
}

// summary says in a line how a run went.
func summary(info *wf.RunInfo) string {
	s := info.Workflow + ": " + string(info.Status)
	if info.Outcome != "" {
		s += ", outcome " + string(info.Outcome)
	}
	steps := "steps"
	if info.Steps == 1 {
		steps = "step"
	}
	return fmt.Sprintf("%s (%d %s, %s)", s, info.Steps, steps, info.RunID)
}

func traceTable(trace []wf.TraceEntry) *table {
	t := &table{head: []string{"STEP", "TYPE", "OUTCOME", "NEXT", "ATTEMPTS", "WRITES", "ERROR"}}
	for _, x := range trace {
		attempts, failure := "", ""
		if x.Attempts > 0 {
			attempts = strconv.Itoa(x.Attempts)
		}
		if x.Error != nil {
			failure = string(x.Error.Code)
		}
		writes := ""
		for i, w := range x.Writes {
			if i > 0 {
				writes += " "
			}
			writes += w.Path
		}
		t.rows = append(t.rows, []string{stepName(&x), string(x.Type), stepEnd(x), x.Next, attempts, writes, failure})
	}
	return t
}
