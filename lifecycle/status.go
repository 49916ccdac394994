package lifecycle

import (
	"context"
	"runtime"

	"lda.chat/wf"
	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/store"
)

// GetStatus are the parameters of status.get.
type GetStatus struct{}

// Status is what there is.
type Status struct {
	Store    StoreStatus    `json:"store"`
	Sources  []ListedSource `json:"sources"`
	Counts   Counts         `json:"counts"`
	Versions Versions       `json:"versions"`
	Advice   *Advice        `json:"advice,omitempty"`
}

// StoreStatus is what the store offers.
type StoreStatus struct {
	Durability   store.Durability `json:"durability"`    // what a change that was answered survives: none, process, power
	MultiProcess bool             `json:"multi_process"` // several processes of one machine may open it
	MultiHost    bool             `json:"multi_host"`    // and of several machines
	InlineLimit  int              `json:"inline_limit"`  // bytes from which a value is better kept as a blob
}

// Counts are how many there are of each, up to [MostCounted].
type Counts struct {
	Drafts      int                  `json:"drafts"`
	Artifacts   int                  `json:"artifacts"`
	Deployments int                  `json:"deployments"`
	Runs        map[wf.RunStatus]int `json:"runs"`            // of each status; the newest, if there are more
	Stuck       int                  `json:"stuck,omitempty"` // runs that do not go on although something is due
	More        []string             `json:"more,omitempty"`  // of which there are more than were counted: drafts, artifacts, deployments, runs
}

// MostCounted is up to where [Counts] count.
const MostCounted = 10_000

// Versions are those of what is linked in.
type Versions struct {
	Engine string `json:"engine"`
	Plan   string `json:"plan"`   // of the shape of plans
	Kernel int    `json:"kernel"` // of the machine that runs' events are of
	Go     string `json:"go"`
}

// GetStatus implements [System].
func (s *Service) GetStatus(ctx context.Context, _ *GetStatus) (*Status, error) {
	sources, err := s.ListSources(ctx, &ListSources{})
	if err != nil {
		return nil, err
	}
	caps := s.store.Caps()
	st := &Status{Sources: sources.Sources,
		Store:    StoreStatus{Durability: caps.Durability, MultiProcess: caps.MultiProcess, MultiHost: caps.MultiHost, InlineLimit: caps.InlineLimit},
		Versions: Versions{Engine: engineVersion(), Plan: wf.Format, Kernel: kernel.Version, Go: runtime.Version()}}
	for _, c := range []struct {
		kind, name string
		n          *int
	}{{kindDraft, "drafts", &st.Counts.Drafts}, {kindArtifact, "artifacts", &st.Counts.Artifacts}, {kindDeployment, "deployments", &st.Counts.Deployments}} {
		more, err := s.countRecords(ctx, c.kind, c.n)
		if err != nil {
			return nil, errorOf(err)
		}
		if more {
			st.Counts.More = append(st.Counts.More, c.name)
		}
	}
	if err := s.countRuns(ctx, &st.Counts); err != nil {
		return nil, errorOf(err)
	}
	st.Advice = st.advice()
	return st, nil
}

func (s *Service) countRecords(ctx context.Context, kind string, n *int) (more bool, err error) {
	for cursor := ""; ; {
		page, err := s.store.ScanRecords(ctx, kind, "", cursor, 1000)
		if err != nil {
			return false, err
		}
		*n += len(page.Records)
		if cursor = page.Next; cursor == "" || *n >= MostCounted {
			return cursor != "", nil
		}
	}
}

func (s *Service) countRuns(ctx context.Context, c *Counts) error {
	c.Runs = map[wf.RunStatus]int{}
	q, n := wf.RunQuery{Limit: 1000}, 0
	for {
		page, err := s.store.List(ctx, q)
		if err != nil {
			return err
		}
		for i := range page.Runs {
			c.Runs[page.Runs[i].Status]++
			if page.Runs[i].Stuck() != nil {
				c.Stuck++
			}
		}
		n += len(page.Runs)
		if q.Cursor = page.Next; q.Cursor == "" {
			return nil
		}
		if n >= MostCounted {
			c.More = append(c.More, "runs")
			return nil
		}
	}
}

func (st *Status) advice() *Advice {
	waiting := action(toInspect, "runs.list", ListRuns{Waiting: true}, "which runs wait for somebody", "run", "list", "--waiting")
	deployments := action(toInspect, "deployments.list", ListDeployments{}, "what can be started", "deploy", "list")
	switch c := &st.Counts; {
	case c.Stuck > 0:
		return advise(plural(c.Stuck, "run is stuck", "runs are stuck"), true,
			action(toInspect, "runs.list", ListRuns{Stuck: true}, "which runs are stuck, and why", "run", "list", "--stuck"), waiting, deployments)
	case c.Runs[wf.StatusInterrupted] > 0:
		return advise(plural(c.Runs[wf.StatusInterrupted], "run waits for somebody", "runs wait for somebody"), true, waiting, deployments)
	case c.Deployments > 0:
		return advise(plural(c.Deployments, "deployment", "deployments"), true, deployments)
	case c.Artifacts > 0:
		return advise("nothing is deployed yet", true, action(toInspect, "artifacts.list", ListArtifacts{}, "what could be deployed", "artifact", "list"))
	case c.Drafts > 0:
		return advise("nothing is saved yet", true, action(toInspect, "drafts.list", ListDrafts{}, "what could be saved", "draft", "list"))
	}
	return advise("there is nothing yet", true, action(toInspect, "capabilities.list", ListCapabilities{}, "what a first draft can begin with", "cap", "list"))
}
