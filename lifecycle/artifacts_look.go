package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle/plandiff"
	"lda.chat/wf/source"
)

// ListArtifacts implements [Artifacts].
func (s *Service) ListArtifacts(ctx context.Context, p *ListArtifacts) (*ArtifactList, error) {
	limit, bad := pageLimit(p.Limit)
	if bad != nil {
		return nil, bad
	}
	prefix := p.Prefix
	if p.Name != "" {
		if !strings.HasPrefix(p.Name, prefix) {
			return nil, badParam("prefix", "the name %q does not begin with %q: leave out one of the two", clip(p.Name), clip(prefix))
		}
		prefix = p.Name + "@"
	}
	page, err := s.store.ScanRecords(ctx, kindArtifact, prefix, p.Cursor, limit)
	if err != nil {
		return nil, errorOf(err)
	}
	list := &ArtifactList{Artifacts: make([]ListedArtifact, 0, len(page.Records)), Next: page.Next}
	for _, r := range page.Records {
		var listed ListedArtifact // whose members have the names that those of the record have
		if err := json.Unmarshal(r.Value, &listed); err != nil {
			return nil, damaged(kindArtifact, r.Key, err)
		}
		listed.Artifact = r.Key
		list.Artifacts = append(list.Artifacts, listed)
	}
	list.Advice = list.advice(p)
	return list, nil
}

// ShowArtifact implements [Artifacts].
func (s *Service) ShowArtifact(ctx context.Context, p *ShowArtifact) (*Artifact, error) {
	v := p.ArtifactView
	if err := v.check(); err != nil {
		return nil, err
	}
	if v.Form == "" {
		v.Form = formShort
	}
	a, w, err := s.plannedArtifact(ctx, "artifact", p.Artifact)
	if err != nil {
		return nil, err
	}
	view := s.showArtifact(a, w, v)
	view.Advice = s.artifactAdvice(ctx, a, "", "artifacts.show")
	return view, nil
}

// plannedArtifact reads an artifact and its plan as it is run.
func (s *Service) plannedArtifact(ctx context.Context, param, ref string) (*Saved, *wf.Workflow, error) {
	a, failure := s.loadArtifact(ctx, param, ref)
	if failure != nil {
		return nil, nil, failure
	}
	w, err := s.linkedPlan(ctx, a)
	return a, w, err
}

// showArtifact tells what an artifact is, without advice.
func (s *Service) showArtifact(a *Saved, w *wf.Workflow, v ArtifactView) *Artifact {
	view := &Artifact{Artifact: a.key(), Name: a.Name, Version: a.Version, Digest: a.Digest, PlanDigest: w.Digest(), Title: a.Title, Description: w.Description,
		Outcomes: a.Outcomes, Sources: a.Sources, Requires: slices.Clone(a.Requires), Children: a.Children, Engine: a.Engine, Created: a.Created}
	for _, r := range a.Reducers {
		view.Reducers = append(view.Reducers, r.Name)
	}
	if !v.Full {
		view.bound()
	}
	switch v.Form {
	case formShort:
		view.Plan, view.Form = shortOf(w, a.Children), formShort
	case formCanonical:
		view.Plan, view.Form = a.Plan, formCanonical
	}
	if n := len(view.Plan); n > planBound && !v.Full {
		view.Plan, view.Omitted = nil, append(view.Omitted, Omitted{Field: "plan", Bytes: n})
	}
	return view
}

// bound leaves out what is large.
func (a *Artifact) bound() {
	contracts := 0
	for i := range a.Requires {
		if a.Requires[i].Saved != nil {
			a.Requires[i].Saved = nil
			contracts++
		}
	}
	if contracts > 0 {
		a.Omitted = append(a.Omitted, Omitted{Field: "requires/saved", Count: contracts})
	}
	if more := len(a.Requires) - Most; more > 0 {
		a.Requires, a.Omitted = a.Requires[:Most], append(a.Omitted, Omitted{Field: "requires", Count: more})
	}
}

// DiffArtifacts implements [Artifacts].
func (s *Service) DiffArtifacts(ctx context.Context, p *DiffArtifacts) (*ArtifactDiff, error) {
	was, old, err := s.plannedArtifact(ctx, "old", p.Old)
	if err != nil {
		return nil, err
	}
	is, now, err := s.plannedArtifact(ctx, "new", p.New)
	if err != nil {
		return nil, err
	}
	d := &ArtifactDiff{Old: p.Old, New: p.New, Same: was.Digest == is.Digest,
		Plan: *plandiff.Compare(unlinked(old, was.Children), unlinked(now, is.Children)), Contracts: []source.Drift{}}
	for _, before := range was.Requires {
		i := slices.IndexFunc(is.Requires, func(r Requirement) bool { return r.Ref == before.Ref })
		if i < 0 || before.Saved == nil || is.Requires[i].Saved == nil {
			continue
		}
		drift := source.Judge(before.Saved, is.Requires[i].Saved, &source.JudgeOptions{Wired: is.Requires[i].Wired})
		if len(drift.Differences) > 0 {
			d.Contracts = append(d.Contracts, *drift)
		}
	}
	d.Children = append(pinChanges(was.Children, is.Children, "removed"), pinChanges(is.Children, was.Children, "added")...)
	breaking := 0
	for _, c := range d.Plan.Changes {
		if c.Breaking {
			breaking++
		}
	}
	reason := "they are the same"
	if !d.Same {
		reason = fmt.Sprintf("%s of the plan, %d of them breaking; %s of what it calls", plural(len(d.Plan.Changes), "difference", "differences"), breaking, plural(len(d.Contracts), "changed contract", "changed contracts"))
	}
	if more := len(d.Plan.Changes) - Most; more > 0 && !p.Full {
		d.Plan.Changes, d.Omitted = d.Plan.Changes[:Most], append(d.Omitted, Omitted{Field: "plan/changes", Count: more})
	}
	d.Advice = advise(reason, false, showArtifact(p.New, "what the newer one is"))
	return d, nil
}

// pinChanges are the children that are not among others.
func pinChanges(list, others []Pin, kind string) (changes []PinChange) {
	for _, c := range list {
		if !slices.Contains(others, c) {
			changes = append(changes, PinChange{Artifact: c.Artifact, Kind: kind})
		}
	}
	return changes
}

// GraphArtifact implements [Artifacts].
func (s *Service) GraphArtifact(ctx context.Context, p *GraphArtifact) (*Diagram, error) {
	draw := map[string]func(*wf.Workflow) string{"": (*wf.Workflow).Mermaid, "mermaid": (*wf.Workflow).Mermaid, "dot": (*wf.Workflow).DOT}[p.As]
	if draw == nil {
		return nil, badParam("as", "there is no language %q of diagrams: expected mermaid or dot", clip(p.As))
	}
	_, w, err := s.plannedArtifact(ctx, "artifact", p.Artifact)
	if err != nil {
		return nil, err
	}
	g := &Diagram{Artifact: p.Artifact, As: p.As, Text: draw(w)}
	if g.As == "" {
		g.As = "mermaid"
	}
	g.Advice = advise("the workflow, drawn", false, showArtifact(p.Artifact, "what the artifact is"))
	return g, nil
}
