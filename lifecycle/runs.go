package lifecycle

import (
	"encoding/json"
	"time"

	"lda.chat/wf"
)

// View says how much is told of a run.
type View struct {
	Full       bool `json:"full,omitempty" jsonschema_description:"tell all; else input, state and output of more than 4 KiB are left out, and of frames, interrupts and doubts all but the first 20, and named in omitted"`
	TraceFrom  int  `json:"trace_from,omitempty" jsonschema_description:"the first entry of the trace that is told, counted from 0"`
	TraceLimit int  `json:"trace_limit,omitempty" jsonschema_description:"how many entries of the trace are told; none if it is left out"`
}

// Bounds of what is told of a run.
const (
	Bound = 4096 // bytes of a value
	Most  = 20   // elements of a list
)

// StartRun are the parameters of runs.start.
type StartRun struct {
	Deployment string            `json:"deployment,omitempty" jsonschema_description:"the deployment that it is of; or, without one, a plan"`
	Plan       json.RawMessage   `json:"plan,omitempty" jsonschema_description:"the plan that it is of, in any form that can be read"`
	Input      json.RawMessage   `json:"input,omitempty" jsonschema_description:"the input, an object; nothing is {}, and what is left out of it may be a default of the deployment"`
	RunID      string            `json:"run_id,omitempty" jsonschema_description:"the run's id; one that sorts by time is made if it is left out. With the id of a run that was started the same, that run is the answer"`
	Labels     map[string]string `json:"labels,omitempty" jsonschema_description:"names and texts to list it by; names that begin with wf. are taken"`
	Queued     bool              `json:"queued,omitempty" jsonschema_description:"the run is only recorded; whoever works on the store takes it up"`
	StepByStep bool              `json:"step_by_step,omitempty" jsonschema_description:"the run takes a step only when runs.step tells it to"`
	Wait       bool              `json:"wait,omitempty" jsonschema_description:"answer when the run stops, not at once"`
	View
}

// InspectRun are the parameters of runs.inspect.
type InspectRun struct {
	RunID string `json:"run_id" jsonschema_description:"which run"`
	View
}

// ResumeRun are the parameters of runs.resume.
type ResumeRun struct {
	RunID   string   `json:"run_id" jsonschema_description:"which run"`
	Answers []Answer `json:"answers" jsonschema_description:"answers to interrupts, one at least: each an object of interrupt (its id, or left out while only one is open), outcome and payload"`
	Wait    bool     `json:"wait,omitempty" jsonschema_description:"answer when the run stops, not at once"`
	View
}

// Answer answers one interrupt.
type Answer struct {
	Interrupt string          `json:"interrupt,omitempty" jsonschema_description:"the interrupt's id; may be left out while only one is open"`
	Outcome   wf.Outcome      `json:"outcome,omitempty" jsonschema_description:"how it is answered; may be left out if there is only one outcome"`
	Payload   json.RawMessage `json:"payload,omitempty" jsonschema_description:"the answer itself; nothing is {}"`
}

// DecideRun are the parameters of runs.decide.
type DecideRun struct {
	RunID   string          `json:"run_id" jsonschema_description:"which run"`
	Step    string          `json:"step,omitempty" jsonschema_description:"the doubt's id; may be left out while only one is open"`
	Verdict wf.Verdict      `json:"verdict" jsonschema_description:"result: the call happened; again: make it again, with the same key; fail: the step fails"`
	Outcome wf.Outcome      `json:"outcome,omitempty" jsonschema_description:"with result: the outcome that the call had; may be left out if there is only one"`
	Output  json.RawMessage `json:"output,omitempty" jsonschema_description:"with result: what the call returned"`
	Wait    bool            `json:"wait,omitempty" jsonschema_description:"answer when the run stops, not at once"`
	View
}

// StepRun are the parameters of runs.step.
type StepRun struct {
	RunID string `json:"run_id" jsonschema_description:"which run"`
	View
}

// CancelRun are the parameters of runs.cancel.
type CancelRun struct {
	RunID  string `json:"run_id" jsonschema_description:"which run"`
	Reason string `json:"reason,omitempty" jsonschema_description:"why, for people"`
	View
}

// DeleteRun are the parameters of runs.delete.
type DeleteRun struct {
	RunID string `json:"run_id" jsonschema_description:"which run"`
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
	Idle        bool              `json:"idle,omitempty"`        // something is due and nobody drives it: it was queued, or who drove it is gone
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
	Workflow      string            `json:"workflow,omitempty" jsonschema_description:"only runs of plans of this name"`
	Deployment    string            `json:"deployment,omitempty" jsonschema_description:"only runs of this deployment"`
	Status        []wf.RunStatus    `json:"status,omitempty" jsonschema_description:"only runs with one of these: running, interrupted, completed, failed, cancelled"`
	Waiting       bool              `json:"waiting,omitempty" jsonschema_description:"only those that go no further before somebody answers or decides"`
	Stuck         bool              `json:"stuck,omitempty" jsonschema_description:"only those that do not go on although something is due"`
	Labels        map[string]string `json:"labels,omitempty" jsonschema_description:"only runs with all of these labels"`
	CreatedFrom   time.Time         `json:"created_from,omitzero" jsonschema_description:"only runs that were started then or later, as RFC 3339 writes it"`
	CreatedBefore time.Time         `json:"created_before,omitzero" jsonschema_description:"only runs that were started before"`
	UpdatedBefore time.Time         `json:"updated_before,omitzero" jsonschema_description:"only runs of which nothing was recorded since"`
	Limit         int               `json:"limit,omitempty" jsonschema_description:"how many a page has; 50 if it is left out, at most 1000"`
	Cursor        string            `json:"cursor,omitempty" jsonschema_description:"the next of the page before"`
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
	RunID string `json:"run_id" jsonschema_description:"which run"`
	From  int    `json:"from,omitempty" jsonschema_description:"the first entry, counted from 0 among those that are asked for"`
	Limit int    `json:"limit,omitempty" jsonschema_description:"how many are told; 100 if it is left out, at most 1000"`
	Step  string `json:"step,omitempty" jsonschema_description:"only entries of this step"`
	Frame string `json:"frame,omitempty" jsonschema_description:"only entries of this frame and those below it, such as /each[2]"`
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
