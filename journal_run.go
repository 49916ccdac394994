package wf

import "time"

// RunHead is what a store knows about a run without reading its events. It changes together with them. Its maps are shared: do
// not change them.
type RunHead struct {
	RunID      string            `json:"run_id"`
	Revision   Revision          `json:"revision"`             // how many events it has had
	Pruned     Revision          `json:"pruned,omitempty"`     // events up to this one are gone
	Status     RunStatus         `json:"status"`               //
	WakeAt     time.Time         `json:"wake_at,omitzero"`     // when it becomes claimable; zero: when a message comes
	Pending    int               `json:"pending,omitempty"`    // messages that were not consumed
	Deployment string            `json:"deployment,omitempty"` // what it runs
	Kernel     int               `json:"kernel"`               // the version of the machine that its events are of
	Labels     map[string]string `json:"labels,omitempty"`     //
	Fence      Fence             `json:"fence,omitempty"`      // of the latest claim
	Owner      string            `json:"owner,omitempty"`      // who claimed it; "" if it was released
	LeaseUntil time.Time         `json:"lease_until,omitzero"` // when the owner's lease runs out
	Created    time.Time         `json:"created"`              //
	Updated    time.Time         `json:"updated"`              // when the last event was appended
}

// Ended reports whether a run of this status is over.
func (s RunStatus) Ended() bool {
	return s == StatusCompleted || s == StatusFailed || s == StatusCancelled
}

// Lease returns the lease that the head shows.
func (h RunHead) Lease() Lease { return Lease{RunID: h.RunID, Fence: h.Fence} }

// NewRun is a run that is to begin. Two are the same content if the Content fields are equal, or, where they are empty, the
// deployment, the kernel, the labels and the events are.
type NewRun struct {
	RunID      string
	Content    string // what tells whether a repeated Create means the same run; "": the store works it out
	Deployment string
	Kernel     int
	Labels     map[string]string
	Status     RunStatus // "": running
	WakeAt     time.Time
	Events     [][]byte

	// Owner, if it is not "", holds the run from the start, under fence 1 and for TTL, as if it had claimed it.
	Owner string
	TTL   time.Duration
}

// Append is a change of one run.
type Append struct {
	RunID    string
	Expect   Revision // the run's revision so far
	Fence    Fence
	Events   [][]byte
	Consume  []string          // ids of messages that these events took; one that is not pending is a [*NotFoundError]
	Status   RunStatus         // "": unchanged
	WakeAt   time.Time         // always set; zero: only a message wakes the run
	Labels   map[string]string // nil: unchanged
	Snapshot []byte            // of the run after the last event; nil: none
	Release  bool              // gives the lease back; a run that ends gives it back by itself
}

// Event is a record of a run's journal as the store keeps it.
type Event struct {
	Revision Revision
	Fence    Fence     // under which it was written; 0: when the run was created
	At       time.Time // when it was kept
	Data     []byte
}

// Snapshot is a run's state after an event, for loading it in less time.
type Snapshot struct {
	Revision Revision
	Data     []byte
}

// RunQuery says which runs to list. The zero value asks for all.
type RunQuery struct {
	Status        []RunStatus       // one of these; nil: any
	Labels        map[string]string // all of these
	Deployment    string            // "": any
	CreatedFrom   time.Time         // at or after
	CreatedBefore time.Time
	UpdatedBefore time.Time
	Limit         int    // of a page; 0: 100, at most 1000
	Cursor        string // Next of the page before, of the same query; "": the first page
}

// RunPage is a part of a list.
type RunPage struct {
	Runs []RunHead
	Next string // "" on the last page
}

// ClaimRequest says who wants which runs.
type ClaimRequest struct {
	Owner     string              // names a process, anew at every start
	TTL       time.Duration       // how long the leases last
	Max       int                 // 0: 1, at most 1000
	MinKernel int                 // versions of the machine that the owner can advance
	MaxKernel int                 // 0: no bound
	Match     map[string]string   // labels that the run must have, all of them
	Except    map[string][]string // values that a label of the run must not have: of what the owner cannot advance
	Only      string              // exactly this run, even before its WakeAt; "": any. It must exist.
}

// Lease is the right to advance a run until it runs out or somebody else claims the run.
type Lease struct {
	RunID string
	Fence Fence
}

// Message is something that a run should take in: an answer, a cancel, an event from outside.
type Message struct {
	ID   string // unique in its run
	Kind string
	Data []byte
	At   time.Time // when it came; set by the store
}
