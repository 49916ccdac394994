package lifecycle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"lda.chat/wf"
)

// StartRun implements [Runs].
func (s *Service) StartRun(ctx context.Context, p *StartRun) (*Run, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if p.Deployment != "" {
		if !isNothing(p.Plan) {
			return nil, badParam("plan", "a run is of a deployment or of a plan, not of both: leave out one of the two")
		}
		return s.startDeployed(ctx, p)
	}
	w, err := s.plan(ctx, p.Plan)
	if err != nil {
		return nil, err
	}
	r, err := s.rt.Start(ctx, w, orObject(p.Input), &wf.StartOptions{RunID: p.RunID, StepByStep: p.StepByStep, Queued: p.Queued, Labels: p.Labels})
	if err != nil {
		return nil, startError(err, p, w, nil)
	}
	if err := s.auditRun(ctx, "runs.start", r.ID(), w.Name); err != nil {
		return nil, err
	}
	return s.after(ctx, r, p.Wait && !p.Queued, p.View)
}

// startError is the error of a run of a workflow that was not started.
func startError(err error, p *StartRun, w *wf.Workflow, defaults []byte) *Error {
	e := errorOf(err)
	_, exists := errors.AsType[*wf.ExistsError](err)
	refused := e.Diagnostics[0].Code == wf.CodeInputInvalid
	if exists {
		e.next(inspectAction(p.RunID, "what the run is that has this id"))
	} else if refused {
		e.about("input")
	}
	switch tooMuch := len(p.Plan) > Bound || len(p.Input) > Bound; {
	case tooMuch:
	case exists:
		e.next(elsewhere(p, w, defaults))
	case refused:
		e.next(corrected(p, w, defaults, e.Diagnostics))
	}
	return e
}

func (p *StartRun) check() error {
	if p.RunID != "" {
		if err := named(p.RunID); err != nil {
			return err
		}
	}
	if err := checkLabels(p.Labels); err != nil {
		return err
	}
	return p.View.check()
}

// checkLabels refuses those that are not the caller's to give.
func checkLabels(labels map[string]string) error {
	for _, name := range sortedKeys(labels) {
		if strings.HasPrefix(name, ownLabels) {
			return badParam("labels", "the label %q: names that begin with %q are those of wf itself", clip(name), ownLabels)
		}
	}
	return nil
}

// isNothing reports whether a parameter was not given.
func isNothing(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// orObject is a value, or the empty object.
func orObject(raw json.RawMessage) json.RawMessage {
	if isNothing(raw) {
		return json.RawMessage(`{}`)
	}
	return raw
}

// after waits for a run, if so wished, and shows it. One that goes step by step does nothing by itself that could be waited for.
func (s *Service) after(ctx context.Context, r *wf.RunHandle, wait bool, v View) (*Run, error) {
	if wait {
		stepping, err := s.stepping(context.WithoutCancel(ctx), r.ID())
		if err != nil {
			return nil, err
		}
		wait = !stepping
	}
	if wait {
		if err := r.Wait(ctx); err != nil {
			return nil, goesOn(ctx, r.ID(), err)
		}
	}
	return s.show(context.WithoutCancel(ctx), r.ID(), 0, v, "") // what was to be done is done, whoever has left meanwhile
}

// goesOn is the error of a caller who did not wait until the run stopped.
func goesOn(ctx context.Context, runID string, err error) *Error {
	if ctx.Err() == nil {
		return errorOf(err)
	}
	kind, why := Cancelled, "was interrupted"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		kind, why = TimedOut, "had no more time"
	}
	e := failed(kind, codeRunGoesOn, fmt.Sprintf("who waited for the run %q %s; the run is in the store and is not over", runID, why), "")
	e.cause = err
	return e.next(watchAction(runID), inspectAction(runID, "where the run stands"))
}

// GoesOn is the error of somebody who has waited for a run in a store until ctx ended.
func GoesOn(ctx context.Context, runID string) *Error { return goesOn(ctx, runID, ctx.Err()) }

// ResumeRun implements [Runs].
func (s *Service) ResumeRun(ctx context.Context, p *ResumeRun) (*Run, error) {
	if err := p.View.check(); err != nil {
		return nil, err
	}
	if len(p.Answers) == 0 {
		return nil, badParam("answers", "there is no answer: answers is empty")
	}
	r, err := s.load(ctx, p.RunID)
	if err != nil {
		return nil, err
	}
	note, err := s.mayGoOn(ctx, p.RunID)
	if err != nil {
		return nil, err
	}
	answers := make([]wf.Answer, len(p.Answers))
	for i, a := range p.Answers {
		answers[i] = wf.Answer{Interrupt: a.Interrupt, Outcome: a.Outcome, Payload: orObject(a.Payload)}
	}
	if err := r.Resume(ctx, answers...); err != nil {
		return nil, s.refused(ctx, r, err, "answer")
	}
	if err := s.auditRun(ctx, "runs.resume", p.RunID, note); err != nil {
		return nil, err
	}
	return s.after(ctx, r, p.Wait, p.View)
}

