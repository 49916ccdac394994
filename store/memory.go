package store

import (
	"context"
	"io"
	"sync"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/blob"
	"lda.chat/wf/store/internal/ledger"
)

// MemoryOptions configure a [Memory].
type MemoryOptions struct {
	Now func() time.Time // the store's clock; nil: the real one
}

// Memory is a store that lasts as long as its process. It keeps to the whole contract, and so is what tests run on.
type Memory struct {
	*journal
	keeper memoryKeeper

	mu    sync.RWMutex
	blobs map[string][]byte // by digest
}

type journal = ledger.Journal

var _ interface {
	Store
	wf.JournalWatcher
} = (*Memory)(nil)

// NewMemory makes an empty store; opts may be nil.
func NewMemory(opts *MemoryOptions) *Memory {
	var o MemoryOptions
	if opts != nil {
		o = *opts
	}
	m := &Memory{blobs: map[string][]byte{}}
	m.journal = ledger.Open(ledger.New(), &m.keeper, o.Now)
	return m
}

// memoryKeeper leaves the changes where they are.
type memoryKeeper struct{ closed bool }

func (k *memoryKeeper) Keep(changes []*ledger.Kept, _ bool) error {
	if k.closed {
		return wf.ErrJournalClosed
	}
	for _, kept := range changes {
		kept.Change.Run = nil // the ledger has it
	}
	return nil
}

func (k *memoryKeeper) Load(kept *ledger.Kept) (*ledger.Change, error) { return kept.Change, nil }

// Caps tells that nothing outlasts the process.
func (m *Memory) Caps() Caps { return Caps{Durability: Nothing, InlineLimit: InlineLimit} }

// Close refuses all further changes. What is there can still be read.
func (m *Memory) Close() error {
	ledger.Exclusive(m.journal, func() { m.keeper.closed = true })
	return nil
}

// GetRecord is [Records.GetRecord].
func (m *Memory) GetRecord(ctx context.Context, kind, key string) (Record, error) {
	r, err := ledger.GetRecord(ctx, m.journal, kind, key)
	return recordOf(r), err
}

// ScanRecords is [Records.ScanRecords].
func (m *Memory) ScanRecords(ctx context.Context, kind, prefix, cursor string, limit int) (RecordPage, error) {
	list, next, err := ledger.ScanRecords(ctx, m.journal, kind, prefix, cursor, limit)
	page := RecordPage{Next: next}
	for _, r := range list {
		page.Records = append(page.Records, recordOf(r))
	}
	return page, err
}

func recordOf(r ledger.Record) Record {
	return Record{Kind: r.Kind, Key: r.Key, Revision: r.Revision, Updated: r.Updated, Value: r.Data}
}

// PutBlob is [Blobs.PutBlob].
func (m *Memory) PutBlob(ctx context.Context, r io.Reader) (BlobRef, error) {
	data, err := io.ReadAll(blob.Context(ctx, r))
	if err != nil {
		return BlobRef{}, err
	}
	digest := blob.Digest(data)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.blobs[digest] = data
	return BlobRef{Digest: digest, Size: int64(len(data))}, nil
}

// OpenBlob is [Blobs.OpenBlob].
func (m *Memory) OpenBlob(ctx context.Context, ref BlobRef) (io.ReadCloser, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	data, ok := m.blobs[ref.Digest]
	if !ok {
		return nil, blob.Missing(ref.Digest)
	}
	return blob.Bytes(data, "memory", ref.Digest, ref.Size), nil
}

// PutPlan is [wf.Plans.PutPlan].
func (m *Memory) PutPlan(ctx context.Context, digest string, plan []byte) error {
	return PutPlan(ctx, m, digest, plan)
}

// Plan is [wf.Plans.Plan].
func (m *Memory) Plan(ctx context.Context, digest string) ([]byte, error) {
	return Plan(ctx, m, digest)
}
