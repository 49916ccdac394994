package lifecycle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"lda.chat/wf"
)

// The limit of a deployment's runs holds whoever starts them: each takes a place in a record of the store before it begins. Places of
// runs that have ended are given away again when somebody needs one.

const kindPlaces = "deployment_runs"

// places are the runs that are under way, or about to be.
type places struct {
	Taken []place `json:"taken"`
}

type place struct {
	RunID string    `json:"run_id"`
	At    time.Time `json:"at"`
}

// unborn is for how long a place is kept for a run that is not in the store.
const unborn = time.Minute

// takePlace takes a place for a run; leave gives it back if the run does not begin. A deployment without a limit has no places.
func (s *Service) takePlace(ctx context.Context, d *deployment, runID string) (leave func(), failure *Error) {
	leave = func() {}
	if d.MaxRuns == 0 {
		return leave, nil
	}
	for {
		list, revision, err := s.loadPlaces(ctx, d.id)
		if err != nil {
			return nil, errorOf(err)
		}
		if slices.ContainsFunc(list.Taken, func(p place) bool { return p.RunID == runID }) {
			return leave, nil // it is started again
		}
		now, err := s.store.Now(ctx)
		if err != nil {
			return nil, errorOf(err)
		}
		if err := s.settle(ctx, d, list, now); err != nil {
			return nil, errorOf(err)
		}
		if len(list.Taken) >= d.MaxRuns {
			return nil, failed(Conflict, codeDeploymentBusy, fmt.Sprintf("%s of the deployment %q are under way, as many as may be at a time", plural(len(list.Taken), "run", "runs"), d.id),
				"start it when one of them has ended, or let the deployment have more").about(d.doc()).
				next(listRuns(d.id, "which runs are under way", underWay...), showDeployment(d.id, "what the deployment is"))
		}
		list.Taken = append(list.Taken, place{RunID: runID, At: now})
		err = s.putPlaces(ctx, d.id, revision, list)
		if _, other := errors.AsType[*wf.ConflictError](err); other {
			continue
		}
		if err != nil {
			return nil, errorOf(err)
		}
		return func() { s.leavePlace(context.WithoutCancel(ctx), d.id, runID) }, nil
	}
}

// leavePlace gives a place back. If that fails, it is free again a little later, as that of any run that did not begin.
func (s *Service) leavePlace(ctx context.Context, id, runID string) {
	for {
		list, revision, err := s.loadPlaces(ctx, id)
		if err != nil {
			return
		}
		list.Taken = slices.DeleteFunc(list.Taken, func(p place) bool { return p.RunID == runID })
		err = s.putPlaces(ctx, id, revision, list)
		if _, other := errors.AsType[*wf.ConflictError](err); !other {
			return
		}
	}
}

// settle gives up the places of runs that are not under way, and gives places to those that are and have none: forks, and runs that
// began when there was no limit.
func (s *Service) settle(ctx context.Context, d *deployment, list *places, now time.Time) error {
	left := list.Taken[:0]
	for _, p := range list.Taken {
		head, err := s.store.Head(ctx, p.RunID)
		_, gone := errors.AsType[*wf.NotFoundError](err)
		switch {
		case err != nil && !gone:
			return err
		case gone && now.Sub(p.At) > unborn, !gone && head.Status.Ended():
		default:
			left = append(left, p)
		}
	}
	list.Taken = left
	page, err := s.store.List(ctx, wf.RunQuery{Deployment: d.id, Status: underWay, Limit: d.MaxRuns})
	if err != nil {
		return err
	}
	for i := range page.Runs {
		h := &page.Runs[i]
		if !slices.ContainsFunc(list.Taken, func(p place) bool { return p.RunID == h.RunID }) {
			list.Taken = append(list.Taken, place{RunID: h.RunID, At: h.Created})
		}
	}
	return nil
}

func (s *Service) loadPlaces(ctx context.Context, id string) (*places, uint64, error) {
	list := &places{}
	r, err := s.store.GetRecord(ctx, kindPlaces, id)
	if _, none := errors.AsType[*wf.NotFoundError](err); none {
		return list, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	if err := json.Unmarshal(r.Value, list); err != nil {
		return nil, 0, damaged(kindPlaces, id, err)
	}
	return list, r.Revision, nil
}

func (s *Service) putPlaces(ctx context.Context, id string, revision uint64, list *places) error {
	text, err := json.Marshal(list)
	if err == nil {
		_, err = s.store.PutRecord(ctx, kindPlaces, id, revision, text)
	}
	return err
}

// dropPlaces forgets the places of a deployment that is gone.
func (s *Service) dropPlaces(ctx context.Context, id string) error {
	_, revision, err := s.loadPlaces(ctx, id)
	if err == nil && revision > 0 {
		err = s.store.DeleteRecord(ctx, kindPlaces, id, revision)
	}
	_, other := errors.AsType[*wf.ConflictError](err)
	if err == nil || other {
		return nil
	}
	return errorOf(err)
}
