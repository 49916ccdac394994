package lifecycle

import (
	"context"
	"fmt"

	"lda.chat/wf"
)

// CreateArtifact implements [Artifacts].
func (s *Service) CreateArtifact(ctx context.Context, p *CreateArtifact) (*Artifact, error) {
	if err := p.ArtifactView.check(); err != nil {
		return nil, err
	}
	if isNothing(p.Plan) {
		return nil, badParam("plan", "there is no plan")
	}
	c, err := s.check(ctx, p.Plan, nil)
	if err != nil {
		return nil, err
	}
	if c.found.HasErrors() {
		return nil, (&Error{Kind: Invalid, Diagnostics: c.found}).about("plan").next(s.draftOfPlan(ctx, p.Plan)...)
	}
	return s.save(ctx, c, newArtifact{method: "artifacts.create_from_plan", name: p.Artifact, version: p.Version, title: p.Title}, p.ArtifactView)
}

func (v ArtifactView) check() error {
	if v.Form == formWritten {
		return badParam("form", "an artifact's plan is not kept as it was written: expected short, canonical or none")
	}
	return checkForm(v.Form)
}

// newArtifact is how an artifact is to be saved, by which operation.
type newArtifact struct {
	method, name, version, title string
	madeFor, note                string // the deployment that it is for, and what the audit is told
}

// save makes an artifact of a plan without errors.
func (s *Service) save(ctx context.Context, c *checked, as newArtifact, v ArtifactView) (*Artifact, error) {
	if as.name == "" {
		as.name = c.workflow.Name
	}
	if err := checkID("artifact", as.name, mostID); err != nil {
		return nil, err
	}
	if as.version != "" {
		if err := checkID("version", as.version, mostVersion); err != nil {
			return nil, err
		}
	}
	a := s.newSaved(as.name, as.title, c)
	a.Version = as.version
	kept, there, err := s.putArtifact(ctx, a)
	if err != nil {
		return nil, err
	}
	if !there {
		if err := s.audit(ctx, Event{Method: as.method, Subject: "artifact:" + kept.key(), Note: as.note}); err != nil {
			return nil, err
		}
	}
	view := s.showArtifact(kept, c.workflow, v)
	view.Advice = s.artifactAdvice(ctx, kept, as.madeFor, "")
	view.There, view.Diagnostics = there, first20(view, c.found, v.Full)
	return view, nil
}

func first20(view *Artifact, found wf.Diagnostics, full bool) wf.Diagnostics {
	if more := len(found) - Most; more > 0 && !full {
		view.Omitted = append(view.Omitted, Omitted{Field: "diagnostics", Count: more})
		return found[:Most]
	}
	return found
}

// artifactFileFormat is that of files with artifacts.
const artifactFileFormat = "wf-artifacts/1"

// ExportArtifact implements [Artifacts].
func (s *Service) ExportArtifact(ctx context.Context, p *ExportArtifact) (*ExportedArtifact, error) {
	out := &ExportedArtifact{Artifact: p.Artifact, File: ArtifactFile{Format: artifactFileFormat}}
	if err := s.collect(ctx, p.Artifact, &out.File, map[string]bool{}); err != nil {
		return nil, err
	}
	out.Advice = advise(plural(len(out.File.Artifacts), "artifact", "artifacts")+" in the file", false, showArtifact(p.Artifact, "what the artifact is"))
	return out, nil
}

// collect puts an artifact into a file, behind those that it runs.
func (s *Service) collect(ctx context.Context, ref string, file *ArtifactFile, seen map[string]bool) error {
	if seen[ref] {
		return nil
	}
	seen[ref] = true
	a, err := s.loadArtifact(ctx, "artifact", ref)
	if err != nil {
		return err
	}
	for _, c := range a.Children {
		if err := s.collect(ctx, c.Artifact, file, seen); err != nil {
			return err
		}
	}
	file.Artifacts = append(file.Artifacts, *a)
	return nil
}

