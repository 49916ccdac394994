package wf

import (
	"errors"
	"fmt"
)

// ErrJournalClosed is the error of a store that was closed, or closed itself for writing after a failed one.
var ErrJournalClosed = errors.New("the store is closed")

// NotFoundError tells that something is not in the store.
type NotFoundError struct {
	What string // run, event, snapshot, message, blob, or a kind of record
	Key  string
}

func (e *NotFoundError) Error() string { return fmt.Sprintf("%s %q: not found", e.What, e.Key) }

// ExistsError tells that a run is there already, with other content.
type ExistsError struct{ RunID string }

func (e *ExistsError) Error() string {
	return fmt.Sprintf("run %q exists already with other content; give the new run another id", e.RunID)
}

// ConflictError tells that somebody else changed a run or a record first. Read it again, and decide anew.
type ConflictError struct {
	What     string // run, or a kind of record
	Key      string
	Expected Revision
	Current  Revision // 0: it is not there
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s %q is at revision %d, expected %d; read it again", e.What, e.Key, e.Current, e.Expected)
}

// FencedError tells that the lease under which something was to be written is not the run's any more. Whoever gets it stops
// working on the run.
type FencedError struct {
	RunID   string
	Fence   Fence // of the writer
	Current Fence // of the latest claim; equal if that was released
}

func (e *FencedError) Error() string {
	if e.Fence == e.Current {
		return fmt.Sprintf("run %q: the lease with fence %d was given back", e.RunID, e.Fence)
	}
	return fmt.Sprintf("run %q: the lease with fence %d is lost, the run has fence %d now", e.RunID, e.Fence, e.Current)
}

// StatusError tells that a run is in no state for what was asked.
type StatusError struct {
	RunID  string
	Status RunStatus
	Refuse string // what it does not do: "takes no events"
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("run %q is %s and %s", e.RunID, e.Status, e.Refuse)
}

// InvalidError tells that something cannot be kept as it was given.
type InvalidError struct {
	What    string // run id, label, …
	Found   string
	Problem string
}

func (e *InvalidError) Error() string {
	return fmt.Sprintf("%s %q %s", e.What, clip(e.Found), e.Problem)
}

// TooLargeError tells that something has more bytes than a store takes.
type TooLargeError struct {
	What  string
	Size  int64
	Limit int64
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s of %d bytes: the most is %d", e.What, e.Size, e.Limit)
}

// CorruptError tells that stored data is not as it was written. Nothing is repaired: restore a copy.
type CorruptError struct {
	Place   string // a file, a table
	Offset  int64  // in bytes, where Place is a file
	Problem string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s is damaged at byte %d: %s; nothing was changed, restore a copy", e.Place, e.Offset, e.Problem)
}

// VersionError tells that a store was written by a newer version of this program.
type VersionError struct {
	Place        string
	Found, Known int
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("%s has version %d, this program knows up to %d; use a newer program", e.Place, e.Found, e.Known)
}

// AmbiguousError tells that a change was begun and that it is not known whether it took place.
type AmbiguousError struct{ Err error }

func (e *AmbiguousError) Error() string {
	return "it is not known whether the change was kept: " + e.Err.Error()
}

func (e *AmbiguousError) Unwrap() error { return e.Err }

// IsAmbiguous reports whether a change may have taken place although it was answered with this error. Read what is there before
// you repeat it.
func IsAmbiguous(err error) bool {
	_, ok := errors.AsType[*AmbiguousError](err)
	return ok
}
