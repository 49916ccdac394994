package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"lda.chat/wf"
)

// ReplayRun are the parameters of runs.replay.
type ReplayRun struct {
	RunID string      `json:"run_id" jsonschema_description:"which run"`
	Event wf.Revision `json:"event,omitempty" jsonschema_description:"the event behind which it is shown, counted from 1; the latest if it is left out"`
	View
}

// DiffRuns are the parameters of runs.diff: two runs, or one at two points.
type DiffRuns struct {
	A wf.RunPoint `json:"a" jsonschema_description:"a run and a point of it: an object of run_id and event, which is the latest if it is left out"`
	B wf.RunPoint `json:"b" jsonschema_description:"the other one, or the same run at another point"`
}

// RunsDiff is what two runs have not in common.
type RunsDiff struct {
	wf.RunDiff
	Same   bool    `json:"same"`
	Advice *Advice `json:"advice,omitempty"`
}

// ForkRun are the parameters of runs.fork.
type ForkRun struct {
	RunID      string            `json:"run_id" jsonschema_description:"the run to go on from"`
	Event      wf.Revision       `json:"event,omitempty" jsonschema_description:"the event behind which, counted from 1; the latest at which it had not ended if it is left out"`
	NewID      string            `json:"new_id,omitempty" jsonschema_description:"the new run's id; one that sorts by time is made if it is left out"`
	Plan       json.RawMessage   `json:"plan,omitempty" jsonschema_description:"the plan that it goes on with; the same if it is left out"`
	State      json.RawMessage   `json:"state,omitempty" jsonschema_description:"state fields that are set, an object"`
	Unset      []string          `json:"unset,omitempty" jsonschema_description:"state fields that take their defaults"`
	Labels     map[string]string `json:"labels,omitempty" jsonschema_description:"names and texts to list it by; names that begin with wf. are taken"`
	Queued     bool              `json:"queued,omitempty" jsonschema_description:"the run is only recorded; whoever works on the store takes it up"`
	StepByStep bool              `json:"step_by_step,omitempty" jsonschema_description:"the run takes a step only when runs.step tells it to"`
	Wait       bool              `json:"wait,omitempty" jsonschema_description:"answer when the run stops, not at once"`
	View
}

// BacktestRuns are the parameters of runs.backtest.
type BacktestRuns struct {
	Plan   json.RawMessage `json:"plan" jsonschema_description:"the plan that past runs are played by"`
	RunIDs []string        `json:"run_ids,omitempty" jsonschema_description:"which runs; those that list finds if it is left out"`
	List   ListRuns        `json:"list,omitzero" jsonschema_description:"past runs in pages, as runs.list lists them; without a workflow, those of the plan's name"`
}

// Backtests tell what a plan would have made of past runs.
type Backtests struct {
	Runs    []Backtest `json:"runs"`
	Same    int        `json:"same"`           // runs that would have gone as they did
	Differs int        `json:"differs"`        // runs that would have gone otherwise, to their end
	Stops   int        `json:"stops"`          // runs that would have made a call, or asked something, without a recorded answer
	Next    string     `json:"next,omitempty"` // the cursor of the next page; "": there is none
	Advice  *Advice    `json:"advice,omitempty"`
}

// The verdicts of backtests.
const (
	BacktestSame    = "same"
	BacktestDiffers = "differs"
	BacktestStops   = "stops"
)

// Backtest is what a plan would have made of one run.
type Backtest struct {
	Verdict string `json:"verdict"` // same, differs, stops
	wf.Backtest
}

// ReplayRun implements [Runs].
func (s *Service) ReplayRun(ctx context.Context, p *ReplayRun) (*Run, error) {
	if err := p.View.check(); err != nil {
		return nil, err
	}
	run, err := s.show(ctx, p.RunID, p.Event, p.View, "")
	if err != nil || p.Event == 0 {
		return run, err
	}
	run.Revision, run.Owner, run.Idle, run.Pending = p.Event, "", false, 0
	run.Advice = advise(fmt.Sprintf("this is the run as it was after event %d", p.Event), true,
		action(toContinue, "runs.fork", ForkRun{RunID: p.RunID, Event: p.Event, Wait: true}, "go on from here with a run of its own",
			"run", "fork", p.RunID, "--event", fmt.Sprint(p.Event)),
		action(toInspect, "runs.diff", DiffRuns{A: wf.RunPoint{RunID: p.RunID, Event: p.Event}, B: wf.RunPoint{RunID: p.RunID}}, "what has changed since",
			"run", "diff", fmt.Sprintf("%s@%d", p.RunID, p.Event), p.RunID))
	return run, nil
}

