package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/lifecycle/gate"
)

// SaveDeployment implements [Deployments].
func (s *Service) SaveDeployment(ctx context.Context, p *SaveDeployment) (*Deployment, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return s.changeDeployment(ctx, p.DeploymentChange, "deployments.save", func(d *deployment) error {
		if d.revision == 0 {
			*d = deployment{id: d.id, DriftPolicy: gate.DriftRefuse, InDoubt: wf.DoubtAsk, Defaults: []byte(`{}`), Enabled: true, Created: s.now().UTC()}
		}
		p.apply(d)
		if d.Artifact == "" {
			return badParam("artifact", "a new deployment needs the artifact that it runs, such as \"report@1\"")
		}
		_, err := s.loadArtifact(ctx, "artifact", d.Artifact)
		if err != nil {
			return err
		}
		return nil
	})
}

// mostRuns bounds the limit of runs at a time.
const mostRuns = 1000

func (p *SaveDeployment) check() error {
	switch p.DriftPolicy {
	case "", gate.DriftRefuse, gate.DriftWarn:
	default:
		return badParam("drift_policy", "there is no drift policy %q: expected refuse or warn", clip(string(p.DriftPolicy)))
	}
	switch p.InDoubt {
	case "", wf.DoubtAsk, wf.DoubtRetry, wf.DoubtFail:
	default:
		return badParam("in_doubt", "there is no policy %q for calls in doubt: expected ask, retry or fail", clip(string(p.InDoubt)))
	}
	if !isNothing(p.Defaults) {
		v, err := value.Parse(p.Defaults)
		if err != nil || v.Kind() != value.KindObject {
			return badParam("defaults", "the defaults are no JSON object: expected members of the input")
		}
		for name, member := range v.Members() {
			if isMasked(member) {
				return badParam("defaults", "the default %q has %s in it, which stands where a secret is not shown: give the secret itself, or leave the defaults as they are", clip(name), masked)
			}
		}
	}
	if p.RetentionSeconds != nil && *p.RetentionSeconds < 0 {
		return badParam("retention_seconds", "a retention of %d s: expected 0, for good, or more", *p.RetentionSeconds)
	}
	if p.MaxRuns != nil && (*p.MaxRuns < 0 || *p.MaxRuns > mostRuns) {
		return badParam("max_runs", "%d runs at a time: expected 0, for any number, to %d", *p.MaxRuns, mostRuns)
	}
	return nil
}

// apply changes a deployment as the parameters say.
func (p *SaveDeployment) apply(d *deployment) {
	if p.Artifact != "" {
		d.Artifact = p.Artifact
	}
	if p.Bindings != nil {
		d.Bindings = slices.Clone(p.Bindings)
	}
	if !isNothing(p.Defaults) {
		given, _ := value.Parse(p.Defaults) // check has read it
		d.Defaults = given.JSON()
	}
	if p.DriftPolicy != "" {
		d.DriftPolicy = p.DriftPolicy
	}
	if p.InDoubt != "" {
		d.InDoubt = p.InDoubt
	}
	if p.RetentionSeconds != nil {
		d.RetentionSeconds = *p.RetentionSeconds
	}
	if p.MaxRuns != nil {
		d.MaxRuns = *p.MaxRuns
	}
	if p.Enabled != nil {
		d.Enabled = *p.Enabled
	}
}

// EnableDeployment implements [Deployments].
func (s *Service) EnableDeployment(ctx context.Context, p *EnableDeployment) (*Deployment, error) {
	return s.changeDeployment(ctx, p.DeploymentChange, "deployments.enable", enabling(true))
}

// DisableDeployment implements [Deployments].
func (s *Service) DisableDeployment(ctx context.Context, p *DisableDeployment) (*Deployment, error) {
	return s.changeDeployment(ctx, p.DeploymentChange, "deployments.disable", enabling(false))
}

func enabling(on bool) func(*deployment) error {
	return func(d *deployment) error {
		if d.revision == 0 {
			return missingDeployment(d.id, &wf.NotFoundError{})
		}
		d.Enabled = on
		return nil
	}
}

