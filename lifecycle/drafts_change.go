package lifecycle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle/edit"
)

// CreateDraft implements [Drafts].
func (s *Service) CreateDraft(ctx context.Context, p *CreateDraft) (*Draft, error) {
	if err := checkID("draft_id", p.DraftID, mostID); err != nil {
		return nil, err
	}
	if err := p.DraftView.check(); err != nil {
		return nil, err
	}
	sources, bad := s.chosen(p.Sources)
	if bad != nil {
		return nil, bad
	}
	d := &draft{id: p.DraftID, draftHead: draftHead{Title: p.Title, Sources: sources, Created: s.now().UTC()}}
	doc, changes, err := s.begin(ctx, p, d)
	if err != nil {
		return nil, err
	}
	d.Document = string(doc.JSON())
	c, err := s.checkDraft(ctx, d)
	if err != nil {
		return nil, err
	}
	if err := s.putDraft(ctx, d); err != nil {
		if _, exists := errors.AsType[*wf.ConflictError](err); exists {
			return nil, failed(Conflict, codeDraftExists, fmt.Sprintf("there is a draft %q already", p.DraftID), "go on with it, delete it, or give this one another id").
				next(showDraftAction(p.DraftID, "what the draft is that has this id")).next(s.createElsewhere(ctx, p)...)
		}
		return nil, errorOf(err)
	}
	if err := s.audit(ctx, Event{Method: "drafts.create", Subject: d.subject(), Revision: d.revision, Note: d.From}); err != nil {
		return nil, err
	}
	view := s.showDraft(ctx, d, c, p.DraftView, "")
	view.setChanges(changes, p.Full)
	return view, nil
}

// begin makes the first document of a draft.
func (s *Service) begin(ctx context.Context, p *CreateDraft, d *draft) (*edit.Doc, []edit.Change, error) {
	given := 0
	for _, is := range []bool{p.Capability != "", !isNothing(p.Plan), p.Artifact != "", p.Deployment != ""} {
		if is {
			given++
		}
	}
	switch {
	case given > 1:
		return nil, nil, badParam("plan", "a draft begins with one thing: expected capability, plan, artifact or deployment, or none of them")
	case p.Step != "" && p.Capability == "":
		return nil, nil, badParam("step", "a step is named, and no capability that it calls")
	}
	var doc *edit.Doc
	var err error
	name, report, ref := p.Name, &edit.Report{}, p.Artifact
	if p.Deployment != "" {
		of, failure := s.loadDeployment(ctx, p.Deployment)
		if failure != nil {
			return nil, nil, failure
		}
		ref, d.Deployment = of.Artifact, p.Deployment
	}
	switch {
	case p.Capability != "":
		c, failure := s.findCapability(ctx, p.Capability, d.Sources)
		if failure != nil {
			return nil, nil, failure
		}
		d.From = fromCapability + c.def.Name
		doc, report, err = edit.FromCapability(c.def, p.Step)
		if c.saved != nil && name == "" {
			name = p.DraftID // it is another workflow than the one that it runs
		}
	case !isNothing(p.Plan):
		d.From = "plan"
		doc, err = edit.FromPlan(p.Plan)
	case ref != "":
		a, failure := s.loadArtifact(ctx, "artifact", ref)
		if failure != nil {
			return nil, nil, failure
		}
		w, failed := s.linkedPlan(ctx, a)
		if failed != nil {
			return nil, nil, failed
		}
		d.From = fromArtifact + ref
		if d.Title == "" {
			d.Title = a.Title
		}
		doc, err = edit.FromPlan(shortOf(w, a.Children))
	default:
		if name == "" {
			name = p.DraftID
		}
		doc, err = edit.New(name)
		return doc, nil, editError(err, "draft:"+d.id)
	}
	changes := report.Changes
	if err == nil && name != "" {
		doc, report, err = doc.Apply([]edit.Edit{&edit.SetName{Name: name}}, nil)
		if err == nil {
			changes = append(changes, report.Changes...)
		}
	}
	return doc, changes, editError(err, "draft:"+d.id)
}