// DiffRuns implements [Runs].
func (s *Service) DiffRuns(ctx context.Context, p *DiffRuns) (*RunsDiff, error) {
	if p.A.RunID == "" || p.B.RunID == "" {
		return nil, badParam("a", "two runs are compared, and one of them is not named")
	}
	d, err := s.rt.Diff(ctx, p.A, p.B)
	if err != nil {
		return nil, s.missing(errorOf(err))
	}
	reason := "they are the same"
	if !d.Same() {
		reason = fmt.Sprintf("%s of steps went otherwise, %s of input, state and output differ", plural(len(d.Steps), "visit", "visits"),
			plural(len(d.Input)+len(d.State)+len(d.Output), "place", "places"))
	}
	return &RunsDiff{RunDiff: *d, Same: d.Same(), Advice: advise(reason, false, traceAction(p.A.RunID))}, nil
}

// ForkRun implements [Runs].
func (s *Service) ForkRun(ctx context.Context, p *ForkRun) (*Run, error) {
	if err := p.View.check(); err != nil {
		return nil, err
	}
	if err := named(p.RunID); err != nil {
		return nil, err
	}
	if p.NewID != "" {
		if err := checkID("new_id", p.NewID, mostID); err != nil {
			return nil, err
		}
	}
	if err := checkLabels(p.Labels); err != nil {
		return nil, err
	}
	o := &wf.ForkOptions{At: p.Event, RunID: p.NewID, Unset: p.Unset, StepByStep: p.StepByStep, Queued: p.Queued, Labels: p.Labels}
	if !isNothing(p.State) {
		o.State = p.State
	}
	if !isNothing(p.Plan) {
		w, err := s.plan(ctx, p.Plan)
		if err != nil {
			return nil, err
		}
		o.Workflow = w
	} else {
		head, err := s.store.Head(ctx, p.RunID)
		if err != nil {
			return nil, s.missing(errorOf(err))
		}
		own := deployedLabels(&head)
		maps.Copy(own, p.Labels)
		o.Labels = own
	}
	r, err := s.rt.Fork(ctx, p.RunID, o)
	if err != nil {
		return nil, s.missing(errorOf(err))
	}
	if err := s.auditRun(ctx, "runs.fork", r.ID(), "of "+p.RunID); err != nil {
		return nil, err
	}
	return s.after(ctx, r, p.Wait && !p.Queued, p.View)
}

// plan reads and checks a plan.
func (s *Service) plan(ctx context.Context, text json.RawMessage) (*wf.Workflow, error) {
	if isNothing(text) {
		return nil, badParam("plan", "there is no plan")
	}
	c, err := s.check(ctx, text, nil)
	if err != nil {
		return nil, err
	}
	if c.found.HasErrors() {
		return nil, (&Error{Kind: Invalid, Diagnostics: c.found}).about("plan").next(s.draftOfPlan(ctx, text)...)
	}
	return c.workflow, nil
}

// BacktestRuns implements [Runs].
func (s *Service) BacktestRuns(ctx context.Context, p *BacktestRuns) (*Backtests, error) {
	w, err := s.plan(ctx, p.Plan)
	if err != nil {
		return nil, err
	}
	all := &Backtests{Runs: []Backtest{}}
	ids := p.RunIDs
	if len(ids) == 0 {
		list := p.List
		if list.Workflow == "" {
			list.Workflow = w.Name
		}
		if len(list.Status) == 0 && !list.Waiting {
			list.Status = []wf.RunStatus{wf.StatusCompleted, wf.StatusFailed}
		}
		found, err := s.ListRuns(ctx, &list)
		if err != nil {
			return nil, err
		}
		for _, r := range found.Runs {
			ids = append(ids, r.RunID)
		}
		all.Next = found.Next
	}
	for _, id := range ids {
		b, err := s.rt.Backtest(ctx, w, id)
		if err != nil {
			return nil, s.missing(errorOf(err))
		}
		all.add(b)
	}
	all.Advice = all.advice(p)
	return all, nil
}

func (all *Backtests) add(b *wf.Backtest) {
	one := Backtest{Backtest: *b}
	switch {
	case b.Same():
		one.Verdict = BacktestSame
		all.Same++
	case len(b.New) > 0:
		one.Verdict = BacktestStops
		all.Stops++
	default:
		one.Verdict = BacktestDiffers
		all.Differs++
	}
	all.Runs = append(all.Runs, one)
}

func (all *Backtests) advice(p *BacktestRuns) *Advice {
	var actions []NextAction
	if i := slices.IndexFunc(all.Runs, func(b Backtest) bool { return b.Verdict != BacktestSame }); i >= 0 {
		actions = append(actions, traceAction(all.Runs[i].RunID))
	}
	if all.Next != "" {
		more := *p
		more.List.Cursor = all.Next
		actions = append(actions, action(toInspect, "runs.backtest", more, "the next page of runs", append([]string{"run", "backtest", "PLAN"}, more.List.words()...)...))
	}
	reason := fmt.Sprintf("of %s, %d would go as they did, %d otherwise, and %d would need a call or an answer that is not recorded",
		plural(len(all.Runs), "past run", "past runs"), all.Same, all.Differs, all.Stops)
	if len(all.Runs) == 0 {
		reason = "there is no past run to play"
	}
	return advise(reason, all.Next != "", actions...)
}
