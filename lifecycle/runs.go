package lifecycle

import (
	"encoding/json"
	"time"

	"lda.chat/wf"
)

// View says how much is told of a run.
type View struct {
	// Full tells all. Without it, input, state and output of more than [Bound] bytes are left out, and of frames, interrupts
	// and doubts only the first [Most] are told; the result's "omitted" names what is missing.
	Full bool `json:"full,omitempty"`
	// TraceFrom and TraceLimit ask for a part of the trace: so many entries, from that one on, counted from 0.
	TraceFrom  int `json:"trace_from,omitempty"`
	TraceLimit int `json:"trace_limit,omitempty"` // 0: none
}

// Bounds of what is told of a run.
const (
	Bound = 4096 // bytes of a value
	Most  = 20   // elements of a list
)

// StartRun are the parameters of runs.start.
type StartRun struct {
	Deployment string            `json:"deployment,omitempty"`   // that it is of; or, without one,
	Plan       json.RawMessage   `json:"plan,omitempty"`         // the plan, in any form that can be read
	Input      json.RawMessage   `json:"input,omitempty"`        // an object; nothing is {}. A deployment may add defaults
	RunID      string            `json:"run_id,omitempty"`       // "": one is made, that sorts by time
	Labels     map[string]string `json:"labels,omitempty"`       // to list it by; names that begin with "wf." are taken
	Queued     bool              `json:"queued,omitempty"`       // it is only recorded; whoever works on the store takes it up
	StepByStep bool              `json:"step_by_step,omitempty"` // it takes a step only when it is told to
	Wait       bool              `json:"wait,omitempty"`         // the answer comes when the run stops
	View
}

// InspectRun are the parameters of runs.inspect.
type InspectRun struct {
	RunID string `json:"run_id"`
	View
}

// ResumeRun are the parameters of runs.resume.
type ResumeRun struct {
	RunID   string   `json:"run_id"`
	Answers []Answer `json:"answers"`        // one at least
	Wait    bool     `json:"wait,omitempty"` // as in [StartRun]
	View
}

// Answer answers one interrupt.
type Answer struct {
	Interrupt string          `json:"interrupt,omitempty"` // its id; may be left out while only one is open
	Outcome   wf.Outcome      `json:"outcome,omitempty"`   // may be left out if there is only one
	Payload   json.RawMessage `json:"payload,omitempty"`   // nothing is {}
}

// DecideRun are the parameters of runs.decide.
type DecideRun struct {
	RunID   string          `json:"run_id"`
	Step    string          `json:"step,omitempty"` // the doubt's id; may be left out while only one is open
	Verdict wf.Verdict      `json:"verdict"`
	Outcome wf.Outcome      `json:"outcome,omitempty"` // of the call, if it happened
	Output  json.RawMessage `json:"output,omitempty"`
	Wait    bool            `json:"wait,omitempty"` // as in [StartRun]
	View
}

// StepRun are the parameters of runs.step.
type StepRun struct {
	RunID string `json:"run_id"`
	View
}

// CancelRun are the parameters of runs.cancel.
type CancelRun struct {
	RunID  string `json:"run_id"`
	Reason string `json:"reason,omitempty"` // for people
	View
}

// DeleteRun are the parameters of runs.delete.
type DeleteRun struct {
	RunID string `json:"run_id"`
}

// DeletedRun tells which run was deleted.
type DeletedRun struct {
	RunID  string  `json:"run_id"`
	Advice *Advice `json:"advice,omitempty"`
}

// Run is a run as it stands.
type Run struct {
	wf.RunInfo
	Deployment  string            `json:"deployment,omitempty"`
	Deployed    *Deployed         `json:"deployed,omitempty"` // which revision of the deployment
	Labels      map[string]string `json:"labels,omitempty"`
	Revision    wf.Revision       `json:"revision"`              // events in the store
	StepByStep  bool              `json:"step_by_step"`          // it goes on only by runs.step
	Owner       string            `json:"owner,omitempty"`       // the process that drives it
	WakeAt      time.Time         `json:"wake_at,omitzero"`      // when it goes on by itself
	Stuck       *wf.Stuck         `json:"stuck,omitempty"`       // why it does not go on although something is due
	Pending     int               `json:"pending,omitempty"`     // messages that nobody has taken yet
	TraceTotal  int               `json:"trace_total,omitempty"` // entries that the trace has, if some were asked for
	Diagnostics wf.Diagnostics    `json:"diagnostics,omitempty"` // of a deployment's run under way: what has changed of what it calls
	Omitted     []Omitted         `json:"omitted,omitempty"`     // what was left out
	Advice      *Advice           `json:"advice,omitempty"`      // what to do next
}

// Omitted names what was left out of an answer.
type Omitted struct {
	Field string `json:"field"`
	Bytes int    `json:"bytes,omitempty"` // of a value
	Count int    `json:"count,omitempty"` // elements of a list that are not told
}

// ListRuns are the parameters of runs.list. The zero value asks for all runs.
type ListRuns struct {
	Workflow      string            `json:"workflow,omitempty"` // of this name
	Deployment    string            `json:"deployment,omitempty"`
	Status        []wf.RunStatus    `json:"status,omitempty"`  // one of these
	Waiting       bool              `json:"waiting,omitempty"` // those that go no further before somebody answers or decides
	Stuck         bool              `json:"stuck,omitempty"`   // those that do not go on although something is due
	Labels        map[string]string `json:"labels,omitempty"`  // all of these
	CreatedFrom   time.Time         `json:"created_from,omitzero"`
	CreatedBefore time.Time         `json:"created_before,omitzero"`
	UpdatedBefore time.Time         `json:"updated_before,omitzero"`
	Limit         int               `json:"limit,omitempty"`  // of a page; 0: 50, at most 1000
	Cursor        string            `json:"cursor,omitempty"` // the "next" of the page before
}

// RunList is a page of runs.
type RunList struct {
	Runs   []ListedRun `json:"runs"`
	Next   string      `json:"next,omitempty"` // the cursor of the next page; "": this is the last
	Advice *Advice     `json:"advice,omitempty"`
}

// ListedRun is a run in a list.
type ListedRun struct {
	RunID      string            `json:"run_id"`
	Workflow   string            `json:"workflow"`
	Status     wf.RunStatus      `json:"status"`
	Deployment string            `json:"deployment,omitempty"`
	Labels     map[string]string `json:"labels,omitempty"`
	Events     wf.Revision       `json:"events"`
	Owner      string            `json:"owner,omitempty"`
	Stuck      *wf.Stuck         `json:"stuck,omitempty"` // why it does not go on although something is due
	WakeAt     time.Time         `json:"wake_at,omitzero"`
	Created    time.Time         `json:"created"`
	Updated    time.Time         `json:"updated"`
}

// TraceRun are the parameters of runs.trace.
type TraceRun struct {
	RunID string `json:"run_id"`
	From  int    `json:"from,omitempty"`  // the first entry, counted from 0 among those that are asked for
	Limit int    `json:"limit,omitempty"` // 0: 100, at most 1000
	Step  string `json:"step,omitempty"`  // only entries of this step
	Frame string `json:"frame,omitempty"` // only entries of this frame and those below it
}

// Trace is a part of a run's trace.
type Trace struct {
	RunID   string          `json:"run_id"`
	Status  wf.RunStatus    `json:"status"`
	From    int             `json:"from"`
	Total   int             `json:"total"` // entries that were asked for, in all parts
	Entries []wf.TraceEntry `json:"entries"`
	Advice  *Advice         `json:"advice,omitempty"`
}
