package wf

import (
	"context"
	"errors"
)

// errPicture is the refusal of a change of a run as it was.
var errPicture = errors.New("this is a run as it was after an event: nothing can be changed there; fork it to go on from there")

// At gives a run of the journal as it was after one of its events, the latest with 0. The handle is a picture: it tells what the run
// was then, its trace ends there, and it takes no answers, decisions or cancels; [Runtime.Fork] goes on from there.
func (rt *Runtime) At(ctx context.Context, runID string, event Revision) (*RunHandle, error) {
	if rt.keeper == nil {
		return nil, errNoJournal
	}
	f, err := rt.keeper.fold(ctx, runID, event)
	if err != nil {
		return nil, err
	}
	return rt.keeper.picture(f), nil
}

func (k *keeper) picture(f *folded) *RunHandle {
	r := &RunHandle{rt: k.rt, id: f.head.RunID, base: context.Background()}
	r.durable = &durable{run: r, keeper: k, still: true}
	r.durable.show(f)
	return r
}
