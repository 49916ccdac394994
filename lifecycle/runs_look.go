package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/suggest"
)

// labels that the runtime gives to runs.
const (
	ownLabels     = "wf."
	labelWorkflow = "wf.workflow"
	labelStepping = "wf.stepping"
	labelStuck    = "wf.stuck"
)

// ListRuns implements [Runs].
func (s *Service) ListRuns(ctx context.Context, p *ListRuns) (*RunList, error) {
	q, err := p.query()
	if err != nil {
		return nil, err
	}
	page, failure := s.store.List(ctx, q)
	if failure != nil {
		return nil, errorOf(failure)
	}
	list := &RunList{Runs: make([]ListedRun, 0, len(page.Runs)), Next: page.Next}
	for i := range page.Runs {
		h := &page.Runs[i]
		list.Runs = append(list.Runs, ListedRun{RunID: h.RunID, Workflow: h.Labels[labelWorkflow], Status: h.Status, Deployment: h.Deployment,
			Labels: hostLabels(h.Labels), Events: h.Revision, Owner: h.Owner, Stuck: h.Stuck(), WakeAt: h.WakeAt, Created: h.Created, Updated: h.Updated})
	}
	list.Advice = list.advice(p)
	return list, nil
}

// query checks the parameters.
func (p *ListRuns) query() (wf.RunQuery, error) {
	q := wf.RunQuery{Status: p.Status, Labels: p.Labels, Deployment: p.Deployment, CreatedFrom: p.CreatedFrom, CreatedBefore: p.CreatedBefore,
		UpdatedBefore: p.UpdatedBefore, Limit: p.Limit, Cursor: p.Cursor}
	known := []string{string(wf.StatusRunning), string(wf.StatusInterrupted), string(wf.StatusCompleted), string(wf.StatusFailed), string(wf.StatusCancelled)}
	for _, status := range p.Status {
		if !slices.Contains(known, string(status)) {
			e := badParam("status", "there is no status %q: expected %s", clip(string(status)), strings.Join(known, ", "))
			if near, ok := suggest.Nearest(string(status), known); ok {
				e.Diagnostics[0].RepairHint = fmt.Sprintf("did you mean %q?", near)
			}
			return q, e
		}
	}
	if p.Workflow != "" || p.Stuck {
		q.Labels = maps.Clone(p.Labels)
		if q.Labels == nil {
			q.Labels = map[string]string{}
		}
	}
	if p.Workflow != "" {
		q.Labels[labelWorkflow] = p.Workflow
	}
	if p.Stuck {
		q.Labels[labelStuck] = "true"
	}
	if p.Waiting {
		if len(p.Status) > 0 && !slices.Contains(p.Status, wf.StatusInterrupted) {
			return q, badParam("waiting", "a run that waits for somebody has the status %q: leave out one of the two", wf.StatusInterrupted)
		}
		q.Status = []wf.RunStatus{wf.StatusInterrupted}
	}
	switch {
	case p.Limit < 0 || p.Limit > 1000:
		return q, badParam("limit", "a limit of %d: expected 1 to 1000", p.Limit)
	case p.Limit == 0:
		q.Limit = 50
	}
	return q, nil
}

// hostLabels are the labels that somebody gave.
func hostLabels(all map[string]string) map[string]string {
	var own map[string]string
	for name, text := range all {
		if !strings.HasPrefix(name, ownLabels) {
			if own == nil {
				own = map[string]string{}
			}
			own[name] = text
		}
	}
	return own
}

// InspectRun implements [Runs].
func (s *Service) InspectRun(ctx context.Context, p *InspectRun) (*Run, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return s.show(ctx, p.RunID, 0, p.View, "runs.inspect")
}

func (v *View) check() error {
	if v.TraceFrom < 0 {
		return badParam("trace_from", "trace_from is %d: expected 0 or more", v.TraceFrom)
	}
	if v.TraceLimit < 0 {
		return badParam("trace_limit", "trace_limit is %d: expected 0 or more", v.TraceLimit)
	}
	return nil
}

// named checks that a run is named.
func named(runID string) error {
	if err := checkID("run_id", runID, mostID); err != nil {
		return err
	}
	return nil
}

// load gives a handle of a run.
func (s *Service) load(ctx context.Context, runID string) (*wf.RunHandle, error) {
	if err := named(runID); err != nil {
		return nil, err
	}
	r, err := s.rt.Load(ctx, runID)
	if err != nil {
		return nil, s.missing(errorOf(err))
	}
	return r, nil
}

// missing adds to the error of a run that is not there how to find those that are.
func (s *Service) missing(e *Error) *Error {
	if e.Kind == NotFound && len(e.NextActions) == 0 {
		e.Diagnostics[0].RepairHint = ""
		return e.next(action(toInspect, "runs.list", ListRuns{}, "which runs there are", "run", "list"))
	}
	return e
}

