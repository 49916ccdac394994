package wf_test

import (
	"context"
	"iter"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

// hooked is a store in memory that does something else at some calls. A hook that is nil changes nothing.
type hooked struct {
	*store.Memory
	create  func(wf.NewRun) (wf.RunHead, error)
	fork    func(from string, at wf.Revision, run wf.NewRun) (wf.RunHead, error)
	append  func(wf.Append) (wf.RunHead, error)
	claim   func(wf.ClaimRequest) ([]wf.RunHead, error)
	pending func(runID string) ([]wf.Message, error)
	events  func(runID string, from wf.Revision) iter.Seq2[wf.Event, error]

	renewNot bool // leases run out
}

func hook() *hooked { return &hooked{Memory: store.NewMemory(nil)} }

func (h *hooked) Create(ctx context.Context, run wf.NewRun) (wf.RunHead, error) {
	if h.create != nil {
		return h.create(run)
	}
	return h.Memory.Create(ctx, run)
}

func (h *hooked) Fork(ctx context.Context, from string, at wf.Revision, run wf.NewRun) (wf.RunHead, error) {
	if h.fork != nil {
		return h.fork(from, at, run)
	}
	return h.Memory.Fork(ctx, from, at, run)
}

func (h *hooked) Append(ctx context.Context, a wf.Append) (wf.RunHead, error) {
	if h.append != nil {
		return h.append(a)
	}
	return h.Memory.Append(ctx, a)
}

func (h *hooked) Claim(ctx context.Context, c wf.ClaimRequest) ([]wf.RunHead, error) {
	if h.claim != nil {
		return h.claim(c)
	}
	return h.Memory.Claim(ctx, c)
}

func (h *hooked) Renew(ctx context.Context, ttl time.Duration, leases ...wf.Lease) ([]string, error) {
	if h.renewNot {
		return nil, errAway
	}
	return h.Memory.Renew(ctx, ttl, leases...)
}

func (h *hooked) Pending(ctx context.Context, runID string) ([]wf.Message, error) {
	if h.pending != nil {
		return h.pending(runID)
	}
	return h.Memory.Pending(ctx, runID)
}

func (h *hooked) Events(ctx context.Context, runID string, from wf.Revision) iter.Seq2[wf.Event, error] {
	if h.events != nil {
		return h.events(runID, from)
	}
	return h.Memory.Events(ctx, runID, from)
}
