package wf

// StepType tells the kinds of steps apart: the "type" member of a step.
type StepType string

// The kinds of steps.
const (
	TypeNode      StepType = "node"
	TypeSet       StepType = "set"
	TypeCondition StepType = "condition"
	TypeForeach   StepType = "foreach"
	TypeFork      StepType = "fork"
	TypeJoin      StepType = "join"
	TypeInterrupt StepType = "interrupt"
	TypeWait      StepType = "wait"
	TypeSubgraph  StepType = "subgraph"
	TypeFail      StepType = "fail"
	TypeEnd       StepType = "end"
)

// Step is one node of the graph. Every Step is a pointer to one of eleven types: [NodeStep], [SetStep], [ConditionStep],
// [ForeachStep], [ForkStep], [JoinStep], [InterruptStep], [WaitStep], [SubgraphStep], [FailStep], [EndStep]; there are no
// others, and a type switch over them tells a step's kind. [ParseStep] reads one.
type Step interface {
	StepID() string
	StepType() StepType
	common() *StepCommon
}

// StepCommon is what every step has.
type StepCommon struct {
	ID    string  `json:"id"`
	Desc  string  `json:"desc,omitempty"`
	Catch []Catch `json:"catch,omitempty"` // not on end and join
}

// StepID returns the step's id, unique in its workflow.
func (c *StepCommon) StepID() string      { return c.ID }
func (c *StepCommon) common() *StepCommon { return c }

// Catch turns named failures of a step into one of its outcomes.
type Catch struct {
	Codes   []Code  `json:"codes"` // "*": every code that can be caught
	Outcome Outcome `json:"outcome"`
	Error   *Path   `json:"error,omitempty"` // state path that receives the error value
}

// NodeStep calls a capability.
type NodeStep struct {
	StepCommon
	Node           string          `json:"node"` // ref: source id, dot, capability
	Input          []InputBinding  `json:"input,omitempty"`
	Output         []OutputBinding `json:"output,omitempty"`
	OutputSchema   Schema          `json:"output_schema,omitempty"` // narrows the def's
	TimeoutSeconds float64         `json:"timeout_seconds,omitempty"`
	Retry          *Retry          `json:"retry,omitempty"`
}

// SetStep computes and resets state fields.
type SetStep struct {
	StepCommon
	Output []OutputBinding `json:"output,omitempty"`
	Unset  []Path          `json:"unset,omitempty"` // back to the field's default
}

// ConditionStep chooses an outcome by looking at values: Check ("true", "false"), or the first of Cases that holds.
type ConditionStep struct {
	StepCommon
	Check   *Condition `json:"check,omitempty"`
	Cases   []Case     `json:"cases,omitempty"`
	Default Outcome    `json:"default,omitempty"` // required with Cases
}

// Case is one answer of a condition step.
type Case struct {
	When    *Condition `json:"when"`
	Outcome Outcome    `json:"outcome"`
}

// Modes of a foreach, and policies for a failed item or branch.
const (
	ModeSerial   = "serial"
	ModeParallel = "parallel"

	OnErrorFail    = "fail"
	OnErrorCollect = "collect"
	OnErrorSkip    = "skip" // foreach only
)

// ForeachStep runs a body for each element of an array.
type ForeachStep struct {
	StepCommon
	Over           Operand         `json:"over"`
	As             string          `json:"as"`
	Result         *Operand        `json:"result,omitempty"`
	Mode           string          `json:"mode,omitempty"`          // serial (default) or parallel
	OnItemError    string          `json:"on_item_error,omitempty"` // fail (default), collect or skip
	MaxConcurrency int             `json:"max_concurrency,omitempty"`
	Complete       int             `json:"complete,omitempty"`
	TimeoutSeconds float64         `json:"timeout_seconds,omitempty"`
	Output         []OutputBinding `json:"output,omitempty"`
	Retry          *Retry          `json:"retry,omitempty"`
}

// ForkStep runs branches side by side up to its join.
type ForkStep struct {
	StepCommon
	Branches       []ForkBranch    `json:"branches"`
	Join           string          `json:"join"`
	OnBranchError  string          `json:"on_branch_error,omitempty"` // fail (default) or collect
	Complete       int             `json:"complete,omitempty"`
	TimeoutSeconds float64         `json:"timeout_seconds,omitempty"`
	Output         []OutputBinding `json:"output,omitempty"`
	Retry          *Retry          `json:"retry,omitempty"`
}

// ForkBranch is one branch of a fork: an outcome, taken always or when a condition holds.
type ForkBranch struct {
	Outcome Outcome    `json:"outcome"`
	When    *Condition `json:"when,omitempty"`
}

// JoinStep is the barrier at which the branches of a fork meet.
type JoinStep struct {
	StepCommon
}

// InterruptStep parks its frame until somebody answers a typed request.
type InterruptStep struct {
	StepCommon
	Kind           string             `json:"kind"`
	Request        []InputBinding     `json:"request,omitempty"`
	RequestSchema  Schema             `json:"request_schema,omitempty"`
	Resume         []OutputBinding    `json:"resume,omitempty"`
	ResumeSchema   Schema             `json:"resume_schema,omitempty"`
	Outcomes       []Outcome          `json:"outcomes"`
	ResumeSchemas  map[Outcome]Schema `json:"resume_schemas,omitempty"`
	TimeoutSeconds float64            `json:"timeout_seconds,omitempty"`
	TimeoutOutcome Outcome            `json:"timeout_outcome,omitempty"`
}

// WaitStep lets time pass: Seconds, or Until a point of time.
type WaitStep struct {
	StepCommon
	Seconds *Operand `json:"seconds,omitempty"`
	Until   *Operand `json:"until,omitempty"`
}

// SubgraphStep runs another workflow as one step.
type SubgraphStep struct {
	StepCommon
	Workflow string          `json:"workflow"` // a name in workflows, or artifact@version
	Input    []InputBinding  `json:"input,omitempty"`
	Output   []OutputBinding `json:"output,omitempty"`
	Retry    *Retry          `json:"retry,omitempty"`
}

// FailStep ends in a failure that regions, callers and catches can name.
type FailStep struct {
	StepCommon
	Code    Code     `json:"code"`
	Message *Operand `json:"message,omitempty"`
}

// EndStep ends the workflow with an outcome.
type EndStep struct {
	StepCommon
	Outcome Outcome        `json:"outcome"`
	Output  []InputBinding `json:"output,omitempty"` // replaces the workflow's
}

// StepType implements [Step].
func (*NodeStep) StepType() StepType { return TypeNode }

// StepType implements [Step].
func (*SetStep) StepType() StepType { return TypeSet }

// StepType implements [Step].
func (*ConditionStep) StepType() StepType { return TypeCondition }

// StepType implements [Step].
func (*ForeachStep) StepType() StepType { return TypeForeach }

// StepType implements [Step].
func (*ForkStep) StepType() StepType { return TypeFork }

// StepType implements [Step].
func (*JoinStep) StepType() StepType { return TypeJoin }

// StepType implements [Step].
func (*InterruptStep) StepType() StepType { return TypeInterrupt }

// StepType implements [Step].
func (*WaitStep) StepType() StepType { return TypeWait }

// StepType implements [Step].
func (*SubgraphStep) StepType() StepType { return TypeSubgraph }

// StepType implements [Step].
func (*FailStep) StepType() StepType { return TypeFail }

// StepType implements [Step].
func (*EndStep) StepType() StepType { return TypeEnd }