// picture gives a run as it was after an event, 0 for the latest. It is what the store has: a run that is driven here may be a step
// ahead of that, and is another one a moment later.
func (s *Service) picture(ctx context.Context, runID string, event wf.Revision) (*wf.RunHandle, wf.RunHead, error) {
	if err := named(runID); err != nil {
		return nil, wf.RunHead{}, err
	}
	head, err := s.store.Head(ctx, runID)
	if err != nil {
		return nil, head, s.missing(errorOf(err))
	}
	if event == 0 {
		event = head.Revision
	}
	r, err := s.rt.At(ctx, runID, event)
	if err != nil {
		return nil, head, s.missing(errorOf(err))
	}
	return r, head, nil
}

// show tells how a run stood after an event, 0 for the latest, to somebody who did something with it.
func (s *Service) show(ctx context.Context, runID string, event wf.Revision, v View, did string) (*Run, error) {
	r, head, err := s.picture(ctx, runID, event)
	if err != nil {
		return nil, err
	}
	view, err := s.shown(ctx, r, &head, v, did)
	if err != nil {
		return nil, err
	}
	return view, s.tellDeployed(ctx, view, &head, v.Full)
}

func (s *Service) shown(ctx context.Context, r *wf.RunHandle, head *wf.RunHead, v View, did string) (*Run, error) {
	owner, idle, err := s.ownerOf(ctx, head)
	if err != nil {
		return nil, err
	}
	view := &Run{RunInfo: *r.Info(), Deployment: head.Deployment, Deployed: deployedOf(head), Labels: hostLabels(head.Labels), Revision: head.Revision,
		StepByStep: head.Labels[labelStepping] != "", Owner: owner, Idle: idle, Stuck: head.Stuck(), WakeAt: head.WakeAt, Pending: head.Pending}
	if v.TraceLimit > 0 {
		trace, err := r.Trace()
		if err != nil {
			return nil, errorOf(err)
		}
		view.TraceTotal = len(trace)
		from := min(v.TraceFrom, len(trace))
		view.Trace = trace[from:min(from+v.TraceLimit, len(trace))]
	}
	view.Advice = view.advice(did, s.factsOf(ctx, r, view))
	if !v.Full {
		view.bound()
	}
	return view, nil
}

// ownerOf is who drives a run: nobody, if the lease of who did has run out. It is idle if something is due then.
func (s *Service) ownerOf(ctx context.Context, head *wf.RunHead) (owner string, idle bool, err error) {
	if head.Status != wf.StatusRunning {
		return head.Owner, false, nil
	}
	now, err := s.store.Now(ctx)
	if err != nil {
		return "", false, errorOf(err)
	}
	if head.Owner != "" && head.LeaseUntil.After(now) {
		return head.Owner, false, nil
	}
	return "", head.Labels[labelStepping] == "" && head.Stuck() == nil && !head.WakeAt.After(now), nil
}

// bound leaves out what is large.
func (r *Run) bound() {
	for _, f := range []struct {
		name  string
		value *json.RawMessage
	}{{"input", &r.Input}, {"state", &r.State}, {"output", &r.Output}} {
		if n := len(*f.value); n > Bound {
			*f.value = nil
			r.Omitted = append(r.Omitted, Omitted{Field: f.name, Bytes: n})
		}
	}
	r.Frames = first(r, "frames", r.Frames)
	r.Interrupts = first(r, "interrupts", r.Interrupts)
	r.Doubts = first(r, "doubts", r.Doubts)
}

// first are the first elements of a list.
func first[T any](r *Run, name string, list []T) []T {
	if more := len(list) - Most; more > 0 {
		r.Omitted = append(r.Omitted, Omitted{Field: name, Count: more})
		return list[:Most]
	}
	return list
}

// TraceRun implements [Runs].
func (s *Service) TraceRun(ctx context.Context, p *TraceRun) (*Trace, error) {
	switch {
	case p.From < 0:
		return nil, badParam("from", "from is %d: expected 0 or more", p.From)
	case p.Limit < 0 || p.Limit > 1000:
		return nil, badParam("limit", "a limit of %d: expected 1 to 1000", p.Limit)
	}
	r, _, err := s.picture(ctx, p.RunID, 0)
	if err != nil {
		return nil, err
	}
	all, err := r.Trace()
	if err != nil {
		return nil, errorOf(err)
	}
	known := map[string]bool{}
	asked := all[:0:0]
	for _, e := range all {
		known[e.Step] = true
		if (p.Step == "" || e.Step == p.Step) && within(e.Frame, p.Frame) {
			asked = append(asked, e)
		}
	}
	limit := p.Limit
	if limit == 0 {
		limit = 100
	}
	from := min(p.From, len(asked))
	t := &Trace{RunID: p.RunID, Status: r.Status(), From: p.From, Total: len(asked), Entries: asked[from:min(from+limit, len(asked))]}
	t.Advice = t.advice(p, slices.Sorted(maps.Keys(known)))
	return t, nil
}

// within reports whether a frame is another one, or below it.
func within(frame, of string) bool {
	if of == "" || of == "/" || frame == of {
		return true
	}
	rest, ok := strings.CutPrefix(frame, of)
	return ok && strings.HasPrefix(rest, "/")
}
