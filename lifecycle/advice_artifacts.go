package lifecycle

import (
	"context"
	"fmt"
	"slices"

	"lda.chat/wf/source"
)

func showArtifact(ref, reason string) NextAction {
	return action(toInspect, "artifacts.show", ShowArtifact{Artifact: ref}, reason, "artifact", "show", ref)
}

func listVersions(name string) NextAction {
	return action(toInspect, "artifacts.list", ListArtifacts{Name: name}, "which versions there are", "artifact", "list", "--name", name)
}

// artifactAdvice says what to do next with an artifact: deployments that run an older version of it can run this one, first the one
// that it was made for, if that is known.
func (s *Service) artifactAdvice(ctx context.Context, a *Saved, madeFor, did string) *Advice {
	const saved = "the artifact %q is saved, and never changes"
	var upgrades, running []NextAction
	page, err := s.store.ScanRecords(ctx, kindDeployment, "", "", 1000)
	for i := range page.Records {
		r := &page.Records[i]
		d, failure := readDeployment(r.Key, r.Revision, r.Value)
		if failure != nil {
			continue // whoever looks at it is told
		}
		switch {
		case d.Artifact == a.key():
			running = append(running, showDeployment(d.id, "it is deployed: how that stands"))
		case !s.isOlder(ctx, d.Artifact, a):
		case d.id == madeFor:
			upgrades = slices.Insert(upgrades, 0, d.upgrade(a))
		default:
			upgrades = append(upgrades, d.upgrade(a))
		}
	}
	actions := append(upgrades, running...)
	if len(actions) == 0 && err == nil {
		actions = append(actions, deployArtifact(s.free(ctx, kindDeployment, a.Name), a))
	}
	actions = append(actions, showArtifact(a.key(), "the plan as it was saved"),
		action(toInspect, "artifacts.graph", GraphArtifact{Artifact: a.key()}, "the workflow, drawn", "artifact", "graph", a.key()))
	return advise(fmt.Sprintf(saved, a.key()), true, except(did, actions)...)
}

// isOlder reports whether an artifact is an older version of another one.
func (s *Service) isOlder(ctx context.Context, ref string, than *Saved) bool {
	name, version, bad := splitArtifact("artifact", ref)
	if bad != nil || name != than.Name || version == than.Version {
		return false
	}
	n, isNumber := number(version)
	if m, both := number(than.Version); isNumber && both {
		return n < m
	}
	other, failure := s.loadArtifact(ctx, "artifact", ref)
	return failure == nil && other.Created.Before(than.Created)
}

// upgrade is the call that lets a deployment run another version of its artifact, bound as it is. What the version calls beside that
// stands for itself.
func (d *deployment) upgrade(a *Saved) NextAction {
	p := &SaveDeployment{DeploymentChange: d.change(), Artifact: a.key()}
	bindings := slices.DeleteFunc(slices.Clone(d.Bindings), func(b source.Binding) bool { return !slices.Contains(a.Sources, b.Logical) })
	for _, id := range a.Sources {
		if !slices.ContainsFunc(bindings, func(b source.Binding) bool { return b.Logical == id }) {
			bindings = append(bindings, source.Binding{Logical: id, Source: id})
		}
	}
	if !slices.Equal(bindings, d.Bindings) {
		p.Bindings = append(source.Bindings{}, bindings...)
	}
	return saveDeployment(toContinue, p, fmt.Sprintf("let the deployment %q run it, which runs %s", d.id, d.Artifact))
}

// deployArtifact is the call that deploys an artifact, each source bound to the one of its own name.
func deployArtifact(id string, a *Saved) NextAction {
	p := &SaveDeployment{DeploymentChange: DeploymentChange{Deployment: id}, Artifact: a.key(), Bindings: source.Bindings{}}
	for _, id := range a.Sources {
		p.Bindings = append(p.Bindings, source.Binding{Logical: id, Source: id})
	}
	return saveDeployment(toContinue, p, "deploy it, each source standing for itself")
}

// free is an id that no record of a kind has: the one that is wished for, or the first of it with a number.
func (s *Service) free(ctx context.Context, kind, id string) string {
	const most = 1000
	for n := 1; n < most; n++ {
		name := id
		if n > 1 {
			suffix := fmt.Sprintf("-%d", n)
			name = id[:min(len(id), mostID-len(suffix))] + suffix
		}
		if _, err := s.store.GetRecord(ctx, kind, name); err != nil {
			return name
		}
	}
	return id
}

// advice says what to do next with a list of artifacts.
func (l *ArtifactList) advice(p *ListArtifacts) *Advice {
	var actions []NextAction
	if len(l.Artifacts) > 0 {
		actions = append(actions, showArtifact(l.Artifacts[0].Artifact, "what the artifact is"))
	}
	if l.Next != "" {
		more := *p
		more.Cursor = l.Next
		words := []string{"artifact", "list"}
		if p.Name != "" {
			words = append(words, "--name", p.Name)
		}
		actions = append(actions, action(toInspect, "artifacts.list", more, "the next page", pageWords(words, "--prefix", p.Prefix, p.Limit, l.Next)...))
	}
	if len(l.Artifacts) == 0 {
		return advise("no artifact is as it was asked for", false, append(actions, action(toInspect, "drafts.list", ListDrafts{}, "which drafts could be saved", "draft", "list"))...)
	}
	return advise(plural(len(l.Artifacts), "artifact", "artifacts"), true, actions...)
}
