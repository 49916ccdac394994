// Package kernel is the machine that runs a workflow: a pure, deterministic state machine.
//
// It has no clock, no I/O, no goroutine and no map whose order could show. A [Machine] takes one [Event] at a time;
// it refuses a bad event before it touches anything, otherwise it changes itself and fills the caller's [Out] with
// one [Record] and the [Effect]s to carry out. The same events in the same order give the same records on every
// driver.
//
// Inside, decide (bindings, conditions, reducers, routing) makes entries, and apply, the only code that changes a
// machine, carries them out. A live machine does both; [Fold] rebuilds one from its records by apply alone.
//
// What is persisted names steps by id and frames by path, never by index.
package kernel

import "lda.chat/wf/internal/value"

// Version is the version of what [Machine.Step] emits. A change of it keeps old journals foldable.
const Version = 1

// Program is a compiled plan. It is immutable and may be shared by any number of machines.
type Program struct {
	Workflow string // its name
	Ops      []Op   // one for each step of the plan
	Fields   []Field
	Regions  []Region       // 0 is the root
	Defaults []value.Member // of the input's properties: a subgraph's input gets them, a run's has them already
	Output   []Bind         // derivation of the workflow's output; targets are paths into it
	Shape    *value.Shape   // of the output, when every target is one plain member

	CheckInput  func(value.Value) *Failure                       // of the workflow's input; nil: anything goes
	CheckOutput func(value.Value) *Failure                       // nil: no output schema
	Reduce      []func(old, in value.Value) (value.Value, error) // the host's reducers, by Field.Host

	MaxSteps int64 // plan steps of the whole run, or of one visit of a subgraph; 0: no limit
	MaxValue int   // bytes of JSON that a state field may hold; 0: no limit
	Timeout  int64 // nanoseconds for the whole run, or for one attempt of a subgraph; 0: none

	byID map[string]int32 // look-up only
}

// Region is a part of the graph that runs in a frame of its own: the root, a foreach's body, a fork's branch.
type Region struct {
	Owner    int32 // op of the foreach or fork; -1 for the root
	Start    int32 // where a frame begins: an op, or where the region's way in leads at once: ToContinue, ToDiscard, ToNowhere
	Scope    int32 // the nearest region around it, or itself, that is no branch: what its branches keep, it takes over at their join
	Ops      int32 // how many steps it has: the length of a frame's visit counters
	Kept     int32 // how many outputs a frame keeps, with those of branches inside; 0 for a branch, which keeps them as a list
	Counters int32 // how many edges count their visits
}

// Kind tells ops apart.
type Kind uint8

// The kinds of ops.
const (
	Node Kind = iota
	Set
	Cond
	Fail
	End
	Foreach
	Fork
	Join
	Interrupt
	Wait
	Subgraph
)

var kindNames = [...]string{"node", "set", "condition", "fail", "end", "foreach", "fork", "join", "interrupt", "wait", "subgraph"}

func (k Kind) String() string { return kindNames[k] }

// Where an edge goes that does not go to a step.
const (
	ToEnd      int32 = -1 // the workflow's end, outcome "ok"
	ToNowhere  int32 = -2 // nothing is wired
	ToContinue int32 = -3 // the end of an item, or of a branch: its join
	ToDiscard  int32 = -4 // the end of an item or branch that is not to be merged or counted
)

// Op is one compiled step.
type Op struct {
	ID       string
	Kind     Kind
	Region   int32
	Local    int32    // its number in its region
	Outcomes []string // what the step declares, then what only its catches add
	Declared int32    // how many of them a call may return
	Next     []Edge   // by outcome
	Keep     int32    // its number among what the frames of its region's scope keep; -1: nobody reads its output
	Catch    []Catch

	Input  []Bind       // node, subgraph: targets are paths into the input; interrupt: into the request
	Shape  *value.Shape // of the input or output, when every target is one plain member
	Writes []WriteBind  // from the step's output: node, set, subgraph, foreach, fork; from an interrupt's answer
	Retry  *Retry       // node, subgraph, foreach, fork
	Once   bool         // node: an unknown result must not lead to another call
	Callee int32        // node: by which the driver knows whom to call

	Timeout int64 // node, foreach, fork: one attempt; interrupt: until it answers itself; nanoseconds, 0: none

	Fan   *Fan     // foreach, fork
	Ask   *Ask     // interrupt
	Child *Program // subgraph; its Outcomes are the child's
	Until *Operand // wait: a timestamp, or
	For   *Operand // wait: seconds
	Fork  int32    // join: the fork whose branches meet here, or -1

	Check *Condition // condition: outcomes 0 "true", 1 "false"
	Cases []Case     // condition: in order
	Else  int32      // condition with cases: the default's outcome

	plain []Write // what is recorded of Writes, linked, when each has its value; nil: it has to be made every time

	Code    string   // fail
	Message *Operand // fail
	Output  []Bind   // end: replaces the program's, with Shape; nil if not given
}

// Fan is what a foreach or fork does with its children: its items or branches.
type Fan struct {
	Over     *Operand // foreach: the array
	Body     int32    // foreach: the region of an item
	Result   *Operand // foreach: what is gathered of an item as it ends; nil: nothing
	Serial   bool     // foreach: one item after the other, each seeing the writes of those before it
	Limit    int32    // foreach: how many items may be active at once; 0: any number
	Branches []Branch // fork
	Join     int32    // fork
	OnError  ErrorPolicy
	Complete int32 // how many must succeed; 0: all
	// The outcomes by which the step ends, behind those that lead to its children; -1: it has none such. A fork's lead to
	// its join, which leaves by the one of the same name.
	Done, Unmet, TimedOut int32
}

