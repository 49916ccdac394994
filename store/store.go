// Package store keeps what must outlast a process: the journals of runs, drafts, artifacts, deployments, and large values.
//
// [Store] is the contract. [NewMemory] is one for tests and for runs that may be lost; package file keeps plain files that a
// person can read, for one process; the module store/sqlite is the usual one, for the processes of one machine; the module
// store/postgres is for those of several machines. Package
// storetest is the contract as a suite, which every store passes.
//
// A store never looks into the bytes that it keeps. The part of it that advances runs is [wf.Journal].
package store

import (
	"context"
	"io"
	"time"

	"lda.chat/wf"
)

// Store keeps everything. Its methods are safe for concurrent use, by several processes where [Caps] says so. After Close, and
// after a failed write that leaves open what was kept, changes are answered with [wf.ErrJournalClosed].
type Store interface {
	wf.Journal
	Records
	Blobs

	// Caps tells what the store offers.
	Caps() Caps
	// Close waits for what goes on and gives everything back. Closing twice is no error.
	Close() error
}

// Records are small things under a kind ("draft", "artifact", "deployment") and a key, each with a revision that counts its
// changes. Ids are as for runs. Values must not be changed by the caller afterwards, nor those that are returned.
type Records interface {
	// PutRecord makes a record, with ifRevision 0, or changes the one that is at ifRevision, and returns the new
	// revision. Otherwise it is a [*wf.ConflictError] that tells the current one. A record that is made where one was
	// deleted goes on counting from it.
	PutRecord(ctx context.Context, kind, key string, ifRevision uint64, value []byte) (revision uint64, err error)

	// GetRecord returns a record, or [*wf.NotFoundError].
	GetRecord(ctx context.Context, kind, key string) (Record, error)

	// DeleteRecord removes the record that is at ifRevision; errors are as for PutRecord and GetRecord.
	DeleteRecord(ctx context.Context, kind, key string, ifRevision uint64) error

	// ScanRecords returns the records of a kind whose keys begin with prefix, in the order of their keys' bytes, in pages
	// of limit (0: 100, at most 1000). cursor is "" or the Next of the page before. Records that were there all along come
	// exactly once, whatever is written meanwhile.
	ScanRecords(ctx context.Context, kind, prefix, cursor string, limit int) (RecordPage, error)
}

// Record is a record as it stands.
type Record struct {
	Kind     string
	Key      string
	Revision uint64
	Updated  time.Time
	Value    []byte
}

// RecordPage is a part of a scan.
type RecordPage struct {
	Records []Record
	Next    string // "" on the last page
}

// Blobs keep large values once, under what they are.
type Blobs interface {
	// PutBlob keeps all that r gives. What is there already is not kept twice.
	PutBlob(ctx context.Context, r io.Reader) (BlobRef, error)

	// OpenBlob reads a blob. What is read is checked: the end of the data comes as [io.EOF] only if all of it is what
	// ref says, else as a [*wf.CorruptError]. A blob that is not there is a [*wf.NotFoundError].
	OpenBlob(ctx context.Context, ref BlobRef) (io.ReadCloser, error)
}

// BlobRef names a blob by its content.
type BlobRef struct {
	Digest string `json:"digest"` // "sha256:" and 64 hexadecimal digits
	Size   int64  `json:"size"`   // in bytes
}

// Caps are what a store offers, honestly.
type Caps struct {
	MultiProcess bool // several processes of one machine may open it
	MultiHost    bool // and of several machines
	Durability   Durability
	InlineLimit  int // bytes from which a value is better kept as a blob
}

// Durability is what a change that was answered survives.
type Durability string

// The levels of durability.
const (
	Nothing Durability = "none"    // it ends with the process
	Process Durability = "process" // the end of the process, however sudden
	Power   Durability = "power"   // the loss of power too: it was synced before it was answered
)

// InlineLimit is the usual [Caps.InlineLimit].
const InlineLimit = 64 << 10
