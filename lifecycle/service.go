package lifecycle

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/source"
	"lda.chat/wf/store"
)

// Service is [API] in this process: on a store, with the sources at hand.
type Service struct {
	store    store.Store
	set      *source.Set
	rt       *wf.Runtime
	direct   *wf.Runtime // for single calls, which are not recorded
	reducers map[string]wf.ReducerSpec
	admit    func(context.Context, wf.RunHead) error // the host's own; nil: it has none
	clock    wf.Clock
	logger   *slog.Logger
	readied  memo[*readied]       // by deployment and revision
	drifts   memo[wf.Diagnostics] // of runs under way, by plan and policy
}

var _ API = (*Service)(nil)

// NewService makes a service; the store stays the caller's. opts are those of its runtime, whose journal and nodes they do not
// name: these are the store and the sources, whose reducers are added too. Nil is allowed.
func NewService(st store.Store, set *source.Set, opts *wf.RuntimeOptions) (*Service, error) {
	var o wf.RuntimeOptions
	if opts != nil {
		o = *opts
	}
	if o.Nodes != nil || o.Journal != nil {
		return nil, errors.New("the nodes and the journal of a service are its sources and its store: the options must not name others")
	}
	o.Nodes, o.Journal, o.Reducers = set, st, append(slices.Clone(o.Reducers), set.Reducers()...)
	s := &Service{store: st, set: set, reducers: map[string]wf.ReducerSpec{}, clock: o.Clock, logger: o.Logger, admit: o.Admit}
	o.Admit = s.admitted
	if s.clock == nil {
		s.clock = realClock{}
	}
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	for _, r := range o.Reducers {
		s.reducers[r.Spec().Name] = r.Spec()
	}
	var err error
	if s.rt, err = wf.NewRuntime(&o); err != nil {
		return nil, err
	}
	o.Journal, o.Admit, o.Lease = nil, nil, 0
	if s.direct, err = wf.NewRuntime(&o); err != nil {
		return nil, err
	}
	return s, nil
}

// Runtime is the runtime on the store, for hosts that run workflows of their own.
func (s *Service) Runtime() *wf.Runtime { return s.rt }

func (s *Service) now() time.Time { return s.clock.Now() }

// Close lets go of the runs that are driven here, as [wf.Runtime.Close] does. The store is left open.
func (s *Service) Close(ctx context.Context) error { return s.rt.Close(ctx) }
