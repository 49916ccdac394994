package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle/gate"
)

func inspectAction(runID, reason string) NextAction {
	return action(toInspect, "runs.inspect", InspectRun{RunID: runID}, reason, "run", "inspect", runID)
}

func watchAction(runID string) NextAction {
	return action(toContinue, "runs.watch", WatchRun{RunID: runID}, "follow the run until it stops", "run", "watch", runID)
}

func cancelAction(runID string) NextAction {
	return action(toContinue, "runs.cancel", CancelRun{RunID: runID}, "end the run", "run", "cancel", runID, "--yes")
}

func explainAction(runID, reason string) NextAction {
	return action(toInspect, "runs.explain", ExplainRun{RunID: runID}, reason, "run", "explain", runID)
}

func traceAction(runID string) NextAction {
	return action(toInspect, "runs.trace", TraceRun{RunID: runID}, "what the run did, step by step", "run", "trace", runID)
}

// runFacts is what advice about a run needs beside how it stands. What is not known stays nil.
type runFacts struct {
	output func(ref string) wf.Schema // of a capability
	again  []NextAction               // calls that start it again, if it has ended without an outcome
	warns  []string                   // what is to be thought of before
}

// factsOf are the facts about a run.
func (s *Service) factsOf(ctx context.Context, h *wf.RunHandle, r *Run) (facts runFacts) {
	switch {
	case r.Status == wf.StatusFailed, r.Status == wf.StatusCancelled:
		facts.again, facts.warns = s.again(ctx, h, r)
	case len(r.Doubts) > 0:
		facts.output = func(ref string) wf.Schema {
			required, err := s.pinnedOf(ctx, r.Digest)
			if i := slices.IndexFunc(required, func(x gate.Required) bool { return x.Ref == ref }); err == nil && i >= 0 && required[i].Saved != nil {
				return required[i].Saved.OutputSchema
			}
			if def := s.contract(ref); def != nil {
				return def.OutputSchema
			}
			return nil
		}
	}
	return facts
}

// RunAdvice says what to do next with a run of a store, from what it tells about itself.
func RunAdvice(info *wf.RunInfo) *Advice { return (&Run{RunInfo: *info}).advice("", runFacts{}) }

// advice says what to do next with a run, from how it stands.
func (r *Run) advice(did string, facts runFacts) *Advice {
	id := r.RunID
	trace := traceAction(id)
	reason, canContinue, actions := "", false, []NextAction(nil)
	switch {
	case r.Status == wf.StatusCompleted:
		reason, actions = fmt.Sprintf("the run has completed with the outcome %q", r.Outcome), []NextAction{trace}
	case r.Status == wf.StatusFailed:
		reason, actions = "the run has failed", append(append([]NextAction{explainAction(id, "why it failed, and what may repair it")}, facts.again...), trace)
	case r.Status == wf.StatusCancelled:
		reason, actions = "the run was cancelled", append(facts.again, trace)
	case r.Stuck != nil:
		reason, canContinue = "the run is stuck since "+r.Stuck.Since.Format(time.RFC3339)+": "+r.Stuck.Reason, true
		actions = []NextAction{inspectAction(id, "where it stands")}
		if r.Deployment != "" {
			actions = append(actions, showDeployment(r.Deployment, "what its deployment lets go on, and what may repair it"))
		}
		actions = append(actions, cancelAction(id))
	case len(r.Interrupts)+len(r.Doubts) > 0:
		reason, canContinue, actions = r.waitsFor(), true, append(r.answers(facts), explainAction(id, "what the run waits for"))
	case r.StepByStep:
		reason, canContinue = "the run goes step by step", true
		actions = []NextAction{action(toContinue, "runs.step", StepRun{RunID: id}, "take the next step", "run", "step", id), trace}
	default:
		reason, canContinue = "the run goes on by itself, as long as somebody works on the store", true
		if r.Idle {
			reason = "nobody drives the run: it goes on when a worker takes it up"
		}
		actions = []NextAction{watchAction(id), inspectAction(id, "where it stands")}
	}
	a := advise(reason, canContinue, except(did, actions)...)
	a.Warnings = facts.warns
	return a
}

