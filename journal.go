package wf

import (
	"context"
	"iter"
	"time"
)

// Journal is where durable runs live: what a driver needs of a store. Package store has stores that offer it.
//
// A journal keeps bytes and never looks into them. What it is given must not be changed by the caller any more, and what it
// returns must not be changed either. Every method is safe for concurrent use, by goroutines and, where the store says so,
// by processes. A change that was answered without an error is durable at the level that the store promises; one that
// was answered with an error had no effect, unless [IsAmbiguous] says that this is not known. ctx is looked at before a
// change begins; whether it can stop one that has begun is the store's affair.
//
// Ids, kinds and keys are printable ASCII, as all names of plans are, so that no two of them look alike; others are an
// [*InvalidError]. Times are the store's own and in UTC, to the microsecond.
type Journal interface {
	Runs
	Leases
	Inbox
	Plans
}

// Revision counts the events of a run: the first event is 1, and a run at revision n has had n events.
type Revision uint64

// Fence is the number of a claim. It grows with every claim of a run, and who holds a lower one can never write again.
type Fence uint64

// Runs are the journals of runs.
type Runs interface {
	// Create begins a run with its first events. It may be repeated: a run that exists already with the same content
	// (see [NewRun]) is returned as it stands now, one with other content is an [*ExistsError].
	Create(ctx context.Context, run NewRun) (RunHead, error)

	// Append adds events to a run and changes its head, all or nothing, if the run is still at the expected revision
	// (else [*ConflictError]), the fence is that of the latest claim, not released (else [*FencedError]) and the run has not ended
	// (else [*StatusError]). A lease that has run out but was not taken over does not hinder. Everything that has to
	// happen together travels in one append: the result of a call, the announcement of the next, the messages taken.
	Append(ctx context.Context, a Append) (RunHead, error)

	// Head returns a run as it stands now.
	Head(ctx context.Context, runID string) (RunHead, error)

	// Events gives the events of a run from a revision on, in order and without gaps, up to the one that was the last
	// when the iteration began. From 0 means from the first that is there; a revision that was pruned is a
	// [*NotFoundError]. The iteration ends with its first error.
	Events(ctx context.Context, runID string, from Revision) iter.Seq2[Event, error]

	// LoadSnapshot returns the newest snapshot taken at or before a revision, 0 for the newest of all. There being none
	// is a [*NotFoundError].
	LoadSnapshot(ctx context.Context, runID string, atOrBefore Revision) (Snapshot, error)

	// List returns the heads of the runs that a query asks for, newest first, in pages. Pages that follow one another
	// have every run that was there all along once, whatever is written meanwhile.
	List(ctx context.Context, q RunQuery) (RunPage, error)

	// Fork begins a run with a copy of the events of another up to a revision, and of its newest snapshot up to there, followed by
	// the new run's own events. The source is only read. Repeating it is as for Create. A revision that the source has
	// not reached, or that was pruned, is a [*NotFoundError].
	Fork(ctx context.Context, from string, at Revision, run NewRun) (RunHead, error)

	// Prune drops the events of a run up to a snapshot and the snapshots before it. Without a snapshot at exactly that
	// revision it is a [*NotFoundError].
	Prune(ctx context.Context, runID string, at Revision) error

	// DeleteRun removes a run with all that belongs to it. A run that has not ended is a [*StatusError]: cancel it first.
	DeleteRun(ctx context.Context, runID string) error
}

// Leases say who advances a run. Whether a lease is live is judged by the store's clock, never by the caller's.
type Leases interface {
	// Claim takes runs that are claimable, those first that have been so for longest, and raises the fence of each. A run
	// that has not ended is claimable once its lease has run out, or, if nobody holds one, once it has reached its
	// WakeAt or has pending messages. The heads show the new lease.
	Claim(ctx context.Context, c ClaimRequest) ([]RunHead, error)

	// Renew makes leases last for ttl from now and returns the ids of those runs whose lease is lost: claimed again,
	// released, or gone. A lease that has run out and was not taken over is renewed.
	Renew(ctx context.Context, ttl time.Duration, leases ...Lease) (lost []string, err error)

	// Release gives leases back. Those that are lost already are passed over. What is in progress is not taken up by
	// anybody before the run's WakeAt or a message: whoever leaves a run unfinished sets WakeAt with an append that
	// releases.
	Release(ctx context.Context, leases ...Lease) error

	// Now returns the store's clock.
	Now(ctx context.Context) (time.Time, error)
}

// Inbox takes messages for runs from those who hold no lease on them.
type Inbox interface {
	// Post keeps a message until an append consumes it, and makes the run claimable. A message whose id the run has seen
	// before, consumed or not, is not fresh and changes nothing. A run that has ended is a [*StatusError].
	Post(ctx context.Context, runID string, m Message) (fresh bool, err error)

	// Pending returns the messages of a run that were not consumed, in the order in which they came.
	Pending(ctx context.Context, runID string) ([]Message, error)
}

// Plans keep the plans that runs are of, each once, under the digest of its content.
type Plans interface {
	// PutPlan keeps a plan. What is there already under the digest stays.
	PutPlan(ctx context.Context, digest string, plan []byte) error

	// Plan returns a plan, or a [*NotFoundError].
	Plan(ctx context.Context, digest string) ([]byte, error)
}

// JournalWatcher is a [Journal] that can tell when there is something to do, so that nobody has to ask again and again.
type JournalWatcher interface {
	// Watch calls f after a commit with the id of a run that was created, got a message, had messages consumed, or was
	// released; "" means that any run may have. Calls may come twice or without need, also from several goroutines, and
	// must return at once. After stop has returned there are no more. Waking at WakeAt is not told: heads say that.
	Watch(f func(runID string)) (stop func())
}
