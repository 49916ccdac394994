package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"

	"lda.chat/wf"
)

// labels of the runs of a deployment, beside those that the runtime gives.
const (
	labelArtifact       = "wf.artifact"        // name@version
	labelArtifactDigest = "wf.artifact_digest" // of the artifact, the contracts that it needs included
	labelRevision       = "wf.deployment_revision"
	labelDigest         = "wf.digest" // the runtime's: of the plan that the run is of
)

// Deployed tells which revision of a deployment a run is of. Nothing of that changes while it runs.
type Deployed struct {
	Revision       uint64   `json:"revision"` // of the deployment
	Artifact       string   `json:"artifact"` // name@version
	ArtifactDigest string   `json:"artifact_digest"`
	PlanDigest     string   `json:"plan_digest"`         // of the artifact's plan, bound and with the contracts that the run is held to
	Contracts      []Pinned `json:"contracts,omitempty"` // told if the whole is asked for
}

// Pinned is a contract that a run is held to, of a capability under the name of the source that was bound.
type Pinned struct {
	Ref  string `json:"ref"`
	Hash string `json:"hash"` // see [source.ContractHash]
}

// startDeployed starts a run of a deployment: of one revision of it as a whole.
func (s *Service) startDeployed(ctx context.Context, p *StartRun) (*Run, error) {
	d, failure := s.loadDeployment(ctx, p.Deployment)
	if failure != nil {
		return nil, failure
	}
	r, err := s.ready(ctx, d)
	if err != nil {
		return nil, err
	}
	switch {
	case r.found.HasErrors():
		e := &Error{Kind: Invalid, Diagnostics: s.told(ctx, r.found)}
		return nil, e.next(s.deploymentAdvice(ctx, r, "").NextActions...)
	case !d.Enabled:
		return nil, d.disabled()
	}
	input, failure := r.input(p.Input)
	if failure != nil {
		return nil, failure
	}
	opts := &wf.StartOptions{RunID: p.RunID, StepByStep: p.StepByStep, Queued: p.Queued, Labels: maps.Clone(p.Labels), Deployment: d.id, InDoubt: d.InDoubt}
	if opts.RunID == "" {
		opts.RunID = s.rt.NewRunID()
	}
	if opts.Labels == nil {
		opts.Labels = map[string]string{}
	}
	maps.Copy(opts.Labels, map[string]string{labelArtifact: d.Artifact, labelArtifactDigest: r.artifact.Digest, labelRevision: strconv.FormatUint(d.revision, 10)})
	leave, failure := s.takePlace(ctx, d, opts.RunID)
	if failure != nil {
		return nil, failure
	}
	h, err := s.rt.Start(ctx, r.bound, json.RawMessage(input), opts)
	if err != nil {
		if !wf.IsAmbiguous(err) {
			leave()
		}
		return nil, startError(err, p, r.plan, r.Defaults)
	}
	if failure := s.stillOpen(ctx, d.id); failure != nil {
		if err := h.Cancel(context.WithoutCancel(ctx), "its deployment was closed while it began"); err != nil {
			return nil, errorOf(err)
		}
		return nil, failure
	}
	if err := s.auditRun(ctx, "runs.start", h.ID(), d.doc()); err != nil {
		return nil, err
	}
	return s.after(ctx, h, p.Wait && !p.Queued && !p.StepByStep, p.View)
}

// stillOpen tells why a deployment takes no runs any more, of which one has just begun. Who deletes a deployment disables it first and then
// looks for runs: so that finds the run, or this finds that.
func (s *Service) stillOpen(ctx context.Context, id string) *Error {
	d, failure := s.loadDeployment(ctx, id)
	switch {
	case failure != nil && failure.Kind == NotFound:
		return failure
	case failure == nil && !d.Enabled:
		return d.disabled()
	}
	return nil
}

func (d *deployment) disabled() *Error {
	return failed(NotAllowed, codeDeploymentDisabled, fmt.Sprintf("the deployment %q is disabled: no runs of it are started", d.id), "enable it").about(d.doc()).
		next(enableDeployment(d), showDeployment(d.id, "what the deployment is"))
}

// deployedOf tells the deployment's revision that a run is of; nil if it is of none.
func deployedOf(head *wf.RunHead) *Deployed {
	revision, err := strconv.ParseUint(head.Labels[labelRevision], 10, 64)
	if head.Deployment == "" || err != nil {
		return nil
	}
	return &Deployed{Revision: revision, Artifact: head.Labels[labelArtifact], ArtifactDigest: head.Labels[labelArtifactDigest], PlanDigest: head.Labels[labelDigest]}
}

// deployedLabels are the labels of a deployment's run that a fork of it has too, as long as it goes on with the same plan.
func deployedLabels(head *wf.RunHead) map[string]string {
	labels := map[string]string{}
	for _, name := range []string{labelArtifact, labelArtifactDigest, labelRevision} {
		if text, ok := head.Labels[name]; ok {
			labels[name] = text
		}
	}
	return labels
}
