package kernel

import "lda.chat/wf/internal/value"

// Record is what one event caused: its ordered entries. It is appended to a journal whole, and is the unit of
// recovery, replay and fork.
type Record struct {
	Seq     int64 // from 1
	At      int64 // unix nanoseconds
	Event   EventKind
	Message string // that brought the event, "" if none did
	Entries []Entry
}

// EntryKind tells entries apart.
type EntryKind uint8

// The entries.
const (
	RunStarted   EntryKind = iota // Name (the run's id), Output (its input), Until (scheduled), Digest
	StepCalled                    // a call is announced; the first attempt enters the step
	StepOpened                    // a step with children is under way; the first attempt enters it
	StepAsked                     // a step asks somebody, at the latest until Until
	StepWaiting                   // a step waits until Until
	StepRetrying                  // an attempt failed; the next is due at Until
	StepDue                       // the next attempt is due, but has no room yet
	StepDoubted                   // a call may have happened: somebody has to decide
	StepDone                      // a step was left by an outcome
	ChildStarted                  // an item or branch begins
	ChildClosed                   // an item, branch or workflow is over: Outcome, Output (what is gathered of it), Failure
	RunCompleted                  // Name (the workflow's outcome), Output
	RunFailed                     // Failure
	RunCancelled                  // Name (the reason)
	StepRecalled                  // a call that was lost is made again
	RunEdited                     // Name (the fork's id), Until (the shift), Output (fields that are set), Unset, Digest
)

var entryNames = [...]string{"run_started", "step_called", "step_opened", "step_asked", "step_waiting", "step_retrying", "step_due", "step_doubted", "step_done",
	"child_started", "child_closed", "run_completed", "run_failed", "run_cancelled", "step_recalled", "run_edited"}

// How a child is over: the outcomes of ChildClosed entries.
const (
	childSucceeded int32 = iota
	childFailed
	childDiscarded
)

var childNames = [...]string{"succeeded", "failed", "discarded"}

func (k EntryKind) String() string { return entryNames[k] }

// Entry is one change of a machine: what apply carries out and what a trace shows. Every step leaves entries that stay as
// long as the run, so it is kept small: 72 bytes.
type Entry struct {
	Kind    EntryKind
	Entered bool // StepDone, ChildClosed, RunFailed: the step was entered by this very entry
	Counted bool // StepDone: the edge that was taken counts its visits
	Op      int32
	Visit   int32
	Attempt int32
	Outcome int32 // StepDone, ChildClosed
	Next    int32 // StepDone: where to, or ToNowhere after an end step

	Frame  *Frame
	Writes *Write      // StepDone: the first of a list, in order
	Output value.Value // StepDone: the step's whole output; RunStarted: the input; ChildClosed: what is gathered
	Rare   *Rare       // what few entries have
}

// Ref names the visit of the entry's step.
func (e *Entry) Ref() StepRef { return StepRef{frame: e.Frame, Op: e.Op, Visit: e.Visit} }

// Enters reports whether the entry's step was entered by it.
func (e *Entry) Enters() bool {
	return e.Entered || e.Attempt <= 1 && (e.Kind == StepCalled || e.Kind == StepOpened || e.Kind == StepAsked || e.Kind == StepWaiting)
}

// Target names where a StepDone entry leads, as the plan does: "" is nowhere.
func (e *Entry) Target() string {
	f := e.Frame
	if e.Next == ToContinue && f.in.op.Kind == Fork {
		return f.flow.prog.Ops[f.in.op.Fan.Join].ID
	}
	return f.flow.prog.Target(e.Next)
}

// Rare is what few entries have; it keeps the others small.
type Rare struct {
	Failure *Failure      // what was caught, retried or ended the run
	Extra   value.Value   // StepDone: undeclared members of the output
	Until   int64         // StepCalled, StepOpened, StepAsked: deadline; StepRetrying, StepWaiting: when it goes on; RunStarted: scheduled
	Chosen  []int32       // StepOpened: the branches of a fork that were activated
	Results []value.Value // StepDone of a region: what the host's reducers made in merging it
	Name    string        // RunStarted: the run's id; StepCalled: the key, if it was read; RunCompleted: the outcome; RunCancelled: the reason; RunEdited: the fork's id
	Digest  string        // RunStarted, RunEdited: of the plan from here on
	Doubts  DoubtPolicy   // RunStarted
	Unset   []string      // RunEdited
}

// Failure is the entry's failure, nil if it has none.
func (e *Entry) Failure() *Failure {
	if e.Rare == nil {
		return nil
	}
	return e.Rare.Failure
}

// Extra is what a step returned beyond its contract, absent if nothing.
func (e *Entry) Extra() value.Value {
	if e.Rare == nil {
		return value.Value{}
	}
	return e.Rare.Extra
}

func (e *Entry) results() []value.Value {
	if e.Rare == nil {
		return nil
	}
	return e.Rare.Results
}

// Name is the entry's text, "" if it has none.
func (e *Entry) Name() string {
	if e.Rare == nil {
		return ""
	}
	return e.Rare.Name
}

// Until is the entry's point in time in unix nanoseconds, 0 if it has none.
func (e *Entry) Until() int64 {
	if e.Rare == nil {
		return 0
	}
	return e.Rare.Until
}

// Write is one change of the state. It is never changed: the entries of a step's visits share the op's own writes where
// these say all.
type Write struct {
	Next   *Write
	Bind   *WriteBind // where to: Slot and Path; and where from
	Op     Operation
	Value  value.Value // the reducer's input; absent if it is a part of the entry's output, see [Entry.In]
	Result value.Value // OpHost: the field afterwards, as nobody can compute it again
}

// In is the input of the reducer of one of the entry's writes.
func (e *Entry) In(w *Write) value.Value {
	if w.Op != OpUnset && w.Bind.ofOutput() {
		return e.Output.At(w.Bind.Source)
	}
	return w.Value
}
