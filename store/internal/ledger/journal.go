package ledger

import (
	"context"
	"iter"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/contract"
	"lda.chat/wf/store/internal/group"
)

// Keeper keeps the bytes of changes.
type Keeper interface {
	// Keep keeps changes in order, all or none of them; hurry asks that they are durable when it returns. It may make the changes
	// smaller, as long as Load gives their bytes. It is never called twice at a time.
	Keep(changes []*Kept, hurry bool) error
	// Load gives the bytes of a change. It may be called at any time.
	Load(kept *Kept) (*Change, error)
}

// Journal is a [wf.Journal] and the records of a store, on a keeper.
type Journal struct {
	ledger   *Ledger
	keeper   Keeper
	now      func() time.Time
	group    group.Group[*request]
	watchers contract.Watchers
}

type request struct {
	do  func(*Tx) error
	err error
}

// Open makes a journal of a ledger and what keeps it. now is its clock; nil is the real one.
func Open(l *Ledger, k Keeper, now func() time.Time) *Journal {
	if now == nil {
		now = time.Now
	}
	j := &Journal{ledger: l, keeper: k, now: now}
	j.group.Commit = j.commit
	return j
}

// change carries out one operation in the next commit.
func (j *Journal) change(ctx context.Context, do func(*Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r := &request{do: do}
	j.group.Do(r)
	return r.err
}

func (j *Journal) commit(requests []*request) {
	t := j.ledger.Begin(contract.Moment(j.now()))
	for _, r := range requests {
		r.err = r.do(t)
	}
	if err := j.keeper.Keep(t.Changes, t.Hurry); err != nil {
		for _, r := range requests {
			if r.err == nil {
				r.err = err
			}
		}
		return
	}
	j.ledger.Publish(t)
	j.watchers.Tell(t.Woken...)
}

// Exclusive runs f while no commit goes on, and none begins. It is no method, nor are those for records, since stores hand out the
// methods of their journal.
func Exclusive(j *Journal, f func()) {
	_ = j.change(context.Background(), func(*Tx) error { f(); return nil })
}

// load gives a change, from memory if it is there.
func (j *Journal) load(kept *Kept) (*Change, error) {
	if kept.Change != nil {
		return kept.Change, nil
	}
	return j.keeper.Load(kept)
}

func (j *Journal) Create(ctx context.Context, run wf.NewRun) (head wf.RunHead, err error) {
	if err := contract.NewRun(&run, "", 0); err != nil {
		return head, err
	}
	err = j.change(ctx, func(t *Tx) (err error) { head, err = t.Create(&run); return err })
	return head, err
}

func (j *Journal) Append(ctx context.Context, a wf.Append) (head wf.RunHead, err error) {
	if err := contract.Append(&a); err != nil {
		return head, err
	}
	err = j.change(ctx, func(t *Tx) (err error) { head, err = t.Append(&a); return err })
	return head, err
}

func (j *Journal) Fork(ctx context.Context, from string, at wf.Revision, run wf.NewRun) (head wf.RunHead, err error) {
	if err := contract.NewRun(&run, from, at); err != nil {
		return head, err
	}
	err = j.change(ctx, func(t *Tx) (err error) { head, err = t.Fork(from, at, &run, j.load); return err })
	return head, err
}

func (j *Journal) Prune(ctx context.Context, runID string, at wf.Revision) error {
	return j.change(ctx, func(t *Tx) error { return t.Prune(runID, at) })
}

func (j *Journal) DeleteRun(ctx context.Context, runID string) error {
	return j.change(ctx, func(t *Tx) error { return t.DeleteRun(runID) })
}

func (j *Journal) Claim(ctx context.Context, c wf.ClaimRequest) (heads []wf.RunHead, err error) {
	if err := contract.Claim(&c); err != nil {
		return nil, err
	}
	err = j.change(ctx, func(t *Tx) (err error) { heads, err = t.Claim(&c); return err })
	return heads, err
}

func (j *Journal) Renew(ctx context.Context, ttl time.Duration, leases ...wf.Lease) (lost []string, err error) {
	if err := contract.Leases(&ttl, leases); err != nil {
		return nil, err
	}
	err = j.change(ctx, func(t *Tx) error { lost = t.Renew(ttl, leases); return nil })
	return lost, err
}

func (j *Journal) Release(ctx context.Context, leases ...wf.Lease) error {
	if err := contract.Leases(nil, leases); err != nil {
		return err
	}
	return j.change(ctx, func(t *Tx) error { t.Release(leases); return nil })
}

func (j *Journal) Now(ctx context.Context) (time.Time, error) {
	return contract.Moment(j.now()), ctx.Err()
}

func (j *Journal) Post(ctx context.Context, runID string, m wf.Message) (fresh bool, err error) {
	if err := contract.Message(runID, &m); err != nil {
		return false, err
	}
	err = j.change(ctx, func(t *Tx) (err error) { fresh, err = t.Post(runID, &m); return err })
	return fresh && err == nil, err
}

func (j *Journal) Head(ctx context.Context, runID string) (wf.RunHead, error) {
	if err := ctx.Err(); err != nil {
		return wf.RunHead{}, err
	}
	return j.ledger.Head(runID)
}

func (j *Journal) Events(ctx context.Context, runID string, from wf.Revision) iter.Seq2[wf.Event, error] {
	return func(yield func(wf.Event, error) bool) {
		j.ledger.Events(runID, from, j.load, func(e wf.Event, err error) bool {
			if err == nil && ctx.Err() != nil {
				yield(wf.Event{}, ctx.Err())
				return false
			}
			return yield(e, err)
		})
	}
}

func (j *Journal) LoadSnapshot(ctx context.Context, runID string, atOrBefore wf.Revision) (wf.Snapshot, error) {
	if err := ctx.Err(); err != nil {
		return wf.Snapshot{}, err
	}
	return j.ledger.LoadSnapshot(runID, atOrBefore, j.load)
}

func (j *Journal) List(ctx context.Context, q wf.RunQuery) (wf.RunPage, error) {
	if err := ctx.Err(); err != nil {
		return wf.RunPage{}, err
	}
	return j.ledger.List(&q)
}

func (j *Journal) Pending(ctx context.Context, runID string) ([]wf.Message, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return j.ledger.Pending(runID, j.load)
}

func (j *Journal) Watch(f func(runID string)) (stop func()) { return j.watchers.Add(f) }

// PutRecord is that of the store.
func (j *Journal) PutRecord(ctx context.Context, kind, key string, ifRevision uint64, data []byte) (revision uint64, err error) {
	if err := contract.Record(kind, key, data); err != nil {
		return 0, err
	}
	err = j.change(ctx, func(t *Tx) (err error) { revision, err = t.PutRecord(kind, key, ifRevision, data); return err })
	if err != nil {
		return 0, err
	}
	return revision, nil
}

// DeleteRecord is that of the store.
func (j *Journal) DeleteRecord(ctx context.Context, kind, key string, ifRevision uint64) error {
	return j.change(ctx, func(t *Tx) error { return t.DeleteRecord(kind, key, ifRevision) })
}

// GetRecord returns a record.
func GetRecord(ctx context.Context, j *Journal, kind, key string) (Record, error) {
	if err := ctx.Err(); err != nil {
		return Record{}, err
	}
	return j.ledger.GetRecord(kind, key, j.load)
}

// ScanRecords returns a page of records, and where the next one begins.
func ScanRecords(ctx context.Context, j *Journal, kind, prefix, cursor string, limit int) ([]Record, string, error) {
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	return j.ledger.ScanRecords(kind, prefix, cursor, limit, j.load)
}