// changeDeployment changes a deployment at the revision that was looked at, or as it is if none is named; then it does so again if
// somebody was faster. apply changes what is read, which has no revision if nothing is there. What stays the same makes no revision.
func (s *Service) changeDeployment(ctx context.Context, p DeploymentChange, method string, apply func(d *deployment) error) (*Deployment, error) {
	for {
		d, failure := s.loadDeployment(ctx, p.Deployment)
		switch {
		case failure != nil && (failure.Kind != NotFound || p.Revision != 0):
			return nil, failure
		case failure != nil:
			d = &deployment{id: p.Deployment}
		case p.Revision != 0 && p.Revision != d.revision:
			return nil, d.conflict(p.Revision)
		}
		was := *d
		if err := apply(d); err != nil {
			return nil, err
		}
		if !d.same(&was) {
			err := s.putDeployment(ctx, d)
			if _, other := errors.AsType[*wf.ConflictError](err); other {
				continue // at a revision that was named, it is told above that it is gone
			}
			if err != nil {
				return nil, errorOf(err)
			}
			if err := s.audit(ctx, Event{Method: method, Subject: d.subject(), Revision: d.revision, Note: d.note(&was)}); err != nil {
				return nil, err
			}
		}
		return s.viewDeployment(ctx, d, "")
	}
}

func (d *deployment) same(was *deployment) bool {
	return was.revision != 0 && d.Artifact == was.Artifact && slices.Equal(d.Bindings, was.Bindings) && string(d.Defaults) == string(was.Defaults) &&
		d.DriftPolicy == was.DriftPolicy && d.InDoubt == was.InDoubt && d.RetentionSeconds == was.RetentionSeconds && d.MaxRuns == was.MaxRuns && d.Enabled == was.Enabled
}

// note says what a change did, in a line.
func (d *deployment) note(was *deployment) string {
	switch {
	case was.revision == 0:
		return "runs " + d.Artifact
	case d.Artifact != was.Artifact:
		return fmt.Sprintf("runs %s, before %s", d.Artifact, was.Artifact)
	case !slices.Equal(d.Bindings, was.Bindings):
		return "other bindings"
	}
	return ""
}

// DeleteDeployment implements [Deployments]. It is disabled first, so that a run which begins meanwhile is found, or finds that; see stillOpen.
func (s *Service) DeleteDeployment(ctx context.Context, p *DeleteDeployment) (*DeletedDeployment, error) {
	for {
		d, failure := s.loadDeployment(ctx, p.Deployment)
		if failure != nil {
			return nil, failure
		}
		if p.Revision != 0 && p.Revision != d.revision {
			return nil, d.conflict(p.Revision)
		}
		if err := s.unused(ctx, d); err != nil {
			return nil, err
		}
		was := *d
		if d.Enabled {
			d.Enabled = false
			if err := s.putDeployment(ctx, d); err != nil {
				if _, other := errors.AsType[*wf.ConflictError](err); other {
					continue
				}
				return nil, errorOf(err)
			}
		}
		if err := s.unused(ctx, d); err != nil { // one that began meanwhile
			if was.Enabled {
				d.Enabled = true
				_ = s.putDeployment(ctx, d) // whoever was faster has said what it is to be
			}
			return nil, err
		}
		err := s.store.DeleteRecord(ctx, kindDeployment, d.id, d.revision)
		if _, other := errors.AsType[*wf.ConflictError](err); other {
			continue
		}
		if err != nil {
			return nil, missingDeployment(d.id, err)
		}
		if err := s.dropPlaces(ctx, d.id); err != nil {
			return nil, err
		}
		if err := s.audit(ctx, Event{Method: "deployments.delete", Subject: d.subject(), Revision: was.revision}); err != nil {
			return nil, err
		}
		return &DeletedDeployment{Deployment: d.id, Advice: advise("the deployment is gone; its runs and its artifact are not", false,
			action(toInspect, "deployments.list", ListDeployments{}, "which deployments there are", "deploy", "list"))}, nil
	}
}

// unused refuses what must not happen to a deployment of which runs are under way.
func (s *Service) unused(ctx context.Context, d *deployment) error {
	page, err := s.store.List(ctx, wf.RunQuery{Deployment: d.id, Status: underWay, Limit: 1})
	if err != nil {
		return errorOf(err)
	}
	if len(page.Runs) == 0 {
		return nil
	}
	return failed(Conflict, codeDeploymentInUse, fmt.Sprintf("runs of the deployment %q are under way, such as %q", d.id, page.Runs[0].RunID),
		"disable it, so that no more begin, and delete it when they have ended; or cancel them").about(d.subject()).
		next(listRuns(d.id, "which runs are under way", underWay...), disableDeployment(d, "let no more runs begin"))
}

// underWay are the statuses of runs that have not ended.
var underWay = []wf.RunStatus{wf.StatusRunning, wf.StatusInterrupted}
