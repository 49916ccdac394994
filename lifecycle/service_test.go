package lifecycle_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"testing"

	"lda.chat/wf/lifecycle"
	"lda.chat/wf/lifecycle/apitest"
	"lda.chat/wf/source"
	"lda.chat/wf/store"
)

func service(t *testing.T, set *source.Set) lifecycle.API {
	t.Helper()
	s, err := lifecycle.NewService(store.NewMemory(nil), set, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestServiceOnMemory(t *testing.T) {
	t.Parallel()
	apitest.Run(t, service)
}

// Behind a wire nothing is lost: all parameters, results and errors go through JSON, and operations by their names.
func TestServiceBehindAWire(t *testing.T) {
	t.Parallel()
	apitest.Run(t, func(t *testing.T, set *source.Set) lifecycle.API { return wire{service(t, set)} })
}

// wire is an API behind JSON.
type wire struct{ far lifecycle.API }

func sent[R any](ctx context.Context, w wire, method string, params any) (*R, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	out, failure := lifecycle.Call(ctx, w.far, method, raw)
	if failure != nil {
		return nil, overWire(failure)
	}
	return received[R](out)
}

func received[R any](out any) (*R, error) {
	raw, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	r := new(R)
	return r, json.Unmarshal(raw, r)
}

func overWire(failure error) error {
	e, ok := errors.AsType[*lifecycle.Error](failure)
	if !ok {
		return failure
	}
	copied, err := received[lifecycle.Error](e)
	if err != nil {
		return err
	}
	return copied
}

func (w wire) StartRun(ctx context.Context, p *lifecycle.StartRun) (*lifecycle.Run, error) {
	return sent[lifecycle.Run](ctx, w, "runs.start", p)
}
func (w wire) ListRuns(ctx context.Context, p *lifecycle.ListRuns) (*lifecycle.RunList, error) {
	return sent[lifecycle.RunList](ctx, w, "runs.list", p)
}
func (w wire) InspectRun(ctx context.Context, p *lifecycle.InspectRun) (*lifecycle.Run, error) {
	return sent[lifecycle.Run](ctx, w, "runs.inspect", p)
}
func (w wire) TraceRun(ctx context.Context, p *lifecycle.TraceRun) (*lifecycle.Trace, error) {
	return sent[lifecycle.Trace](ctx, w, "runs.trace", p)
}
func (w wire) ExplainRun(ctx context.Context, p *lifecycle.ExplainRun) (*lifecycle.Explanation, error) {
	return sent[lifecycle.Explanation](ctx, w, "runs.explain", p)
}
func (w wire) ResumeRun(ctx context.Context, p *lifecycle.ResumeRun) (*lifecycle.Run, error) {
	return sent[lifecycle.Run](ctx, w, "runs.resume", p)
}
func (w wire) DecideRun(ctx context.Context, p *lifecycle.DecideRun) (*lifecycle.Run, error) {
	return sent[lifecycle.Run](ctx, w, "runs.decide", p)
}
func (w wire) StepRun(ctx context.Context, p *lifecycle.StepRun) (*lifecycle.Run, error) {
	return sent[lifecycle.Run](ctx, w, "runs.step", p)
}
func (w wire) CancelRun(ctx context.Context, p *lifecycle.CancelRun) (*lifecycle.Run, error) {
	return sent[lifecycle.Run](ctx, w, "runs.cancel", p)
}
func (w wire) DeleteRun(ctx context.Context, p *lifecycle.DeleteRun) (*lifecycle.DeletedRun, error) {
	return sent[lifecycle.DeletedRun](ctx, w, "runs.delete", p)
}
func (w wire) ReplayRun(ctx context.Context, p *lifecycle.ReplayRun) (*lifecycle.Run, error) {
	return sent[lifecycle.Run](ctx, w, "runs.replay", p)
}
func (w wire) DiffRuns(ctx context.Context, p *lifecycle.DiffRuns) (*lifecycle.RunsDiff, error) {
	return sent[lifecycle.RunsDiff](ctx, w, "runs.diff", p)
}
func (w wire) ForkRun(ctx context.Context, p *lifecycle.ForkRun) (*lifecycle.Run, error) {
	return sent[lifecycle.Run](ctx, w, "runs.fork", p)
}
func (w wire) BacktestRuns(ctx context.Context, p *lifecycle.BacktestRuns) (*lifecycle.Backtests, error) {
	return sent[lifecycle.Backtests](ctx, w, "runs.backtest", p)
}

func (w wire) WatchRun(ctx context.Context, p *lifecycle.WatchRun) iter.Seq2[*lifecycle.RunEvent, error] {
	raw, err := json.Marshal(p)
	return func(yield func(*lifecycle.RunEvent, error) bool) {
		if err != nil {
			yield(nil, err)
			return
		}
		for out, err := range lifecycle.Stream(ctx, w.far, "runs.watch", raw) {
			if err != nil {
				yield(nil, overWire(err))
				return
			}
			e, err := received[lifecycle.RunEvent](out)
			if !yield(e, err) {
				return
			}
		}
	}
}

// Every method of the table says what it is, once.
func TestMethods(t *testing.T) {
	t.Parallel()
	names, commands := map[string]bool{}, map[string]bool{}
	for _, m := range lifecycle.Methods() {
		if m.Name == "" || m.Command == "" || m.Summary == "" || names[m.Name] || commands[m.Command] || m.ReadOnly && m.Destructive {
			t.Errorf("%+v", m)
		}
		names[m.Name], commands[m.Command] = true, true
		if _, err := json.Marshal(m.NewParams()); err != nil {
			t.Error(m.Name, err)
		}
		if _, err := json.Marshal(m.NewResult()); err != nil {
			t.Error(m.Name, err)
		}
	}
}