// chosen checks sources that a draft is to call.
func (s *Service) chosen(sources []string) ([]string, *Error) {
	known := s.set.IDs()
	for _, id := range sources {
		if !slices.Contains(known, id) {
			return nil, unknownSource("sources", id, known)
		}
	}
	sources = slices.Sorted(slices.Values(sources))
	return slices.Compact(sources), nil
}

// editError is the error of edits that could not be made; nil stays nil.
func editError(err error, doc string) error {
	e, ok := errors.AsType[*edit.Error](err)
	switch {
	case err == nil:
		return nil
	case !ok:
		return errorOf(err)
	}
	d := wf.Diagnostic{Severity: wf.SeverityError, Code: codeEditRefused, Path: e.Path, Step: e.Step, Message: e.Error(), RepairHint: e.Hint}
	if e.Near != "" {
		d.RepairHint = fmt.Sprintf("did you mean %q?", e.Near)
	}
	all := append(wf.Diagnostics{d}, e.Diagnostics...)
	return (&Error{Kind: Invalid, Diagnostics: all, cause: err}).about(doc)
}

// change changes a draft at the revision that was looked at, or as it is if none is named; then it does so again if somebody was
// faster. apply changes what is read; what stays the same makes no revision.
func (s *Service) change(ctx context.Context, p DraftChange, method string, v DraftView, retry func(revision uint64) NextAction,
	apply func(d *draft) ([]edit.Change, error)) (*Draft, error) {
	if err := v.check(); err != nil {
		return nil, err
	}
	for {
		d, err := s.loadDraft(ctx, p.DraftID)
		if err != nil {
			return nil, err
		}
		if p.Revision != 0 && p.Revision != d.revision {
			return nil, d.conflict(p.Revision, retry)
		}
		was, title, sources := d.Document, d.Title, d.Sources
		changes, err := apply(d)
		if err != nil {
			return nil, err
		}
		c, err := s.checkDraft(ctx, d)
		if err != nil {
			return nil, err
		}
		if d.Document != was || d.Title != title || !slices.Equal(d.Sources, sources) {
			err := s.putDraft(ctx, d)
			if _, other := errors.AsType[*wf.ConflictError](err); other {
				continue // at a revision that was named, it is told above that it is gone
			}
			if err != nil {
				return nil, missingDraft(p.DraftID, err)
			}
			if err := s.audit(ctx, Event{Method: method, Subject: d.subject(), Revision: d.revision, Note: noteOf(changes)}); err != nil {
				return nil, err
			}
		}
		view := s.showDraft(ctx, d, c, v, "")
		view.setChanges(changes, v.Full)
		return view, nil
	}
}

// noteOf says what changes were made, in a line.
func noteOf(changes []edit.Change) string {
	switch len(changes) {
	case 0:
		return ""
	case 1:
		return clip(changes[0].Message)
	}
	return fmt.Sprintf("%s (and %d more)", clip(changes[0].Message), len(changes)-1)
}

func (view *Draft) setChanges(changes []edit.Change, full bool) {
	if more := len(changes) - Most; more > 0 && !full {
		changes = changes[:Most]
		view.Omitted = append(view.Omitted, Omitted{Field: "changes", Count: more})
	}
	view.Changes = changes
}

// conflict is the error of a change for a revision that is not the draft's.
func (d *draft) conflict(seen uint64, retry func(uint64) NextAction) *Error {
	e := failed(Conflict, codeRevisionConflict, fmt.Sprintf("the draft %q is at revision %d, and the change was made for revision %d: somebody else was first", d.id, d.revision, seen),
		"look at the draft again; if the change is still right, make it for the revision that is there").about(d.subject())
	e.Diagnostics[0].Expected, _ = json.Marshal(d.revision)
	e.Diagnostics[0].Actual, _ = json.Marshal(seen)
	e.next(showDraftAction(d.id, "what the draft is now"))
	if retry != nil {
		e.next(retry(d.revision))
	}
	return e
}