// ImportArtifact implements [Artifacts].
func (s *Service) ImportArtifact(ctx context.Context, p *ImportArtifact) (*Artifact, error) {
	if err := p.ArtifactView.check(); err != nil {
		return nil, err
	}
	switch {
	case p.File.Format != artifactFileFormat:
		return nil, badParam("file/format", "the file has the format %q, expected %q", clip(p.File.Format), artifactFileFormat)
	case len(p.File.Artifacts) == 0:
		return nil, badParam("file/artifacts", "the file has no artifact")
	}
	var view *Artifact
	for i := range p.File.Artifacts {
		a := p.File.Artifacts[i]
		w, err := s.sound(ctx, &a, fmt.Sprintf("file/artifacts/%d", i))
		if err != nil {
			return nil, err
		}
		kept, there, err := s.putArtifact(ctx, &a)
		if err != nil {
			return nil, err
		}
		if !there {
			if err := s.audit(ctx, Event{Method: "artifacts.import", Subject: "artifact:" + kept.key()}); err != nil {
				return nil, err
			}
		}
		view = s.showArtifact(kept, w, p.ArtifactView)
		view.There = there
		if i == len(p.File.Artifacts)-1 {
			view.Advice = s.artifactAdvice(ctx, kept, "", "")
		}
	}
	return view, nil
}

// sound checks an artifact that comes from elsewhere by what it says itself: what it calls need not be here.
func (s *Service) sound(ctx context.Context, a *Saved, at string) (*wf.Workflow, error) {
	if err := checkID(at+"/name", a.Name, mostID); err != nil {
		return nil, err
	}
	if err := checkID(at+"/version", a.Version, mostVersion); err != nil {
		return nil, err
	}
	if a.Format != artifactFormat {
		return nil, badParam(at+"/format", "the artifact %q has the format %q, expected %q", a.key(), clip(a.Format), artifactFormat)
	}
	if digest := a.digest(); a.Digest != digest {
		return nil, badParam(at+"/digest", "the artifact %q was changed since it was exported: it has the digest %s, and says %s", a.key(), digest, clip(a.Digest))
	}
	l, err := s.link(ctx, a.Plan)
	if err != nil {
		return nil, err
	}
	for _, c := range a.Children {
		child, err := s.loadArtifact(ctx, at+"/children", c.Artifact)
		if err != nil {
			if err.Kind == NotFound {
				err.Diagnostics[0].Message = fmt.Sprintf("the artifact %q of the file runs %q, which is neither here nor before it in the file", a.key(), c.Artifact)
				err.Diagnostics[0].RepairHint = "give a file that \"wf artifact export\" wrote, as it is, or import that one first"
			}
			return nil, err
		}
		if child.Digest != c.Digest {
			return nil, failed(Conflict, codeVersionExists, fmt.Sprintf("the artifact %q runs %q, and here that is another one: it has the digest %s, expected %s", a.key(), c.Artifact, child.Digest, c.Digest),
				"a version never changes: import it into another store").next(showArtifact(c.Artifact, "what is here"))
		}
	}
	w, found := wf.CheckText(l.text, a.surroundings())
	found = append(found, l.found...)
	if found.HasErrors() {
		return nil, (&Error{Kind: Invalid, Diagnostics: found}).about("artifact:" + a.key())
	}
	return w, nil
}

// surroundings are what an artifact says that it needs.
func (a *Saved) surroundings() *wf.ValidateOptions {
	return &wf.ValidateOptions{
		Nodes: func(ref string) (*wf.NodeDef, bool) {
			for _, r := range a.Requires {
				if r.Ref == ref {
					return r.Saved, r.Saved != nil
				}
			}
			return nil, false
		},
		Reducers: func(name string) (wf.ReducerSpec, bool) {
			for _, r := range a.Reducers {
				if r.Name == name {
					return r, true
				}
			}
			return wf.ReducerSpec{}, false
		},
	}
}
