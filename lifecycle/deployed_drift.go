package lifecycle

import (
	"context"
	"encoding/json"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle/gate"
	"lda.chat/wf/source"
)

// drifted finds what has changed of the capabilities that a deployment's run calls since the contracts were saved that it is held to. A
// capability that has changed so that what worked may fail is an error if the deployment, as it is now, refuses that; what is not at
// hand here at all is a warning, as another process may have it. A run that has ended, or is of no deployment, has no findings.
func (s *Service) drifted(ctx context.Context, head *wf.RunHead) (wf.Diagnostics, error) {
	if deployedOf(head) == nil || head.Status.Ended() {
		return nil, nil
	}
	d, failure := s.loadDeployment(ctx, head.Deployment)
	if failure != nil && failure.Kind != NotFound {
		return nil, failure
	}
	policy := gate.DriftWarn // of a deployment that is gone: nobody could say otherwise
	if d != nil {
		policy = d.DriftPolicy
	}
	digest := head.Labels[labelDigest]
	found, known := s.drifts.get(digest + " " + string(policy))
	if !known {
		required, err := s.pinnedOf(ctx, digest)
		if err != nil {
			return nil, err
		}
		found = gate.Check(&gate.Deployment{Bindings: itself(required), DriftPolicy: policy}, required, s.set.Offers())
		s.drifts.put(digest+" "+string(policy), found)
	}
	if len(found) == 0 {
		return nil, nil
	}
	own := make(wf.Diagnostics, len(found))
	for i, f := range found {
		f.Doc, f.Path, f.Fixes = "run:"+head.RunID, "", nil
		if f.Severity == wf.SeverityError && f.Code != wf.CodeCapabilityDrift {
			f.Severity, f.RepairHint = wf.SeverityWarning, "let a process take the run on that has it"
		}
		if f.Severity == wf.SeverityError {
			f.RepairHint = "bring back what was, cancel the run, or let the deployment run with a warning"
			f.Fixes = []wf.Fix{{Title: "Let the deployment run with a warning", Applicability: wf.FixUnsafe, Call: d.warnCall()}}
		}
		own[i] = f
	}
	return own, nil
}

// tellDeployed adds to a deployment's run what has changed of what it calls, and with full which contracts it is held to.
func (s *Service) tellDeployed(ctx context.Context, view *Run, head *wf.RunHead, full bool) error {
	if view.Deployed == nil {
		return nil
	}
	var err error
	if view.Diagnostics, err = s.drifted(ctx, head); err != nil || !full {
		return err
	}
	required, err := s.pinnedOf(ctx, view.Deployed.PlanDigest)
	if err != nil {
		return err
	}
	view.Deployed.Contracts = hashes(required)
	return nil
}

// pinnedOf reads the contracts that the runs of a plan are held to.
func (s *Service) pinnedOf(ctx context.Context, digest string) ([]gate.Required, error) {
	text, err := s.store.Plan(ctx, digest)
	if err != nil {
		return nil, errorOf(err)
	}
	w, found := wf.ParseWorkflow(text)
	if w == nil {
		return nil, damaged("plan", digest, found.Err())
	}
	return pinned(w), nil
}

// warnCall lets a deployment run although capabilities have drifted.
func (d *deployment) warnCall() *wf.FixCall {
	params, err := json.Marshal(SaveDeployment{DeploymentChange: d.change(), DriftPolicy: gate.DriftWarn})
	if err != nil {
		return nil
	}
	return &wf.FixCall{Method: "deployments.save", Params: params}
}

// mayGoOn refuses to let a run go on whose capabilities have drifted, if its deployment refuses that. Where it only warns, note is what
// there is to tell.
func (s *Service) mayGoOn(ctx context.Context, runID string) (note string, err error) {
	head, err := s.store.Head(ctx, runID)
	if err != nil {
		return "", s.missing(errorOf(err))
	}
	found, err := s.drifted(ctx, &head)
	if err != nil {
		return "", err
	}
	if found.HasErrors() {
		e := (&Error{Kind: Invalid, Diagnostics: found}).next(inspectAction(runID, "what the run waits for"))
		if d, failure := s.loadDeployment(ctx, head.Deployment); failure == nil {
			e.next(warnDeployment(d))
		}
		return "", e.next(cancelAction(runID))
	}
	for _, f := range found {
		if f.Code == wf.CodeCapabilityDrift {
			return "with a warning: " + f.Message, nil
		}
	}
	return "", nil
}

// admitted is asked before a run goes on that nobody drives, whatever for: a deployment that refuses drift refuses that, and says why. It
// is asked again when the capabilities, or the deployment, may be others.
func (s *Service) admitted(ctx context.Context, head wf.RunHead) error {
	if s.admit != nil {
		if err := s.admit(ctx, head); err != nil {
			return err
		}
	}
	found, err := s.drifted(ctx, &head)
	if err != nil {
		return err
	}
	return found.Err()
}

// hashes are those of contracts.
func hashes(required []gate.Required) (list []Pinned) {
	for _, r := range required {
		if r.Saved != nil {
			list = append(list, Pinned{Ref: r.Ref, Hash: source.ContractHash(r.Saved)})
		}
	}
	return list
}
