package corpus

import (
	"lda.chat/wf/internal/value"
)

// Driver drives one run. Its methods are called from one goroutine, with the time in unix nanoseconds where it matters;
// each returns when the run has come to rest, and goes no further before the next of them.
type Driver interface {
	// Start begins the run, or gives the code of why the input does not let it.
	Start(at int64, input value.Value) (refused string)
	// Calls gives the calls that were made since it was asked last, in any order.
	Calls() []Call
	// Cancelled gives the names of the calls that were cancelled since it was asked last.
	Cancelled() []string
	// Answer brings the result of a call. The call may be cancelled, and nobody wait for it.
	Answer(at int64, call string, a *Answer)
	// Due tells when the next timer fires.
	Due() (at int64, ok bool)
	// Fire lets the timer fire that is due first; of several, the one that was set first.
	Fire(at int64)
	// Resume answers an interrupt, by "" the only one that is open, and gives the code of the refusal, "" if it was taken.
	Resume(at int64, id, outcome string, payload value.Value) (refused string)
	Cancel(at int64, reason string)

	Status() string
	Interrupts() []Interrupt // that are open, in structural order
	Report() *Report
}

// Call is one attempt of a step that is out.
type Call struct {
	Name    string // visit and attempt, as "/each[2]/work#2 try 2"; unique in the run
	Visit   string // the id of the visit: frame, step and visit
	Step    string
	Ref     string // of the capability
	Attempt int
	Key     string // the idempotency key
	Input   value.Value
}

// Interrupt is an open one.
type Interrupt struct {
	ID      string
	Request value.Value
}

// Report is all that a run tells.
type Report struct {
	Status  string
	Outcome string
	Output  value.Value
	State   value.Value
	Error   value.Value // {code, message, step, frame, attempts, details}; absent: none
	Trace   []Visit
}

// Visit is a line of the trace.
type Visit struct {
	Frame, Step, Outcome, Next, Error string
	Visit, Attempts                   int
	Unfinished                        bool
}

// Finding is a diagnostic.
type Finding struct{ Severity, Code, Path, Message string }

// Answer is how a capability answers a call.
type Answer struct {
	Outcome string
	Output  value.Value
	Echo    bool   // the output is the input
	Code    string // of a failure; "": none
	Message string
	Unsent  bool // the failure surely had no effect

	After int64 // nanoseconds that it takes
	Late  bool  // it takes as long even if the call is cancelled
	Hang  bool  // it never comes
}