func (r *Run) waitsFor() string {
	var parts []string
	if n := len(r.Interrupts); n > 0 {
		parts = append(parts, plural(n, "answer", "answers"))
	}
	if n := len(r.Doubts); n > 0 {
		parts = append(parts, plural(n, "decision about a call in doubt", "decisions about calls in doubt"))
	}
	if len(parts) == 0 {
		for _, f := range r.Frames {
			if f.Until != nil && (f.Status == "waiting" || f.Status == "backoff") {
				parts = append(parts, fmt.Sprintf("step %q until %s", f.Step, f.Until.Format(time.RFC3339)))
			}
		}
		if len(parts) == 0 {
			return "the run is at work"
		}
	}
	return "the run waits for " + strings.Join(parts, " and ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// answers are the ways to answer the first open interrupt, or to decide about the first doubt.
func (r *Run) answers(facts runFacts) []NextAction {
	if len(r.Interrupts) > 0 {
		return r.resumes(&r.Interrupts[0])
	}
	d := &r.Doubts[0]
	decide := func(p DecideRun, reason string) NextAction {
		p.RunID, p.Step, p.Wait = r.RunID, d.ID, true
		words := []string{"run", "decide", r.RunID, "--step", d.ID, "--verdict", string(p.Verdict)}
		if p.Verdict == wf.VerdictResult {
			words = append(words, "--outcome", string(p.Outcome), "--output", string(p.Output))
		}
		return action(toContinue, "runs.decide", p, reason, words...)
	}
	happened := DecideRun{Verdict: wf.VerdictResult, Outcome: wf.OK, Output: json.RawMessage(`{}`)}
	if len(d.Outcomes) > 0 {
		happened.Outcome = d.Outcomes[0]
	}
	places := []string{""}
	if facts.output != nil {
		if s := facts.output(d.Node); len(s) > 0 {
			happened.Output, places = LeastOf(s)
		}
	}
	return []NextAction{
		decide(DecideRun{Verdict: wf.VerdictFail}, "if nobody can find out: the step fails, and the plan may catch that"),
		decide(happened, "if the call happened: give its outcome and its output").filling("/output", places...).filling("/outcome", choice(d.Outcomes)...),
		decide(DecideRun{Verdict: wf.VerdictAgain}, "if it did not happen, or does no harm twice: make the call again"),
	}
}

// choice is the place of an outcome that is one of several.
func choice(outcomes []wf.Outcome) []string {
	if len(outcomes) > 1 {
		return []string{""}
	}
	return nil
}

// resumes are the ways to answer an interrupt, one for each of its outcomes. A payload is the least that its schema takes.
func (r *Run) resumes(i *wf.Interrupt) []NextAction {
	var list []NextAction
	for _, outcome := range i.Outcomes[:min(len(i.Outcomes), mostActions-1)] {
		a := Answer{Interrupt: i.ID, Outcome: outcome}
		text := i.ID + "=" + string(outcome)
		least, places := LeastOf(i.Answers[outcome])
		if string(least) != "{}" || len(places) > 0 {
			a.Payload = least
			text += ":" + string(least)
		}
		list = append(list, action(toContinue, "runs.resume", ResumeRun{RunID: r.RunID, Answers: []Answer{a}, Wait: true},
			fmt.Sprintf("answer %q", outcome), "run", "resume", r.RunID, "--answer", text).filling("/answers/0/payload", places...))
	}
	return list
}

// advice says what to do next with a list of runs.
func (l *RunList) advice(p *ListRuns) *Advice {
	var actions []NextAction
	if i := slices.IndexFunc(l.Runs, func(r ListedRun) bool { return r.Stuck != nil }); i >= 0 {
		actions = append(actions, inspectAction(l.Runs[i].RunID, "what has become of the run that is stuck"), cancelAction(l.Runs[i].RunID))
	} else if i := slices.IndexFunc(l.Runs, func(r ListedRun) bool { return r.Status == wf.StatusInterrupted }); i >= 0 {
		actions = append(actions, inspectAction(l.Runs[i].RunID, "what the run waits for"))
	} else if i := slices.IndexFunc(l.Runs, func(r ListedRun) bool { return r.Status == wf.StatusFailed }); i >= 0 {
		actions = append(actions, explainAction(l.Runs[i].RunID, "why the run failed"))
	} else if len(l.Runs) > 0 {
		actions = append(actions, inspectAction(l.Runs[0].RunID, "where the run stands"))
	}
	if l.Next != "" {
		more := *p
		more.Cursor = l.Next
		actions = append(actions, action(toInspect, "runs.list", more, "the next page", append([]string{"run", "list"}, more.words()...)...))
	}
	reason := plural(len(l.Runs), "run", "runs")
	if len(l.Runs) == 0 {
		reason = "no run is as it was asked for"
		actions = append(actions, action(toInspect, "deployments.list", ListDeployments{}, "what can be started", "deploy", "list"))
	}
	return advise(reason, len(l.Runs) > 0, actions...)
}

// words are the parameters as the flags of the command.
func (p *ListRuns) words() []string {
	var words []string
	add := func(flag, text string) {
		if text != "" {
			words = append(words, flag, text)
		}
	}
	add("--workflow", p.Workflow)
	add("--deployment", p.Deployment)
	for _, status := range p.Status {
		add("--status", string(status))
	}
	if p.Waiting {
		words = append(words, "--waiting")
	}
	if p.Stuck {
		words = append(words, "--stuck")
	}
	for _, name := range sortedKeys(p.Labels) {
		add("--label", name+"="+p.Labels[name])
	}
	add("--since", timeWord(p.CreatedFrom))
	add("--before", timeWord(p.CreatedBefore))
	add("--unchanged-since", timeWord(p.UpdatedBefore))
	if p.Limit > 0 {
		add("--limit", fmt.Sprint(p.Limit))
	}
	add("--cursor", p.Cursor)
	return words
}

// advice says what to do next with a part of a trace.
func (t *Trace) advice(p *TraceRun, steps []string) *Advice {
	var actions []NextAction
	end := p.From + len(t.Entries)
	if len(t.Entries) > 0 && end < t.Total {
		more := *p
		more.From = end
		words := []string{"run", "trace", p.RunID, "--from", fmt.Sprint(end)}
		for _, f := range [][2]string{{"--step", p.Step}, {"--frame", p.Frame}} {
			if f[1] != "" {
				words = append(words, f[0], f[1])
			}
		}
		if p.Limit > 0 {
			words = append(words, "--limit", fmt.Sprint(p.Limit))
		}
		actions = append(actions, action(toInspect, "runs.trace", more, "the entries that follow", words...))
	}
	if t.Status == wf.StatusFailed {
		actions = append(actions, explainAction(p.RunID, "why the run failed"))
	}
	if !t.Status.Ended() {
		actions = append(actions, inspectAction(p.RunID, "where the run stands"))
	}
	reason := fmt.Sprintf("%d of %d entries", len(t.Entries), t.Total)
	if t.Total == 0 && (p.Step != "" || p.Frame != "") && len(steps) > 0 {
		reason = "the run has no entry of this step and frame; it has been in " + strings.Join(steps[:min(len(steps), Most)], ", ")
	}
	return advise(reason, !t.Status.Ended(), actions...)
}