// Branch is one branch of a fork.
type Branch struct {
	Name   string
	Region int32
	When   *Condition // nil: always
}

// ErrorPolicy says what the failure of one child means for the others.
type ErrorPolicy uint8

// The policies.
const (
	FailAll ErrorPolicy = iota // the step fails
	Collect                    // the others go on, and the failure is listed
	Skip                       // the others go on, and the failure is only counted
)

// Ask is a typed request.
type Ask struct {
	Kind         string
	CheckRequest func(value.Value) *Failure   // nil: anything goes
	Checks       []func(value.Value) *Failure // of the answer, by outcome; nil: anything goes
	TimedOut     int32                        // the outcome of its timeout, which nobody can answer; -1: none
}

// Edge is where an outcome leads.
type Edge struct {
	To        int32 // an op, ToEnd, ToContinue, ToDiscard or ToNowhere
	Max       int32 // 0: no limit
	Counter   int32 // in its frame; -1: not counted
	Exhausted int32 // ToNowhere: the step fails
}

// Case is one answer of a condition.
type Case struct {
	When    *Condition
	Outcome int32
}

// Catch turns failures into an outcome.
type Catch struct {
	Codes   []string
	Any     bool // "*"
	Outcome int32
	Slot    int32 // state field of the error value; -1: nobody wants it
	Path    value.Path
}

// Retry is a compiled retry policy; times in nanoseconds.
type Retry struct {
	MaxAttempts int32
	Initial     int64
	Backoff     float64
	MaxInterval int64
	Total       int64 // 0: no bound
	On          []string
}

// Field is one top-level property of the state.
type Field struct {
	Name     string
	Declared bool        // in the state schema: an input property of this name fills it at the start
	Op       Operation   // how a write merges
	Host     int32       // with OpHost: which of Program.Reduce
	Shared   bool        // with OpHost: it gives the same in any order, so that parallel children may all write the field
	Default  value.Value // absent: none
	// Check judges the whole field, Item one element that is added to it; nil: anything goes.
	Check func(value.Value) *Failure
	Item  func(value.Value) *Failure
}

// Bind fills one place.
type Bind struct {
	Target   value.Path
	From     Operand
	Optional bool // may be left out when absent
}

// WriteBind writes one place of the state.
type WriteBind struct {
	Slot     int32
	Path     value.Path // below the field
	Source   value.Path // into the step's output, when From is nil
	From     *Operand
	Recorded bool // the value stands in the record: it comes neither from the output nor from an operand
	Unset    bool // a set step's "unset"
	Absent   AbsentRule
	Name     string // the source as text, for messages
}

// ofOutput reports whether what is written is a part of the step's output.
func (b *WriteBind) ofOutput() bool { return b.From == nil && !b.Recorded && !b.Unset }

// AbsentRule says what a write does whose source is absent.
type AbsentRule uint8

// The rules.
const (
	AbsentDefault AbsentRule = iota // takes back a field that is replaced, leaves alone one that accumulates
	AbsentUnset
	AbsentKeep
	AbsentFail
)

// Link finishes a program: it must be called once, before the first machine.
func (p *Program) Link() *Program {
	p.byID = make(map[string]int32, len(p.Ops))
	for i := range p.Ops {
		p.byID[p.Ops[i].ID] = int32(i)
		p.Ops[i].plain = p.plainWrites(p.Ops[i].Writes)
	}
	return p
}

// plainWrites makes the writes that all visits of a step share: whatever they put in stands in its output or in the plan.
func (p *Program) plainWrites(binds []WriteBind) []Write {
	out := make([]Write, len(binds))
	for i := range binds {
		b := &binds[i]
		w := &out[i]
		w.Bind, w.Op = b, p.Fields[b.Slot].Op
		switch {
		case b.Unset:
			w.Op = OpUnset
		case w.Op == OpHost || b.From != nil && b.From.Root != Literal:
			return nil
		case b.From != nil:
			w.Value = b.From.Lit
		}
		if i > 0 {
			out[i-1].Next = w
		}
	}
	return out
}

// Op returns the number of the step with this id.
func (p *Program) Op(id string) (int32, bool) {
	i, ok := p.byID[id]
	return i, ok
}

// The names of targets that are no steps.
const (
	nameEnd      = "__end__"
	nameContinue = "__continue__"
	nameDiscard  = "__discard__"
)

// Target names where an edge leads: a step id, "__end__", "__continue__", "__discard__", or "" for nowhere. A branch that
// has come to its join leads to "__continue__".
func (p *Program) Target(to int32) string {
	switch to {
	case ToEnd:
		return nameEnd
	case ToContinue:
		return nameContinue
	case ToDiscard:
		return nameDiscard
	case ToNowhere:
		return ""
	}
	return p.Ops[to].ID
}

// target is the place with this name; "" is nowhere.
func (p *Program) target(name string) (int32, bool) {
	switch name {
	case "":
		return ToNowhere, true
	case nameEnd:
		return ToEnd, true
	case nameContinue:
		return ToContinue, true
	case nameDiscard:
		return ToDiscard, true
	}
	return p.Op(name)
}
