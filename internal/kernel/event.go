package kernel

import "lda.chat/wf/internal/value"

// EventKind tells events apart.
type EventKind uint8

// The events that a machine takes.
const (
	Started         EventKind = iota // RunID, Input, Scheduled, Digest
	CallCompleted                    // Ref, Outcome, Output, Extra
	CallFailed                       // Ref, Failure
	TimerFired                       // Timer
	CancelRequested                  // Reason, Cause
	Proceed                          // go on after the budget was used up
	Resumed                          // Ref, Outcome, Output: the answer to an interrupt
	Decided                          // Ref, Verdict, Outcome, Output, Extra: about a call in doubt
	Recovered                        // Ref, or all calls that are out: whoever made them is gone, and so are their results
	Edited                           // the run begins as a fork of another: RunID, Digest, Shift, State, Unset
)

var eventNames = [...]string{"started", "call_completed", "call_failed", "timer_fired", "cancel_requested", "proceed", "interrupt_resumed", "decided",
	"recovered", "edited"}

func (k EventKind) String() string { return eventNames[k] }

// Event is one thing that happened outside. At is when, in unix nanoseconds; the machine's clock never goes back.
type Event struct {
	Kind      EventKind
	At        int64
	Message   string // the id of the message that brought it, for those who read the record; "" if none did
	Ref       Ref
	Outcome   string
	Output    value.Value
	Extra     value.Value
	Failure   *Failure
	Verdict   Verdict
	Timer     Timer
	Reason    string
	Cause     error // as [Failure.Cause]
	RunID     string
	Input     value.Value
	Scheduled int64
	Digest    string      // of the plan, for those who read the record; "" if nobody does
	Shift     int64       // by how much deadlines move, in nanoseconds
	State     value.Value // fields of the workflow's state that are set, an object or absent
	Unset     []string    // those that take their defaults
}

// TimerKind tells timers apart.
type TimerKind uint8

// The timers.
const (
	noTimer      TimerKind = iota
	AttemptTimer           // a call took too long
	BackoffTimer           // the next attempt is due
	RunTimer               // the run took too long
	RegionTimer            // a foreach, fork or subgraph took too long
	AskTimer               // nobody answered
	WaitTimer              // the point of time has come
)

// Timer names a timer; it is comparable.
type Timer struct {
	Kind TimerKind
	Ref  Ref
}

// EffectKind tells effects apart.
type EffectKind uint8

// The effects that a driver carries out, in order, once the record is safe.
const (
	Call           EffectKind = iota // Ref, Input, Deadline
	CancelCall                       // Ref
	SetTimer                         // Timer, At
	CancelTimer                      // Timer
	OpenInterrupt                    // Ref; see [Machine.Question]
	CloseInterrupt                   // Ref
	Finish                           // the run has ended
)

// Effect is something to be done outside.
type Effect struct {
	Kind  EffectKind
	Ref   Ref
	Input Bound
	Timer Timer
	At    int64 // SetTimer: when it fires; Call: the attempt's deadline, 0 if it has none
}

// Out is what a Step gives back. The caller owns it and may keep the buffers of an earlier one: Step appends to
// Record.Entries and Effects, which it does not shorten, and puts what calls are given into the
// spare capacity of Inputs: it may be lent again when those calls are over.
type Out struct {
	Record  Record
	Effects []Effect
	Inputs  []value.Value
	// More is set when the budget was used up: a Proceed event is due.
	More bool

	bytes   int32 // that the record has so far, about; it ends soon behind a limit that is far smaller
	scratch scratch
}

// refusal is why an event was refused. Nothing was touched.
type refusal string

func (r refusal) Error() string { return string(r) }

// Why an event can be refused.
const (
	ErrStale   = refusal("nobody waits for this result any more")
	ErrState   = refusal("the run cannot take this event in its present state")
	ErrInvalid = refusal("the event is not well formed")
)