// refused adds to the error of something that a run did not take what it does take.
func (s *Service) refused(ctx context.Context, r *wf.RunHandle, err error, doc string) *Error {
	e := errorOf(err)
	if e.Kind == Internal {
		return e
	}
	if now, err := s.show(ctx, r.ID(), 0, View{}, ""); err == nil && len(e.NextActions) == 0 {
		e.NextActions = now.Advice.NextActions
	}
	return e.about(doc)
}

// DecideRun implements [Runs].
func (s *Service) DecideRun(ctx context.Context, p *DecideRun) (*Run, error) {
	if err := p.View.check(); err != nil {
		return nil, err
	}
	r, err := s.load(ctx, p.RunID)
	if err != nil {
		return nil, err
	}
	note, err := s.mayGoOn(ctx, p.RunID)
	if err != nil {
		return nil, err
	}
	ruling := wf.Ruling{Step: p.Step, Verdict: p.Verdict, Outcome: p.Outcome, Output: orObject(p.Output)}
	if err := r.Decide(ctx, ruling); err != nil {
		return nil, s.refused(ctx, r, err, "decision")
	}
	if err := s.auditRun(ctx, "runs.decide", p.RunID, strings.TrimSuffix(string(p.Verdict)+", "+note, ", ")); err != nil {
		return nil, err
	}
	return s.after(ctx, r, p.Wait, p.View)
}

// StepRun implements [Runs].
func (s *Service) StepRun(ctx context.Context, p *StepRun) (*Run, error) {
	if err := p.View.check(); err != nil {
		return nil, err
	}
	r, err := s.load(ctx, p.RunID)
	if err != nil {
		return nil, err
	}
	note, err := s.mayGoOn(ctx, p.RunID)
	if err != nil {
		return nil, err
	}
	stepping, err := s.stepping(ctx, p.RunID)
	if err != nil {
		return nil, err
	}
	if !stepping {
		return nil, failed(Conflict, codeRunStatus, fmt.Sprintf("the run %q takes its steps by itself: it was not started step by step", p.RunID), "").
			next(watchAction(p.RunID))
	}
	before := r.Info().Records
	if _, err := r.Step(ctx); err != nil {
		return nil, errorOf(err)
	}
	run, err := s.show(ctx, r.ID(), 0, p.View, "")
	if err != nil {
		return nil, err
	}
	if run.Records == before && !run.Status.Ended() {
		return nil, failed(Conflict, codeRunStatus, run.waitsFor()+": there is no step that it could take", "").next(run.Advice.NextActions...)
	}
	return run, s.auditRun(ctx, "runs.step", p.RunID, note)
}

// stepping reports whether a run goes step by step.
func (s *Service) stepping(ctx context.Context, runID string) (bool, error) {
	head, err := s.store.Head(ctx, runID)
	if err != nil {
		return false, s.missing(errorOf(err))
	}
	return head.Labels[labelStepping] != "", nil
}

// CancelRun implements [Runs].
func (s *Service) CancelRun(ctx context.Context, p *CancelRun) (*Run, error) {
	if err := p.View.check(); err != nil {
		return nil, err
	}
	r, err := s.load(ctx, p.RunID)
	if err != nil {
		return nil, err
	}
	reason := p.Reason
	if reason == "" {
		reason = "somebody cancelled it"
	}
	if err := r.Cancel(ctx, reason); err != nil {
		return nil, errorOf(err)
	}
	if err := s.auditRun(ctx, "runs.cancel", p.RunID, clip(reason)); err != nil {
		return nil, err
	}
	return s.after(ctx, r, true, p.View)
}

// DeleteRun implements [Runs].
func (s *Service) DeleteRun(ctx context.Context, p *DeleteRun) (*DeletedRun, error) {
	if err := named(p.RunID); err != nil {
		return nil, err
	}
	if err := s.store.DeleteRun(ctx, p.RunID); err != nil {
		e := s.missing(errorOf(err))
		if e.Kind == Conflict {
			e.next(cancelAction(p.RunID))
		}
		return nil, e
	}
	if err := s.auditRun(ctx, "runs.delete", p.RunID, ""); err != nil {
		return nil, err
	}
	return &DeletedRun{RunID: p.RunID, Advice: advise("the run is gone, with all that belonged to it", false,
		action(toInspect, "runs.list", ListRuns{}, "which runs there are", "run", "list"))}, nil
}
