package lifecycle

import (
	"context"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle/preview"
	"lda.chat/wf/source"
)

// ShowDeployment implements [Deployments].
func (s *Service) ShowDeployment(ctx context.Context, p *ShowDeployment) (*Deployment, error) {
	return s.lookAtDeployment(ctx, p.Deployment, "deployments.show")
}

// ValidateDeployment implements [Deployments].
func (s *Service) ValidateDeployment(ctx context.Context, p *ValidateDeployment) (*Deployment, error) {
	return s.lookAtDeployment(ctx, p.Deployment, "deployments.validate")
}

func (s *Service) lookAtDeployment(ctx context.Context, id, did string) (*Deployment, error) {
	d, failure := s.loadDeployment(ctx, id)
	if failure != nil {
		return nil, failure
	}
	return s.viewDeployment(ctx, d, did)
}

// viewDeployment tells how a deployment stands, to somebody who did something with it.
func (s *Service) viewDeployment(ctx context.Context, d *deployment, did string) (*Deployment, error) {
	r, err := s.ready(ctx, d)
	if err != nil {
		return nil, err
	}
	view := &Deployment{Deployment: d.id, Revision: d.revision, Artifact: d.Artifact, Title: r.artifact.Title, Bindings: d.Bindings, Defaults: given(r.plan, d.Defaults).JSON(),
		DriftPolicy: d.DriftPolicy, InDoubt: d.InDoubt, RetentionSeconds: d.RetentionSeconds, MaxRuns: d.MaxRuns, Enabled: d.Enabled, Created: d.Created, Updated: d.Updated,
		Valid: !r.found.HasErrors(), Diagnostics: s.told(ctx, r.found)}
	if view.Bindings == nil {
		view.Bindings = source.Bindings{}
	}
	view.Advice = s.deploymentAdvice(ctx, r, did)
	view.Diagnostics, view.Omitted = firstFindings(view.Diagnostics)
	return view, nil
}

// firstFindings are as many findings as are told of a deployment.
func firstFindings(found wf.Diagnostics) (wf.Diagnostics, []Omitted) {
	if more := len(found) - Most; more > 0 {
		return found[:Most], []Omitted{{Field: "diagnostics", Count: more}}
	}
	return found, nil
}

// PreviewDeployment implements [Deployments].
func (s *Service) PreviewDeployment(ctx context.Context, p *PreviewDeployment) (*DeploymentPreview, error) {
	d, failure := s.loadDeployment(ctx, p.Deployment)
	if failure != nil {
		return nil, failure
	}
	r, err := s.ready(ctx, d)
	if err != nil {
		return nil, err
	}
	may := preview.Of(r.plan, &preview.Options{Nodes: func(ref string) (*wf.NodeDef, bool) {
		for _, need := range r.artifact.Requires {
			if need.Ref == ref {
				return need.Saved, need.Saved != nil
			}
		}
		return nil, false
	}})
	view := &DeploymentPreview{Deployment: d.id, Revision: d.revision, Artifact: d.Artifact, Bindings: d.Bindings, Preview: *may, Text: may.String(),
		Valid: !r.found.HasErrors(), Advice: s.deploymentAdvice(ctx, r, "deployments.preview")}
	view.Diagnostics, view.Omitted = firstFindings(s.told(ctx, r.found))
	if view.Bindings == nil {
		view.Bindings = source.Bindings{}
	}
	return view, nil
}

// ListDeployments implements [Deployments].
func (s *Service) ListDeployments(ctx context.Context, p *ListDeployments) (*DeploymentList, error) {
	limit, bad := pageLimit(p.Limit)
	if bad != nil {
		return nil, bad
	}
	list := &DeploymentList{Deployments: []ListedDeployment{}, Next: p.Cursor}
	for len(list.Deployments) == 0 {
		page, err := s.store.ScanRecords(ctx, kindDeployment, p.Prefix, list.Next, limit)
		if err != nil {
			return nil, errorOf(err)
		}
		for _, r := range page.Records {
			d, failure := readDeployment(r.Key, r.Revision, r.Value)
			if failure != nil {
				return nil, failure
			}
			if p.wants(d) {
				list.Deployments = append(list.Deployments, ListedDeployment{Deployment: d.id, Revision: d.revision, Artifact: d.Artifact, Enabled: d.Enabled, Created: d.Created, Updated: d.Updated})
			}
		}
		if list.Next = page.Next; list.Next == "" {
			break
		}
	}
	list.Advice = list.advice(p)
	return list, nil
}

func (p *ListDeployments) wants(d *deployment) bool {
	ofArtifact := p.Artifact == "" || d.Artifact == p.Artifact || strings.HasPrefix(d.Artifact, p.Artifact+"@")
	return ofArtifact && (p.Enabled == nil || *p.Enabled == d.Enabled)
}
