// Package file is a store of plain files that a person can read, for one process at a time.
//
// A folder holds a log, to which every change is appended as a frame of text, and the blobs, each a file under its digest. The log is
// synced before a change is answered; changes that come meanwhile are synced together. The names of files never come from ids.
//
// When a store is opened, its log is read and checked from end to end; it is written anew, without what was deleted, when more than
// half of it is of no use any more. A last frame that is not complete was never answered: it is cut off, which is logged. Any
// other damage is a [*wf.CorruptError] that names the file and the place, and nothing is changed.
//
// A lease ends with the process that holds the folder, since nobody else can have it.
package file

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store"
	"lda.chat/wf/store/internal/folder"
	"lda.chat/wf/store/internal/ledger"
)

// Version is that of the files. A folder of a later one is refused.
const Version = 1

// Options configure a [Store].
type Options struct {
	Now     func() time.Time // the store's clock; nil: the real one
	Logger  *slog.Logger     // is told what is cut off and written anew; nil: nobody
	Compact int64            // bytes of log below which it is not written anew; 0: 4 MiB; negative: it always is
}

// Store is a store in a folder.
type Store struct {
	*journal
	dir  string
	log  *log
	free func() error // gives the folder back
	on   system

	once   sync.Once
	closed atomic.Bool
	end    error
}

type journal = ledger.Journal

var _ interface {
	store.Store
	wf.JournalWatcher
} = (*Store)(nil)

// InUseError tells that another process has the folder open.
type InUseError struct{ Dir string }

func (e *InUseError) Error() string {
	return fmt.Sprintf("the store in %s is in use by another process; a store of files belongs to one process at a time", e.Dir)
}

// Open opens the store in a folder, and makes both where there is nothing; opts may be nil. It fails with [*InUseError],
// [*wf.VersionError] or [*wf.CorruptError].
func Open(dir string, opts *Options) (*Store, error) { return openOn(machine{}, dir, opts) }

func openOn(on system, dir string, opts *Options) (*Store, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Compact == 0 {
		o.Compact = 4 << 20
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if err := folder.Make(on, filepath.Join(dir, blobDir)); err != nil {
		return nil, err
	}
	free, err := on.Lock(filepath.Join(dir, "lock"))
	if errors.Is(err, errInUse) {
		return nil, &InUseError{dir}
	}
	if err != nil {
		return nil, err
	}
	l, entries, err := openLog(on, dir, &o)
	if err == nil {
		_, err = removeTemp(on, filepath.Join(dir, blobDir))
	}
	if err != nil {
		return nil, errors.Join(err, free())
	}
	return &Store{journal: ledger.Open(entries, l, o.Now), on: on, dir: dir, log: l, free: free}, nil
}

// Caps tells that changes survive the loss of power, and that the folder belongs to one process.
func (s *Store) Caps() store.Caps {
	return store.Caps{Durability: store.Power, InlineLimit: store.InlineLimit}
}

// Close waits for the commit that goes on, syncs, and gives the folder back. Nothing can be read any more.
func (s *Store) Close() error {
	s.once.Do(func() {
		s.closed.Store(true)
		ledger.Exclusive(s.journal, func() { s.end = errors.Join(s.log.close(), s.free()) })
	})
	return s.end
}

// GetRecord is [store.Records.GetRecord].
func (s *Store) GetRecord(ctx context.Context, kind, key string) (store.Record, error) {
	r, err := ledger.GetRecord(ctx, s.journal, kind, key)
	return recordOf(r), err
}

// ScanRecords is [store.Records.ScanRecords].
func (s *Store) ScanRecords(ctx context.Context, kind, prefix, cursor string, limit int) (store.RecordPage, error) {
	list, next, err := ledger.ScanRecords(ctx, s.journal, kind, prefix, cursor, limit)
	page := store.RecordPage{Next: next}
	for _, r := range list {
		page.Records = append(page.Records, recordOf(r))
	}
	return page, err
}

func recordOf(r ledger.Record) store.Record {
	return store.Record{Kind: r.Kind, Key: r.Key, Revision: r.Revision, Updated: r.Updated, Value: r.Data}
}

// PutPlan is [wf.Plans.PutPlan].
func (s *Store) PutPlan(ctx context.Context, digest string, plan []byte) error {
	return store.PutPlan(ctx, s, digest, plan)
}

// Plan is [wf.Plans.Plan].
func (s *Store) Plan(ctx context.Context, digest string) ([]byte, error) {
	return store.Plan(ctx, s, digest)
}
