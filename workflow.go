package wf

import "encoding/json"

// Format is the value of a plan's "format" member: the version of the plan's shape.
const Format = "wf/1"

// Targets of an edge that are no step.
const (
	ToEnd      = "__end__"      // the workflow ends with the outcome "ok"
	ToContinue = "__continue__" // this item of a foreach is over
	ToDiscard  = "__discard__"  // this item or branch ends, unmerged and uncounted
)

// Schema is a JSON Schema 2020-12 document as it was written. The zero value is "no schema".
type Schema = json.RawMessage

// Workflow is a plan: an outcome-routed typed graph as data. It is what people, agents and programs write, what
// is validated, digested, saved and run. A Workflow read by [ParseWorkflow] or made by a [Builder] is in
// canonical form; it must not be changed while a [Runtime] uses it.
type Workflow struct {
	Format       string               `json:"format,omitempty"`
	Name         string               `json:"name"`
	Description  string               `json:"description,omitempty"`
	InputSchema  Schema               `json:"input_schema,omitempty"`
	StateSchema  Schema               `json:"state_schema,omitempty"`
	OutputSchema Schema               `json:"output_schema,omitempty"`
	Outcomes     []Outcome            `json:"outcomes,omitempty"`
	Output       []InputBinding       `json:"output,omitempty"` // the workflow's own output; nil: by name from the state
	NodeDefs     []*NodeDef           `json:"node_defs,omitempty"`
	Workflows    map[string]*Workflow `json:"workflows,omitempty"`
	Start        string               `json:"start"`
	Nodes        []Step               `json:"nodes"`
	Edges        []Edge               `json:"edges"`
	Limits       *Limits              `json:"limits,omitempty"`

	funcs map[string]*Func // Go functions by ref, of a workflow built in Go
}

// Edge routes one outcome of one step.
type Edge struct {
	From    string  `json:"from"`
	Outcome Outcome `json:"outcome"`
	To      string  `json:"to"` // a step id, or ToEnd, ToContinue, ToDiscard
	// MaxVisits is how often a frame may take the edge; 0: no limit. It counts takings of this edge, not runs of the step
	// behind it: a step that is reached once and then by an edge with MaxVisits 3 runs four times at most.
	MaxVisits int    `json:"max_visits,omitempty"`
	Exhausted string `json:"exhausted,omitempty"` // where it goes then; "": the step fails with limit_exceeded
}

// Limits bound a whole run. Zero means the default.
type Limits struct {
	MaxSteps       int64   `json:"max_steps,omitempty"` // plan steps, 10,000 by default
	MaxDepth       int     `json:"max_depth,omitempty"` // subgraphs in one another, 16 by default
	TimeoutSeconds float64 `json:"timeout_seconds,omitempty"`
}

// Outcome is the control-flow label that a step returns and an edge consumes.
type Outcome string

// OK is the outcome of a node that has only one.
const OK Outcome = "ok"
